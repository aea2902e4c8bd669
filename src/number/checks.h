/* SPDX-License-Identifier: Apache-2.0 */
/* What every value type relies on: one rounding for each operation of C. Contraction is a matter of
 * the command line, and so are those parts of -ffast-math of which clang says nothing. */
#include <stdbool.h>
#include <stdint.h>
#if defined(__FAST_MATH__) || (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0)
#error "an operation is not rounded once here"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "operations are put together, or signs of zeros lost, here"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "nothing is NaN here"
#endif
