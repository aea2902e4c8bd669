#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""broken_row.py FILE...: which row of which matrix is broken, in an .h5ad file or any other that sparsewright reads. Exits with 1 if
there is one, and with 2 where a file cannot be read."""
import sys

import sparsewright as spw


def rows_of(tensor, violation):
    """The number of the row or column, as the sentence of the violation has it; None where a rule is about all of them."""
    words = violation.sentence.replace(":", " ").split()
    for before, number in zip(words, words[1:]):
        if before in ("row", "column") and number.isdigit():
            return f"{before} {number}"
    if violation.array == "compressed_indices" and violation.rule == "5.3":
        return f"{'column' if tensor.layout == 'csc' else 'row'} {violation.position - 1}"
    return None


def main(files):
    code = 0
    for file in files:
        try:
            tensors = spw.read(file)
        except (OSError, spw.FileError) as error:
            print(f"{file}: {error}", file=sys.stderr)
            code = 2
            continue
        for path, tensor in tensors.items():
            for violation in spw.check(tensor).violations:
                where = rows_of(tensor, violation)
                print(f"{file}{':' if path else ''}{path}: {where + ': ' if where else ''}rule {violation.rule}, {violation.sentence}")
                code = max(code, 1)
    return code


sys.exit(main(sys.argv[1:]))
