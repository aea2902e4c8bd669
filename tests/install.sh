#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a staging directory, moves that elsewhere, and builds programs against it as a stranger
# would: with pkg-config and CMake, shared and static, gcc and clang, C and C++. Then uninstalls.
set -euo pipefail
cd "$(dirname "$0")/.."
unset PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR MAKEFLAGS MFLAGS MAKELEVEL

fail() { echo "install: $1" >&2; exit 1; }
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
make=("${MAKE:-make}" -s --no-print-directory B=build CC=gcc)
first="$stage/a stranger's first" # as a folder may well be called
(umask 077; "${make[@]}" install DESTDIR="$first" PREFIX=/opt/spw)
closed=$(find "$first/opt" ! -type l ! -perm -004)
[ -z "$closed" ] || fail "these are not for everybody: $closed"
mv "$first/opt/spw" "$stage/moved"
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
  local said
  said=$(LD_LIBRARY_PATH=$stage/moved/lib "$1") || fail "$1 ends with $?"
  [ "$said" = 5.3 ] || fail "$1 says '$said'"
  builds=$((builds + 1))
}
for compiler in "gcc -std=c11" "clang -std=c11" "g++ -x c++" "clang -x c++"; do
  $compiler $warnings -c "$stage/consumer.c" $(pkg-config --cflags sparsewright) -o "$stage/consumer.o"
  ${compiler%% *} "$stage/consumer.o" $(pkg-config --libs sparsewright_io) -o "$stage/shared"
  built "$stage/shared"
done
# Only these two are linked statically: of the other libraries there may be no archives.
archives=$(pkg-config --libs sparsewright_io | sed 's/-l\(sparsewright[_io]*\)/-l:lib\1.a/g')
gcc "$stage/consumer.o" $archives $(pkg-config --libs jansson zlib) -o "$stage/static"
LD_LIBRARY_PATH='' built "$stage/static"
# With CMake: the checker alone, the readers, and both again as archives.
mkdir "$stage/cmake"
cat > "$stage/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(consumer C)
find_package(sparsewright 0.1 REQUIRED CONFIG COMPONENTS sparsewright io)
add_executable(shared ../consumer.c)
target_link_libraries(shared PRIVATE sparsewright::io)
add_executable(static ../consumer.c)
target_link_libraries(static PRIVATE sparsewright::io_static)
file(WRITE ${CMAKE_BINARY_DIR}/core.c "#include <sparsewright.h>\n#include <stdio.h>\n\
int main(void) { return puts(spw_rule_get(spw_rule_from_id(\"5.3\"))->id) < 0; }\n")
foreach(kind "" _static)
  add_executable(core${kind} ${CMAKE_BINARY_DIR}/core.c)
  target_link_libraries(core${kind} PRIVATE sparsewright::sparsewright${kind})
endforeach()
END
cmake_at() { cmake -S "$stage/cmake" -B "$stage/cmake/build" -DCMAKE_PREFIX_PATH="$stage/moved" "$@" >"$stage/cmake.log" 2>&1; }
{ cmake_at && cmake --build "$stage/cmake/build" >>"$stage/cmake.log" 2>&1; } || fail "CMake: $(cat "$stage/cmake.log")"
for program in shared static core core_static; do
  built "$stage/cmake/build/$program"
  needs=$(readelf -d "$stage/cmake/build/$program" | grep -c NEEDED.*libsparsewright || true)
  case $program in shared) expected=2 ;; core) expected=1 ;; *) expected=0 ;; esac
  [ "$needs" = "$expected" ] || fail "CMake: $program needs $needs of the shared libraries"
done
# A component that there is not, and a version to come, are refused.
sed -i 's/COMPONENTS sparsewright io/& no_such/' "$stage/cmake/CMakeLists.txt"
if cmake_at; then fail "CMake finds a component that there is not"; fi
grep -q 'has no no_such here' "$stage/cmake.log" || fail "CMake: $(cat "$stage/cmake.log")"
sed -i 's/ no_such//; s/sparsewright 0.1 /sparsewright 0.999 /' "$stage/cmake/CMakeLists.txt"
if cmake_at; then fail "CMake takes this for a version to come"; fi
sed -i 's/sparsewright 0.999 /sparsewright 0.1 /' "$stage/cmake/CMakeLists.txt"

for shell in bash zsh; do
  "$stage/moved/bin/spw" completion $shell | cmp - "$(find "$stage/moved/share" -path "*$shell*" -name '*spw' -type f)" ||
    fail "what completes commands in $shell is not installed"
done
python3 -B tests/cli/man_pages.py "$stage/moved/bin/spw" "$stage/moved/share/man/man1"
python3 -B tests/cli/man_functions.py "$stage/moved/share/man/man3" src/sparsewright_*.h
readelf -d "$stage/shared" | grep -q 'libsparsewright\.so\.0\.1\]'
if readelf -d "$stage/static" | grep libsparsewright; then fail "a static program needs these"; fi
# The core needs the C library only, and both show what the header declares.
if readelf -d "$stage/moved/lib/libsparsewright.so" | grep NEEDED | grep -v 'lib[cm]\.so'; then
  fail "the core needs these"
fi
# It allocates nothing, prints nothing and keeps no state.
# What is computed of values is libm's; the compiler's own library divides whole numbers of 128 bits.
calls=$(nm -u build/libsparsewright.a | awk '$1 == "U" && $2 !~ /^(spw_.*|(a?(sin|cos|tan)h?|exp|expm1|log|log1p|log2|log10|erf|erfc|pow|fmod|frexp|ldexp|sqrt|rint|ceil|floor|trunc)[fl]?|mem(chr|cmp|cpy|move|set)|str(cmp|len)|__cpu_.*|__u?(div|mod|divmod)ti[34]|_GLOBAL_OFFSET_TABLE_)$/ { print $2 }')
[ -z "$calls" ] || fail "the core calls: $calls"
state=$(objdump -t build/libsparsewright.a | grep -E ' O +(\.(data|bss)[^[:space:]]*|\*COM\*)[[:space:]]|[[:space:]]\.t(data|bss)[^[:space:]]*[[:space:]]+0*[1-9a-f]' | grep -v '\.data\.rel\.ro' || true)
[ -z "$state" ] || fail "the core keeps: $state"
declared=$(grep -hv '^typedef ' src/sparsewright*.h | grep -o '\<spw_[a-z0-9_]*(' | sort -u | wc -l)
# No name has two bodies, of which a linker that opens one archive after the other would take the first: a proved
# function is the one that runs.
whole() { ld -r --whole-archive "$@" -o "$stage/whole.o"; }
whole build/libsparsewright{,_io}.a $(find src/cli -name '*.c' -printf 'build/obj/%p\n' | sed 's/c$/o/') || fail "a name with two bodies"
echo 'int spw_is_level(int level) { return level + 1; }' | gcc -c -x c - -o "$stage/second.o"
if whole build/libsparsewright{,_io}.a "$stage/second.o" 2> "$stage/said"; then fail "a second body of spw_is_level is not seen"; fi
grep -q 'multiple definition of .spw_is_level' "$stage/said" || fail "another fault: $(cat "$stage/said")"
shown=$(nm -D --defined-only "$stage"/moved/lib/libsparsewright{,_io}.so | grep -c ' T spw_')
[ "$shown" = "$declared" ] || fail "$shown functions shown, $declared declared"
[ "$("$stage/moved/bin/spw" --version)" = "spw $(pkg-config --modversion sparsewright)" ]

# To a linker each library names what it shows and no more, which lld would refuse.
for library in libsparsewright libsparsewright_io; do
  diff <(sed -n 's/^\(spw_.*\);$/\1/p' build/$library.map | sort) \
    <(nm -D --defined-only "$stage/moved/lib/$library.so" | awk '{ print $3 }' | sort) || fail "$library does not show what it says"
done

# What the user's flags say (-flto) is said to whatever is linked, too: both libraries and the command, and all objects.
made=$("${make[@]}" -n B="$stage/none" CFLAGS=-DMARK all | grep '^gcc ' || true)
[ "$(grep -c -e ' -o [^ ]*\(\.so\.0\.1\|/spw\) ' <<<"$made")" = 3 ] || fail "what is linked is not seen: $made"
[ "$(grep -c -e ' -c ' <<<"$made")" -gt 100 ] || fail "what is compiled is not seen: $made"
without=$(grep -v -e ' -DMARK ' <<<"$made" || true)
[ -z "$without" ] || fail "made without CFLAGS: $without"
# What was made by one compiler, with some flags, is installed as it is, whatever the environment says by then.
other=(env -u CC CFLAGS=-DOTHER "${MAKE:-make}" --no-print-directory B=build DESTDIR="$stage/other")
anew=$("${other[@]}" install | grep -e ' -c [^ ]*\.c \| -shared ' || true)
[ -z "$anew" ] || fail "made anew to be installed: $anew"
rm -r "$stage/other"
made=$("${other[@]}" -n all)
grep -q -e ' -DOTHER ' <<<"$made" || fail "the environment says nothing to make"
# So is what was made with threads, unless that is said not to be.
mkdir "$stage/threads"
sed 's/^OPENMP := $/OPENMP := 1/' build/settings > "$stage/threads/settings"
threads() { "${make[@]}" -n B="$stage/threads" DESTDIR="$stage/none" "$@" | grep -c '^gcc .* -fopenmp .*-shared ' || true; }
counted="$(threads install) $(threads install OPENMP=) $(threads all)"
[ "$counted" = '2 0 0' ] || fail "libraries with threads: $counted"
# Libraries may lie where a distribution has them, and are found from there.
"${make[@]}" install DESTDIR="$stage/far" PREFIX=/usr LIBDIR=/usr/lib/x86_64-linux-gnu
mv "$stage/far/usr" "$stage/far/moved"
far=$stage/far/moved/lib/x86_64-linux-gnu
PKG_CONFIG_PATH=$far/pkgconfig cc "$stage/consumer.c" $(PKG_CONFIG_PATH=$far/pkgconfig pkg-config --cflags --libs sparsewright_io) -o "$stage/shared"
LD_LIBRARY_PATH=$far "$stage/shared" > "$stage/said" || fail "libraries in another folder are not found"
cmake -S "$stage/cmake" -B "$stage/cmake/far" -DCMAKE_PREFIX_PATH="$stage/far/moved" -DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu \
  >"$stage/cmake.log" 2>&1 || fail "CMake: $(cat "$stage/cmake.log")"
mv "$stage/far/moved" "$stage/far/usr"
"${make[@]}" uninstall DESTDIR="$stage/far" PREFIX=/usr LIBDIR=/usr/lib/x86_64-linux-gnu
left=$(find "$stage/far" ! -type d)
[ -z "$left" ] || fail "left behind: $left"
# What is installed for another machine cannot be run: another spw says what is in the manual.
"${make[@]}" -n install MAN_SPW=/other/spw DESTDIR="$stage/none" | grep "man_pages.py '/other/spw'" > "$stage/said" || fail "MAN_SPW is not asked"

mkdir -p "$first/opt" && mv "$stage/moved" "$first/opt/spw"
"${make[@]}" uninstall DESTDIR="$first" PREFIX=/opt/spw
left=$(find "$first" ! -type d)
[ -z "$left" ] || fail "left behind: $left"
[ "$builds" = 9 ]
echo "install: $builds programs built against it and run, $shown functions shown, nothing left behind"
