#!/bin/sh
# The rule that each public function has a user outside of the library finds a function without one.
. "$(dirname "$0")/lib.sh"

fresh() {
    rm -rf tree
    mkdir -p tree/include/cosched tree/src/cli/base tree/src/api tree/docs tree/python/cosched tree/examples/a tree/tests
    echo 'CS_API int cs_plan_one(void);' >tree/include/cosched/case.h
}

# A user in FILE counts, or does not.
counts() {
    fresh
    printf '%s\n' "$2" >"tree/$1"
    check "$1 is a user: $2" "$top/script/symbols" --users tree
}

is_no_user() {
    fresh
    printf '%s\n' "$2" >"tree/$1"
    "$top/script/symbols" --users tree >out
    status=$?
    check "$1 is no user: $2" test "$status" -eq 1
    check '... and the function is named' grep -q '^cs_plan_one is public, and no' out
}

counts src/cli/base/run.c 'return cs_plan_one();'
counts docs/c.md 'cs_plan_one();'
counts README.md '`cs_plan_one`'
counts python/cosched/core.py 'lib.cs_plan_one()'
counts examples/a/main.c 'cs_plan_one();'

is_no_user src/api/plan.c 'int cs_plan_one(void) { return 0; }'
is_no_user tests/plan.c 'cs_plan_one();'
is_no_user src/cli/base/run.c '/* as cs_plan_one */'
is_no_user docs/design.md '`cs_plan_one`'
is_no_user docs/c.md 'cs_plan_one_more();'

check 'the project itself is in order' "$top/script/symbols" --users
finish
