/* SPDX-License-Identifier: Apache-2.0 */
/* Operations and their arguments: generated from vocabulary.json by vocabulary.py. */
#ifndef SPW_CONFORMANCE_OPERATIONS_H
#define SPW_CONFORMANCE_OPERATIONS_H

#define KIT_OPERATIONS(X)                                                                          \
  X(CHECK, "check")                                                                                \
  X(USE, "use")                                                                                    \
  X(TO_DENSE, "to_dense")                                                                          \
  X(FROM_DENSE, "from_dense")                                                                      \
  X(CONVERT, "convert")                                                                            \
  X(TRANSPOSE, "transpose")                                                                        \
  X(MATVEC, "matvec")                                                                              \
  X(MATMAT, "matmat")                                                                              \
  X(SUM, "sum")                                                                                    \
  X(SUM_DIM, "sum_dim")                                                                            \
  X(ADD, "add")                                                                                    \
  X(ADD_DENSE, "add_dense")                                                                        \
  X(READ, "read")

/* Each by its kind; `dense` has a field of its own, as it is an operand besides. */
#define KIT_ARGUMENTS(ARRAY, BOOLEAN, INTEGER, INTEGERS, LAYOUT, NUMBER, TENSOR, TENSORS)          \
  LAYOUT(to)                                                                                       \
  INTEGERS(blocksize)                                                                              \
  ARRAY(x)                                                                                         \
  INTEGER(dim)                                                                                     \
  TENSOR(other)

#endif
