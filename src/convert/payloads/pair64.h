/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of two words of 64 bits, as complex numbers are. */
#ifndef SPW_CONVERT_PAYLOADS_PAIR64_H
#define SPW_CONVERT_PAYLOADS_PAIR64_H

#include <stdbool.h>
#include <stdint.h>

typedef struct spw_pair64 {
  uint64_t first, second;
} spw_pair64;

#endif
