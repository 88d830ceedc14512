#!/usr/bin/env bash
# Studies that learn from earlier ones, as a user of create, run, recommend and trials meets them.
source "$(dirname "$0")/cli.sh"
source_dir=$2
cd "$work" || exit 1
run=(--budget 30000 --test 4 --threads 1 --quiet)

cat >spec.yaml <<'END'
theta: [{name: x, low: 0, high: 10, unit: m}, {name: y, low: -1, high: 1}]
tau: [10, 40]
reps: [2, 4]
direction: minimize
targets: 60
draws: 2
budget: 2000
seed: 5
command: ./trainer.py
END
cat >trainer.py <<'END'
#!/usr/bin/env python3
import json, sys
t = json.load(sys.stdin)
x, y = t["theta"]["x"], t["theta"]["y"]
level = (x - 7) ** 2 / 10 + (y + 0.5) ** 2 + 0.01 * (40 - t["tau"])
print(json.dumps({"scores": [level + 0.01 * r for r in range(t["reps"])]}))
END
chmod +x trainer.py

# shape NAME: the answer in $work/out is as docs/schema.json says
shape() {
    checks=$((checks + 1))
    PYTHONPATH=$source_dir/tests/serve python3 - "$source_dir" "$1" "$work/out" <<'END' || fail "$1: another shape"
import json, sys
sys.dont_write_bytecode = True
from schema import complaints
shapes = json.load(open(sys.argv[1] + "/docs/schema.json"))
wrong = complaints(json.load(open(sys.argv[3])), shapes["$defs"][sys.argv[2]], shapes)
sys.exit(wrong or 0)
END
}

# an earlier study
runs 0 'x = ' '' run spec.yaml --study old.besd --budget 1500 --quiet

# create, and what it says
runs 0 'source old: all coordinates by name; [0-9]+ of its [0-9]+ different trials, 0 legs, and [0-9]+ of its best' - \
    create new.besd --spec spec.yaml --from old.besd
runs 0 'exists already .*' - create new.besd --spec spec.yaml --from old.besd
matches 'source old: ' out || fail "create does not say its source again"
runs 0 '"sources":\[\{"name":"old","matched":"all coordinates.*"likeness":null,"related":null,"share":null\}\]' - \
    create new.besd --spec spec.yaml --from old.besd --json
shape create
runs 0 '"budget":2000.0\}$' - create plain.besd --spec spec.yaml --json
shape create
cp old.besd older.besd
runs 0 'source older: ' - create two.besd --spec spec.yaml --from old.besd --from ./older.besd
matches 'source old: ' out || fail "one of two sources is missing"

# what is refused leaves nothing behind
sed 's/name: x/name: height/' spec.yaml >height.yaml
sed 's/unit: m/unit: ft/' spec.yaml >feet.yaml
sed 's/seed: 5/model: paper/' spec.yaml >paper.yaml
sed 's/seed: 5/method: random/' spec.yaml >random.yaml
echo 'this is no study' >junk.besd
runs 0 '' - create empty.besd --spec spec.yaml
mkdir folder
refuse_source() { # pattern spec arguments...
    local pattern=$1 spec=$2
    shift 2
    refuses "$pattern" create refused.besd --spec "$spec" "$@"
    [ ! -e refused.besd ] || fail "besd create $*: a study was left behind"
}
refuse_source 'nowhere.besd: No such file' spec.yaml --from nowhere.besd
refuse_source 'nowhere.besd: No such file' spec.yaml --from old.besd --from nowhere.besd
refuse_source 'junk.besd: it is not a besd study' spec.yaml --from junk.besd
refuse_source 'folder' spec.yaml --from folder
refuse_source 'spec.yaml is a description of a study, not a study' spec.yaml --from spec.yaml
refuse_source 'refused.besd: No such file' spec.yaml --from refused.besd
refuse_source 'source empty: nothing was told in it yet' spec.yaml --from empty.besd
refuse_source 'source old: expected the coordinate height' height.yaml --from old.besd
refuse_source "source old: expected the coordinate x in the unit 'ft', got 'm'" feet.yaml --from old.besd
refuse_source 'only studies of method besd with the averaged model' paper.yaml --from old.besd
refuse_source 'only studies of method besd with the averaged model' random.yaml --from old.besd
refuse_source '--from: expected files of different names, got old.besd and ./old.besd' spec.yaml \
    --from old.besd --from ./old.besd
for i in 1 2 3 4 5 6 7 8 9; do
    cp old.besd "s$i.besd"
    many+=(--from "s$i.besd")
done
refuse_source 'source s9: a study has at most 8' spec.yaml "${many[@]}"
ln -s old.besd soft.besd
refuses 'source old: it is the study itself' create old.besd --spec spec.yaml --from old.besd
refuses 'source soft: it is the study itself' create old.besd --spec spec.yaml --from soft.besd
refuses 'source older: .*has trials already; sources are added before the first' \
    create old.besd --spec spec.yaml --from older.besd
runs 2 - '--from' create x.besd --spec spec.yaml --from

# the study runs with it; the earlier study may be gone
cp old.besd before.besd
runs 0 '' '' run spec.yaml --study new.besd --from old.besd --budget 600 --quiet
matches 'source old: related with probability [01].[0-9]+, likeness [01].[0-9]+; [0-9]+ % of' out ||
    fail "run does not say what came from the source: $(cat out)"
runs 0 'source old: related' - recommend new.besd
runs 0 '"sources":\[\{"name":"old".*"likeness":[0-9.e-]+,"related":[0-9.]+,"share":[0-9.e-]+\}\]' - \
    recommend new.besd --json
shape recommend
runs 0 ' source ' - trials new.besd
cmp -s old.besd before.besd || fail "the earlier study was changed"
rm old.besd
runs 0 'source old: related' '' run spec.yaml --study new.besd --from old.besd --budget 700 --quiet
runs 0 '"sources"' '' run spec.yaml --study new.besd --from old.besd --budget 700 --quiet --json
shape run

# whole or in parts, the same trials
cp before.besd old.besd
runs 0 '' '' run spec.yaml --study whole.besd --from old.besd --budget 900 --quiet
same_trials() { "$besd" trials "$1" --json | without_times | sed 's/"budget":[^,]*//'; }
runs 0 '' '' run spec.yaml --study parts.besd --from old.besd --budget 900 --quiet
checks=$((checks + 1))
[ "$(same_trials whole.besd)" = "$(same_trials parts.besd)" ] || fail "the same source, other trials"

# a refused run leaves no study, and domains take sources as well
refuses 'nowhere.besd: No such file' run spec.yaml --study late.besd --from nowhere.besd --quiet
[ ! -e late.besd ] || fail "a refused run has left a study behind"
runs 0 '' '' run gw10 "${run[@]}" --study gw-old.besd
runs 0 'source gw-old: ' '' run gw10 "${run[@]}" --seed 2 --study gw.besd --from gw-old.besd
runs 0 'source gw-old: ' '' run gw10 "${run[@]}" --seed 2 --study gw.besd --from gw-old.besd
runs 0 '"name":"gw-old","matched":"all coordinates by name; .* [1-9][0-9]* legs' '' \
    run gw10 "${run[@]}" --seed 2 --study gw.besd --from gw-old.besd --json
shape run
refuses 'source old: expected the coordinate' run gw10 "${run[@]}" --study gw2.besd --from old.besd
finish
