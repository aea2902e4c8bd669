/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of 1 byte. */
#include <stdbool.h>
#include <stdint.h>

#define VAL uint8_t
#define SPW_VALUE u8
#include "bits.h"
