#!/bin/sh
# The layering check notices what it forbids, and lets pass what it allows.
. "$(dirname "$0")/lib.sh"

fresh() {
    rm -rf tree
    mkdir -p tree/include/cosched tree/src/base tree/src/model tree/src/io tree/src/check \
        tree/src/problem tree/src/sched \
        tree/src/problems/pack tree/src/problems/ptg tree/src/report tree/src/cli/base
    for name in base/arena model/moldable io/json check/check problem/problem sched/policy problems/pack/policy problems/ptg/policy \
        report/svg cli/base/command; do
        : >"tree/src/$name.h"
    done
    for name in error workload case; do
        : >"tree/include/cosched/$name.h"
    done
}

# include FILE LINE: a tree where FILE has just this include.
include() {
    fresh
    printf '\n%s\n' "#include $2" >"tree/$1"
}

allowed() {
    include "$1" "$2"
    check "$1 may include $2" "$top/script/layers" tree
}

refused() {
    include "$1" "$2"
    "$top/script/layers" tree >out
    status=$?
    check "$1 including $2 is refused" test "$status" -eq 1
    check "... with file, line and reason: $3" grep -qF "$1:2: $3" out
}

allowed src/base/arena.c '"base/arena.h"'
allowed src/base/arena.c '<stdlib.h>'
allowed src/base/arena.c '<cosched/error.h>'
allowed src/base/arena.c '"config.h"'
allowed src/model/moldable.c '"base/arena.h"'
allowed src/sched/policy.c '"problem/problem.h"'
allowed src/problems/pack/policy.c '"sched/policy.h"'
allowed src/problems/pack/policy.c '"io/json.h"'
allowed src/problems/pack/policy.c '<cosched/case.h>'
allowed include/cosched/case.h '<cosched/error.h>'
allowed include/cosched/case.h '<stdbool.h>'

refused src/base/arena.c '"model/moldable.h"' 'model/moldable.h: base must not include model'
refused src/base/arena.c '<cosched/case.h>' 'cosched/case.h: base must not include problem'
refused src/model/moldable.c '"problems/pack/policy.h"' 'problems/pack/policy.h: model must not include pack'
refused src/check/check.c '"io/json.h"' 'io/json.h: check must not include io'
refused src/check/check.c '"problems/pack/policy.h"' 'problems/pack/policy.h: check must not include pack'
refused src/io/json.c '"check/check.h"' 'check/check.h: io must not include check'
refused src/problem/problem.c '"sched/policy.h"' 'sched/policy.h: problem must not include sched'
refused src/sched/policy.c '"problems/pack/policy.h"' 'problems/pack/policy.h: sched must not include pack'
refused src/problems/pack/policy.c '"problems/ptg/policy.h"' 'problems/ptg/policy.h: pack must not include ptg'
refused src/problems/pack/policy.c '"report/svg.h"' 'report/svg.h: pack must not include report'
refused src/report/svg.c '"cli/base/command.h"' 'cli/base/command.h: report must not include cli'
refused src/base/arena.c '"arena.h"' 'arena.h: there is no such file'
refused include/cosched/case.h '"base/arena.h"' 'base/arena.h: a public header includes only'
refused include/cosched/case.h '<jansson.h>' 'jansson.h: a public header includes only'
refused include/cosched/case.h '<unistd.h>' 'unistd.h: a public header includes only'
refused src/cli/plan.c '<cosched/surprise.h>' 'cosched/surprise.h: this public header has no place'

# The tool is a foreign program.
seen() {
    include "$1" "$2"
    echo '#include "report/svg.h"' >tree/src/cli/view.h
    "$top/script/layers" tree >out
    status=$?
    check "$1 seeing $2 is refused" test "$status" -eq 1
    check "... with the way: $3" grep -qF "$1: sees src/$3" out
}
allowed src/cli/base/command.c '"base/arena.h"'
allowed src/cli/base/command.c '<cosched/case.h>'
seen src/cli/main.c '"cli/view.h"' 'report/svg.h, which knows of scheduling: src/cli/main.c -> src/cli/view.h -> src/report/svg.h'
seen src/cli/base/command.c '"report/svg.h"' 'report/svg.h, which knows of scheduling: src/cli/base/command.c -> src/report/svg.h'
fresh
mkdir tree/src/attic
: >tree/src/attic/old.c
"$top/script/layers" tree >out
check 'a folder without a place is refused' test $? -eq 1
check '... by name' grep -q '^src/attic/old.c: the folder attic has no place yet' out

include src/base/arena.h '"base/other.h"'
echo '#include "base/arena.h"' >tree/src/base/other.h
"$top/script/layers" tree >out
check 'a circle of includes is refused' test $? -eq 1
check '... and shown' grep -q 'src/base/arena.h -> src/base/other.h -> src/base/arena.h' out

check 'the project itself is in order' "$top/script/layers"
finish
