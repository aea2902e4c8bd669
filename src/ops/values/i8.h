/* SPDX-License-Identifier: Apache-2.0 */
/* int8_t, modulo 2^8. */
#define VAL int8_t
#define UNSIGNED uint8_t
#define SUM uint32_t
#define SPW_VALUE i8
#include "integer.h"
