/* SPDX-License-Identifier: Apache-2.0 */
/* expect: failed smoke test first_negative_i64_wp_smoke_default_requires */
#include <stdint.h>

#define IDX int32_t
#define N(name) name##_i32
#define MEETS(n) (0 <= (n))
#include "twin_that_no_operand_meets.inc"
#undef IDX
#undef N
#undef MEETS

#define IDX int64_t
#define N(name) name##_i64
#define MEETS(n) (0 <= (n) && (n) < 0)
#include "twin_that_no_operand_meets.inc"
