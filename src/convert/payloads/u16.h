/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of 2 bytes. */
#include <stdbool.h>
#include <stdint.h>

#define VAL uint16_t
#define SPW_VALUE u16
#include "bits.h"
