/* SPDX-License-Identifier: Apache-2.0 */
/* What a certified conversion is: two tensors as they are compared, and what is promised of them. Proofs include check/verdict.h
 * before; a name in it is one of sparsewright_oracle.h, too. */
#ifndef SPW_STRUCTURE_CERTIFIED_SIDE_H
#define SPW_STRUCTURE_CERTIFIED_SIDE_H

#include "../../convert/indices/lookup/scalars_of.h"
#include "../../sparsewright_certified.h"
#include "../../view/usable_lemmas.h"

/* `length` payloads of `width` bytes each. */
typedef struct spw_payloads {
  const void *first;
  int64_t length, width;
} spw_payloads;

/* What two tensors have to agree in for their positions to be compared. */
typedef struct spw_frame {
  int64_t dense_dims;
  int64_t run, parts; /* payloads of an element, and of one of its scalars: two of a complex one; run 0: not told */
  int64_t width;
} spw_frame;

/* The scalars of a valid tensor, whose payloads begin at `from`; scalars.count -1: not told. */
typedef struct spw_side {
  spw_scalars scalars;
  spw_payloads values;
  int64_t from;
} spw_side;

#include "../../../spec/acsl/certified.acsl"

#endif
