#!/usr/bin/env bash
# compare, plot, report and paper as a user meets them: exports, same bytes for any number of threads,
# figures, pages, refusals.
source "$(dirname "$0")/cli.sh"

lab=$work/lab
small="gw10 --methods besd,ei,random,ql --replications 2 --budget 60000 --test 10 --quiet"

# footer SCRIPT: its words in one line
footer() {
    sed "s/'\."'"\\n"'"\.'/ /g" "$1"
}

# keeps_words PDF: no word is cut by the edge of the page
keeps_words() {
    command -v pdftotext >/dev/null || return
    checks=$((checks + 1))
    pdftotext -bbox "$1" - | awk -F'"' '
        /<page/ { width = $2; height = $4 }
        /<word/ { words++; cut += $2 < 0 || $4 < 0 || $6 > width || $8 > height }
        END { exit cut > 0 || words < 3 }' || fail "$(basename "$1"): a word is cut"
}

for verb in compare plot report paper; do
    runs 0 'example: besd' - $verb --help
done
runs 0 'cost +DIR' - plot --help

# one and two threads: a readable table, and the same bytes in every export
runs 0 'besd +2 .*' - compare $small --out "$lab" --threads 1
runs 0 'without subgoals' - compare $small --out "$work/other" --threads 2
for file in curves trials summary comparisons reach profile table1; do
    checks=$((checks + 1))
    cmp -s "$lab/$file.csv" "$work/other/$file.csv" || fail "$file.csv: other bytes from 2 threads"
done
cmp -s "$lab/summary.json" "$work/other/summary.json" || fail "summary.json: other bytes"
runs 0 '"domains":\[\{"domain":"gw10"' - compare $small --out "$lab" --json
[ "$(wc -l <"$lab/table1.csv")" -eq 11 ] || fail "table1.csv: expected ten rows"
grep -q '^| 10 m' "$lab/table1.md" || fail "table1.md: no last row"

# another map or other constants: the command says so, and nothing is compared with the paper's domain
printf 'G...\n....\nS..#\n' >"$work/map"
changed="--methods besd,random --replications 1 --budget 5000 --test 2 --quiet"
runs 0 '' '' compare gw10 --map "$work/map" --set cap=80 --set tau=20,40 $changed --out "$work/changed"
runs 0 index.html '' report "$work/changed"
checks=$((checks + 1))
grep -q 'besd compare gw10 --set cap=80 --map FILE --set tau=20,40 --methods' "$work/changed/index.html" ||
    fail "page of another map: $(grep -o 'besd compare[^<]*' "$work/changed/index.html")"
grep -q 'Table 1' "$work/changed/index.html" && fail "another map stands in the paper's table"
[ -e "$work/changed/figures/paths.svg" ] || fail "no paths on a map that the comparison has kept"
runs 0 '' '' compare gw10 key2 --set cap=80 --set tau=20,40 $changed --out "$work/short"
runs 0 index.html '' report "$work/short"
checks=$((checks + 1))
grep -q 'Table 1' "$work/short/index.html" && fail "other constants stand in the paper's table"
grep -q 'In KEY2' "$work/short/index.html" && fail "the paper's KEY2 is told of another one"
grep -q 'gw10 key2 --set cap=80 --set tau=20,40 --methods' "$work/short/index.html" || fail "settings said twice, or not"
grep -q 'marks the end of' "$work/short/index.html" || fail "the end of the initial design"
[ -e "$work/short/figures/paths.svg" ] || fail "no paths on the built-in map"
footer "$work/short/figures/paths.gp" | grep -q 'One run after the initial design' || fail "paths: from when on?"

# without gnuplot: data and script are written, the sentence says what to install
mkdir "$work/empty"
(
    PATH=$work/empty
    "$besd" plot cost "$lab" >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
)
checks=$((checks + 1))
[ "$(cat "$work/code")" -eq 1 ] || fail "plot without gnuplot: expected exit code 1"
grep -q 'gnuplot-nox' "$work/err" || fail "plot without gnuplot: no advice"
grep -q "^EOD" "$lab/cost.gp" || fail "plot without gnuplot: no data or script"
(
    PATH=$work/empty
    "$besd" report "$lab" >"$work/out" 2>"$work/err"
    echo $? >"$work/code"
)
[ "$(cat "$work/code")" -eq 1 ] || fail "report without gnuplot: expected exit code 1"
grep -q 'was not drawn' "$lab/index.html" || fail "report without gnuplot: no page"

# figures and pages
runs 0 '' - run gw10 --budget 20000 --test 5 --study "$work/study.besd" --quiet
if command -v gnuplot >/dev/null; then
    for kind in cost profile paths learning levers; do
        runs 0 "$kind.svg" - plot $kind "$lab"
        grep -q '</svg>' "$lab/$kind.svg" || fail "$kind.svg is not whole"
    done
    footer "$lab/cost.gp" |
        grep -q "'Mean of 2 runs (geometric for regret), band ± 2 standard errors; ql is run once\." ||
        fail "cost: what are lines and bands?"
    runs 0 'wall.svg' - plot surface gw10 --out "$work/wall"
    runs 0 'hill.svg' - plot surface mc --out "$work/hill"
    runs 0 'values.svg' - plot values key2 --out "$work/values"
    grep -q 'Stage 0: towards subgoal 1, without key' "$work/values.gp" || fail "values: with a key or without?"
    # square cells and the title of a map that is not square; marks do not hide letters
    cat >"$work/wide.yaml" <<'end'
name: wide
title: A hall_with `one` door
map: |
  G...#........
  ....D....K...
  ....#.......S
tau: [50, 100]
reps: [5]
end
    for kind in surface values; do
        runs 0 "wide-$kind.pdf" - plot $kind "$work/wide.yaml" --theta 9.5,1.5,4.5,1.5 --format pdf --out "$work/wide-$kind"
        keeps_words "$work/wide-$kind.pdf"
        footer "$work/wide-$kind.gp" | grep -q "A hall._with \`one\` door" || fail "$kind: no title"
        awk '/terminal svg size/ { split($0, part, /size |,| dynamic/); w = part[2]; h = part[3] }
            /set lmargin/ && !l { l = $NF } /set rmargin/ && !r { r = $NF }
            /set tmargin/ && !t { t = $NF } /set bmargin/ && !b { b = $NF }
            /set xrange/ && !x { split($3, part, /\[|\]|:/); x = part[3] - part[2] }
            /set yrange/ && !y { split($3, part, /\[|\]|:/); y = part[3] - part[2] }
            END { ratio = (r - l) * w / x / ((t - b) * h / y); exit ratio < 0.999 || ratio > 1.001 }' \
            "$work/wide-$kind.gp" || fail "$kind: cells are not square"
        grep -Eq "label 'K' at 9.5,1.5 left offset graph [0-9.]*, graph -?[0-9.]* boxed" "$work/wide-$kind.gp" ||
            fail "$kind: $(grep "label 'K'" "$work/wide-$kind.gp")"
    done
    sed -i '/^title/d' "$work/wide.yaml"
    runs 0 '' - plot surface "$work/wide.yaml" --theta 9.5,1.5,4.5,1.5 --out "$work/wide"
    grep -q 'WIDE, one instance' "$work/wide.gp" || fail "surface: no name"
    runs 0 'pay.svg' - plot surface tr --out "$work/pay"
    grep -q 'treasure: 10' "$work/pay.gp" || fail "surface: no reward of the treasure"
    runs 0 'slices.svg' - plot slices "$work/study.besd" --out "$work/slices"
    runs 0 'index.html' - report "$lab"
    for file in "$lab"/figures/*.pdf; do
        keeps_words "$file"
    done
    [ "$(grep -c '<figure>' "$lab/index.html")" -eq 7 ] || fail "index.html: expected seven figures"
    grep -Eq "(src|href)=['\"][^#]|<script" "$lab/index.html" && fail "index.html needs something else"
    grep -q 'In GW10 the initial design takes all of the budget of ei, which so never' "$lab/index.html" ||
        fail "index.html: nobody learns that ei never chose"
    grep -q 'takes all of the budget of besd' "$lab/index.html" && fail "besd did choose"
    grep -q '<h1>.*a comparison of only 2 runs each</h1>' "$lab/index.html" || fail "index.html: nobody learns how few runs there are"
    # there is room for long names, and very long ones lose their middle
    runs 0 '' - compare gw10 --methods besd:model=averaged,besd:model=paper,tau=max,reps=max,initial_designs=3 \
        --replications 1 --budget 30000 --test 2 --quiet --out "$work/variants"
    for kind in cost profile; do
        runs 0 "$kind.pdf" - plot $kind "$work/variants" --format pdf
        keeps_words "$work/variants/$kind.pdf"
    done
    grep -q "'One run of every method\.'" "$work/variants/cost.gp" || fail "cost: a mean of one run"
    grep -q "'besd:model=averaged'" "$work/variants/cost.gp" || fail "cost: a name is not whole"
    grep -q "'besd:model=paper….*_designs=3" "$work/variants/cost.gp" || fail "cost: $(grep -o "'besd:model=p[^']*" "$work/variants/cost.gp")"
    # it writes about what was run and nothing else
    grep -q $'GW10, m\u00a0=\u00a0100' "$lab/index.html" || fail "index.html does not say what m is"
    grep -Eq 'GW20|Hyperband|MC has|in four runs' "$lab/index.html" &&
        fail "index.html tells of what was not run"
    # paths are those of besd, with the subgoals that it had: another number than gw10's, than others' runs
    fewer="gw10 --set subgoals=1 --budget 30000 --test 5 --quiet"
    runs 0 '' - compare $fewer --methods random --replications 3 --out "$work/fewer"
    runs 0 '' - compare $fewer --methods besd --replications 1 --out "$work/fewer"
    runs 0 'index.html' - report "$work/fewer"
    footer "$work/fewer/figures/cost.gp" | grep -q "'Mean of 1 to 3 runs (geo" || fail "cost: the range of runs"
    grep -q 'as its cost grows, in one run\.' "$work/fewer/index.html" || fail "paths: the caption has other runs"
    footer "$work/fewer/figures/paths.gp" >"$work/paths" # the footer has several lines
    grep -q 'One run after the initial design, .* ○ first subgoal\.' "$work/paths" ||
        fail "paths: the footer tells $(grep -o '[A-Z][a-z]* run.*subgoal\.' "$work/paths")"
    # in grey, runs differ by their dashes
    [ "$(grep -o 'with lines lw [0-9.]* dt [^ ]*' "$lab/figures/paths.gp" | sort -u | wc -l)" -eq 2 ] ||
        fail "paths: two runs have one dash type"
    # an environment whose optimum nobody knows
    runs 0 'optimum not known' - compare "cmd:python3 $2/examples/process_env.py" --methods besd,random \
        --replications 1 --budget 20000 --test 5 --quiet --out "$work/own"
    runs 0 'index.html' - report "$work/own"
    sed 's/<svg.*//' "$work/own/index.html" | grep -Eqw 'nan|inf' && fail "index.html: a number is none"
    [ "$(grep -c '<figure>' "$work/own/index.html")" -eq 3 ] || fail "own/index.html: expected three figures"
    refuses 'profile: expected a domain whose optimum is known' plot profile "$work/own"
    grep -q '<h1>.*a comparison of single runs</h1>' "$work/own/index.html" || fail "own/index.html: a run is no comparison"
    sed 's/<svg.*//' "$work/own/index.html" | grep -qi 'paper' && fail "own/index.html speaks of the paper"
    # beside one whose optimum is known: the profile is of that one
    runs 0 '' - compare gw10 "cmd:python3 $2/examples/process_env.py" --methods besd,random --replications 1 \
        --budget 20000 --test 5 --quiet --out "$work/mixed"
    runs 0 'index.html' - report "$work/mixed"
    footer "$work/mixed/figures/profile.gp" >"$work/profile"
    grep -q 'Bold=13 1 domain;' "$work/profile" || fail "profile: how many domains?"
    grep -q "'Left out: [A-Z].* (optimum not known)\.'" "$work/profile" || fail "profile: what is left out?"
    grep -q 'of the domains whose optimum is known' "$work/mixed/index.html" || fail "profile: the caption has all domains"
    runs 0 'study.html' - report "$work/study.besd"
    grep -q 'The recommendation' "$work/study.html" || fail "study.html has no recommendation"
fi

# what is refused
refuses "there is no 'costs', did you mean 'cost'" plot costs "$lab"
refuses "format: expected svg, pdf, png; got 'svgg', did you mean 'svg'" plot cost "$lab" --format svgg
refuses "takes the folder of a comparison" plot cost "$work/study.besd"
refuses "takes the file of a study" plot slices "$lab"
refuses "No such file" plot slices "$work/nowhere"
refuses "no 'gw11', did you mean 'gw10'" plot surface gw11
refuses "values: mc has no cells" plot values mc
refuses 'theta: expected 4 numbers' plot surface gw10 --theta 1,2
refuses 'No such file|results.besd' report "$work/empty"
refuses 'No such file' report "$work/nowhere"
runs 2 - '--out is missing; it takes a folder for the results' paper --quick
refuses 'out: expected a folder' paper --quick --out ''
refuses 'threads: expected up to 1024, or 0 for all processors, got -3' paper --threads -3 --out "$work/p"
runs 2 - 'is for studies' report "$lab" --out x
finish
