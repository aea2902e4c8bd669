/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of two words of 32 bits, as complex numbers are. */
#ifndef SPW_CONVERT_PAYLOADS_PAIR32_H
#define SPW_CONVERT_PAYLOADS_PAIR32_H

#include <stdbool.h>
#include <stdint.h>

typedef struct spw_pair32 {
  uint32_t first, second;
} spw_pair32;

#endif
