/* SPDX-License-Identifier: Apache-2.0 */
/* What every value type relies on: one rounding for each operation of C. Contraction is a matter of the command line. */
#include <stdbool.h>
#include <stdint.h>
#if defined(__FAST_MATH__) || (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0)
#error "an operation is not rounded once here"
#endif
