/* SPDX-License-Identifier: Apache-2.0 */
/* Solvers and their judges: a part of sparsewright.h, for callers in C. Functions with `judge` in their name judge what any
 * solver says (V1 to V6 of spec/semantics.def). No verdict rests on floating-point computation. */
#ifndef SPARSEWRIGHT_SOLVE_H
#define SPARSEWRIGHT_SOLVE_H

#include "sparsewright_convert.h"
#include "sparsewright_oracle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Three more obstacles. PIVOT: diagonal element `place` of batch `other` is not stored (lhs 0), or compares == 0 (lhs 1).
 * HERMITIAN: the elements of row `place`, column `other` and of the mirrored place are not conjugate to each other.
 * UNSOLVED: batch `other` has no solution that can be certified; lhs is an spw_unsolved. */
#define SPW_OBSTACLE_PIVOT ((spw_obstacle)(SPW_OBSTACLE_VALUE + 1))
#define SPW_OBSTACLE_HERMITIAN ((spw_obstacle)(SPW_OBSTACLE_VALUE + 2))
#define SPW_OBSTACLE_UNSOLVED ((spw_obstacle)(SPW_OBSTACLE_VALUE + 3))

typedef enum spw_unsolved {
  SPW_UNSOLVED_RANK,   /* no elements that are stored make a matrix of full rank, whatever their values: the rank is rhs */
  SPW_UNSOLVED_COLUMN, /* the pivot of column `place` is 0; -1: of some column */
  SPW_UNSOLVED_ROW     /* row `place` has too large a backward error, whose bits as a double are rhs; or an infinity, if a number
                        * of the operands is not finite */
} spw_unsolved;

/* ---- Triangular systems ------------------------------------------------------------------------- */

/* Which system is solved. {0} is A X = B with the lower triangle of A. What lies on the other side of the diagonal of A is
 * not read. */
typedef struct spw_triangle {
  bool upper;     /* the upper triangle of A */
  bool transpose; /* A transposed instead of A; not with `adjoint` */
  bool adjoint;   /* A transposed and conjugated */
  bool unit;      /* the diagonal is taken to be 1, and not read */
  bool right;     /* X A = B */
} spw_triangle;

/* *room: the memory that spw_solve_triangular takes. Judges every rule of a, which is sparse, of any layout, without dense
 * dimensions. Its last two dimensions are equal; the others are batches, in COO too. b is dense: the batch dimensions of a, then
 * (n, r), or with `right` (r, n), or (n).
 *
 *   SPW_EINVAL        the call is wrong: as for the checks, a is dense, b is sparse, or both `transpose` and `adjoint`
 *   SPW_EOVERFLOW     as for the checks
 *   SPW_EUNSUPPORTED  more dimensions than SPW_STRUCTURE_DIMS
 *   SPW_EINVALID      an operand breaks a rule: see refusal->violation
 *   SPW_ERANGE        - SPW_OBSTACLE_NO_SIZE, SPW_OBSTACLE_HYBRID, SPW_OBSTACLE_DIMENSIONS, SPW_OBSTACLE_SHAPES: of an operand;
 *                     a matrix that is not square, too
 *                     - SPW_OBSTACLE_TYPES: not float32, float64, complex64 or complex128; or b has another type than a
 *                     - SPW_OBSTACLE_SIZE: the result or the workspace is too large to number
 * *room is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and SPW_ERANGE only. O(check + dimensions). */
spw_status spw_solve_triangular_size(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, spw_room *room,
                                     spw_refusal *refusal);

/* Solves by substitution; *result is dense, has the shape of b and views the buffers. The unknowns become known from the first
 * to the last if the triangle of A, A transposed or its adjoint is a lower one, else from the last to the first. Each is
 * (b - m x - m x ...) / m, where the elements m of its row come in the order in which their x became known. Each operation is
 * rounded once, so every layout gives the same bits; complex products and quotients are those of V1. Duplicates of COO are
 * combined first (D1). Elements of stored blocks count, and stored zeros are multiplied. One thread.
 * Status as above; SPW_EINVAL also if a buffer is too short; SPW_ERANGE: SPW_OBSTACLE_PIVOT for the first diagonal element that
 * is not stored or == 0, or SPW_OBSTACLE_OVERLAP (operand 2: two buffers). Nothing but the workspace is written then.
 * O(check + n + nse * r), and a conversion of COO and of blocks. */
spw_status spw_solve_triangular(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, const spw_buffers *buffers,
                                spw_tensor *result, spw_refusal *refusal);

/* The same without judging a: spw_is_valid must have called it valid at SPW_CANONICAL. */
spw_status spw_solve_triangular_size_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted,
                                               spw_room *room, spw_refusal *refusal);
spw_status spw_solve_triangular_unchecked(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted,
                                          const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io): at most `limit` bytes (0: no limit) with the workspace; beyond that
 * SPW_ENOMEM. */
spw_status spw_solve_triangular_new(const spw_tensor *a, const spw_tensor *b, const spw_triangle *wanted, size_t limit,
                                    spw_owned **out, spw_refusal *refusal);

/* ---- General systems ----------------------------------------------------------------------------- */

/* Solves A X = B for any square A, of any sparse layout (V3); the operands are those of spw_solve_triangular. *out is dense and
 * has the shape of b. It is factorised by KLU (SuiteSparse), which is looked for when this function is first called, and refined
 * with exact residuals. What is returned was judged by spw_judge_solution: its componentwise backward error is at most 4u, with
 * u = 2^-53 for float64 and complex128. float32 and complex64 are solved in float64 and rounded once; u is 2^-24 then. Its bits
 * are not defined. How near it is to the exact solution depends on the condition of A.
 *
 * *omega (may be null): the largest backward error, rounded up. `limit`: bytes for the result and all workspace (0: no limit);
 * what KLU took is compared when it has factorised. *out and *omega are written with SPW_OK only.
 *
 *   SPW_EUNSUPPORTED  the system has no KLU (libklu.so.1 or libklu.so.2), or as spw_solve_triangular_size
 *   SPW_ENOMEM        it takes more memory than there is, or than `limit`
 *   SPW_ERANGE        also SPW_OBSTACLE_UNSOLVED: A is singular, a number of the operands is not finite, or the backward error
 *                     stays too large
 * Otherwise as spw_solve_triangular_size. O(check + n log n + (nse + fill) * r), and the work of the factorisation. */
bool spw_solve_available(void); /* does the system have KLU? */
spw_status spw_solve_new(const spw_tensor *a, const spw_tensor *b, double *omega, size_t limit, spw_owned **out,
                         spw_refusal *refusal);

/* ---- Is it a solution? -------------------------------------------------------------------------- */

/* The claim to judge: x solves A X = B. Shapes and types are those of spw_solve_triangular. */
typedef struct spw_solution_claim {
  const spw_tensor *a, *x, *b;
  const spw_triangle *triangle; /* of a triangular system (V2); null: A is any square matrix (V4) */
  double omega;                 /* V4: the largest allowed componentwise backward error, finite, not negative */
} spw_solution_claim;

typedef struct spw_solution_judgement {
  spw_verdict verdict; /* of the whole: SPW_WRONG if one number is wrong, else the least certain of all; SPW_RIGHT_BOUNDED if
                        * there is none */
  /* The number of numbers (two for each complex element), and of each verdict. */
  int64_t numbers, bounded, special, undecided, wrong;
  double omega; /* V4: the largest backward error of all rows, rounded up; an infinity if something is not finite */
  /* The first wrong number, else the one with the largest ratio. `row` and `column` are those of the system A X = B. */
  int64_t batch, row, column, part;
  double residual, bound, ratio; /* of that number: |b - A x|, what is allowed, and their quotient. For people */
} spw_solution_judgement;

/* *bytes: the workspace of spw_judge_solution, aligned as malloc aligns. Status as there. */
spw_status spw_judge_solution_work(const spw_solution_claim *claim, size_t *bytes, spw_refusal *refusal);

/* Judges every row of every column of X by its exact residual r: b less the sum of m x. Let g be the sum of the magnitudes of
 * m x. A triangular solution (V2) is right if the magnitude of r is at most ((1 - u)^-(c + 1) - 1) g + underflow, with c
 * elements in the row. This holds for a substitution in any order, each operation rounded to nearest. Complex types: both parts,
 * c + 12 instead of c + 1, and the magnitudes of all four products in g. Another solution (V4) is right if the magnitude of r
 * is at most omega times the sum of g and that of b; complex numbers are taken for pairs of real ones. NaN, infinities: V2.
 *
 *   SPW_OK  judged: judgement->verdict is the answer
 * Otherwise as spw_solve_triangular_size, and SPW_OBSTACLE_PIVOT; SPW_EINVAL also if omega is negative, NaN or infinite, or
 * the workspace is too short, or overlaps an operand, the claim or what describes them. Operand 0 is a, 1 is b, 2 is x.
 * O(check + n log n + rows + nse * r). */
spw_status spw_judge_solution(const spw_solution_claim *claim, void *work, size_t bytes, spw_solution_judgement *judgement,
                              spw_refusal *refusal);

/* ---- Is it an eigenpair, a singular triple? ------------------------------------------------------ */

/* k claims A x = theta x, or A x = theta W x with a diagonal W. A is one matrix, of any sparse layout; the types are float32 and
 * float64, and of A and the vectors complex64 and complex128. */
typedef struct spw_eigen_claim {
  const spw_tensor *a;       /* (n, n), Hermitian: elements at mirrored places are conjugate; one that is not stored is 0 */
  const spw_tensor *values;  /* dense (k), of the type of the parts of a */
  const spw_tensor *vectors; /* dense (n, k), of the type of a */
  const spw_tensor *weights; /* dense (n), of the type of the parts of a, all above 0: the diagonal of W; null: 1 */
} spw_eigen_claim;

/* k claims A v = sigma u and A^H u = sigma v; with `center`, A - 1 center^T instead of A. */
typedef struct spw_singular_claim {
  const spw_tensor *a;      /* (m, n) */
  const spw_tensor *values; /* dense (k), of the type of the parts of a */
  const spw_tensor *left;   /* u: dense (m, k), of the type of a */
  const spw_tensor *right;  /* v: dense (n, k), of the type of a */
  const spw_tensor *center; /* dense (n), of the type of a; null: 0 */
} spw_singular_claim;

/* If `certified`, an eigenvalue (a singular value) lies in [low, high], which encloses theta and `radius` around it. Not
 * certified: something is not finite, a vector is 0, or the radius of a singular triple is not below sigma. No enclosure says
 * whether the value is the largest, or one of the k largest. */
typedef struct spw_enclosure {
  bool certified;
  double radius, low, high; /* rounded outwards; infinities if nothing is known */
} spw_enclosure;

/* *bytes: the workspace of the call below, aligned as malloc aligns. Status as there. */
spw_status spw_judge_eigenpairs_work(const spw_eigen_claim *claim, size_t *bytes, spw_refusal *refusal);
spw_status spw_judge_singular_work(const spw_singular_claim *claim, size_t *bytes, spw_refusal *refusal);

/* enclosures[0 .. k-1], from the exact residuals (V5), whose squares, sums, quotient and root are rounded up. *apart (may be
 * null): the largest magnitude of a part of X^H X - I (X^H W X - I), or of U^H U - I and V^H V - I, rounded up.
 *
 *   SPW_OK            judged
 *   SPW_EINVAL        the call is wrong: as for the checks, a is dense or another operand sparse, or the workspace is too short
 *                     or overlaps an operand
 *   SPW_EOVERFLOW     as for the checks
 *   SPW_EINVALID      an operand breaks a rule: see refusal->violation. Operand 0 is a, 1 the values, 2 the (left) vectors, 3 the
 *                     weights or the right vectors, 4 the center
 *   SPW_ERANGE        - SPW_OBSTACLE_NO_SIZE, SPW_OBSTACLE_HYBRID, SPW_OBSTACLE_DIMENSIONS, SPW_OBSTACLE_SHAPES,
 *                     SPW_OBSTACLE_TYPES: of an operand
 *                     - SPW_OBSTACLE_HERMITIAN: a is not Hermitian
 *                     - SPW_OBSTACLE_VALUE: weight `place` is not above 0
 *                     - SPW_OBSTACLE_SIZE: more than can be numbered
 * Outputs are written with SPW_OK only. O(check + n log n + nse * k + rows * k), and rows * k^2 if `apart` is asked for. */
spw_status spw_judge_eigenpairs(const spw_eigen_claim *claim, spw_enclosure *enclosures, double *apart, void *work, size_t bytes,
                                spw_refusal *refusal);
spw_status spw_judge_singular(const spw_singular_claim *claim, spw_enclosure *enclosures, double *apart, void *work,
                              size_t bytes, spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
