#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a staging directory, moves that elsewhere, and builds programs against it as a stranger
# would: with pkg-config, shared and static, gcc and clang, C and C++. Then uninstalls.
set -euo pipefail
cd "$(dirname "$0")/.."
unset PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR MAKEFLAGS MFLAGS MAKELEVEL

fail() { echo "install: $1" >&2; exit 1; }
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
make=("${MAKE:-make}" -s --no-print-directory B=build CC=gcc)
"${make[@]}" install DESTDIR="$stage/first" PREFIX=/opt/spw
mv "$stage/first/opt/spw" "$stage/moved"
export PKG_CONFIG_PATH=$stage/moved/lib/pkgconfig


cat > "$stage/consumer.c" <<'END'
#include <sparsewright.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
  spw_owned *owned = NULL;
  spw_error error;
  const char *text = "{\"spw\": 1}";
  const int refused = spw_read_json(text, strlen(text), 0, &owned, &error) == SPW_EFORMAT;
  return puts(spw_rule_get(spw_rule_from_id("5.3"))->id) < 0 || !refused || owned != NULL;
}
END
warnings="-Wall -Wextra -Werror -pedantic"
builds=0
built() { # built PROGRAM: it runs
  [ "$(LD_LIBRARY_PATH=$stage/moved/lib "$1")" = 5.3 ]
  builds=$((builds + 1))
}
for compiler in "gcc -std=c11" "clang -std=c11" "g++ -x c++" "clang -x c++"; do
  $compiler $warnings -c "$stage/consumer.c" $(pkg-config --cflags sparsewright) -o "$stage/consumer.o"
  ${compiler%% *} "$stage/consumer.o" $(pkg-config --libs sparsewright_io) -o "$stage/shared"
  built "$stage/shared"
done
# Only these two are linked statically: of the other libraries there may be no archives.
archives=$(pkg-config --libs sparsewright_io | sed 's/-l\(sparsewright[_io]*\)/-l:lib\1.a/g')
gcc "$stage/consumer.o" $archives $(pkg-config --libs jansson libzip zlib) -o "$stage/static"
LD_LIBRARY_PATH='' built "$stage/static"
readelf -d "$stage/shared" | grep -q 'libsparsewright.so.0'
if readelf -d "$stage/static" | grep libsparsewright; then fail "a static program needs these"; fi
# The core needs the C library only, and both show what the header declares.
if readelf -d "$stage/moved/lib/libsparsewright.so" | grep NEEDED | grep -v 'libc\.so'; then
  fail "the core needs these"
fi
declared=$(grep -o '\<spw_[a-z0-9_]*(' src/sparsewright.h | sort -u | wc -l)
shown=$(nm -D --defined-only "$stage"/moved/lib/libsparsewright{,_io}.so | grep -c ' T spw_')
[ "$shown" = "$declared" ] || fail "$shown functions shown, $declared declared"
[ "$("$stage/moved/bin/spw" --version)" = "spw $(pkg-config --modversion sparsewright)" ]

mkdir -p "$stage/first/opt" && mv "$stage/moved" "$stage/first/opt/spw"
"${make[@]}" uninstall DESTDIR="$stage/first" PREFIX=/opt/spw
left=$(find "$stage/first" ! -type d)
[ -z "$left" ] || fail "left behind: $left"
[ "$builds" = 5 ]
echo "install: $builds programs built against it and run, $shown functions shown, nothing left behind"
