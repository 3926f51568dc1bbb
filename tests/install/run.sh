#!/bin/sh
# Install a build into its prefix and use it from a program that knows only pkg-config.
#
# usage: tests/install/run.sh BUILD-DIRECTORY
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
prefix=$build/stage
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! meson introspect --buildoptions "$build" | grep -q "\"value\": \"$prefix\""; then
    echo "$0: the prefix of $build is not $prefix: configure it with --prefix" >&2
    exit 1
fi
rm -rf "$prefix"
meson install -C "$build" --no-rebuild --quiet
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name cosched.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$here/../../meson.build" | head -n 1)

compile() { # NAME FLAG...
    name=$1
    shift
    ${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic "$here/program.c" -o "$work/$name" "$@"
    "$work/$name" >"$work/$name.out"
    cat "$work/$name.out"
    diff "$here/program.out" "$work/$name.out"
}

# shellcheck disable=SC2046
compile shared $(pkg-config --cflags --libs cosched)
"$here/../house/comma.sh" "$build/comma" "$work/shared" | tee "$work/comma.out"
sed 's/\([0-9]\),\([0-9]\)/\1.\2/g' "$work/comma.out" | grep -v '^comma: skipped' | diff "$here/program.out" - ||
    grep -q '^comma: skipped' "$work/comma.out"
ldd "$work/shared" | grep -q "$prefix.*libcosched.so.2 " ||
    ldd "$work/shared" | grep -q "libcosched.so.2 => $prefix"
# shellcheck disable=SC2046
compile static $(pkg-config --static --cflags --libs cosched | sed 's/-lcosched/-l:libcosched.a/')
if ldd "$work/static" | grep libcosched; then
    echo 'the program linked with libcosched.a still wants the shared library'
    exit 1
fi
if command -v cmake >/dev/null; then
    mkdir "$work/cmake"
    cat >"$work/cmake/CMakeLists.txt" <<LISTS
cmake_minimum_required(VERSION 3.16)
project(program C)
find_package(cosched ${version%.*} REQUIRED)
add_executable(program $here/program.c)
target_link_libraries(program cosched::cosched)
LISTS
    cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.out"
    cmake --build "$work/cmake/build" >>"$work/cmake.out"
    "$work/cmake/build/program" | diff "$here/program.out" -
    sed -i 's/^find_package.*/find_package(cosched 9.9 REQUIRED)/' "$work/cmake/CMakeLists.txt"
    if cmake -S "$work/cmake" -B "$work/cmake/other" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null 2>&1; then
        echo 'find_package accepts a version that is not installed'
        exit 1
    fi
else
    echo 'without a program of CMake: cmake is not installed'
fi
if [ "$(ldd "$work/shared" | wc -l)" -gt 16 ]; then
    echo 'the program loads what pictures and linear programs need before it asks for them:'
    ldd "$work/shared"
    exit 1
fi
[ "$(pkg-config --modversion cosched)" = "$version" ]
"$here/../house/recipes.py" "$prefix"
