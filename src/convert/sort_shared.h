/* SPDX-License-Identifier: Apache-2.0 */
/* spw_sort_cells, by several threads. */
#ifndef SPW_CONVERT_SORT_SHARED_H
#define SPW_CONVERT_SORT_SHARED_H

#include "indices/sort/sort_cells.h"

/* The numbers that `parts` parts need. */
int64_t spw_sort_counts(int64_t parts);

/* Sorts n cells by keys, which have so many bits, stably; 1: the result is in b, 0: in a. */
int spw_sort_shared(spw_cell *a, spw_cell *b, int64_t n, int bits, int64_t parts, int64_t *counts);

#endif
