# fish completion for besd. The tool itself is asked what it knows, so that the two never disagree.

# The help of a verb with each option in one line.
function __besd_help
    besd $argv[1] --help 2>/dev/null | sed -E ':again; $!N; s/\n {27}([^ ])/ \1/; t again; P; D'
end

# The values that the help on standard input names for an option: "(besd, random, ei; default besd)", or
# "svg (default), pdf or png".
function __besd_values
    sed -nE "/^  $argv[1] [A-Z]/{s/.*\(([a-z, -]+); default .*/\1/p;t
        /^  $argv[1] (FORMAT|MODE|ROLE|FORM) |\(default\)/{s/\([^)]*\)//g;s/^  $argv[1] [A-Z]+//
        s/([a-z-]+ *, *)*[a-z-]+ *,? or [a-z-]+/\n&\n/;s/^[^\n]*\n([^\n]*)\n.*/\1/p}}" | sed -E 's/,? or /,/' | tr -s ', ' '\n'
end

function __besd_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    if test (count $words) -eq 1
        besd --help 2>/dev/null | sed -nE 's/^  ([a-z]+) +(.*)/\1\t\2/p'
        return
    end
    set -l verb $words[2]
    set -l option $words[-1]
    set -l help (__besd_help $verb)
    if string match -q -- '-*' $current
        printf '%s\n' $help | sed -nE 's/^  (--[a-z-]+)( [A-Z=,.]+)? +(.*)/\1\t\3/p'
    else if string match -q -- '--*' $option; and printf '%s\n' $help | grep -qE "^  $option [A-Z]"
        if printf '%s\n' $help | grep -qE "^  $option FILE"
            __fish_complete_path $current
        else if printf '%s\n' $help | grep -qE "^  $option DIR"
            __fish_complete_directories $current
        else if test $option = --methods
            __besd_help run | __besd_values --method
            printf '%s\n' ql tql
        else
            printf '%s\n' $help | __besd_values $option
        end
    else if test (count $words) -eq 2; and printf '%s\n' $help | grep -q '^kinds:'
        printf '%s\n' $help | sed -nE '/^kinds:/,$s/^  ([a-z]+) +(.*)/\1\t\2/p'
    else if test (count $words) -eq 2 -a $verb = token
        echo new
    else
        if printf '%s\n' $help | grep -qE "^usage: besd $verb .*DOMAIN"
            besd domains 2>/dev/null | sed -nE 's/^([a-z0-9]+)  (.*)/\1\t\2/p'
        end
        __fish_complete_path $current
    end
end

complete -c besd -f -a '(__besd_complete)'
