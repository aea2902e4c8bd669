/* SPDX-License-Identifier: Apache-2.0 */
/* From a tensor to the arguments of the check kernels, and from their word back to a violation.
 * Plain host code, the same for the device and for the host engine; no index is read here. */
#ifndef SPW_CUDA_PLAN_H
#define SPW_CUDA_PLAN_H

#include "../../src/sparsewright.h"
#include "../kernels/arguments.h"
#include "../kernels/geometry.h"

typedef enum spw_check_kind {
  SPW_CHECK_DECIDED,    /* on the host: nothing to launch. spw_check_plan.word says how */
  SPW_CHECK_COMPRESSED,
  SPW_CHECK_COORDINATES
} spw_check_kind;

typedef struct spw_check_plan {
  spw_check_kind kind;
  bool int64;  /* index type */
  bool infers; /* the range kernel is needed */
  spw_word word; /* where decided */
  unsigned char fill; /* each byte of the workspace, before any kernel */
  size_t bytes;                    /* of spw_check_memory, with all its ranges */
  int64_t items;                   /* offsets and elements: the work of one pass */
  int64_t weights[SPW_CUDA_DIMS];  /* of the batch dimensions, in the flat number of a batch */
  spw_violation shape;             /* with SPW_KEY_SHAPE */
  bool by_rows;                    /* of the size: which entry is C's */
  int64_t batch_dims, most[2];     /* blocks along rows and columns that make an entry of a size */
  union {
    spw_compressed_i32 compressed_i32;
    spw_compressed_i64 compressed_i64;
    spw_coordinates_i32 coordinates_i32;
    spw_coordinates_i64 coordinates_i64;
  } arguments; /* all but `memory` */
} spw_check_plan;

/* As spw_first_violation: SPW_EINVAL for a call that it refuses, SPW_EOVERFLOW for more batches
 * than int64 can number. SPW_EUNSUPPORTED for more than SPW_CUDA_DIMS batch dimensions that move,
 * as many sparse ones, or 2^56 items. SPW_EINVAL also for index arrays at an address that is no
 * multiple of their elements' size: a device could not go on after reading one. The index arrays may
 * lie anywhere: they are not read. */
spw_status spw_check_plan_make(const spw_tensor *tensor, spw_level level, spw_check_plan *plan);

/* A plan that has nothing to launch. */
void spw_check_plan_decide(spw_check_plan *plan, spw_word word);

/* What the kernels found. SPW_EINVAL when the word is none that they leave. */
spw_status spw_check_plan_read(const spw_check_plan *plan, spw_word word, int64_t lhs, int64_t rhs,
                         spw_violation *first);

#endif
