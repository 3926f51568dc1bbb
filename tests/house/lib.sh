# lib.sh - TAP from the shell: check 'what should be' COMMAND..., at the end: finish.
# Tests run in an empty directory of their own; $top is the project.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
count=0
failed=0

check() {
    what=$1
    shift
    count=$((count + 1))
    if "$@" >check.out 2>&1; then
        echo "ok $count - $what"
    else
        failed=$((failed + 1))
        echo "not ok $count - $what"
        sed 's/^/# /' check.out
    fi
}

finish() {
    echo "1..$count"
    [ "$failed" -eq 0 ]
}
