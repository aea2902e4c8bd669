/* SPDX-License-Identifier: Apache-2.0 */
/* Values of type float. */
#define VAL float
#define SUM float
#define SPW_VALUE f32
#include "real.h"
