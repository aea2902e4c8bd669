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
  SPW_CONVERT_FILL      /* COO in order, CSR, CSC to dense; what is compressed is expanded first */
} spw_convert_kind;

typedef struct spw_convert_plan {
  spw_check_plan check; /* of the tensor, which is judged first */
  spw_convert_kind kind;
  spw_tensor tensor;    /* with its arrays, which the caller keeps */
  spw_layout layout;
  spw_room room;        /* what the result takes, and the workspace */
  int64_t items;        /* of one pass over offsets and elements */
  spw_word last;        /* the number of the last stage */
  size_t x_at;          /* in the workspace: the coordinates of what is expanded first */
  int64_t bytes;        /* of a dense result */
  union {
    spw_expanding_i32 expand_i32;
    spw_expanding_i64 expand_i64;
    spw_compressing_i32 compress_i32;
    spw_compressing_i64 compress_i64;
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

/* Chooses the largest unit that addresses and strides allow, once the output is known: 1, 2, 4, 8 or 16. */
int64_t spw_gather_in_units(spw_gather *values);

/* May kernels write there? SPW_EINVAL: too short, a null pointer, or at an address that is no multiple of what
 * is stored there (16 for the workspace). */
spw_status spw_convert_plan_judge_buffers(const spw_convert_plan *plan, const spw_buffers *buffers);

/* SPW_OK with the result, which views the buffers and writes its sizes and strides to buffers->dims;
 * SPW_EINVALID with the first violation; SPW_EINVAL when the kernels did not come to their end. */
spw_status spw_convert_plan_read(const spw_convert_plan *plan, const spw_convert_told *told, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal);

#endif
