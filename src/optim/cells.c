/* SPDX-License-Identifier: Apache-2.0 */
#include "optim.h"
#include "../core/names.h"
#include "../core/size.h"

#include <math.h>

/* From t - 1 steps to t. Expressions of hyper-parameters are doubles, left to right. */
spw_optim_rates spw_optim_rates_of(const spw_optimisation *how, int64_t t)
{
  spw_optim_rates r = {.rate = how->lr, .momentum = how->momentum, .damped = 1 - how->dampening, .eps = how->eps};
  if (how->kind == SPW_SPARSE_ADAM) {
    r.c1 = 1 - how->beta1;
    r.c2 = 1 - how->beta2;
    r.rate = how->lr * sqrt(1 - spw_whole_power(how->beta2, t)) / (1 - spw_whole_power(how->beta1, t));
  } else if (how->kind == SPW_ADAGRAD) {
    r.rate = how->lr / (1 + (double)(t - 1) * how->lr_decay);
  }
  return r;
}

#define REAL float
#define SQRT sqrtf
#define N(name) name##_float
#include "cell.inc"
#undef REAL
#undef SQRT
#undef N

#define REAL double
#define SQRT sqrt
#define N(name) name##_double
#include "cell.inc"
