/* SPDX-License-Identifier: Apache-2.0 */
/* The conversion kernels on the host engine: spw_convert as a GPU would do it. */
#ifndef SPW_CUDA_CONVERT_ON_HOST_H
#define SPW_CUDA_CONVERT_ON_HOST_H

#include "../check/on_host.h"
#include "plan.h"

/* As spw_first_violation_on_host launches; SPW_EUNSUPPORTED where there are no kernels for it. */
spw_status spw_convert_on_host(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                               unsigned blocks, unsigned threads, uint64_t seed, spw_tensor *result,
                               spw_refusal *refusal);

/* The same with tiles so small that small tensors have several of them. */
spw_status spw_convert_in_small_tiles(const spw_tensor *tensor, const spw_conversion *wanted,
                                      const spw_buffers *buffers, unsigned blocks, unsigned threads, uint64_t seed,
                                      spw_tensor *result, spw_refusal *refusal);

#endif
