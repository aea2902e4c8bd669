/* SPDX-License-Identifier: Apache-2.0 */
/* What attempts at gradients are made of. */
#ifndef TESTS_GRADIENT_PARTS_H
#define TESTS_GRADIENT_PARTS_H

#include "gradient_attempt.h"

enum { GRADIENT_MOST = 4096, GRADIENT_SPARE = 40, GRADIENT_FACTOR = 25200 };

/* What is made for one attempt, and freed after it. */
typedef struct bag {
  dice *d;
  spw_owned *owned[GRADIENT_SPARE];
  void *memory[GRADIENT_SPARE];
  int owned_count, memory_count;
} bag;

void *gradient_hold(bag *b, size_t bytes);
const spw_tensor *gradient_keep(bag *b, spw_owned *owned);

/* ---- Numbers ------------------------------------------------------------------------------------- */

void gradient_put(spw_dtype dtype, char *to, int64_t re, int64_t im);

/* Small integers, not 0, times `factor`. */
void gradient_draw(bag *b, spw_dtype dtype, char *to, int64_t n, int64_t factor);

int64_t gradient_count(const int64_t *shape, int64_t n);

/* The index arrays of t with other values; a dense array. */
const spw_tensor *gradient_retyped(bag *b, const spw_tensor *t, spw_dtype dtype, int64_t factor);
const spw_tensor *gradient_dense(bag *b, spw_dtype dtype, int64_t ndim, const int64_t *shape, int64_t factor);

/* A tensor as a dense array of doubles. */
typedef struct spread_out {
  int64_t count, ndim, size[SPW_STRUCTURE_DIMS];
  double re[GRADIENT_MOST], im[GRADIENT_MOST];
  bool there[GRADIENT_MOST];
} spread_out;

/* Copies of a position are added, as M3 says; or the last one counts. */
bool gradient_spread(const spw_tensor *t, spread_out *s, bool adds);

/* ---- One attempt ---------------------------------------------------------------------------------- */

typedef struct attempted {
  bag bag;
  spw_dtype dtype;
  const spw_tensor *x, *result, *g;
  spw_vjp_request how;
  spw_status status; /* of the operation */
  spw_owned *made;   /* of the operation, and then the gradient */
  const char *(*model)(struct attempted *a, const spw_tensor *gradient); /* a second one, or null */
  const void *wanted; /* by it */
} attempted;

/* Takes what the operation made; is there a result, and an upstream gradient for it? */
bool gradient_upstream(attempted *a, bool dense_only, int64_t factor);

/* Is every number that a mean divides by a divisor of GRADIENT_FACTOR? Each specified position counts once. */
bool gradient_divides(attempted *a, const spw_dims_reduction *wanted);

/* Operations of more than one step. */
spw_status gradient_try_extreme(attempted *a);
spw_status gradient_try_softmax(attempted *a);
spw_status gradient_try_kron(attempted *a);
spw_status gradient_try_sparse(attempted *a);
spw_status gradient_try_matmul(attempted *a);
spw_status gradient_try_linear(attempted *a);
spw_status gradient_try_reduced(attempted *a);
spw_status gradient_try_solve(attempted *a);
spw_status gradient_try_diagonals(attempted *a);

#endif
