/* SPDX-License-Identifier: Apache-2.0 */
/* int32_t, modulo 2^32. */
#define VAL int32_t
#define UNSIGNED uint32_t
#define SUM uint32_t
#define SPW_VALUE i32
#include "integer.h"
