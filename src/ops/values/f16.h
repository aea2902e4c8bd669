/* SPDX-License-Identifier: Apache-2.0 */
/* Values of type float16, by their bits. */
#define WIDEN spw_float_of_float16
#define NARROW spw_float16_of_float
#define SPW_VALUE f16
#include "half.h"
