#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh BUILD: installs a build that has the CUDA library into a staging directory, moves that elsewhere and
# builds the example against it with pkg-config, as C and as C++, and with CMake; then uninstalls. A build without it installs none.
set -euo pipefail
cd "$(dirname "$0")/../.."
unset PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR MAKEFLAGS MFLAGS MAKELEVEL

fail() { echo "install.sh: $1" >&2; exit 1; }
build=$1
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
make=("${MAKE:-make}" -s --no-print-directory CC=gcc)
[ -e "$build/libsparsewright_cuda.so" ] || fail "$build has no CUDA library"
"${make[@]}" B="$build" install DESTDIR="$stage/first" PREFIX=/opt/spw
# What was made for some architectures is installed as it is, whatever the environment says by then.
env CUDA_ARCH=-arch=sm_90 NVCC=another-nvcc "${MAKE:-make}" --no-print-directory CC=gcc B="$build" install DESTDIR="$stage/other" > "$stage/log" ||
  fail "nothing is installed: $(tail -1 "$stage/log")"
anew=$(grep -e ' -c cuda/.*\.cu ' -e ' -shared ' "$stage/log" || true)
[ -z "$anew" ] || fail "made anew to be installed: $anew"
mv "$stage/first/opt/spw" "$stage/moved"
export PKG_CONFIG_PATH=$stage/moved/lib/pkgconfig LD_LIBRARY_PATH=$stage/moved/lib

builds=0
for compiler in "gcc -std=c11" "clang -std=c11"; do
  $compiler -Wall -Wextra -Werror -pedantic examples/check_on_device.c $(pkg-config --cflags --libs sparsewright_cuda) \
    -o "$stage/program"
  code=0
  said=$("$stage/program") || code=$?
  # With a device the tensor is found to be wrong, without one the program is told so.
  case "$code $said" in
    "77 no device" | "1 rule 5.3 at position 2: -2 against 0") builds=$((builds + 1)) ;;
    *) fail "exit code $code, '$said'" ;;
  esac
done
[ $builds = 2 ]
echo '#include <sparsewright_cuda.h>
int main() { int n; return spw_cuda_device_count(&n) < 0; }' > "$stage/main.cpp"
g++ -Wall -Wextra -Werror -pedantic "$stage/main.cpp" $(pkg-config --cflags --libs sparsewright_cuda) -o "$stage/program"
"$stage/program"
printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(consumer CXX)' 'add_executable(consumer main.cpp)' \
  'find_package(sparsewright REQUIRED CONFIG COMPONENTS cuda)' \
  'target_link_libraries(consumer PRIVATE sparsewright::cuda)' > "$stage/CMakeLists.txt"
{ cmake -S "$stage" -B "$stage/cmake" -DCMAKE_PREFIX_PATH="$stage/moved" && cmake --build "$stage/cmake"; } >"$stage/log" 2>&1 ||
  fail "CMake: $(cat "$stage/log")"
"$stage/cmake/consumer"
if LD_LIBRARY_PATH=$stage/moved/lib ldd "$stage/program" | grep -e 'not found' -e 'libcud'; then
  fail "the program needs these"
fi

mkdir -p "$stage/first/opt" && mv "$stage/moved" "$stage/first/opt/spw"
"${make[@]}" B="$build" uninstall DESTDIR="$stage/first" PREFIX=/opt/spw
left=$(find "$stage/first" ! -type d)
[ -z "$left" ] || fail "left behind: $left"
if "${make[@]}" -n B="$stage/none" install DESTDIR="$stage/second" | grep sparsewright_cuda; then
  fail "a build without the CUDA library installs it"
fi
echo "install.sh: 4 programs built against the installed CUDA library and run ($said), nothing left behind"
