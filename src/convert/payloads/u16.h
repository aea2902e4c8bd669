/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of 2 bytes. */
#include <stdbool.h>
#include <stdint.h>

#define VAL uint16_t
#define SPW_VALUE u16

/* What payloads come to, and whether that was computed. */
typedef struct spw_total_u16 {
  uint16_t payload;
  bool computed;
} spw_total_u16;
#define TOTAL spw_total_u16

#include "bits.h"
