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
page=$work/changed/index.html
says "$page" 'd["comparison"]["domains"][0]["identity"].split()[:2], d["comparison"]["domains"][0]["built_in"]' "(['gw10', 'cap=80'], False)"
says "$page" 'd["comparison"]["domains"][0]["map"]["cells"]' "['G...', '....', 'S..#']"
says "$page" '[row["gw10"] for row in d["comparison"]["table1"]["rows"]][:2]' '[None, None]'
[ -e "$work/changed/figures" ] && fail "figures that nobody asked for"
runs 0 '' '' compare gw10 key2 --set cap=80 --set tau=20,40 $changed --out "$work/short"
runs 0 index.html '' report "$work/short"
says "$work/short/index.html" '[len(c["paths"]) for c in d["comparison"]["domains"]]' '[1, 1]'
runs 0 'paths.svg' '' plot paths "$work/short"
footer "$work/short/paths.gp" | grep -q 'One run after the initial design' || fail "paths: from when on?"

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
[ "$(cat "$work/code")" -eq 0 ] || fail "a page needs no gnuplot: $(cat "$work/err")"

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
    for kind in cost profile paths learning levers; do
        runs 0 "$kind.pdf" - plot $kind "$lab" --format pdf
        keeps_words "$lab/$kind.pdf"
    done
    says "$lab/index.html" '[m["method"] for m in d["comparison"]["domains"][0]["methods"] if m["never_chose"]]' "['ei']"
    says "$lab/index.html" '[m["method"] for m in d["comparison"]["domains"][0]["methods"] if not m["optimises"]]' "['ql']"
    says "$lab/index.html" 'sum(sum(p["trials"]) for p in d["comparison"]["domains"][0]["levers"]) > 10' True
    says "$lab/index.html" 'len(d["comparison"]["domains"][0]["learning"]["points"]), d["making"]["command"]' '(10, None)'
    says "$lab/index.html" 'json.load(open(sys.argv[1].replace("index.html", "summary.json"))).keys() == d["comparison"].keys()' True
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
    # paths are those of besd, with the subgoals that it had: another number than gw10's, than others' runs
    fewer="gw10 --set subgoals=1 --budget 30000 --test 5 --quiet"
    runs 0 '' - compare $fewer --methods random --replications 3 --out "$work/fewer"
    runs 0 '' - compare $fewer --methods besd --replications 1 --out "$work/fewer"
    runs 0 'index.html' - report "$work/fewer"
    says "$work/fewer/index.html" '[len(run[-1]["theta"]) for run in d["comparison"]["domains"][0]["paths"]]' '[2]'
    runs 0 '' - plot cost "$work/fewer"
    runs 0 '' - plot paths "$work/fewer"
    footer "$work/fewer/cost.gp" | grep -q "'Mean of 1 to 3 runs (geo" || fail "cost: the range of runs"
    footer "$work/fewer/paths.gp" >"$work/paths" # the footer has several lines
    grep -q 'One run after the initial design, .* ○ first subgoal\.' "$work/paths" ||
        fail "paths: the footer tells $(grep -o '[A-Z][a-z]* run.*subgoal\.' "$work/paths")"
    # in grey, runs differ by their dashes
    [ "$(grep -o 'with lines lw [0-9.]* dt [^ ]*' "$lab/paths.gp" | sort -u | wc -l)" -eq 2 ] ||
        fail "paths: two runs have one dash type"
    # an environment whose optimum nobody knows
    runs 0 'optimum not known' - compare "cmd:python3 $2/examples/process_env.py" --methods besd,random \
        --replications 1 --budget 20000 --test 5 --quiet --out "$work/own"
    runs 0 'index.html' - report "$work/own"
    says "$work/own/index.html" '[d["comparison"]["domains"][0][what] for what in ("optimum", "map", "has_scale")]' '[None, None, False]'
    refuses 'profile: expected a domain whose optimum is known' plot profile "$work/own"
    # beside one whose optimum is known: the profile is of that one
    runs 0 '' - compare gw10 "cmd:python3 $2/examples/process_env.py" --methods besd,random --replications 1 \
        --budget 20000 --test 5 --quiet --out "$work/mixed"
    runs 0 'index.html' - report "$work/mixed"
    says "$work/mixed/index.html" '[c["has_scale"] for c in d["comparison"]["domains"]]' '[True, False]'
    runs 0 '' - plot profile "$work/mixed"
    footer "$work/mixed/profile.gp" >"$work/profile"
    grep -q 'Bold=13 1 domain;' "$work/profile" || fail "profile: how many domains?"
    grep -q "'Left out: [A-Z].* (optimum not known)\.'" "$work/profile" || fail "profile: what is left out?"
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
refuses 'expected the folder of a comparison' report "$work/empty"
refuses 'No such file' report "$work/nowhere"
runs 2 - '--out is missing; it takes a folder for the results' paper --quick
refuses 'out: expected a folder' paper --quick --out ''
refuses 'threads: expected up to 1024, or 0 for all processors, got -3' paper --threads -3 --out "$work/p"
runs 2 - 'is for studies' report "$lab" --out x
finish
