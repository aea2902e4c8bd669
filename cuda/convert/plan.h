/* SPDX-License-Identifier: Apache-2.0 */
/* From a tensor and what it is to become to the arguments of the conversion kernels, and from what they
 * leave behind to the result. Plain host code, the same for the device and for the host engine; no index
 * and no value is read here. */
#ifndef SPW_CUDA_CONVERT_PLAN_H
#define SPW_CUDA_CONVERT_PLAN_H

#include "../check/plan.h"
#include "../kernels/conversion.h"

typedef enum spw_convert_kind {
  SPW_CONVERT_EXPAND,   /* CSR to COO */
  SPW_CONVERT_COMPRESS, /* to CSR, CSC, and of blocks that stay to BSR, BSC; what is compressed is expanded first, and what is
                         * not in order sorted */
  SPW_CONVERT_PERMUTE,  /* to COO, expanded and sorted the same way */
  SPW_CONVERT_FILL,     /* to dense, from wherever elements lie; what is compressed is expanded first */
  SPW_CONVERT_COLLECT   /* dense to COO, CSR, CSC, BSR, BSC */
} spw_convert_kind;

typedef struct spw_convert_plan {
  spw_check_plan check; /* of the tensor, which is judged first */
  spw_convert_kind kind;
  spw_tensor tensor;    /* with its arrays, which the caller keeps */
  spw_layout layout;
  const int64_t *size;  /* of the result, ndim entries: dense dimensions behind sparse_dims others, which begin with batches */
  int64_t ndim, sparse_dims, batch_dims;
  int64_t block[2];     /* of the result: 1, 1 where it has none */
  spw_room room;        /* what the result takes at most, and the workspace */
  bool counted;         /* how many cells the result has the kernels say */
  bool expands;         /* into the workspace */
  bool unblocks;        /* and from there blocks into their elements, as they come */
  bool unfolds;         /* or in order of lines of the result, when lines of blocks are in it */
  bool turns;           /* to which they come from those of the other dimension */
  int64_t cell[2];      /* rows and columns of what has coordinates when lines are made: of elements 1, 1 */
  bool blocks;          /* elements become blocks */
  unsigned place_bits;  /* of a key, its lowest: where in its block an element is */
  int passes;           /* of a sort; 0: elements are in order */
  bool refuses;         /* duplicates, before elements become blocks; the first one is the first of lines */
  int line_passes;      /* of the sort that this takes */
  bool coalesces;       /* positions may occur several times; they become what `duplicates` says */
  bool bounded;         /* batches that come of coordinates begin where these say */
  bool settles;         /* batches are asked whether they have as many */
  bool prunes;          /* cells that are zero are left out, in the end */
  bool casts;           /* indices have the other type in the workspace */
  int64_t in_batch;     /* elements of each batch of the tensor */
  int64_t of_stored;    /* and those that one stored index names */
  spw_combine duplicates;
  spw_word last;        /* the number of the last stage */
  int64_t expand_items, compress_items, unfold_items; /* of one pass over offsets and elements */
  int64_t unfold_lines, unfold_plain; /* where these coordinates of blocks begin */
  size_t begun;         /* bytes of the workspace that are filled before the first stage */
  int64_t bytes;        /* of a dense result, or of offsets when there is nothing else */
  /* In the workspace: coordinates of blocks and of what is expanded first, keys and orders of a sort before and after each
   * pass, what is counted, its running sums, bits of cells, and of positions their elements, where they begin, and sums. What
   * is pruned waits there as well where it is computed, and then which of it is left; lines of blocks that are turned, and
   * which element each is that is unfolded; where batches
   * begin; and indices that are to have another type. */
  size_t blocks_at, x_at, key_at, keys_at, order_at, orders_at, counts_at, starts_at, states_at, marks_at;
  size_t turned_c_at, turned_p_at, unfolded_at, bounds_at, cast_c_at, cast_p_at;
  size_t y_at, block_positions_at, block_states_at, block_chosen_at, block_begins_at; /* of blocks that are made */
  size_t firsts_at, positions_at, position_states_at, chosen_at, begins_at, sums_at;
  size_t formed_at, kept_counts_at, kept_starts_at, kept_states_at, kept_at, kept_numbers_at;
  union {
    spw_arguments_i32 i32;
    spw_arguments_i64 i64;
  };                    /* all but stages, outputs, and what lies in the workspace */
  spw_sorting sort;
  spw_bounding bounds;
  spw_marking marking;
  spw_gather values;
  spw_gather summed;    /* of them, in the workspace, on the way to a dense array, to blocks, or to what is pruned */
  spw_gather formed;    /* blocks, in the workspace, on the way to what is pruned */
} spw_convert_plan;

/* What the kernels leave at the start of the workspace. */
typedef struct spw_convert_told {
  spw_stages stages;
  spw_check_memory checked; /* whose ranges are behind it */
} spw_convert_told;

/* As spw_convert_size with a tensor whose index arrays are not read. SPW_EUNSUPPORTED: a conversion that has
 * no kernels; a shape rule that is broken is SPW_EINVALID, all others are judged when the kernels run. */
spw_status spw_convert_plan_make(const spw_tensor *tensor, const spw_conversion *wanted, spw_convert_plan *plan,
                                 spw_refusal *refusal);

/* Chooses the largest unit that addresses and strides allow, once the output is known: 1, 2, 4, 8 or 16, no more than
 * `most`. */
int64_t spw_gather_in_units(spw_gather *values, int64_t most);

/* May kernels write there? SPW_EINVAL: too short, a null pointer, or at an address that is no multiple of what
 * is stored there (16 for the workspace). */
spw_status spw_convert_plan_judge_buffers(const spw_convert_plan *plan, const spw_buffers *buffers);

/* Are elements numbered by their coordinates? */
bool spw_convert_plan_has_keys(const spw_convert_plan *plan);

/* How many bytes are added at a time, where several elements lie at one position; 0 where nothing is added. */
int64_t spw_convert_plan_part(const spw_convert_plan *plan);

/* What a result takes whose kernels came to their end. */
spw_room spw_convert_plan_took(const spw_convert_plan *plan, const spw_convert_told *told);

/* SPW_OK with the result, which views the buffers and writes its sizes and strides to buffers->dims;
 * SPW_EINVALID with the first violation; SPW_ERANGE with an obstacle; SPW_EINVAL when the kernels did not come to their end. */
spw_status spw_convert_plan_read(const spw_convert_plan *plan, const spw_convert_told *told, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal);

#endif
