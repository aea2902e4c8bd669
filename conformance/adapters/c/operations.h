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
  X(SUM_DIMS, "sum_dims")                                                                          \
  X(ADD_SCALED, "add_scaled")                                                                      \
  X(ADD, "add")                                                                                    \
  X(ADD_DENSE, "add_dense")                                                                        \
  X(SUB, "sub")                                                                                    \
  X(MUL, "mul")                                                                                    \
  X(MATMUL_SPARSE, "matmul_sparse")                                                                \
  X(SCALE, "scale")                                                                                \
  X(DIVIDE, "divide")                                                                              \
  X(ADDMM, "addmm")                                                                                \
  X(ADDMV, "addmv")                                                                                \
  X(PERMUTE, "permute")                                                                            \
  X(SELECT, "select")                                                                              \
  X(NARROW, "narrow")                                                                              \
  X(INDEX_SELECT, "index_select")                                                                  \
  X(CAT, "cat")                                                                                    \
  X(STACK, "stack")                                                                                \
  X(COALESCE, "coalesce")                                                                          \
  X(SUM_DUPLICATES, "sum_duplicates")                                                              \
  X(SORT_INDICES, "sort_indices")                                                                  \
  X(ELIMINATE_ZEROS, "eliminate_zeros")                                                            \
  X(BMM, "bmm")                                                                                    \
  X(SPARSE_MASK, "sparse_mask")                                                                    \
  X(SAMPLED_ADDMM, "sampled_addmm")                                                                \
  X(THROUGH_24, "through_24")                                                                      \
  X(SOFTMAX, "softmax")                                                                            \
  X(UNARY, "unary")                                                                                \
  X(CAST, "cast")                                                                                  \
  X(TRIANGULAR_SOLVE, "triangular_solve")                                                          \
  X(REDUCE, "reduce")                                                                              \
  X(NONZERO, "nonzero")                                                                            \
  X(TRIANGLE, "triangle")                                                                          \
  X(KRON, "kron")                                                                                  \
  X(LINEAR, "linear")                                                                              \
  X(VJP, "vjp")                                                                                    \
  X(CHAIN, "chain")                                                                                \
  X(READ, "read")

/* Each by its kind; `dense` has a field of its own, as it is an operand besides. */
#define KIT_ARGUMENTS(ARRAY, BOOLEAN, DTYPE, FUNCTION, INTEGER, INTEGERS, LAYOUT, NUMBER, OPERAND, TENSOR, TENSORS) \
  LAYOUT(to)                                                                                       \
  INTEGERS(blocksize)                                                                              \
  ARRAY(x)                                                                                         \
  ARRAY(y)                                                                                         \
  FUNCTION(function)                                                                               \
  DTYPE(dtype)                                                                                     \
  INTEGER(dim)                                                                                     \
  BOOLEAN(keepdim)                                                                                 \
  INTEGERS(dims)                                                                                   \
  BOOLEAN(upper)                                                                                   \
  BOOLEAN(transposed)                                                                              \
  BOOLEAN(unit)                                                                                    \
  INTEGER(index)                                                                                   \
  INTEGER(start)                                                                                   \
  INTEGER(length)                                                                                  \
  INTEGERS(indices)                                                                                \
  NUMBER(alpha)                                                                                    \
  NUMBER(beta)                                                                                     \
  OPERAND(wrt)                                                                                     \
  ARRAY(upstream)                                                                                  \
  TENSOR(upstream_sparse)                                                                          \
  TENSORS(others)                                                                                  \
  TENSOR(other)

#endif
