/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that make a tensor of sparse ones, and the judges of claims, with each operand that may be sparse: what a target or a
 * test gives to all of them. Calls that take a 2:4 matrix, and steps of optimisers, are not among them. */
#ifndef TESTS_EVERY_CALL_H
#define TESTS_EVERY_CALL_H

#include "../../src/sparsewright.h"

/* Bytes that a call may take, and the largest size where results are to be small. */
enum { EVERY_MEMORY = 1 << 22, EVERY_SIZE = 64, OPERANDS = 4 };

/* What is given as an operand: the tensor; zeros of its size, of as many rows and columns as it has rows, or as it has columns;
 * the same as dense arrays. */
typedef enum part { NO, X, SAME, ROWS, COLUMNS, DENSE, DENSE_ROWS, DENSE_COLUMNS, PARTS } part;

typedef const spw_tensor *operands[OPERANDS];

typedef struct operation {
  const char *name;
  spw_status (*call)(operands o, spw_owned **out, spw_refusal *refusal);
  part operand[OPERANDS];
} operation;

/* ---- Operations ------------------------------------------------------------------------------ */

static uint64_t drawn; /* what is asked for */
static const uint8_t zero[16];
static const spw_vjp_request by_first = {0};
static const spw_factors ones = {0};
static const int64_t in_order[] = {0, 1, 2, 3, 4, 5, 6, 7};

#define OPERATION(name, call, ...)                                                 \
  static spw_status name(operands o, spw_owned **out, spw_refusal *refusal)        \
  {                                                                                \
    return call(__VA_ARGS__, EVERY_MEMORY, out, refusal);                          \
  }

/* What operations and their gradients are asked for. */
#define ANY_FUNCTION &(spw_unary_request){.function = (spw_unary_function)(drawn % SPW_UNARY_COUNT), .scalar = zero}
#define ANY_REDUCTION &(spw_reduction){(spw_reduction_kind)(drawn % 4), (spw_reduction_span)(drawn / 4 % 3)}
#define ANY_KIND .kind = (spw_dims_kind)(drawn % (SPW_DIMS_IS_NONZERO + 1))

OPERATION(convert, spw_convert_new, o[0],
          &(spw_conversion){.layout = (spw_layout)(drawn % 6),
                            .block_rows = drawn & 8 ? 1 : 0,
                            .block_columns = drawn & 8 ? 1 : 0,
                            .batch_dims = -1,
                            .dense_dims = -1,
                            .canonicalize = drawn & 16,
                            .prune = drawn & 32})
OPERATION(convert_apart, spw_convert_new, o[0],
          &(spw_conversion){.layout = (spw_layout)(drawn % 5),
                            .block_rows = drawn % 5 > SPW_CSC ? 1 : 0,
                            .block_columns = drawn % 5 > SPW_CSC ? 1 : 0,
                            .batch_dims = drawn % 5 == SPW_COO ? -1 : (int64_t)(drawn / 5 % 3),
                            .dense_dims = (int64_t)(drawn / 15 % 3)})
OPERATION(certified, spw_convert_certified_new, o[0],
          &(spw_conversion){.layout = (spw_layout)(drawn % 6), .batch_dims = -1, .dense_dims = -1, .canonicalize = drawn & 16})
OPERATION(multiply, spw_multiply_new, o[0], o[1])

static spw_status multiply_sparse(operands o, spw_owned **out, spw_refusal *refusal)
{
  return spw_multiply_sparse_new(o[0], o[1], EVERY_MEMORY, EVERY_SIZE * EVERY_SIZE, out, refusal);
}

OPERATION(multiply_add, spw_multiply_add_new, o[0], o[1], o[2], &ones)
OPERATION(multiply_add_sparse, spw_multiply_add_sparse_new, o[0], o[1], o[2], &ones)
OPERATION(sampled, spw_sampled_multiply_new, o[0], o[1], o[2], &ones)
OPERATION(matmul, spw_matmul_new, o[0], o[1])
OPERATION(hspmm, spw_hspmm_new, o[0], o[1])
OPERATION(smm, spw_smm_new, o[0], o[1])
OPERATION(sspaddmm, spw_sspaddmm_new, o[0], o[1], o[2], &ones)
OPERATION(linear, spw_linear_new, o[0], o[1], NULL)
OPERATION(elementwise, spw_elementwise_new, o[0], o[1], &(spw_elementwise_request){.kind = (spw_elementwise_kind)(drawn % 3)})
OPERATION(combine, spw_combine_new, o[0], o[1], &(spw_elementwise_request){.kind = (spw_elementwise_kind)(drawn % 3)})
OPERATION(reduce, spw_reduce_new, o[0], NULL, ANY_REDUCTION)
OPERATION(reduce_dims, spw_reduce_dims_new, o[0], &(spw_dims_reduction){ANY_KIND})
OPERATION(reduce_two, spw_reduce_dims_new, o[0],
          &(spw_dims_reduction){ANY_KIND, .dims = (const int64_t[]){-2, -3}, .count = 2, .keepdim = drawn & 16,
                                .sparse = drawn & 32})
OPERATION(nonzero, spw_nonzero_new, o[0])
OPERATION(softmax, spw_softmax_new, o[0], &(spw_softmax_request){.dim = -1 - (int64_t)(drawn / 2 % 4), .logarithm = drawn & 1})
OPERATION(unary, spw_unary_new, o[0], ANY_FUNCTION)
OPERATION(triangular, spw_solve_triangular_new, o[0], o[1], &(spw_triangle){.unit = true, .upper = drawn & 1})
OPERATION(solve, spw_solve_new, o[0], o[1], NULL)
OPERATION(part_of, spw_restructure_new, o, 1,
          &(spw_structure){.kind = (spw_structure_kind)(drawn % 3), .dim = (int64_t)(drawn / 3 % 4),
                           .length = (int64_t)(drawn / 12 % 2), .numbers = &(int64_t){0}, .count = 1})
OPERATION(join, spw_restructure_new, o, 2,
          &(spw_structure){.kind = drawn & 1 ? SPW_CAT : SPW_STACK, .dim = (int64_t)(drawn / 2 % 5)})
OPERATION(grow, spw_restructure_new, o, 1,
          &(spw_structure){.kind = drawn & 1 ? SPW_UNSQUEEZE : SPW_BROADCAST, .dim = (int64_t)(drawn / 2 % 5), .length = 3})
OPERATION(mask, spw_restructure_new, o, 2, &(spw_structure){.kind = SPW_SPARSE_MASK})
OPERATION(stack, spw_stack_new, o, 2, (spw_stacking)(drawn % 3))
OPERATION(clone, spw_make_new, o, 1, &(spw_making){.kind = SPW_MAKE_CLONE})
OPERATION(fill, spw_make_new, o, 1, &(spw_making){.kind = SPW_MAKE_FILL, .scalar = zero})
OPERATION(slice, spw_make_new, o, 1,
          &(spw_making){.kind = SPW_MAKE_SLICE, .dim = (int64_t)(drawn / 2 % 4), .step = drawn & 1 ? -1 : 2})
OPERATION(resplit, spw_make_new, o, 1, &(spw_making){.kind = SPW_MAKE_RESPLIT, .sparse_dims = 1 + (int64_t)(drawn % 4)})
OPERATION(triangle, spw_make_new, o, 1, &(spw_making){.kind = (spw_make_kind)(SPW_MAKE_DIAGONAL + drawn % 3)})
OPERATION(kron, spw_make_new, o, 2, &(spw_making){.kind = SPW_MAKE_KRON})
OPERATION(vjp_convert, spw_vjp_convert_new, o[0],
          &(spw_conversion){.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1}, o[1], &by_first)
OPERATION(vjp_multiply, spw_vjp_multiply_new, o[0], o[1], &ones, o[2], &by_first)
OPERATION(vjp_multiply_sparse, spw_vjp_multiply_sparse_new, o[0], o[1], NULL, &ones, o[2], &by_first)
OPERATION(vjp_elementwise, spw_vjp_elementwise_new, o[0], o[1], &(spw_elementwise_request){.kind = SPW_PLUS}, o[2], &by_first)
OPERATION(vjp_unary, spw_vjp_unary_new, o[0], ANY_FUNCTION, o[1], &by_first)
OPERATION(vjp_softmax, spw_vjp_softmax_new, o[0], &(spw_softmax_request){.dim = -1 - (int64_t)(drawn % 4)}, o[1], &by_first)
OPERATION(vjp_add_sparse, spw_vjp_multiply_sparse_new, o[0], o[1], o[2], &ones, o[3], &by_first)
OPERATION(vjp_permute, spw_vjp_permute_new, o[0], in_order, o[1], &by_first)
OPERATION(vjp_part_of, spw_vjp_restructure_new, o, 1,
          &(spw_structure){.kind = (spw_structure_kind)(drawn % 3), .dim = (int64_t)(drawn / 3 % 4), .numbers = &(int64_t){0},
                           .count = 1}, o[1], &by_first)
OPERATION(vjp_slice, spw_vjp_make_new, o[0], &(spw_making){.kind = SPW_MAKE_SLICE, .dim = (int64_t)(drawn % 4), .step = 1}, o[1],
          &by_first)
OPERATION(vjp_kron, spw_vjp_kron_new, o[0], o[1], o[2], &by_first)
OPERATION(vjp_matmul, spw_vjp_matmul_new, o[0], o[1], o[2], &by_first)
OPERATION(vjp_sampled, spw_vjp_sampled_multiply_new, o[0], o[1], o[2], &ones, o[3], &by_first)
OPERATION(vjp_sspaddmm, spw_vjp_sspaddmm_new, o[0], o[1], o[2], &ones, o[3], &by_first)
OPERATION(vjp_linear, spw_vjp_linear_new, o[0], o[1], NULL, o[2], &by_first)
OPERATION(vjp_reduce, spw_vjp_reduce_new, o[0], NULL, ANY_REDUCTION, o[1], &by_first)
OPERATION(vjp_triangular, spw_vjp_solve_triangular_new, o[0], o[1], &(spw_triangle){.unit = true}, o[2], &by_first)
OPERATION(vjp_reduce_dims, spw_vjp_reduce_dims_new, o[0], &(spw_dims_reduction){ANY_KIND}, o[1], &by_first)

static spw_status judge_solution(operands o, spw_owned **out, spw_refusal *refusal)
{
  size_t bytes;
  (void)out;
  return spw_judge_solution_work(&(spw_solution_claim){.a = o[0], .b = o[1], .x = o[2]}, &bytes, refusal);
}

static spw_status judge_eigenpairs(operands o, spw_owned **out, spw_refusal *refusal)
{
  size_t bytes;
  (void)out;
  return spw_judge_eigenpairs_work(&(spw_eigen_claim){.a = o[0], .values = o[1], .vectors = o[2]}, &bytes, refusal);
}

static spw_status judge_singular(operands o, spw_owned **out, spw_refusal *refusal)
{
  size_t bytes;
  (void)out;
  return spw_judge_singular_work(&(spw_singular_claim){.a = o[0], .values = o[1], .left = o[2], .right = o[3]}, &bytes, refusal);
}

static spw_status judge_product(operands o, spw_owned **out, spw_refusal *refusal)
{
  size_t bytes;
  spw_judgement judgement;
  const spw_product_claim claim = {.a = o[0], .x = o[1], .y = o[2], .alpha = {1, 0, 1}};
  (void)out;
  (void)refusal;
  return spw_judge_work(&claim, &bytes, &judgement);
}

static spw_status semi(operands o, spw_owned **out, spw_refusal *refusal)
{
  const spw_semi *made;
  spw_semi_refusal why;
  (void)refusal;
  return spw_semi_from_new(o[0], &(spw_semi_request){.dtype = o[0]->dtype}, NULL, EVERY_MEMORY, out, &made, &why);
}

static spw_status prepare(operands o, spw_owned **out, spw_refusal *refusal)
{
  size_t bytes;
  (void)out;
  return spw_prepare_size(o[0], &bytes, refusal);
}

#define ASK(name, ...) {#name, name, {__VA_ARGS__}}
static const operation every_call[] = {
    ASK(convert, X),
    ASK(convert_apart, X),
    ASK(certified, X),
    ASK(multiply, X, DENSE_COLUMNS),
    ASK(multiply, DENSE_ROWS, X),
    ASK(multiply_sparse, X, COLUMNS),
    ASK(multiply_sparse, ROWS, X),
    ASK(multiply_add, X, DENSE_COLUMNS, DENSE),
    ASK(multiply_add, DENSE_ROWS, X, DENSE),
    ASK(multiply_add_sparse, X, ROWS, SAME),
    ASK(multiply_add_sparse, SAME, X, COLUMNS),
    ASK(multiply_add_sparse, SAME, ROWS, X),
    ASK(sampled, X, DENSE_ROWS, DENSE),
    ASK(matmul, X, COLUMNS),
    ASK(matmul, ROWS, X),
    ASK(hspmm, X, DENSE_COLUMNS),
    ASK(smm, X, DENSE_COLUMNS),
    ASK(sspaddmm, X, ROWS, DENSE),
    ASK(sspaddmm, SAME, X, DENSE_COLUMNS),
    ASK(linear, X, DENSE_COLUMNS),
    ASK(linear, DENSE_COLUMNS, X),
    ASK(elementwise, X, SAME),
    ASK(elementwise, SAME, X),
    ASK(combine, X, SAME),
    ASK(combine, SAME, X),
    ASK(reduce, X),
    ASK(reduce_dims, X),
    ASK(reduce_two, X),
    ASK(nonzero, X),
    ASK(softmax, X),
    ASK(unary, X),
    ASK(triangular, X, DENSE_ROWS),
    ASK(solve, X, DENSE_ROWS),
    ASK(part_of, X),
    ASK(join, X, SAME),
    ASK(join, SAME, X),
    ASK(grow, X),
    ASK(mask, X, SAME),
    ASK(mask, SAME, X),
    ASK(mask, DENSE, X),
    ASK(stack, X, SAME),
    ASK(stack, SAME, X),
    ASK(clone, X),
    ASK(fill, X),
    ASK(slice, X),
    ASK(resplit, X),
    ASK(triangle, X),
    ASK(kron, X, SAME),
    ASK(kron, SAME, X),
    ASK(semi, X),
    ASK(prepare, X),
    ASK(vjp_convert, X, DENSE),
    ASK(vjp_convert, SAME, X),
    ASK(vjp_multiply, X, DENSE_COLUMNS, DENSE),
    ASK(vjp_multiply, DENSE_ROWS, X, DENSE),
    ASK(vjp_multiply_sparse, X, COLUMNS, SAME),
    ASK(vjp_multiply_sparse, ROWS, X, SAME),
    ASK(vjp_multiply_sparse, SAME, COLUMNS, X),
    ASK(vjp_elementwise, X, SAME, SAME),
    ASK(vjp_elementwise, SAME, X, SAME),
    ASK(vjp_elementwise, SAME, SAME, X),
    ASK(vjp_unary, X, SAME),
    ASK(vjp_unary, SAME, X),
    ASK(vjp_softmax, X, SAME),
    ASK(vjp_softmax, SAME, X),
    ASK(vjp_add_sparse, SAME, COLUMNS, X, SAME),
    ASK(vjp_permute, X, SAME),
    ASK(vjp_permute, SAME, X),
    ASK(vjp_part_of, X, SAME),
    ASK(vjp_part_of, SAME, X),
    ASK(vjp_slice, X, SAME),
    ASK(vjp_slice, SAME, X),
    ASK(vjp_kron, X, SAME, SAME),
    ASK(vjp_kron, SAME, X, SAME),
    ASK(vjp_kron, SAME, SAME, X),
    ASK(vjp_matmul, X, COLUMNS, SAME),
    ASK(vjp_matmul, ROWS, X, SAME),
    ASK(vjp_matmul, SAME, COLUMNS, X),
    ASK(vjp_sampled, X, DENSE_ROWS, DENSE, SAME),
    ASK(vjp_sampled, SAME, DENSE_ROWS, DENSE, X),
    ASK(vjp_sspaddmm, X, ROWS, DENSE_COLUMNS, SAME),
    ASK(vjp_sspaddmm, SAME, X, DENSE_COLUMNS, SAME),
    ASK(vjp_sspaddmm, SAME, ROWS, DENSE, X),
    ASK(vjp_linear, X, DENSE_COLUMNS, DENSE),
    ASK(vjp_linear, DENSE, X, DENSE),
    ASK(vjp_reduce, X, SAME),
    ASK(vjp_reduce, SAME, X),
    ASK(vjp_triangular, X, DENSE_ROWS, DENSE_ROWS),
    ASK(vjp_reduce_dims, X, SAME),
    ASK(vjp_reduce_dims, SAME, X),
    ASK(judge_solution, X, DENSE_ROWS, DENSE_ROWS),
    ASK(judge_eigenpairs, X, DENSE_ROWS, DENSE_ROWS),
    ASK(judge_singular, X, DENSE_ROWS, DENSE_ROWS, DENSE_COLUMNS),
    ASK(judge_product, X, DENSE_COLUMNS, DENSE),
    ASK(judge_product, X, COLUMNS, SAME),
    ASK(judge_product, ROWS, X, SAME),
};

#endif
