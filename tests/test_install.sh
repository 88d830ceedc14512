#!/usr/bin/env bash
# The installed tree as a stranger uses it: a small project built against it through pkg-config and
# through find_package, with the shared and with the static library; its symbols, pages, completions.
# usage: test_install.sh TOOL SOURCE_DIR
set -euo pipefail
build=$(dirname "$1") source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
checks=0

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# equal WHAT EXPECTED GOT
equal() {
    checks=$((checks + 1))
    [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

# A sanitized or counted library needs its run-time in every program: that is not what is installed.
if grep -qE '^BESD_(SANITIZE:STRING=.+|COVERAGE:BOOL=ON)' "$build/CMakeCache.txt"; then
    echo "test_install: nothing to install from an instrumented build"
    exit 77
fi

# Installed, then moved: nothing may remember where it was put first.
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$prefix"
libdir=$(dirname "$(find "$prefix" -name libbesd.a)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
version=$("$prefix/bin/besd" --version) # "besd 1.2.3"
minor=${version%.*}
equal "version in besd.pc" "${version#besd }" "$(pkg-config --modversion besd)"

# Both libraries offer the functions of the public headers, all of them, and nothing else.
sed -nE '/^BESD_API/{s/.*[ *](besd_[a-z_]+)\(.*/\1/p}' "$prefix"/include/besd/*.h |
    grep -vx besd_env_plugin | sort >"$work/public" # which plugins define
[ "$(wc -l <"$work/public")" -ge 20 ] || fail "expected at least 20 public functions in the headers"
nm -D --defined-only "$libdir/libbesd.so" | awk '{ print $3 }' | sort >"$work/shared"
nm -g --defined-only "$libdir/libbesd.a" | awk 'NF == 3 { print $3 }' | sort >"$work/static"
for kind in shared static; do
    checks=$((checks + 1))
    diff "$work/public" "$work/$kind" || fail "the $kind library offers (>) other symbols than the headers (<)"
done
equal "soname" "libbesd.so.${version#besd }" "$(readlink -f "$libdir/libbesd.so" | xargs basename)"
abi=$(sed -nE 's/^#define BESD_ABI ([0-9]+)$/\1/p' "$prefix/include/besd/besd.h")
equal "soname of the library" "libbesd.so.${abi:?is not in besd.h}" \
    "$(readelf -d "$libdir/libbesd.so" | sed -nE 's/.*SONAME.*\[(.*)\]/\1/p')"

# A small project. It has a function of its own with a name that besd uses inside.
mkdir "$work/client"
cat >"$work/client/main.c" <<'C'
#include <besd/besd.h>
#include <besd/domain.h>
#include <besd/env.h>
#include <stdio.h>

int rng_open(void);
int rng_open(void) { return 7; }

int main(int argc, char **argv) {
    double low[] = {0}, high[] = {1}, scores[BESD_MAX_REPS];
    int64_t taus[] = {10};
    int reps[] = {2};
    besd_study_options options = besd_study_options_default();
    options.dimension = 1, options.low = low, options.high = high, options.taus = taus, options.tau_count = 1;
    options.reps = reps, options.reps_count = 1, options.budget = 200, options.targets = 64, options.seed = 3;
    besd_study *study;
    besd_trial trial;
    besd_recommendation best;
    besd_error error;
    if (argc != 2 || besd_study_open(&study, argv[1], &options, &error))
        return 1;
    while (besd_study_ask(study, NULL, &trial, &error) == BESD_OK) {
        for (int i = 0; i < trial.reps; i++)
            scores[i] = -(trial.theta[0] - 0.25) * (trial.theta[0] - 0.25) + 0.001 * i;
        if (besd_study_tell(study, trial.id, &(besd_outcome){.scores = scores, .count = (size_t)trial.reps}, &error))
            return 1;
    }
    if (besd_study_recommend(study, &best, &error))
        return 1;
    besd_study_close(study);
    printf("%s %lld %.2f %d\n", besd_domain_name(0), (long long)best.trials, best.theta[0], rng_open());
}
C
cat >"$work/client/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(client C)
find_package(besd ${minor#besd } REQUIRED COMPONENTS static)
add_executable(shared main.c)
target_link_libraries(shared besd::besd)
add_executable(static main.c)
target_link_libraries(static besd::besd_static)
CMAKE

# works NAME PROGRAM: it runs a study and finds 0.25; and every way of linking prints the same.
works() {
    local said
    rm -f "$work/client.besd"
    said=$(LD_LIBRARY_PATH=$libdir "$2" "$work/client.besd") || fail "$1: the program failed"
    equal "$1" "${expected:-$said}" "$said"
    expected=$said
    grep -qE '^gw10 10 0\.2[0-9] 7$' <<<"$said" || fail "$1: expected the optimum near 0.25, got '$said'"
}

# linked NAME PROGRAM COUNT: how many times the program asks for libbesd.so
linked() { equal "$1 needs libbesd.so" "$3" "$(readelf -d "$2" | grep -c 'NEEDED.*libbesd\.so\.'"$abi"'\]' || true)"; }

# OpenBLAS is opened when a model is made; a program that makes none does not load it.
for file in "$prefix/bin/besd" "$libdir/libbesd.so"; do
    equal "$(basename "$file") is linked with OpenBLAS" 0 "$(readelf -d "$file" | grep -c 'NEEDED.*blas' || true)"
done
equal "OpenBLAS in what the static library needs" 0 "$(pkg-config --static --libs besd | grep -c blas || true)"

cc=${CC:-cc}
$cc "$work/client/main.c" $(pkg-config --cflags --libs besd) -o "$work/pc_shared"
$cc "$work/client/main.c" $(pkg-config --cflags besd) \
    $(pkg-config --static --libs besd | sed 's/-lbesd/-l:libbesd.a/') -o "$work/pc_static"
cmake -S "$work/client" -B "$work/built" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/built" >>"$work/log" 2>&1 || { cat "$work/log"; fail "find_package"; }
works "pkg-config, shared" "$work/pc_shared"
works "pkg-config, static" "$work/pc_static"
works "find_package, shared" "$work/built/shared"
works "find_package, static" "$work/built/static"
linked "pkg-config, shared" "$work/pc_shared" 1
linked "pkg-config, static" "$work/pc_static" 0
linked "find_package, shared" "$work/built/shared" 1
linked "find_package, static" "$work/built/static" 0

# The examples in C compile as they say, and work.
for example in ask_tell own_agent; do
    checks=$((checks + 1))
    $cc -std=c17 "$source/examples/$example.c" $(pkg-config --cflags --libs besd) -lm -o "$work/$example"
    LD_LIBRARY_PATH=$libdir "$work/$example" "$work/$example.besd" >/dev/null || fail "example $example"
done

# The headers stand alone and are C++ too.
for header in "$prefix"/include/besd/*.h; do
    checks=$((checks + 1))
    printf "#include <besd/%s>\nextern int something;\n" "$(basename "$header")" >"$work/alone.c"
    $cc -std=c17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" "$work/alone.c" ||
        fail "$header does not stand alone"
    if command -v c++ >/dev/null; then
        c++ -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" \
            "$work/alone.c" || fail "$header is not C++"
    fi
done

# Manual pages: every verb, option and function is in them, and the formatter has nothing to say.
verbs=$("$prefix/bin/besd" --help | sed -nE 's/^  ([a-z]+) .*/\1/p')
page=$prefix/share/man/man1/besd.1
for verb in $verbs; do
    checks=$((checks + 1))
    grep -q "^\.SS besd $verb" "$page" || fail "besd.1 does not describe $verb"
done
options=$(for verb in $verbs; do "$prefix/bin/besd" "$verb" --help; done | grep -cE '^  --')
equal "options in besd.1" "$options" "$(grep -cE '^\.B \\-\\-' "$page")"
while read -r name; do
    grep -q "$name(" "$prefix/share/man/man3/besd.3" || fail "besd.3 does not mention $name"
done <"$work/public"
[ -e "$prefix/share/man/man5/besd-study.5" ] || fail "besd-study(5) is not installed"
if command -v groff >/dev/null; then
    for page in "$prefix"/share/man/man*/*; do
        equal "groff on $(basename "$page")" "" \
            "$(groff -man -Tutf8 -ww -rCHECKSTYLE=0 "$page" 2>&1 >/dev/null | head -5)"
    done
fi

# The manual says of every option all that its help says, which breaks long texts into lines.
sed -e 's/\\-/-/g' -e 's/\\e/\\/g' -e 's/^\\&//' "$prefix/share/man/man1/besd.1" >"$work/besd.1"
for verb in $verbs; do
    equal "options of $verb in the manual" "" "$("$prefix/bin/besd" "$verb" --help |
        sed -E ':again; $!N; s/\n {27}([^ ])/ \1/; t again; P; D' | sed -nE 's/^  --[^ ]+( [^ ]+)? +(.*)/\2/p' |
        while read -r text; do grep -qxF -- "$text" "$work/besd.1" || echo "$text"; done)"
done

# Completion: what bash offers is what the tool knows.
completed() { # WORD...: the last one is being typed
    PATH=$prefix/bin:$PATH bash -c '
        source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        compopt() { echo "($*)"; }
        _besd besd "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"; echo "${COMPREPLY[*]}"' \
        "$prefix/share/bash-completion/completions/besd" "$@"
}
equal "verbs" "$(echo $verbs) --help --version" "$(completed besd '')"
equal "a verb" "recommend" "$(completed besd rec)"
equal "options" "--explain" "$(completed besd ask --ex)"
equal "domains" "key2 key3" "$(completed besd run k | tail -1)"
equal "a file" "(-o default)" "$(completed besd ask '' | head -1)"
equal "an option's file" "(-o default)" "$(completed besd run gw10 --study '' | head -1)"
equal "an option's number" "" "$(completed besd run gw10 --seed '')"
equal "an option's folder" "(-o dirnames)" "$(completed besd compare gw10 --out '' | head -1)"
equal "an option's values" "besd random ei ei-paper lcb hyperband hyperband-paper" "$(completed besd run gw10 --method '')"
equal "values in words" "svg pdf png" "$(completed besd plot cost lab --format '')"
equal "the first of them" "python" "$(completed besd init --language p)"
equal "two values" "fresh shared" "$(completed besd run gw10 --instance-mode '')"
equal "methods" "ql tql" "$(completed besd compare gw10 --methods '' | grep -oE '[a-z]+ [a-z]+$')"
equal "kinds of plots" "learning levers legs" "$(completed besd plot le)"
equal "a word" "new" "$(completed besd token '')"
equal "files beside domains" "gw10 gw20 good.yaml" "$(cd "$work" && mkdir -p complete && cd complete && touch good.yaml given.txt &&
    completed besd run g | tail -1)"
if command -v fish >/dev/null; then
    fish_completed() {
        (cd "$work" && HOME=$work PATH=$prefix/bin:$PATH fish -c \
            "source $prefix/share/fish/vendor_completions.d/besd.fish; complete -C '$*'" | cut -f1 | sort | xargs)
    }
    equal "fish, verbs" "recommend renew report restore" "$(fish_completed besd re)"
    equal "fish, options" "--explain" "$(fish_completed besd ask --ex)"
    equal "fish, values" "pdf png svg" "$(fish_completed besd plot cost lab --format ' ')"
    equal "fish, kinds" "learning legs levers" "$(fish_completed besd plot le)"
    equal "fish, domains and files" "gw10 gw20" "$(fish_completed besd run gw)"
fi
if command -v zsh >/dev/null; then
    zsh_completed() {
        PATH=$prefix/bin:$PATH zsh -fc '
            words=("$@"); CURRENT=$#; PREFIX=${@[-1]}; file=$0
            _describe() { echo $1 ${${(P)2}%%:*} }
            _files() { echo files }
            complete_besd() { source $file }; complete_besd' \
            "$prefix/share/zsh/site-functions/_besd" "$@"
    }
    equal "zsh, verbs" "verb $(echo $verbs)" "$(zsh_completed besd '')"
    equal "zsh, options" "option $("$prefix/bin/besd" ask --help | sed -nE 's/^  (--[a-z-]+).*/\1/p' | xargs)" \
        "$(zsh_completed besd ask --)"
    equal "zsh, domains and files" "domain gw10 gw20 tr key2 key3 mc files" "$(zsh_completed besd run '' | xargs)"
    equal "zsh, values" "value svg pdf png" "$(zsh_completed besd plot cost lab --format '')"
    equal "zsh, kinds" "kind learning" "$(zsh_completed besd plot '' | grep -oE 'kind|learning' | xargs)"
    equal "zsh, a file" "files" "$(zsh_completed besd ask '')"
    equal "zsh, an option's file" "files" "$(zsh_completed besd run gw10 --study '')"
    equal "zsh, an option's number" "" "$(zsh_completed besd run gw10 --seed '')"
fi
echo "install: $checks checks"
