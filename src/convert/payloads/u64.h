/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of 8 bytes. */
#include <stdbool.h>
#include <stdint.h>

#define VAL uint64_t
#define SPW_VALUE u64
#include "bits.h"
