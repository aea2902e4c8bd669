#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bundle.sh BUILD: unpacks BUILD/gpu-bundle.tar.gz in an empty container, which has a shell, its C library and no network, and
# runs gpu-check there: it must come to ask for a device, say that there is none, and end with 77.
set -euo pipefail
cd "$(dirname "$0")/../.."
archive=$1/gpu-bundle.tar.gz

if ! unshare --net chroot / true 2>/dev/null; then
  echo "bundle.sh: no container without network can be made here: SKIPPED"
  exit 0
fi
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
shell=$(readlink -f "$(command -v dash || command -v sh)")
install -D "$shell" "$root/bin/sh"
# The C library has its own parts that programs ask for by name.
libc=$(ldd "$shell" | awk '$1 ~ "^libc\\." { print $3 }')
loader=$(ldd "$shell" | awk '$1 ~ "^/" { print $1 }')
install -D "$(readlink -f "$loader")" "$root$loader"
for part in "$libc" "${libc%/*}"/{libm.so.6,libdl.so.2,librt.so.1,libpthread.so.0}; do
  [ ! -e "$part" ] || install -D "$(readlink -f "$part")" "$root$part"
done
tar -C "$root" -xzf "$archive"

code=0
said=$(unshare --net chroot "$root" /gpu-bundle/gpu-check 2>&1) || code=$?
if [ $code -ne 77 ] || ! grep -q '^gpu-check: no device: skipped$' <<<"$said"; then
  echo "bundle.sh: exit code $code, not 77: $said"; exit 1
fi
for program in "$root"/gpu-bundle/bin/*; do
  name=${program##*/}
  code=0
  said=$(unshare --net chroot "$root" /bin/sh -c "LD_LIBRARY_PATH=/gpu-bundle/lib exec /gpu-bundle/bin/$name check /gpu-bundle/tensors/known.spw.jsonl" 2>&1) || code=$?
  if grep -q -i -e 'cannot open shared' -e 'not found' <<<"$said" || [ $code -gt 100 ]; then
    echo "bundle.sh: $name does not start: $said"; exit 1
  fi
done
# The host engine takes the device's place for all that needs none.
unshare --net chroot "$root" /bin/sh -c 'export LD_LIBRARY_PATH=/gpu-bundle/lib; for file in /gpu-bundle/tensors/*.jsonl; do
  /gpu-bundle/bin/spw-cuda check --engine $file | /gpu-bundle/bin/spw-cuda verify $file - || exit 1; done'
echo "bundle.sh: in an empty container without network: no device: skipped (77)"
