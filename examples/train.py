# SPDX-License-Identifier: Apache-2.0
"""Fits a sparse linear model, y = X w, by SparseAdam. w is a table of a million numbers, of which the rows of X touch four."""
from array import array

import sparsewright as spw

COLUMNS, STEPS = 1000000, 2000
columns = [7, 500, 7, 90000, 500, 999999, 90000, 999999, 7, 999999, 500, 90000]
y = [5, -2, 7, 4, 1, 5]  # w = 1, 2, 3, 1
x = spw.csr([0, 2, 4, 6, 8, 10, 12], columns, [1, 2, 1, -1, 3, 1, 1, 1, 2, -1, 1, 1], (6, COLUMNS))
w = array("d", bytes(8 * COLUMNS))
adam = spw.SparseAdam(w, lr=0.02)

for _ in range(STEPS):
    crow, numbers = list(x.compressed), list(x.values)
    errors = [sum(numbers[k] * w[columns[k]] for k in range(crow[i], crow[i + 1])) - y[i] for i in range(6)]
    parts = [errors[i] * numbers[k] for i in range(6) for k in range(crow[i], crow[i + 1])]
    rows = memoryview(array("q", columns)).cast("B").cast("q", (1, 12))
    adam.step(spw.coo(rows, parts, (COLUMNS,), coalesced=False))  # of the squares of the errors: X^T (X w - y)

for i in (7, 500, 90000, 999999):
    print("w[%d] = %.3f" % (i, w[i]))
