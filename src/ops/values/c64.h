/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers of float. */
#define PART float
#define SPW_VALUE c64
#include "complex.h"
