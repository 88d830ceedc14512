#!/usr/bin/env bash
# A study from the shell: create, ask, tell and recommend are all it takes. The "robot" is an awk formula
# with noise; replace the function `train` by whatever runs yours.
#     examples/ask_tell.sh [besd] [file]
set -euo pipefail
besd=${1:-besd}
file=${2:-$(mktemp -u).besd}

cat >"$file.yaml" <<'YAML'
theta:
  - {name: x, low: 0, high: 10, unit: m}
  - {name: y, low: 0, high: 10, unit: m}
tau: [100, 400]       # training lengths to choose from
reps: [2, 8]          # replications to choose from
direction: minimize   # the score is a time
transform: log
budget: 12000         # interactions in all
targets: 300
seed: 3
YAML

field() { sed -E "s/.*\"$1\":([^],}]*).*/\1/" <<<"$2"; }

# train THETA TAU REPS SEED: one score per replication, separated by commas.
train() {
    awk -v theta="$1" -v tau="$2" -v reps="$3" -v seed="$4" 'BEGIN {
        split(theta, at, ","); srand(seed % 1000000)
        d = sqrt((at[1] - 3) ^ 2 + (at[2] - 7) ^ 2)
        for (i = 0; i < reps; i++)
            printf "%s%.6f", i ? "," : "", exp(1 + 0.3 * d + 80 / tau + 0.4 * (rand() - 0.5))
    }'
}

"$besd" create "$file" --spec "$file.yaml" >/dev/null
while trial=$("$besd" ask "$file" --json); [[ $trial != *'"done":true'* ]]; do
    theta=$(sed -E 's/.*"theta_array":\[([^]]*)\].*/\1/' <<<"$trial")
    scores=$(train "$theta" "$(field tau "$trial")" "$(field reps "$trial")" "$(field seed "$trial")")
    "$besd" tell "$file" "$(field trial "$trial")" --scores "$scores" >/dev/null
done
"$besd" recommend "$file"
rm -f "$file.yaml"
