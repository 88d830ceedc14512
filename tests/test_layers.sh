#!/usr/bin/env bash
# A folder includes only what stands below it, and no private header (*_state.h) of another: two towers on core, and a run that knows both (docs/architecture.md).
# usage: test_layers.sh TOOL SOURCE_DIR
set -euo pipefail
source_dir=$2

# What each folder of src may include besides itself.
declare -A may_include=(
    [core]="besd"
    [world]="core besd"
    [learn]="world core besd"
    [sketch]="learn world core besd"
    [draw]="learn world core besd"
    [model]="core besd"
    [decide]="model core besd"
    [study]="decide model core besd"
    [json]="study core besd"
    [page]="run json study learn world core besd"
    [run]="json study learn world core besd"
    [check]="run json study learn world core besd"
    [cluster]="run core besd"
    [contest]="cluster page run json study learn world core besd"
    [figures]="contest run draw study learn world core besd"
    [serve]="page run json study learn world core besd"
    [cli]="serve page figures contest cluster check run json draw sketch study learn world core besd"
)

# file:path of every include that is, or could be, of this project: all in quotes, and those in
# angle brackets that begin with one of its folders.
list_includes() {
    local folders
    folders="besd|$(IFS='|' && echo "${!may_include[*]}")"
    find "$1/src" "$1/lab" "$1/include" -name '*.[ch]' -exec sed -nE --separate \
        "/^[[:space:]]*#[[:space:]]*include[[:space:]]*(\"|<($folders)\/)/{F;s/^[^\"<]*[\"<]([^\">]*).*/\1/p}" {} + |
        paste -d: - - | sort
}

# Prints every breach of the rule in the tree at $1; succeeds when there is none.
check_tree() {
    local tree=$1 file folder path target broken=0
    while IFS=: read -r file path; do
        file=${file#"$tree"/}
        folder=${file#*/} && folder=${folder%%/*} # of src/FOLDER/..., lab/FOLDER/... and include/besd/...
        target=${path%%/*}
        if [[ $folder != besd && -z ${may_include[$folder]:-} ]]; then
            echo "$file: the folder $folder has no place in the layers"
            broken=1
        elif [[ $path != */* || $path == *..* ]]; then
            echo "$file: expected \"folder/name.h\", got \"$path\""
            broken=1
        elif [[ $target != "$folder" && $path == *_state.h ]]; then
            echo "$file: \"$path\" is private to $target"
            broken=1
        elif [[ $target != "$folder" && " ${may_include[$folder]:-} " != *" $target "* ]]; then
            echo "$file: $folder must not include \"$path\""
            broken=1
        fi
    done < <(list_includes "$tree")
    return $broken
}

fail() {
    echo "test_layers: $*" >&2
    exit 1
}

# The rule is only as good as its teeth: a small tree that keeps it, and one breach at a time.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

plant() { # folder/file, line...
    mkdir -p "$(dirname "$scratch/$1")"
    printf '%s\n' "${@:2}" > "$scratch/$1"
}

sow() {
    rm -rf "${scratch:?}"/*
    plant include/besd/env.h '#include "besd/status.h"' '#include <stdint.h>'
    plant src/core/rng.c '#include "core/rng.h"' '#include <math.h>'
    plant src/world/grid.c '#include "core/error.h"' '#include "besd/env.h"'
    plant src/learn/agent.c '#include "world/domain.h"' '#include "core/error.h"'
    plant src/sketch/sketch.c '#include "learn/trial.h"' '#include <png.h>'
    plant src/draw/scene.c '#include "learn/agent.h"'
    plant src/model/kernel.c '#include "core/error.h"' '#include <Random123/threefry.h>'
    plant src/decide/kg.c '#include "model/kernel.h"'
    plant src/study/ask.c '#include "decide/kg.h"' '#include "model/kernel.h"'
    plant src/study/look.c '#include "study/study_state.h"'
    plant src/json/trial.c '#include "study/ask.h"'
    plant src/run/run.c '#include "study/ask.h"' '#include "learn/trial.h"' '#include "json/trial.h"'
    plant src/cluster/ranks.c '#include "run/loop.h"'
    plant lab/contest/job.c '#include "run/loop.h"'
    plant lab/figures/cost.c '#include "contest/job.h"' '#include "draw/scene.h"'
    plant src/page/views.c '#include "run/loop.h"' '#include "json/trial.h"'
    plant src/serve/routes.c '#include "run/loop.h"' '#include "json/trial.h"'
    plant src/cli/main.c '#include "run/loop.h"' '#include "draw/scene.h"'
}

sow
check_tree "$scratch" > /dev/null || fail "a tree that keeps the rule was refused"

breaches=(
    'src/core/bad.c|#include "world/grid.h"'
    'src/world/bad.c|#include "learn/agent.h"'
    'src/world/bad.h|#include "model/kernel.h"'
    'src/learn/bad.c|#include "draw/scene.h"'
    'src/learn/bad.c|#include "decide/kg.h"'
    'src/draw/bad.c|#include "cli/options.h"'
    'src/sketch/bad.c|#include "run/loop.h"'
    'src/sketch/bad.c|#include "study/ask.h"'
    'src/run/bad.c|#include "sketch/sketch.h"'
    'src/model/bad.c|#include "decide/kg.h"'
    'src/model/bad.c|#include "world/grid.h"'
    'src/decide/bad.c|#include "learn/trial.h"'
    'src/decide/bad.c|  #  include  "world/domain.h"'
    'src/study/bad.c|#include "run/loop.h"'
    'src/study/bad.c|#include "json/trial.h"'
    'src/study/bad.c|#include <learn/trial.h>'
    'src/json/bad.c|#include "run/loop.h"'
    'src/json/bad.c|#include "study/study_state.h"'
    'src/run/bad.c|#include "cli/main.h"'
    'src/run/bad.c|#include "contest/job.h"'
    'src/run/bad.c|#include "decide/kg.h"'
    'src/run/bad.c|#include "cluster/ranks.h"'
    'src/check/bad.c|#include "contest/job.h"'
    'src/cluster/bad.c|#include "study/ask.h"'
    'lab/contest/bad.c|#include "figures/cost.h"'
    'src/page/bad.c|#include "contest/job.h"'
    'src/serve/bad.c|#include "cli/options.h"'
    'src/page/bad.c|#include "serve/routes.h"'
    'src/serve/bad.c|#include "study/study_state.h"'
    'src/cli/bad.c|#include "study/study_state.h"'
    'lab/figures/bad.c|#include "page/views.h"'
    'include/besd/bad.h|#include "core/error.h"'
    'src/core/bad.c|#include "../world/grid.h"'
    'src/core/bad.c|#include "rng.h"'
    'src/attic/bad.c|#include "core/rng.h"'
    'src/world/deep/bad.c|#include "learn/agent.h"'
)
for breach in "${breaches[@]}"; do
    sow
    plant "${breach%%|*}" "${breach#*|}"
    if check_tree "$scratch" > "$scratch/said"; then
        fail "not noticed: ${breach/|/: }"
    fi
    grep -q "^${breach%%|*}: " "$scratch/said" || fail "wrong file blamed for ${breach/|/: }"
    [[ $(wc -l < "$scratch/said") == 1 ]] || fail "more than one complaint about ${breach/|/: }"
done

# The project itself.
includes=$(list_includes "$source_dir" | wc -l)
((includes > 100)) || fail "expected the project's sources in $source_dir, found $includes includes"
check_tree "$source_dir" || fail "an include goes against the layers"
echo "layers: $includes includes in order, ${#breaches[@]} breaches noticed in the self-test"
