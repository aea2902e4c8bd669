/* SPDX-License-Identifier: Apache-2.0 */
/* MKL with 64-bit indices. */
#define MKL_ILP64
#include "mkl_adapter.c"
