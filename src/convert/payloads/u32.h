/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of 4 bytes. */
#include <stdbool.h>
#include <stdint.h>

#define VAL uint32_t
#define SPW_VALUE u32

/* What payloads come to, and whether that was computed. */
typedef struct spw_total_u32 {
  uint32_t payload;
  bool computed;
} spw_total_u32;
#define TOTAL spw_total_u32

#include "bits.h"
