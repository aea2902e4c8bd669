/* SPDX-License-Identifier: Apache-2.0 */
/* What a declared precision of accumulation is. */
#ifndef SPW_ORACLE_PRECISION_H
#define SPW_ORACLE_PRECISION_H

#include "binary.h"
#include "../sparsewright_oracle.h"

typedef struct spw_accumulation {
  spw_format sum;         /* of products and sums; width 0: none */
  int32_t operand_bits;   /* significant bits that an operand keeps */
  int32_t operand_error;  /* rounding one changes it by at most 2^-this, relatively */
  bool flush;             /* what is below the normal numbers may be taken for zero */
} spw_accumulation;

spw_accumulation spw_accumulation_of(spw_precision precision);

#endif
