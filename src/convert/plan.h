/* SPDX-License-Identifier: Apache-2.0 */
/* A conversion, with every number that it is about. */
#ifndef SPW_CONVERT_PLAN_H
#define SPW_CONVERT_PLAN_H

#include "../operand/operand.h"
#include "../sparsewright.h"

/* What travels with an index through the kernels: a value's bits, where a cell is one scalar of 4 or 8
 * bytes; else its place among the values, which are fetched at the end. */
typedef enum spw_payload { SPW_BITS32, SPW_BITS64, SPW_PLACES } spw_payload;

/* What decides which steps a conversion takes: each is found out once, and has its words in plan_table.c. */
typedef enum spw_fact {
  SPW_FACT_EMPTY = 1 << 0,
  SPW_FACT_PACKS = 1 << 1,
  SPW_FACT_PRUNES = 1 << 2,
  SPW_FACT_REPEATS = 1 << 3,
  SPW_FACT_RESORTS = 1 << 4,
  SPW_FACT_KEEPS_TYPE = 1 << 5,
  SPW_FACT_EXPANDS = 1 << 6,
  SPW_FACT_TRANSPOSES = 1 << 7,
  SPW_FACT_BLOCKS = 1 << 8,
  SPW_FACT_THREADS = 1 << 9,
  SPW_FACT_PLACES = 1 << 10,
  SPW_FACT_WIDTH = 1 << 11,
  SPW_FACT_SCALARS = 1 << 12,
  SPW_FACT_MATRIX = 1 << 13,
  SPW_FACT_KEYS = 1 << 14,
  SPW_FACT_NUMBERED = 1 << 15,
  SPW_FACT_COMBINES = 1 << 16,
  SPW_FACT_REFUSES = 1 << 17,
  SPW_FACT_ROW_ORDER = 1 << 18
} spw_fact;

struct spw_route;

/* Sizes of both sides. A *scalar* is an element of the dense part, an *element* what one position of the
 * sparse part has (`width` scalars), a *cell* what one stored index addresses: an element, or a block. */
typedef struct spw_plan {
  const spw_tensor *t;
  spw_conversion to; /* every default filled in */
  const int64_t *size; /* of the source, once it is written down; null: before */
  spw_dtype dtype;   /* of the values */
  int64_t scalar;    /* bytes */
  int64_t width;     /* scalars of an element */
  spw_payload payload;

  /* the source */
  int64_t ndim, sparse_dims, dense_dims; /* sparse_dims: all but the dense ones */
  int64_t batches, C, P, nse;            /* compressed and COO; nse of each batch */
  int64_t rows, columns;                 /* of the last two sparse dimensions; else 1 */
  int64_t block[2];                      /* 1, 1 where the source has no blocks */
  bool opaque;                           /* blocks stay what they are: they are moved as cells of `moved` scalars */
  int64_t moved;                         /* scalars of what a payload stands for: an element, or such a block */
  int64_t element_bytes, moved_bytes;    /* of an element, and of `moved` scalars; 0 where there are no values */
  int64_t values;                        /* how many there are */
  bool packed;                           /* they have to be packed first */
  bool ordered;                          /* COO: sorted and without duplicates by its claim */

  /* the result */
  int64_t out_batches, out_block[2], out_C, out_P;
  int64_t elements; /* of a dense result, as scalars */
  int64_t cap;      /* cells of each batch at most; -1: not counted yet */

  /* how it is done (spw_plan_choose) */
  int threads;                   /* at most, 1 or more; the result is the same for any number */
  unsigned facts;                /* of spw_fact */
  const struct spw_route *route; /* the row of the table that is taken */
  int64_t lines[2], minor;       /* of compressed and dense sources: along the compressed dimension before and after it is another
                                  * one, and along the other before */
  int64_t at_once;               /* how many batches go through the steps of a group, one after the other */
  bool wide;                     /* kernels work in int64 */
  bool gathers;                  /* payloads are places, whose cells are fetched at the end */
} spw_plan;

static inline bool spw_has(const spw_plan *plan, unsigned facts)
{
  return (plan->facts & facts) == facts;
}

/* Do the shapes of the source leave no element? What else they say may be beyond all bounds then. */
bool spw_holds_nothing(const spw_plan *plan);

/* May a position be stored more than once? */
bool spw_may_repeat(const spw_plan *plan);

/* 0 and 1: rows and columns; of the layout's compressed dimension. */
static inline int spw_major_of(spw_layout layout)
{
  return layout == SPW_CSC || layout == SPW_BSC;
}

static inline bool spw_has_blocks(spw_layout layout)
{
  return layout == SPW_BSR || layout == SPW_BSC;
}

static inline bool spw_is_compressed(spw_layout layout)
{
  return layout == SPW_CSR || layout == SPW_CSC || spw_has_blocks(layout);
}

/* Of the transposed matrix, over the same arrays: CSR and CSC, BSR and BSC; COO stays. */
spw_layout spw_transposed_layout(spw_layout layout);

/* Size of dimension d of the source; a COO dimension that no size gives is read off the indices. */
int64_t spw_size_entry(const spw_plan *plan, int64_t d);

/* More than one element? */
bool spw_is_block(const int64_t block[2]);

/* The product of the first `dims` entries of the size; INT64_MAX beyond. */
int64_t spw_size_product(const spw_plan *plan, int64_t dims);

/* How many payloads a cell of the result has: the elements of its block, unless blocks are opaque. */
int64_t spw_payloads_of_cell(const spw_plan *plan);
size_t spw_payload_size(spw_payload payload);

/* Elements, or opaque blocks, of one batch of a compressed source. */
int64_t spw_source_elements(const spw_plan *plan);

/* Everything of *plan but `cap` and how it is done. SPW_EINVAL: the request makes no sense; SPW_ERANGE: it is refused. */
spw_status spw_plan_make(const spw_operand *source, const spw_conversion *wanted, spw_plan *plan, spw_refusal *refusal);

/* How it is done, by at most so many threads; it does not depend on `cap`. */
void spw_plan_choose(spw_plan *plan, int threads);

/* plan->cap, for which cells may have to be counted. */
spw_status spw_plan_count(spw_plan *plan, spw_refusal *refusal);

/* The lengths that a plan with its cap needs. SPW_ERANGE: beyond what can be numbered. */
spw_status spw_plan_room(const spw_plan *plan, spw_room *room, spw_refusal *refusal);

/* What spw_convert_unchecked takes of these buffers, which may be for fewer cells than there could be. SPW_EINVAL: more than
 * can be numbered; else as it. */
spw_status spw_convert_within(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, spw_room *need,
                              spw_refusal *refusal);

/* Does the index type hold C, P or sizes, and nse of the result (1.6)? */
spw_status spw_fits_index(const spw_plan *plan, int64_t nse, spw_refusal *refusal);

/* SPW_ERANGE (SPW_EINVALID for a rule) with what stands in the way. */
spw_status spw_refuse(spw_refusal *refusal, spw_obstacle obstacle, int64_t place, int64_t other, int64_t lhs, int64_t rhs);
/* Of operand 0 or 1, ..., or of the result. */
spw_status spw_refuse_operand(spw_refusal *refusal, int operand, spw_obstacle obstacle, int64_t place, int64_t lhs, int64_t rhs);

#endif
