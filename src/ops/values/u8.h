/* SPDX-License-Identifier: Apache-2.0 */
/* uint8_t, modulo 2^8. */
#define VAL uint8_t
#define UNSIGNED uint8_t
#define SUM uint32_t
#define SPW_VALUE u8
#include "integer.h"
