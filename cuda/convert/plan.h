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
  SPW_CONVERT_COMPRESS, /* COO in order to CSR */
  SPW_CONVERT_FILL,     /* COO in order, CSR, CSC to dense; what is compressed is expanded first */
  SPW_CONVERT_COLLECT   /* dense to COO, CSR, CSC */
} spw_convert_kind;

typedef struct spw_convert_plan {
  spw_check_plan check; /* of the tensor, which is judged first */
  spw_convert_kind kind;
  spw_tensor tensor;    /* with its arrays, which the caller keeps */
  spw_layout layout;
  const int64_t *size;  /* of the result, ndim entries: dense dimensions behind sparse_dims others, which begin with batches */
  int64_t ndim, sparse_dims, batch_dims;
  spw_room room;        /* what the result takes at most, and the workspace */
  bool counted;         /* how many cells the result has the kernels say */
  int64_t items;        /* of one pass over offsets and elements */
  spw_word last;        /* the number of the last stage */
  size_t x_at;          /* in the workspace: the coordinates of what is expanded first */
  int64_t bytes;        /* of a dense result, or of offsets when there is nothing else */
  size_t marks_at, counts_at, starts_at, states_at, order_at; /* in the workspace, of what is collected */
  spw_marking marking;  /* all but stage and outputs */
  union {
    spw_expanding_i32 expand_i32;
    spw_expanding_i64 expand_i64;
    spw_compressing_i32 compress_i32;
    spw_compressing_i64 compress_i64;
    spw_collecting_i32 collect_i32;
    spw_collecting_i64 collect_i64;
  } lines;              /* all but stage and outputs */
  union {
    spw_scattering_i32 i32;
    spw_scattering_i64 i64;
  } fill;               /* all but `values`, and `x` where that is in the workspace */
  spw_gather values;    /* all but stage and output */
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

/* What a result takes whose kernels came to their end. */
spw_room spw_convert_plan_took(const spw_convert_plan *plan, const spw_convert_told *told);

/* SPW_OK with the result, which views the buffers and writes its sizes and strides to buffers->dims;
 * SPW_EINVALID with the first violation; SPW_ERANGE with an obstacle; SPW_EINVAL when the kernels did not come to their end. */
spw_status spw_convert_plan_read(const spw_convert_plan *plan, const spw_convert_told *told, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal);

#endif
