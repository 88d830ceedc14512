#!/usr/bin/env bash
# A lab on a bad day: disks that fill up, files that may not grow, ranks that are killed. What was
# finished stays, the sentence says what went wrong, and the same command goes on to the same bytes.
source "$(dirname "$0")/cli.sh"

small="gw10 --methods lcb,random,hyperband,tql --replications 2 --budget 40000 --test 5"
jobs=8 # of these; up to ten, every one has a line of progress
kept='finished jobs are kept, and the same command goes on from there'

# identical WHOLE FOLDER: the exports of an undisturbed comparison
identical() {
    checks=$((checks + 1))
    for file in curves.csv learning.csv trials.csv summary.csv comparisons.csv reach.csv profile.csv table1.csv table1.md summary.json; do
        cmp -s "$1/$file" "$2/$file" || fail "$file in $2: other bytes"
    done
}

# goes_on FOLDER FINISHED: what FINISHED jobs have left undone is done, and nothing twice
goes_on() {
    local rest=$((jobs - $2))
    runs 0 '' "job 1 of $rest," compare $small --out "$1" --threads 1
    identical "$work/whole" "$1"
}

runs 0 '' '' compare $small --out "$work/whole" --threads 1

# a limit on the size of files, from one that leaves no room for a table to one in mid-run
finished_once=0
for limit in 1 8 40 90 130 160; do
    folder=$work/limit$limit
    (
        failures=0
        ulimit -f $limit # KiB
        runs 1 - "$folder/results.besd: could not be read or written: File too large" \
            compare $small --out "$folder" --threads 1
        [ "$failures" -eq 0 ]
    ) || fail "with files of $limit KiB at most"
    finished=$(grep -c '%  job' "$work/err")
    [ "$finished" -eq 0 ] || grep -q "$kept" "$work/err" || fail "$limit KiB: no word about what is kept"
    [ "$finished" -eq 0 ] || finished_once=1
    [ "$finished" -lt "$jobs" ] || fail "$limit KiB: enough for everything, the test says nothing"
    goes_on "$folder" "$finished"
done
[ "$finished_once" -eq 1 ] || fail "no limit let a job finish, the test says nothing"

# a full disk under every export: which file, and why
for file in curves.csv learning.csv trials.csv summary.csv comparisons.csv reach.csv profile.csv table1.csv table1.md summary.json; do
    rm "$work/whole/$file"
    ln -s /dev/full "$work/whole/$file"
    refuses "whole/$file: could not be written: No space left on device" compare $small --out "$work/whole" --threads 1
    rm "$work/whole/$file"
done
runs 0 "" "^note: on gw10 the initial design of lcb costs 200000" compare $small --out "$work/whole" --threads 1
identical "$work/limit8" "$work/whole"

# the same under a page, which is drafted beside it, and under figures, of which gnuplot itself does not notice
ln -sf /dev/full "$work/whole/index.html.new"
refuses "whole/index.html: could not be written: No space left on device" report "$work/whole"
[ -e "$work/whole/index.html" ] && fail "a page that was not written"
if command -v gnuplot >/dev/null; then
    for format in svg pdf png; do
        ln -sf /dev/full "$work/whole/cost.$format"
        refuses "whole/cost.$format: gnuplot could not write all of it" plot cost "$work/whole" --format $format
        rm "$work/whole/cost.$format"
        runs 0 "cost.$format" - plot cost "$work/whole" --format $format
    done
fi

# a disk that is really full, where a disk of one's own may be had
mkdir "$work/disk"
if unshare -rm mount -t tmpfs none "$work/disk" 2>/dev/null; then
    for size in 40 120 200; do
        checks=$((checks + 1))
        unshare -rm bash -c 'mount -t tmpfs -o size=$1k none "$2/disk" &&
            { "$3" compare $4 --threads 1 --out "$2/disk/lab" >"$2/out" 2>"$2/err"
              echo $? >"$2/code"
              cp -r "$2/disk/lab" "$2/full$1"; }' \
            - $size "$work" "$besd" "$small" || fail "a disk of $size KiB: could not be used"
        [ "$(cat "$work/code")" -eq 1 ] || fail "a disk of $size KiB: expected exit code 1, got $(cat "$work/code")"
        grep -q "lab/results.besd: could not be .*\(disk is full\|No space left\)" "$work/err" ||
            fail "a disk of $size KiB: $(tail -n 1 "$work/err")"
        goes_on "$work/full$size" "$(grep -c '%  job' "$work/err")"
    done
else
    echo "no disk of one's own here, skipped"
fi

# ranks that die; a hang is ended by the clock, and is a failure
many="gw10 tr --methods lcb,random,hyperband,tql --replications 40 --budget 40000 --test 5"
all=320 # jobs, two seconds of work: a rank is still there when the first line has been read
cat >"$work/rank" <<'END'
#!/usr/bin/env bash
echo $$ >"$1.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
shift
exec "$@"
END
chmod +x "$work/rank"

# kills RANK: in mid-run, that is after the first line of progress, and waits for the end of all
kills() {
    local launcher code
    rm -f "$work"/pid.*
    : >"$work/err"
    ranks 3 "$work/rank" "$work/pid" "$besd" compare $many --out "$work/rank$1" >"$work/out" 2>"$work/err" &
    launcher=$!
    until grep -q '%  job' "$work/err" || ! kill -0 $launcher 2>/dev/null; do sleep 0.02; done
    if grep -q '%  job' "$work/err"; then
        kill -9 "$(cat "$work/pid.$1")" || fail "rank $1 was gone before it could be killed"
    else
        fail "mpirun ended before the first job: $(head -c 300 "$work/err")"
    fi
    wait $launcher
    code=$?
    checks=$((checks + 1))
    [ $code -ne 0 ] && [ $code -ne 124 ] ||
        fail "rank $1 killed: mpirun ended with $code, $(head -c 300 "$work/err")"
}

if command -v mpirun >/dev/null && ldd "$besd" | grep -q libmpi; then
    runs 0 '' - compare $many --out "$work/many" --quiet
    kills 1
    runs 0 '' '%  job [0-9]+ of [0-9]+' compare $many --out "$work/rank1"
    grep -q " of $all," "$work/err" && fail "rank 1 killed: nothing was kept"
    identical "$work/many" "$work/rank1"
    kills 0
    checks=$((checks + 1))
    ranks 3 "$besd" compare $many --out "$work/rank0" >"$work/out" 2>"$work/err" ||
        fail "mpirun after the death of rank 0: $(head -c 300 "$work/err")"
    grep -q " of $all," "$work/err" && fail "rank 0 killed: nothing was kept"
    identical "$work/many" "$work/rank0"
fi
finish
