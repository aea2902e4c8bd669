/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of 8 bytes. */
#include <stdbool.h>
#include <stdint.h>

#define VAL uint64_t
#define SPW_VALUE u64

/* What payloads come to, and whether that was computed. */
typedef struct spw_total_u64 {
  uint64_t payload;
  bool computed;
} spw_total_u64;
#define TOTAL spw_total_u64

#include "bits.h"
