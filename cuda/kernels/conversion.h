/* SPDX-License-Identifier: Apache-2.0 */
/* What the conversion kernels are given. All of it was judged on the host but what the arrays contain, and
 * that by the check, before. */
#ifndef SPW_CUDA_CONVERSION_H
#define SPW_CUDA_CONVERSION_H

#include "arguments.h"
#include "strided.h"

/* All bytes are 0xff before. */
typedef struct spw_stages {
  spw_word done;  /* the number of the last stage that ended; SPW_WORD_NOT_RUN before the first */
  int64_t nse;    /* cells of the result, where a stage counts them */
  int64_t place, other, lhs, rhs; /* of a refusal that contents tell */
  unsigned ended; /* blocks of the present stage that have, from -1 on */
  unsigned tickets; /* blocks of it that have asked for a number, from -1 on */
} spw_stages;

/* Stages have numbers 0, 1, 2 ... */
typedef struct spw_stage {
  const spw_check_memory *checked;
  spw_stages *memory;
  int64_t number;
} spw_stage;

/* Running sums: out[i] = in[0] + ... + in[i-1] for 0 <= i <= n, n >= 1; the arrays may not overlap. All bytes of
 * the states are 0xff before: a word for each tile, SPW_SCAN_STATES(n) of them for blocks of any number of warps. */
typedef struct spw_scan {
  spw_stage stage;
  const spw_word *in;
  spw_word *out;
  int64_t n;
  spw_word *states;
} spw_scan;

/* A thread's loads are independent of each other, and a tile's state is asked for once in so many words a thread. */
#define SPW_SCAN_ITEMS 8
#define SPW_SCAN_STATES(n) ((n) / (SPW_SCAN_ITEMS * SPW_WARP_LANES) + 1)

/* One pass of a stable sort by keys, in tiles of SPW_SORT_TILE elements: by the digit of SPW_SORT_BITS bits behind `shift`
 * others. Element n is order[n], or n itself where `order` is null. Counts of digits, and the running sums of them:
 * of digit d in tile t, number d * tiles + t. */
typedef struct spw_sorting {
  spw_stage stage;
  const spw_word *keys, *order;
  spw_word *sorted_keys, *sorted_order; /* of the pass */
  spw_word *counts;
  const spw_word *starts;
  int64_t n, tiles;
  unsigned shift;
} spw_sorting;

#define SPW_SORT_BITS 8
#define SPW_SORT_DIGITS (1u << SPW_SORT_BITS)
#define SPW_SORT_TILE 2048
#define SPW_SORT_WARPS 8 /* of a block, at most */

/* Cell n of the result is cell order[n] of the source, or cell n where `order` is null. A cell has `inner`
 * units, and strides count bytes. There are `units` of them, or, where the result is counted, so many for each of
 * its cells. Loads see nothing that the same launch wrote. */
typedef struct spw_gather {
  spw_stage stage;
  const unsigned char *in;
  unsigned char *out;
  const spw_word *order;
  int64_t units, inner;
  int counted;
  spw_strided cells, within;
} spw_gather;

/* Which of n sorted keys differ from the one before, without their lowest `shift` bits: 1, else 0. */
typedef struct spw_firsts {
  spw_stage stage;
  const spw_word *keys;
  int64_t n;
  unsigned shift;
  spw_word *firsts;
} spw_firsts;

/* One of the elements at each position: the first, or, where it is taken, the last. `positions` are the running sums of
 * firsts: how many positions there are before an element. Element k is order[k], or k itself where `order` is null. */
typedef struct spw_choosing {
  spw_stage stage;
  const spw_word *positions, *order;
  int64_t n;
  int takes_last, refuses;
  spw_word *chosen, *starts; /* of each position: the element, and where its elements begin; behind the last one n */
} spw_choosing;

/* Cell q of the result is the sum of the cells order[k] of the source, starts[q] <= k < starts[q + 1], in this order; a unit
 * is what is added. */
typedef struct spw_summing {
  spw_gather values;
  const spw_word *starts;
} spw_summing;

/* Which cells are stored: those of which a unit has a bit of the mask, which its first byte begins. Each batch has `cells` of
 * them, in order, and `tiles` tiles, the last of which may reach behind its end. */
typedef struct spw_marking {
  spw_gather values; /* of all batches; `out` is null */
  spw_word mask;
  int64_t batches, tiles, cells;
  int counted; /* how many each batch has the stages before have said, `cells` at most */
  unsigned *marks;  /* a bit for each cell: SPW_MARK_WORDS words a tile */
  spw_word *counts; /* of the cells of each tile that are stored */
} spw_marking;

/* A tile of cells is a warp's: a word for each lane. */
#define SPW_MARK_WORDS 32
#define SPW_MARK_CELLS (SPW_MARK_WORDS * 32)

/* Of the marked cells, one behind the other, which element each is: cell n is order[n], or n itself where `order` is null. Where
 * `numbers` is not null, the cell's own number too. */
typedef struct spw_picking {
  spw_stage stage;
  const unsigned *marks;
  const spw_word *starts, *order;
  int64_t batches, tiles, cells;
  int counted; /* as when they were marked */
  spw_word *elements, *numbers;
} spw_picking;

/* How many of n ascending keys are less than those of each batch, whose keys are from batch * weight on; behind the last
 * batch all of them. */
typedef struct spw_bounding {
  spw_stage stage;
  const spw_word *keys;
  int64_t n, batches, weight;
  spw_word *bounds;
} spw_bounding;

/* Do all batches have as many cells? Then that is their number, else a refusal. */
typedef struct spw_settling {
  spw_stage stage;
  const spw_word *starts; /* the running sums of what tiles have; null: each has one cell */
  const spw_word *bounds; /* the tile with which each batch begins, and their number; null: it is batch * tiles */
  int64_t batches, tiles;
} spw_settling;

/* `bytes` zero bytes; where the result is counted, for each of its cells. */
typedef struct spw_clearing {
  spw_stage stage;
  unsigned char *out;
  int64_t bytes;
  int counted;
} spw_clearing;

/* n indices to the other type; where the result is counted, so many for each of its cells. */
typedef struct spw_casting {
  spw_stage stage;
  const void *in;
  void *out;
  int64_t n;
  int counted;
} spw_casting;

#define SPW_TEMPLATE "../../cuda/kernels/conversion.inc"
#include "../../src/core/each_index_type.h"

#endif
