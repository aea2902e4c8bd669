/* SPDX-License-Identifier: Apache-2.0 */
/* A step of an optimiser, with every number that it is about. */
#ifndef SPW_OPTIM_OPTIM_H
#define SPW_OPTIM_OPTIM_H

#include "../operand/operand.h"
#include "../sparsewright_optim.h"
#include "../structure/specified.h"

/* A COO operand whose values are packed before anything is combined, since the sign of a gradient may change first. */
typedef struct spw_optim_operand {
  spw_operand taken;
  spw_tensor packed;
  int64_t strides[SPW_STRUCTURE_DIMS + 1]; /* of the packed values */
  spw_specified specified;
} spw_optim_operand;

enum { SPW_OPTIM_OUTPUTS = 3 };
typedef struct spw_optim_plan {
  spw_optimisation how;
  int64_t step; /* this one, from 1 */
  spw_dtype dtype;
  int64_t scalar, sparse_dims, cell; /* bytes; scalars of a cell */
  bool keeps, combines, has_old;     /* SGD with momentum; duplicates are combined; there is a momentum */
  spw_optim_operand g, old;
  const spw_output *outputs[SPW_OPTIM_OUTPUTS]; /* the parameter, `first` and `second`, or null */
  spw_room room;
} spw_optim_plan;

spw_status spw_optim_plan_make(const spw_output *parameter, const spw_tensor *gradient, const spw_optimisation *how,
                               const spw_optimiser_state *state, bool judged, spw_optim_plan *plan, spw_refusal *refusal);

/* SPW_ERANGE where something that is written lies on something else. */
spw_status spw_optim_apart(const spw_optim_plan *plan, const spw_optimiser_state *state, const spw_buffers *buffers,
                           spw_refusal *refusal);

/* beta^t for 0 <= beta < 1 and t >= 1, correctly rounded; 0 below the normal numbers. */
double spw_whole_power(double beta, int64_t t);

/* Numbers of a step in the type of the parameter. */
typedef struct spw_optim_rates {
  double rate, momentum, damped, c1, c2, eps;
} spw_optim_rates;

spw_optim_rates spw_optim_rates_of(const spw_optimisation *how, int64_t step);

/* Where a cell's scalars lie: scalar i at base + i where `in_order`, else where strides say. */
typedef struct spw_optim_cell {
  const spw_optim_plan *plan;
  spw_optim_rates rates;
  int64_t base[SPW_OPTIM_OUTPUTS];
  bool in_order[SPW_OPTIM_OUTPUTS];
} spw_optim_cell;

/* One cell. g: of the gradient, null: none; old and kept: of the momentum before (null: none) and after. */
void spw_optim_cell_float(const spw_optim_cell *c, const float *g, const float *old, float *kept);
void spw_optim_cell_double(const spw_optim_cell *c, const double *g, const double *old, double *kept);

#endif
