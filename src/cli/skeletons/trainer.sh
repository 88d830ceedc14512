#!/bin/sh
# The trainer of @NAME@: one trial on standard input, its scores on standard output.
# Replace `train` by what trains your agent. Whatever you want to see goes to standard error.
read -r trial

# list NAME, number NAME: of the trial; a list without its brackets, with blanks between
list() { echo "$trial" | sed -E "s/.*\"$1\":\[([^]]*)\].*/\1/; t; s/.*//" | tr ',' ' '; }
number() { echo "$trial" | sed -E "s/.*\"$1\":([0-9]+).*/\1/"; }

# train TAU SEED COORDINATE...: one replication; prints its score. No coordinates: besd measures training
# without subgoals (besd run --test). A stand-in: the nearer they are to a place that nobody knows, the better.
train() {
    awk -v tau="$1" -v seed="$2" -v theta="$3" 'BEGIN {
        count = split(theta, at, " "); split("@SECRET_SH@", secret, " "); srand(seed % 1000000)
        for (i = 1; i <= count; i++) square += (at[i] - secret[i]) ^ 2
        steps = 20 + 10 * (count ? sqrt(square) : 10) + 2000 / tau + 10 * rand() - 5
        printf "%.6f\n", @SCORE_SH@
    }'
}

theta=$(list theta_array) tau=$(number tau) scores=
for seed in $(list replication_seeds); do
    scores=$scores${scores:+, }$(train "$tau" "$seed" "$theta")
done
echo "scores $scores" >&2
echo "{\"scores\": [$scores]}"
