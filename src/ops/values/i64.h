/* SPDX-License-Identifier: Apache-2.0 */
/* int64_t, modulo 2^64. */
#define VAL int64_t
#define UNSIGNED uint64_t
#define SUM uint64_t
#define SPW_VALUE i64
#include "integer.h"
