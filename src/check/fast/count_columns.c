/* SPDX-License-Identifier: Apache-2.0 */
#include "count_columns.h"

/* An attribute that compiles the loops for more than one instruction set, from the Makefile. */
#ifndef SPW_CLONES
#define SPW_CLONES
#endif

/* So many elements are judged without a branch; then the answer is looked at. */
#define RUN_COLUMNS 4096

#define SPW_TEMPLATE "../check/fast/count_columns.inc"
#include "../../core/each_index_type.h"
