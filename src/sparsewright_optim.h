/* SPDX-License-Identifier: Apache-2.0 */
/* Optimisers that take sparse gradients (O1 to O5), for callers in C: a part of sparsewright.h. The caller owns parameters and
 * state. A step costs what the gradient stores, not what the parameter holds. */
#ifndef SPARSEWRIGHT_OPTIM_H
#define SPARSEWRIGHT_OPTIM_H

#include "sparsewright_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spw_optimiser { SPW_SGD = 0, SPW_SPARSE_ADAM, SPW_ADAGRAD } spw_optimiser;

/* What a step is made with. spw_optimiser_defaults fills it. Numbers that an optimiser does not name are not used. */
typedef struct spw_optimisation {
  spw_optimiser kind;
  bool maximize;       /* the gradient is negated first */
  bool nesterov;       /* SGD */
  double lr;           /* the learning rate */
  double momentum;     /* SGD; 0: it has no state */
  double dampening;    /* SGD */
  double beta1, beta2; /* SparseAdam */
  double eps;          /* SparseAdam, Adagrad */
  double lr_decay;     /* Adagrad */
  double weight_decay; /* SGD, Adagrad: any other than 0 is refused, because it would touch every row */
} spw_optimisation;

/* The numbers that may be refused: `place` of SPW_OBSTACLE_SCALAR; refusal->lhs has the bits of the double. */
typedef enum spw_hyper {
  SPW_HYPER_LR = 0,       /* 0 or more */
  SPW_HYPER_MOMENTUM,     /* 0 or more */
  SPW_HYPER_DAMPENING,    /* no NaN */
  SPW_HYPER_NESTEROV,     /* needs a momentum above 0, and no dampening */
  SPW_HYPER_BETA1,        /* 0 or more, below 1 */
  SPW_HYPER_BETA2,        /* the same */
  SPW_HYPER_EPS,          /* SparseAdam: above 0; Adagrad: 0 or more */
  SPW_HYPER_LR_DECAY,     /* 0 or more */
  SPW_HYPER_WEIGHT_DECAY, /* 0 */
  SPW_HYPER_COUNT
} spw_hyper;

/* The name of a hyper-parameter, as "lr"; null if there is no such number. */
const char *spw_hyper_name(spw_hyper number);

/* What PyTorch begins with: lr 0.001 (SGD, SparseAdam) or 0.01 (Adagrad), beta1 0.9, beta2 0.999, eps 1e-8 (SparseAdam) or 1e-10
 * (Adagrad), all else 0. An unknown kind stays as it is, and every number is then 0. */
spw_optimisation spw_optimiser_defaults(spw_optimiser kind);

/* The state of one parameter. {0} begins SGD.
 *
 * | optimiser         | momentum                                             | first   | second                     |
 * | SGD               | not used                                             | null    | null                       |
 * | SGD with momentum | null before the first step; then *result of the last | null    | null                       |
 * | SparseAdam        | null                                                 | m, of 0 | v, of 0                    |
 * | Adagrad           | null                                                 | null    | the sum of squares, of any |
 *
 * `first` and `second` have the shape and the type of the parameter. */
typedef struct spw_optimiser_state {
  int64_t step; /* steps that were done; a step adds 1 */
  const spw_tensor *momentum;
  const spw_output *first, *second;
} spw_optimiser_state;

/* *room: the workspace of a step and, of SGD with momentum, an upper bound of the memory of its new momentum. Judges
 * everything. In refusals the gradient is operand 0, the momentum 1, the parameter 2, `first` 3 and `second` 4.
 *
 *   SPW_EINVAL        the call is wrong: as for the checks; an unknown optimiser; state that the optimiser needs is null;
 *                     or state->step is negative
 *   SPW_EOVERFLOW     as for the checks, or state->step is INT64_MAX
 *   SPW_EUNSUPPORTED  more dimensions than SPW_STRUCTURE_DIMS
 *   SPW_EINVALID      an operand breaks a rule: see refusal->violation
 *   SPW_ERANGE        - SPW_OBSTACLE_LAYOUT: the gradient or the momentum is not COO
 *                     - SPW_OBSTACLE_NO_SIZE: it has no size
 *                     - SPW_OBSTACLE_TYPES: values are neither float32 nor float64, or types differ
 *                     - SPW_OBSTACLE_DIMENSIONS, SPW_OBSTACLE_SHAPES: sizes differ; lhs is there, rhs is needed
 *                     - SPW_OBSTACLE_SCALAR: hyper-parameter `place` is refused
 *                     - SPW_OBSTACLE_OVERLAP: two elements of what is written share memory, or it overlaps something else
 *                     - SPW_OBSTACLE_SIZE: the workspace is too large to number
 * *room is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and SPW_ERANGE only. O(check + dimensions). */
spw_status spw_optimise_size(const spw_output *parameter, const spw_tensor *gradient, const spw_optimisation *how,
                             const spw_optimiser_state *state, spw_room *room, spw_refusal *refusal);

/* One step: changes the parameter and the state in place, at positions that the gradient or the momentum stores and nowhere
 * else. Each operation is rounded once, in the type of the parameter; an expression of hyper-parameters is computed in double
 * and rounded once then. SGD without momentum takes duplicates of the gradient one after the other; all others combine them
 * first (D1). SGD with momentum writes the new momentum to the buffers, and *result views them; for all others, `result` may be
 * null. state->momentum is not changed.
 * Status as above; SPW_EINVAL also if a buffer is too short. Nothing but the workspace is then written.
 * O(check + stored elements), and one sort of a gradient that does not claim to be coalesced. */
spw_status spw_optimise(const spw_output *parameter, const spw_tensor *gradient, const spw_optimisation *how,
                        spw_optimiser_state *state, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);

/* The same without judging gradient and momentum: spw_is_valid must have called them valid at SPW_CANONICAL. */
spw_status spw_optimise_size_unchecked(const spw_output *parameter, const spw_tensor *gradient, const spw_optimisation *how,
                                       const spw_optimiser_state *state, spw_room *room, spw_refusal *refusal);
spw_status spw_optimise_unchecked(const spw_output *parameter, const spw_tensor *gradient, const spw_optimisation *how,
                                  spw_optimiser_state *state, const spw_buffers *buffers, spw_tensor *result,
                                  spw_refusal *refusal);

/* Writes why a step is refused to text[0 .. length - 1], with a 0 at the end; returns the length of the whole sentence
 * (libsparsewright_io). As spw_refusal_text, which does not know hyper-parameters. */
size_t spw_optimise_refusal_text(spw_status status, const spw_refusal *refusal, char *text, size_t length);

#ifdef __cplusplus
}
#endif

#endif
