#!/bin/sh
# script/golden-cli notices a changed digit, a missing column, a changed exit status, another
# message and a file that is not written; and not the times of this machine.
#
# usage: tests/house/golden-cli.sh BUILD
set -u
build=$(cd "${1:?a build directory}" && pwd) || exit 2
cd "$(dirname "$0")/../.." || exit 2
fake=$(mktemp -d) || exit 2
trap 'rm -rf "$fake"' EXIT
mkdir -p "$fake/src/cli"
ln -s "$build/meson-info" "$fake/meson-info"
status=0

# tool BODY: a cosched that does this around the real one, "$real".
tool() {
    printf '#!/bin/bash\nset -o pipefail\nreal=%s\n%s\n' "$build/src/cli/cosched" "$1" >"$fake/src/cli/cosched"
    chmod +x "$fake/src/cli/cosched"
}

judge() { # NAME BODY WANTED-STATUS WHAT-IS-SAID CASE
    tool "$2"
    said=$(script/golden-cli --build "$fake" "$5" 2>&1)
    found=$?
    if [ "$found" -ne "$3" ] || ! echo "$said" | grep -q -e "$4"; then
        echo "$1: status $found, and this:"
        echo "$said"
        status=1
    fi
}

judge 'as it is' '"$real" "$@"' 0 '^1 passed, 0 failed$' pack/policy
judge 'a digit' '"$real" "$@" | sed "s/\"cost\": 540/\"cost\": 541/"' 1 '^ *+  "cost": 541,$' pack/policy
judge 'a column' 'if [ "$*" = "fit examples/archer.csv --model overhead --format csv" ]; then "$real" "$@" | cut -d, -f2-
else "$real" "$@"; fi' 1 '^0 passed, 1 failed$' fit/amdahl
judge 'a status' '"$real" "$@" || exit 7' 1 '^ *+--- status 7$' malleable/errors
judge 'a message' '"$real" "$@" 2> >(sed "s/there is/there was/" >&2)' 1 '^ *+cosched: there was no policy' volatile/errors
judge 'a file' '"$real" "$@" && rm -f out.csv' 1 '^ *---- file out.csv$' volatile/one
judge 'an option of one command' '"$real" "$@" | sed "s/plan pack --order/plan pack --sort/"' 1 '^ *-plan pack: sha256' help/completion
judge 'times' '"$real" "$@" | sed -E "s/, in [0-9.]+ .s$/, in 7 h/"' 0 '^1 passed, 0 failed$' pack/options
exit "$status"
