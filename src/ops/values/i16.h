/* SPDX-License-Identifier: Apache-2.0 */
/* int16_t, modulo 2^16. */
#define VAL int16_t
#define UNSIGNED uint16_t
#define SUM uint32_t
#define SPW_VALUE i16
#include "integer.h"
