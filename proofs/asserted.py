#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""asserted.py [BUILD]: names the functions of public_contracts.txt of which asserted.c asserts nothing. With a folder that
`make SPW_ASSERT_REQUIRES=1` has built: a program that breaks what is required of it has to be ended, and one that does not, not."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CALLS = "#include \"src/core/size.h\"\nint main(void)\n{\n  const int64_t size[2] = {2, %d};\n  return (int)spw_product(size, 2) - 6;\n}\n"


def required():
    text = (HERE / "public_contracts.txt").read_text(encoding="utf-8")
    return set(re.findall(r"^(spw_\w+) requires ", text, re.M))


def asserted():
    text = (HERE / "asserted.c").read_text(encoding="utf-8")
    return {re.sub(r"_i(?:32|64)$", "", name) for name in re.findall(r"REQUIRE\((spw_\w+?)(?:_##suffix)?,", text)} | \
        set(re.findall(r"^SCALARS_OF\((spw_\w+),", text, re.M))


def ends(build, number):
    """How a program ends whose second size is this number."""
    wrappers = build / "obj/proofs/asserted.o"
    names = re.findall(r" T __wrap_(\w+)", subprocess.run(["nm", wrappers], text=True, capture_output=True, check=True).stdout)
    with tempfile.TemporaryDirectory() as tmp:
        source, program = Path(tmp) / "call.c", Path(tmp) / "call"
        source.write_text(CALLS % number, encoding="utf-8")
        subprocess.run(["clang", "-std=c11", "-fsanitize=address,undefined", f"-I{ROOT}", source, wrappers, *(f"-Wl,--wrap={n}" for n in names),
                        build / "libsparsewright.a", "-lm", "-o", program], check=True)
        return subprocess.run([program], text=True, stderr=subprocess.PIPE, check=False)


def main():
    without = sorted(required() - asserted())
    unknown = sorted(asserted() - required())
    print("asserted at their calls: %d of %d functions; not: %s" % (
        len(required()) - len(without), len(required()), ", ".join(without)))
    if unknown:
        sys.exit("asserted.py: nobody calls %s" % ", ".join(unknown))
    for build in map(Path, sys.argv[1:]):
        broken, kept = ends(build, -3), ends(build, 3)
        if broken.returncode == 0 or "spw_product requires" not in broken.stderr or kept.returncode != 0:
            sys.exit("asserted.py: a broken requirement is not seen:\n%s" % broken.stderr)
        print("asserted.py: %s: a program that breaks a requirement is ended" % build)


main()
