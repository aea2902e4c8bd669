#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the targets the way ClusterFuzzLite and OSS-Fuzz ask: with $CC, $CXX, $CFLAGS, $CXXFLAGS and
# $LIB_FUZZING_ENGINE, into $OUT, each with its seed corpus and dictionary. Works in any clean directory.
set -euo pipefail
[ -z "${SRC:-}" ] || cd "$SRC/sparsewright"
: "${CC:=clang}" "${CXX:=clang++}" "${CFLAGS:=}" "${CXXFLAGS:=$CFLAGS}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
: "${OUT:?the directory to build into}" "${WORK:=$PWD/build/oss-fuzz}"

# GraphBLAS and CHOLMOD are shared libraries that the machines of these services do not have.
targets=(check infer fast_slow json mtx npz write alloc)

make -s -j"$(nproc)" B="$WORK" CC="$CC" OPT= CFLAGS="$CFLAGS -Wno-error" "${targets[@]/#/$WORK/objects-of-}"
for target in "${targets[@]}"; do
  link=()
  [ "$target" != alloc ] || link=(-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc)
  # shellcheck disable=SC2086
  $CXX $CXXFLAGS "${link[@]}" -o "$OUT/$target" "$WORK/obj/fuzz/target_$target.o" $(cat "$WORK/objects-of-$target") \
    $LIB_FUZZING_ENGINE "$WORK/libsparsewright_io.a" "$WORK/libsparsewright.a" ${IO_LIBRARIES:--ljansson -lzip -lz}
  cp "fuzz/corpus/$target.zip" "$OUT/${target}_seed_corpus.zip"
  dictionary=fuzz/dictionaries/$target.dict
  [ -e "$dictionary" ] || dictionary=fuzz/dictionaries/model.dict
  cp "$dictionary" "$OUT/$target.dict"
  printf '[libfuzzer]\nmax_len = 4096\ntimeout = 20\n' > "$OUT/$target.options"
done
