"""What Python adds to one ask and one tell, and what jobs take away from trainings that wait.

    python overhead.py [TRIALS]

The C side is a loop compiled here against build/libbesd.so; both sides run method random, whose
decisions cost next to nothing, on a study in memory, so that neither the model nor the disk hides the
difference.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import besd

ROOT = Path(__file__).resolve().parents[2]
TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
PROGRAM = """
#include <besd/besd.h>
#include <stdio.h>
#include <time.h>
int main(void) {
    double low[] = {0, 0}, high[] = {1, 1};
    int64_t taus[] = {10};
    int reps[] = {2};
    besd_study_options o = besd_study_options_default();
    o.dimension = 2, o.low = low, o.high = high, o.taus = taus, o.tau_count = 1, o.reps = reps, o.reps_count = 1;
    o.method = BESD_METHOD_RANDOM, o.targets = 64;
    besd_study *s;
    besd_error e;
    struct timespec a, b;
    if (besd_study_open(&s, NULL, &o, &e))
        return 1;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < %d; i++) {
        besd_trial t;
        if (besd_study_ask(s, &t, &e) || besd_study_tell(s, t.id, t.theta, 2, &e))
            return 1;
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%%.9f", (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec));
    besd_study_close(s);
}
"""


def from_c() -> float:
    with tempfile.TemporaryDirectory() as work:
        source, program = Path(work, "loop.c"), Path(work, "loop")
        source.write_text(PROGRAM % TRIALS)
        build = ROOT / "build"
        subprocess.run(
            ["cc", "-O2", f"-I{ROOT}/include", source, f"-L{build}", "-lbesd", f"-Wl,-rpath,{build}", "-o", program],
            check=True,
        )
        return float(subprocess.run([program], capture_output=True, text=True, check=True).stdout)


def from_python() -> float:
    with besd.Study.create(None, [0, 0], [1, 1], [10], [2], method="random", targets=64) as study:
        begin = time.perf_counter()
        for _ in range(TRIALS):
            trial = study.ask()
            study.tell(trial, trial.theta)
        return time.perf_counter() - begin


def sleeping(n_jobs: int) -> float:
    def train(trial: besd.Trial) -> list[float]:
        time.sleep(0.1)
        return [0.0] * trial.reps

    with besd.Study.create(None, [0, 0], [1, 1], [10], [2], targets=500) as study:
        begin = time.perf_counter()
        study.optimize(train, n_jobs, max_trials=40)
        return time.perf_counter() - begin


if __name__ == "__main__":
    c, python = min(from_c() for _ in range(5)), min(from_python() for _ in range(5))
    print(
        f"{TRIALS} asks and tells: C {1e6 * c / TRIALS:.1f} us each, Python {1e6 * python / TRIALS:.1f} us each, "
        f"overhead {1e6 * (python - c) / TRIALS:.1f} us"
    )
    one, four = sleeping(1), sleeping(4)
    print(f"40 trainings of 0.1 s: {one:.2f} s with one job, {four:.2f} s with four, {one / four:.2f} times sooner")
