/* SPDX-License-Identifier: Apache-2.0 */
/* Values of type double. */
#define VAL double
#define SUM double
#define SPW_VALUE f64
#include "real.h"
