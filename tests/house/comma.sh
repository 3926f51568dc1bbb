#!/bin/sh
# Run a command, and all that it starts, as if each program had called setlocale for German.
#
# usage: tests/house/comma.sh FOLDER COMMAND...
#
# The locale, whose decimal point is a comma, and the library that sets it are made in FOLDER, once.
# Where that is impossible it says so, beginning with "comma: skipped", and does nothing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift

skip() {
    echo "comma: skipped, $1"
    exit 0
}

if [ ! -e "$folder/comma.so" ]; then
    localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >"$folder/localedef.log" 2>&1 || :
    [ -e "$folder/de_DE.UTF-8/LC_NUMERIC" ] || skip 'localedef cannot make de_DE.UTF-8 here (Debian: package locales)'
    ${CC:-cc} -shared -fPIC "$here/comma.c" -o "$folder/comma.so.new" || skip 'no compiler makes a shared library here'
    mv "$folder/comma.so.new" "$folder/comma.so"
fi
export LOCPATH="$folder" LC_ALL=de_DE.UTF-8 LANGUAGE=en
told=$(LD_PRELOAD=$folder/comma.so env printf %.1f 1,5 2>&1 || :)
[ "$told" = 1,5 ] || skip "this C library takes no locale from LOCPATH (1,5 is $told)"
export LD_PRELOAD="$folder/comma.so"
exec "$@"
