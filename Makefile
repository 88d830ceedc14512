# The friendly front of the CMake build. `make run` and `make test` install the packages that are missing.
.PHONY: run test test-python test-python-all build setup setup-python setup-lint bench bench-lab sanitize memcheck coverage \
	lint format install clean paper defaults ablations oracle suite peers deep public mutants browser-check torture torture-kills torture-files \
	torture-memory torture-disk soak release tsan fuzz fleet crowd clang deb wheel container-steps docs
.DEFAULT_GOAL := build

jobs := $(shell nproc)

# These goals install missing packages; every other one only names them, unless root or a CI machine runs it.
export BESD_SETUP := $(if $(filter setup setup-% run test test-%,$(MAKECMDGOALS)),install)

setup:
	@scripts/setup.sh build

setup-python:
	@scripts/setup.sh build python

setup-lint:
	@scripts/setup.sh build lint

build: setup
	@cmake --preset release > build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
	@rm -f build-configure.log
	@cmake --build build

run: setup
	@cmake --preset release > build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
	@rm -f build-configure.log
	@cmake --build build --target besd
	@scripts/demo.sh

test: build setup-python
	@scripts/browser_venv.sh
	@ctest --preset release -j $(jobs)
	@scripts/test_python.sh

# The manual pages as texts in build/docs, whole: besd.1 is made from what every verb says of its options.
docs: build
	@command -v groff > /dev/null || { echo 'docs: groff renders them (Debian: groff-base)' >&2; exit 1; }
	@mkdir -p build/docs
	@for page in build/besd.1 build/besd.3 man/*.[57]; do \
	    groff -man -Tutf8 -P-cbou -rLL=100n $$page > build/docs/$$(basename $$page).txt || exit 1; done
	@wc -l build/docs/*.txt

# The Python package alone, in a venv of its own.
test-python: setup-python
	@scripts/test_python.sh

# The same with the libraries of others (Dask, mpi4py, Optuna, Ray, Stable-Baselines3, ...): gigabytes the first time.
test-python-all: build setup-python
	@ALL=1 scripts/test_python.sh

bench: build
	@build/bench/besd-bench build/bench.json

# The same of the lab, in minutes: the gain of a second thread and paper_quick_s; with SIZE=full paper_full_s.
bench-lab: build
	@scripts/bench_lab.sh build/besd $(or $(SIZE),quick) build/bench.json

# The paper's experiments: an hour on two cores; what is finished is not done again.
paper: build
	@build/besd paper --out docs/results
	@cd docs/results && for name in curves learning; do xz -9 -c $$name.csv > $$name.csv.xz; done && \
	    grep -E '^(domain|[a-z0-9]+,besd),' trials.csv | xz -9 -c > trials-besd.csv.xz

# What besd does by default at the budgets of the paper's experiments: an hour and a half on two cores, resumable.
defaults: build
	@build/besd compare gw10 gw20 tr key2 key3 mc --methods besd --replications 50 --at-points --out build/defaults
	@for name in curves learning; do xz -c build/defaults/$$name.csv > docs/results/defaults-$$name.csv.xz; done
	@scripts/results_table.py

ablations: build
	@scripts/ablations.sh build/besd build/ablations > build/ablations.md && cat build/ablations.md

# The best designs that brute force finds.
oracle: build
	@cmake --build build --target oracle
	@mkdir -p docs/results && build/bench/oracle > build/oracle.csv && cp build/oracle.csv docs/results/oracle.csv
	@cat docs/results/oracle.csv

# Problems that besd was not tuned on, both halves: minutes per replication. METHODS='besd ei' REPLICATIONS=4
# TRAININGS='20 40 80': budgets of so many full trainings of one agent instead (also LEGS=no: scores only).
suite: build
	@cmake --build build --target suite
	@for half in develop validate; do for trainings in $(or $(TRAININGS),all); do \
	    few=; [ $$trainings = all ] || few="--trainings $$trainings --reps 1 $(if $(filter no,$(LEGS)),--no-legs)"; \
	    rows=build/suite-$$half$${few:+-$$trainings}.csv; \
	    build/bench/suite --as-run $$few suite/$$half.txt "$(or $(METHODS),besd besd:model=paper,instances=shared hyperband random)" \
	        $(or $(REPLICATIONS),2) > $$rows && \
	    printf '\n%s half, budget: %s trainings\n\n' $$half $$trainings && scripts/suite.py $$rows || exit 1; done; done

# Other people's optimisers on the same problem, rows in docs/results/peers.csv, a page in peers.md; what has a row is not
# done again. DOMAINS='gw10 tr' BUDGETS=100000 SEEDS=3 (or 4-10) METHODS='besd tpe'; gigabytes of packages the first time.
# LIST=suite/validate.txt: on problems of the suite, rows in build/.
peers: build
	@LIST="$(LIST)" DOMAINS="$(DOMAINS)" BUDGETS="$(BUDGETS)" SEEDS="$(SEEDS)" METHODS="$(METHODS)" scripts/peers.sh

# Subgoals for agents whose trainings are few, rows in docs/results/deep.csv, a page in deep.md; MINUTES (60) bound a call, the
# next one goes on. Needs gymnasium-robotics, minigrid, Stable-Baselines3 and Optuna: in the venv of test-python-all, or of
# BESD_PYTHON.
deep: setup-python
	@scripts/deep.sh $(or $(MINUTES),60)

# besd and other people's optimisers on public functions, rows in docs/results/public.csv, a page in public.md; an hour, the
# next call goes on. HALF=develop PROBLEMS METHODS BUDGETS SEEDS JOBS MINUTES choose; LABEL with BESD_PYTHON or OPTIONS is a
# variant of besd, rows in build/public.csv, tables are printed (scripts/public.sh).
public: setup-python
	@scripts/public.sh

# The same tests under AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: setup
	@cmake --preset asan > /dev/null && cmake --build build-asan
	@ctest --preset asan -j $(jobs)

# All tests in C under ThreadSanitizer: clang, whose libomp tells it through Archer what waits for what. Not those that
# have a malloc of their own, as ThreadSanitizer has, nor scripts; ONLY='serve|pool' chooses.
archer := $(firstword $(wildcard /usr/lib/llvm-*/lib/libarcher.so))
tsan: setup
	@scripts/setup.sh clang
	@cmake --preset tsan > /dev/null && cmake --build build-tsan
	@OMP_TOOL_LIBRARIES=$(archer) TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1" \
	    ctest --preset tsan -j $(jobs) $(if $(ONLY),-R '$(ONLY)',-E 'cli_|live_page|static_page|install|docs|examples|trajectories|durability|_memory$$')

# The release tests of another compiler; not those of the tool, which would say the same.
clang: setup
	@scripts/setup.sh clang
	@CC=clang cmake -B build-clang -G Ninja > /dev/null && cmake --build build-clang
	@ctest --test-dir build-clang --output-on-failure -j $(jobs) -E 'cli_|live_page|static_page|durability'

# What besd reads from others, each for SECONDS (60): YAML, maps, answers of trainers and environments, descriptions,
# whole study files, texts, requests over HTTP.
fuzz: setup
	@scripts/setup.sh clang
	@cmake --preset fuzz > /dev/null && cmake --build build-fuzz
	@scripts/fuzz.sh build-fuzz/tests/fuzz $(or $(SECONDS),60) $(ONLY)

# A study of a thousand asks and tells under valgrind: no leak, no read of what was not written.
memcheck: build
	@scripts/setup.sh memcheck
	@scripts/memcheck.sh

# Pages full of hostile names in a real browser: nothing of them runs, all of them can be read.
browser-check: build
	@scripts/browser_check.sh

coverage: setup
	@cmake --preset coverage > /dev/null && cmake --build build-coverage
	@find build-coverage -name '*.gcda' -delete
	@ctest --preset coverage -j $(jobs)
	@scripts/coverage.sh build-coverage

# Planted bugs that the unit tests must catch; some of them with ONLY='explore bridge', side by side with JOBS=4.
mutants: setup
	@scripts/mutants.py --jobs $(or $(JOBS),$(jobs)) $(ONLY)

# Damaged studies and results under the sanitizers, COUNT files (1000) made from SEED (1).
torture-files: setup
	@cmake --preset asan > /dev/null && cmake --build build-asan --target besd besd-forking
	@scripts/torture_files.py build-asan/besd --forking build-asan/tests/besd-forking --count $(or $(COUNT),1000) --seed $(or $(SEED),1) --keep build-asan/tortured

# One allocation after the other fails, in besd and in its libraries: MOST (40) of each verb, all with MOST=0;
# ONLY='ask tell'. Ten minutes.
torture-memory: build
	@scripts/torture_memory.py build/besd build/tests/libstarved.so --most $(or $(MOST),40) $(if $(ONLY),--only $(ONLY))

# Signal 9 to asks and tells, ROUNDS (300) of them, and eight processes on one study, some of which die.
torture-kills: build
	@scripts/torture_kills.py build/besd --rounds $(or $(ROUNDS),300) --trials $(or $(TRIALS),400) --seed $(or $(SEED),1)

# Disks that fail, power that goes away, clocks that jump: MOST (40) faults of each kind, CRASHES (400), JUMPS (6).
torture-disk: build
	@scripts/torture_disk.py build/besd build/tests/libtroubled.so --most $(or $(MOST),40) --crashes $(or $(CRASHES),400) \
	    --jumps $(or $(JUMPS),6) --seed $(or $(SEED),1)

# Workers over HTTP that die, leases that end, a server that is killed; then how fast tells are.
fleet: build
	@scripts/fleet.py build/besd --trials $(or $(TRIALS),2000) --kills $(or $(KILLS),3) --readers $(or $(READERS),0) \
	    --followers $(or $(FOLLOWERS),0) --slices $(or $(SLICES),0)

# Readers that never end beside somebody who tells, and what a list costs. TRIALS=4000 READERS=30
crowd: build
	@scripts/crowd.py build/besd --trials $(or $(TRIALS),4000) --readers $(or $(READERS),30)

# Load, kills and readers for MINUTES (60), with the server's memory and descriptors watched.
soak: build
	@scripts/soak.py build/besd --minutes $(or $(MINUTES),60) --seed $(or $(SEED),1)

# All of it, bounded: about twenty minutes on two cores. Each part alone takes more.
torture: torture-kills
	@$(MAKE) --no-print-directory torture-memory MOST=$(or $(MOST),15)
	@$(MAKE) --no-print-directory torture-disk MOST=$(or $(MOST),15) CRASHES=$(or $(CRASHES),200) JUMPS=$(or $(JUMPS),3)
	@$(MAKE) --no-print-directory fleet TRIALS=500 KILLS=5 READERS=10 FOLLOWERS=50 SLICES=2
	@$(MAKE) --no-print-directory soak MINUTES=2
	@$(MAKE) --no-print-directory torture-files COUNT=$(or $(COUNT),1000)
	@$(MAKE) --no-print-directory fuzz SECONDS=$(or $(SECONDS),20)

lint: setup-lint build
	@scripts/lint.sh

format: setup-lint
	@git ls-files '*.c' '*.h' ':!src/cli/skeletons' | xargs clang-format -i

# make install PREFIX=/usr/local; DESTDIR is honoured.
install: build
	@cmake --install build $(if $(PREFIX),--prefix $(abspath $(PREFIX)))

# Debian packages in build/packages, a wheel in build/wheels; lintian and a fresh venv look at them.
deb: setup
	@scripts/setup.sh debian
	@scripts/package_debian.sh

wheel: setup-python
	@scripts/package_wheel.sh

# The tarball of the last commit, its SBOM, sums, and a signature by the command in BESD_SIGN, in build/release.
release: build
	@scripts/release.sh build build/release

# The steps of the Containerfile without a container runtime: debootstrap and chroot, for root. Minutes.
container-steps:
	@scripts/setup.sh container
	@scripts/container_steps.sh

clean:
	@rm -rf build build-asan build-tsan build-fuzz build-coverage build-clang
