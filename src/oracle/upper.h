/* SPDX-License-Identifier: Apache-2.0 */
/* Upper bounds: numbers m * 2^e of 64 significant bits, every operation rounded up. */
#ifndef SPW_ORACLE_UPPER_H
#define SPW_ORACLE_UPPER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct spw_upper {
  uint64_t m; /* 0, or its highest bit is set */
  int64_t e;  /* at most SPW_UPPER_MOST, which stands for all beyond */
} spw_upper;

#define SPW_UPPER_MOST 1000000

/* At least (m + more) * 2^e, where `more` says whether something below 1 follows. */
spw_upper spw_upper_of(uint64_t m, int64_t e, bool more);
spw_upper spw_upper_power(int64_t e);
spw_upper spw_upper_add(spw_upper a, spw_upper b);
spw_upper spw_upper_mul(spw_upper a, spw_upper b);

/* (1 + u)^n - 1 for u = 2^-bits: by how much n roundings may let a number grow, relatively. */
spw_upper spw_upper_growth(int32_t bits, int64_t n);

/* a >= b, as numbers */
bool spw_upper_reaches(spw_upper a, spw_upper b);

/* For people: a double not below it, if one is large enough; and the quotient, roughly. */
double spw_upper_double(spw_upper a);
double spw_upper_ratio(spw_upper a, spw_upper b);

#endif
