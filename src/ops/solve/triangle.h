/* SPDX-License-Identifier: Apache-2.0 */
/* A triangular system, with every number that it is about. */
#ifndef SPW_OPS_SOLVE_TRIANGLE_H
#define SPW_OPS_SOLVE_TRIANGLE_H

#include "../../operand/operand.h"
#include "../../sparsewright_solve.h"
#include "../../structure/specified.h"

/* One square matrix, as lines in ascending order: rows of the system, whose sums are gathered, or its columns. */
typedef struct spw_triangle_lines {
  const void *starts, *plain; /* of one index type */
  int64_t plain_step;
  const char *values;
  int64_t step; /* bytes from a value to the next */
  int64_t n;
  bool gathers, above, unit, conjugate; /* above: what comes behind the diagonal in a line is read, else what comes before */
} spw_triangle_lines;

typedef struct spw_triangle_line {
  int64_t from, to, diagonal;
  bool stored;
} spw_triangle_line;

#define SPW_EACH_TRIANGLE(X) X(SPW_FLOAT32, f32) X(SPW_FLOAT64, f64) X(SPW_COMPLEX64, c64) X(SPW_COMPLEX128, c128)
#define SPW_DECLARE_TRIANGLE(type, name)                                        \
  int64_t spw_first_pivot_##name##_32(const spw_triangle_lines *t, bool *stored); \
  int64_t spw_first_pivot_##name##_64(const spw_triangle_lines *t, bool *stored); \
  void spw_substitute_##name##_32(const spw_triangle_lines *t, void *values, int64_t width); \
  void spw_substitute_##name##_64(const spw_triangle_lines *t, void *values, int64_t width);
SPW_EACH_TRIANGLE(SPW_DECLARE_TRIANGLE)

typedef struct spw_triangle_plan {
  spw_triangle wanted;
  spw_operand operands[2];
  const spw_tensor *a, *b;       /* a: the operand, and then what it is converted to */
  int64_t batch_dims, batches, n, width; /* width: right sides */
  bool vector, upper, transposed, conjugate; /* upper, transposed: the matrix of M X = B, whose unknowns are columns of X */
  spw_dtype dtype;
  bool converts;                 /* blocks: to CSR or CSC */
  spw_conversion to;
  spw_room converted;
  spw_tensor made;
  spw_specified combined;        /* COO */
  spw_room room;
} spw_triangle_plan;

/* All but the room. */
spw_status spw_triangle_fits(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, bool judged,
                             spw_triangle_plan *plan, spw_refusal *refusal);

/* Is the right side, or the solution, of the shape that the plan says, and of its type? */
spw_status spw_side_fits(const spw_triangle_plan *plan, const spw_tensor *side, int operand, spw_refusal *refusal);

/* Where element (i, j) of X of a batch lies in a dense array of that shape. */
int64_t spw_side_place(const spw_triangle_plan *plan, const spw_array *side, int64_t batch, int64_t i, int64_t j);

#endif
