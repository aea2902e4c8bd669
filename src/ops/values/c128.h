/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers of double. */
#define PART double
#define SPW_VALUE c128
#include "complex.h"
