#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the targets the way ClusterFuzzLite and OSS-Fuzz ask: with $CC, $CXX, $CFLAGS, $CXXFLAGS and
# $LIB_FUZZING_ENGINE, into $OUT, each with its seed corpus and dictionary. Works in any clean directory.
set -euo pipefail
[ -z "${SRC:-}" ] || cd "$SRC/sparsewright"
: "${CC:=clang}" "${CXX:=clang++}" "${CFLAGS:=}" "${CXXFLAGS:=$CFLAGS}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
: "${OUT:?the directory to build into}" "${WORK:=$PWD/build/oss-fuzz}"

# GraphBLAS and CHOLMOD are shared libraries that the machines of these services do not have.
names=$(make -s fuzz-targets)
read -ra targets <<< "$(sed 's/\<differential\>//' <<< "$names")"

make -s -j"$(nproc)" B="$WORK" CC="$CC" OPT= CFLAGS="$CFLAGS -DSPW_SMALL_PARTS -Wno-error" FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
  FUZZ_LINK="$CXX $CXXFLAGS '-Wl,-rpath,\$\$ORIGIN/lib'" ${IO_LIBRARIES:+IO_LIBS="$IO_LIBRARIES"} "${targets[@]/#/$WORK/fuzz/}"
mkdir -p "$OUT/lib" # what the machines that run the targets lack
for target in "${targets[@]}"; do
  ldd "$WORK/fuzz/$target" | awk '$3 ~ "^/" && $3 !~ "/(libc|libm|libdl|librt|libpthread|libgcc_s)[.]so" { print $3 }' | xargs -r cp -Lu -t "$OUT/lib"
  cp "$WORK/fuzz/$target" "$OUT/$target"
  cp "fuzz/corpus/$target.zip" "$OUT/${target}_seed_corpus.zip"
  dictionary=fuzz/dictionaries/$target.dict
  [ -e "$dictionary" ] || dictionary=fuzz/dictionaries/model.dict
  cp "$dictionary" "$OUT/$target.dict"
  printf '[libfuzzer]\nmax_len = 4096\ntimeout = 20\n' > "$OUT/$target.options"
done
