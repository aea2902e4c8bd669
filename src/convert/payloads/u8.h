/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of 1 byte. */
#include <stdbool.h>
#include <stdint.h>

#define VAL uint8_t
#define SPW_VALUE u8

/* What payloads come to, and whether that was computed. */
typedef struct spw_total_u8 {
  uint8_t payload;
  bool computed;
} spw_total_u8;
#define TOTAL spw_total_u8

#include "bits.h"
