# SPDX-License-Identifier: Apache-2.0
"""declare.py PEER: makes PEER/include/GraphBLAS.h of the declarations in PEER/source, the source of the Python
package, and PEER/lib/libgraphblas.so of the library that lies in its wheel. The declarations are GraphBLAS.h
as a preprocessor leaves it; constants whose values are not among them are left out."""
import os
import re
import sys
import tarfile
from pathlib import Path

DECLARATIONS = "/suitesparse_graphblas/suitesparse_graphblas.h"
HEAD = """#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#define GxB_IMPLEMENTATION_MAJOR {}
"""


def declarations(archive):
    with tarfile.open(archive) as files:
        (name,) = (name for name in files.getnames() if name.endswith(DECLARATIONS))
        text = files.extractfile(name).read().decode()
    return re.sub(r"^#define \w+ \.\.\.$\n?", "", text, flags=re.M)


def main(peer):
    (archive,) = (peer / "source").glob("*.tar.gz")
    major = re.search(r"-(\d+)\.", archive.name).group(1)
    (libraries,) = (peer / "lib").glob("python3*/site-packages/suitesparse_graphblas.libs")
    (own,) = libraries.glob("libgraphblas*")
    for name, target in [("libgraphblas.so", own), *((path.name, path) for path in libraries.iterdir())]:
        link = peer / "lib" / name
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(target, link.parent))
    (peer / "include" / "GraphBLAS.h").write_text(HEAD.format(major) + declarations(archive))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
