#!/usr/bin/env bash
# A robot that works on a study over the network, with curl alone: it asks for a trial, trains, keeps its lease while it
# trains, and tells the scores. Start as many as you have robots; one that dies gives its trial back when its lease ends.
# Replace the function `train` by whatever runs yours.
#     examples/robot.sh URL STUDY [WORKER]        the token, if the server wants one, in $BESD_TOKEN
set -euo pipefail
url=$1 study=$2 worker=${3:-robot-$$} lease=60
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# post PATH BODY: sets code, and leaves what was answered in the file; a server that is away is waited for. What is sent
# again has the same key, so that it is done once.
post() {
    local key
    key=$(cat /proc/sys/kernel/random/uuid)
    until code=$(curl -s -o "$answer" -w '%{http_code}' --max-time 600 -H 'Content-Type: application/json' -H "Idempotency-Key: $key" \
        ${BESD_TOKEN:+-H "Authorization: Bearer $BESD_TOKEN"} -d "$2" "$url/v1/studies/$study/$1") && [ "$code" != 503 ]; do
        sleep 1
    done
}

# number NAME, list NAME: of the answer; a list without its brackets
number() { sed -E "s/.*\"$1\":([0-9.]+).*/\1/" "$answer"; }
list() { sed -E "s/.*\"$1\":\[([^]]*)\].*/\1/" "$answer"; }

# train THETA TAU SEEDS: one score for every seed, with commas between them
train() {
    awk -v theta="$1" -v tau="$2" -v seeds="$3" 'BEGIN {
        split(theta, at, ","); reps = split(seeds, seed, ",")
        d = sqrt((at[1] - 3) ^ 2 + (at[2] - 7) ^ 2)
        for (i = 1; i <= reps; i++) {
            srand(seed[i] % 1000000)
            printf "%s%.6f", (i > 1 ? "," : ""), exp(1 + 0.3 * d + 80 / tau + 0.4 * (rand() - 0.5))
        }
    }'
}

# keep_lease TRIAL: for as long as somebody trains
keep_lease() {
    answer=/dev/null
    while sleep $((lease / 3)); do
        post "trials/$1/renew" "{\"worker\": \"$worker\", \"lease\": $lease}"
    done
}

while post ask "{\"worker\": \"$worker\", \"lease\": $lease}"; do
    [ "$code" = 200 ] || { echo "robot: $(cat "$answer")" >&2; exit 1; }
    grep -q '"done":true' "$answer" && break
    trial=$(number trial) theta=$(list theta_array) tau=$(number tau) seeds=$(list replication_seeds)
    keep_lease "$trial" </dev/null >/dev/null 2>&1 &
    scores=$(train "$theta" "$tau" "$seeds")
    kill $! && wait $! 2>/dev/null || true
    post "trials/$trial/tell" "{\"worker\": \"$worker\", \"scores\": [$scores]}"
    # 409: the lease had ended, and another was faster
    [ "$code" = 200 ] || [ "$code" = 409 ] || { echo "robot: $(cat "$answer")" >&2; exit 1; }
    echo "$worker: trial $trial at $theta, tau $tau: $scores"
done
