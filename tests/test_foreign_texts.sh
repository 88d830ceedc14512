#!/usr/bin/env bash
# Texts of others are printed in one way (core/print), so that none can be forgotten: the tool, the pages and the
# SVGs have no printf of their own, and gnuplot gets no names (docs/security.md).
# usage: test_foreign_texts.sh TOOL SOURCE_DIR
set -euo pipefail
source_dir=$2

# What may be written as it is: constants of ours, and the part of common.c that does the writing; page/bundle.c
# writes a page whose texts are all inside JSON.
own='"|more \?|\*word =='

# breaches FILE: every line that prints in another way
breaches() {
    case $1 in
    */src/cli/skeletons/*) ;; # programs of their own
    */src/cli/*.c | */src/serve/*.c | */src/page/[!b]*.c | */src/draw/svg_page.c | */src/draw/scene_svg.c)
        grep -nE '(^|[^a-z_])(printf|fprintf|vprintf|vfprintf|dprintf|json_dumpf|json_dumpfd) ?\(' "$1" || true
        grep -nE '(^|[^a-z_])f?puts ?\(' "$1" | grep -vE "puts ?\(($own)" || true
        ;;
    */lab/figures/*.c)
        grep -nE '(^|[^a-z_])fprintf ?\(p->script.*%[^"]*s' "$1" || true
        grep -nE 'set output|\.dat\b|[^a-z]load [^a-z]|system *\(' "$1" || true
        ;;
    */lab/contest/*.c)
        grep -nE 'json_dumpfd? ?\(' "$1" || true
        ;;
    esac
}

check_tree() {
    local file found broken=0
    while read -r file; do
        found=$(breaches "$file")
        if [[ -n $found ]]; then
            sed "s|^|${file#"$1"/}:|" <<<"$found"
            broken=1
        fi
    done < <(find "$1/src" "$1/lab" -name '*.c' | sort)
    return $broken
}

fail() {
    echo "test_foreign_texts: $*" >&2
    exit 1
}

# The rule has teeth: a small tree that keeps it, and one breach at a time.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

plant() { # FILE LINE
    rm -rf "$scratch/src" "$scratch/lab"; mkdir -p "$scratch/src" "$scratch/lab"
    mkdir -p "$(dirname "$scratch/$1")"
    printf '%s\n' "$2" >"$scratch/$1"
}

keeps=(
    'src/cli/good.c|print_clean(stdout, "%s\n", name); snprintf(a, 3, "%s", b); puts("done"); fputs(" run", out);'
    'src/draw/svg_page.c|print_markup(p->out, "<b>%s</b>", name); fputs("<p>", p->out);'
    'lab/figures/plot.c|fprintf(p->script, "$block%d << EOD\n", p->block);'
    'src/core/good.c|fprintf(out, "%s", text);'
)
for line in "${keeps[@]}"; do
    plant "${line%%|*}" "${line#*|}"
    check_tree "$scratch" || fail "refused: $line"
done
breaks=(
    'src/serve/bad.c|fprintf(out, "%s", name);'
    'src/cli/bad.c|    printf("%s\n", name);'
    'src/cli/bad.c|    fprintf(stderr, "%s\n", name);'
    'src/cli/bad.c|    if (x) puts(name);'
    'src/cli/bad.c|    fputs(name, stdout);'
    'src/cli/bad.c|    vfprintf(stderr, format, arguments);'
    'src/cli/bad.c|    json_dumpf(object, stdout, 0);'
    'src/page/views.c|    fprintf(p->out, "<b>%s</b>", name);'
    'src/draw/svg_page.c|    fputs(name, p->out);'
    'src/draw/svg_page.c|    fprintf(page->out, "<title>%s</title>", title);'
    'lab/figures/bad.c|    fprintf(p->script, "set label \"%s\"\n", name);'
    'lab/figures/plot.c|    plot_say(p, "set output \"%s\"", name);'
    'lab/contest/bad.c|    json_dumpf(object, f.out, 0);'
)
for line in "${breaks[@]}"; do
    plant "${line%%|*}" "${line#*|}"
    check_tree "$scratch" >"$scratch/said" && fail "not noticed: $line"
    grep -q "^${line%%|*}:1:" "$scratch/said" || fail "wrong file blamed for $line"
done

# The project itself.
printing=$({ grep -rlE "print_(clean|markup)\\(" "$source_dir/src" || true; } | wc -l)
((printing > 20)) || fail "expected the project's sources in $source_dir, found $printing files that print"
check_tree "$source_dir" || fail "a text is printed in another way than by core/print"
echo "foreign texts: $printing files print in one way, ${#breaks[@]} breaches noticed in the self-test"
