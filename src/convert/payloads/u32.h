/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of 4 bytes. */
#include <stdbool.h>
#include <stdint.h>

#define VAL uint32_t
#define SPW_VALUE u32
#include "bits.h"
