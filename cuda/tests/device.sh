#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# device.sh BUILD: the device side as built, with or without a device.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1
library=$build/libsparsewright_cuda.so

# Only the C library's family and the checker: no CUDA library, and above all not the driver.
needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p')
grep -q sparsewright <<<"$needed" || { echo "device.sh: $library does not use the checker"; exit 1; }
if grep -i -e cuda -e nvidia -e nvrtc <<<"$needed" | grep -v sparsewright; then
  echo "device.sh: $library needs a CUDA library"; exit 1
fi
if LD_LIBRARY_PATH=$build ldd "$library" | grep -i -e 'libcud' -e nvidia -e 'not found'; then
  echo "device.sh: ldd shows a CUDA library, or a missing one"; exit 1
fi
exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort)
declared=$(grep -o '\<spw_cuda_[a-z0-9_]*(' cuda/sparsewright_cuda.h | tr -d '(' | sort -u)
[ "$exported" = "$declared" ] || { echo "device.sh: exported is not what is declared:"; diff <(echo "$exported") <(echo "$declared"); exit 1; }
# What was compiled in of every source: machine code for both architectures, and PTX.
code=$(python3 -B cuda/tests/fatbin.py "$library" | sort -u)
[ "$code" = "elf 80, elf 90, ptx 90" ] || { echo "device.sh: the code for devices is not what it should be: $code"; exit 1; }

# The file pipe, with the host engine in the device's place; and an answer that is wrong.
answers=$(mktemp) tensors=$(mktemp)
trap 'rm -f "$answers" "$tensors"' EXIT
{
  cat "$build"/gpu-bundle/tensors/*.spw.jsonl
  for file in $(grep -L '"layout": "dense"' examples/*.spw.json); do tr -d '\n' <"$file"; echo; done
} >"$tensors"
"$build/spw-cuda" check --engine - <"$tensors" >"$answers"
"$build/spw-cuda" verify "$tensors" - <"$answers"
[ "$(wc -l <"$answers")" -eq "$(wc -l <"$tensors")" ]
grep -q '"rule": "5.3"' "$answers"
if sed 's/"lhs": -2/"lhs": -3/' "$answers" | "$build/spw-cuda" verify "$tensors" - >/dev/null; then
  echo "device.sh: a wrong answer is not noticed"; exit 1
fi
if sed '$d' "$answers" | "$build/spw-cuda" verify "$tensors" - >/dev/null 2>&1; then
  echo "device.sh: a missing answer is not noticed"; exit 1
fi

"$build/cuda/device/fail_closed"
"$build/cuda/device/scale_fake" 3000 12000
"$build/cuda/device/scale_convert_fake" 600
"$build/cuda/device/api"
code=0
"$build/cuda/device/differential" --times 200 || code=$?
[ $code -eq 0 ] || [ $code -eq 77 ] || exit 1
# Without a device nothing may look like a result.
if [ $code -eq 77 ]; then
  for run in "$build/gpu-bundle/gpu-check" "$build/gpu-bundle/gpu-bench $build/none.json" "$build/spw-cuda check $tensors"; do
    skipped=0
    $run >"$answers" 2>&1 || skipped=$?
    [ $skipped -eq 77 ] && grep -q 'no device' "$answers" && [ ! -e "$build/none.json" ] ||
      { echo "device.sh: $run: exit code $skipped, not 77"; cat "$answers"; exit 1; }
  done
fi
echo "device.sh: $library needs $(tr '\n' ' ' <<<"$needed"); $([ $code -eq 77 ] && echo 'the part on a device: SKIPPED, no device' || echo 'compared on the device')"
