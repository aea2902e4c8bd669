/* SPDX-License-Identifier: Apache-2.0 */
/* What the conversion kernels are given. All of it was judged on the host but what the arrays contain, and
 * that by the check, before. */
#ifndef SPW_CUDA_CONVERSION_H
#define SPW_CUDA_CONVERSION_H

#include "arguments.h"
#include "strided.h"

/* All bytes are 0xff before. */
typedef struct spw_stages {
  spw_word done;  /* the number of the last stage that ended; SPW_WORD_NOT_RUN before the first */
  int64_t nse;    /* cells of the result, where a stage counts them */
  int64_t place, other, lhs, rhs; /* of a refusal that contents tell */
  unsigned ended; /* blocks of the present stage that have, from -1 on */
  unsigned tickets; /* blocks of it that have asked for a number, from -1 on */
} spw_stages;

/* Stages have numbers 0, 1, 2 ... */
typedef struct spw_stage {
  const spw_check_memory *checked;
  spw_stages *memory;
  int64_t number;
} spw_stage;

/* Cell n of the result is cell order[n] of the source, or cell n where `order` is null. A cell has `inner`
 * units, and strides count bytes. Loads see nothing that the same launch wrote. */
typedef struct spw_gather {
  spw_stage stage;
  const unsigned char *in;
  unsigned char *out;
  const spw_word *order;
  int64_t units, inner;
  spw_strided cells, within;
} spw_gather;

/* `bytes` zero bytes. */
typedef struct spw_clearing {
  spw_stage stage;
  unsigned char *out;
  int64_t bytes;
} spw_clearing;

#define SPW_TEMPLATE "../../cuda/kernels/conversion.inc"
#include "../../src/core/each_index_type.h"

#endif
