/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of KLU (SuiteSparse) that are called. It is looked for when a general system is solved: nothing is linked, and no
 * header of it is needed. Versions 1 (SuiteSparse 5) and 2 (SuiteSparse 7) share them and the struct. */
#ifndef SPW_KLU_API_H
#define SPW_KLU_API_H

#include <stddef.h>
#include <stdint.h>

/* klu_l_common. */
typedef struct spw_klu_common {
  double tol, memgrow, initmem_amd, initmem, maxwork;
  int64_t btf, ordering, scale;
  void (*user_order)(void);
  void *user_data;
  int64_t halt_if_singular;
  int64_t status, nrealloc, structural_rank, numerical_rank, singular_col, noffdiag;
  double flops, rcond, condest, rgrowth, work;
  size_t memusage, mempeak;
  int64_t room[16]; /* for members that a later version may add */
} spw_klu_common;

enum { SPW_KLU_SINGULAR = 1 };

typedef struct spw_klu_symbolic spw_klu_symbolic;
typedef struct spw_klu_numeric spw_klu_numeric;

typedef spw_klu_numeric *spw_klu_factor(int64_t *starts, int64_t *rows, double *values, spw_klu_symbolic *s, spw_klu_common *c);
typedef int64_t spw_klu_solve(spw_klu_symbolic *s, spw_klu_numeric *n, int64_t lead, int64_t columns, double *b,
                              spw_klu_common *c);
typedef int64_t spw_klu_free_numeric(spw_klu_numeric **n, spw_klu_common *c);

/* Of real numbers, or of complex ones, whose parts lie in turn. */
typedef struct spw_klu_numbers {
  spw_klu_factor *factor;
  spw_klu_solve *solve;
  spw_klu_free_numeric *free_numeric;
} spw_klu_numbers;

typedef struct spw_klu {
  int64_t (*defaults)(spw_klu_common *c);
  spw_klu_symbolic *(*analyze)(int64_t n, int64_t *starts, int64_t *rows, spw_klu_common *c);
  int64_t (*free_symbolic)(spw_klu_symbolic **s, spw_klu_common *c);
  spw_klu_numbers real, complex;
} spw_klu;

/* Null where the system has no KLU. */
const spw_klu *spw_klu_find(void);

/* What spw_klu_find gives from now on, for tests: {0} is none, and null what the system has. Not while another thread solves. */
void spw_klu_replace(const spw_klu *library);

#endif
