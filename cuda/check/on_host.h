/* SPDX-License-Identifier: Apache-2.0 */
/* The check kernels on the host engine: spw_first_violation as a GPU would give it. */
#ifndef SPW_CUDA_ON_HOST_H
#define SPW_CUDA_ON_HOST_H

#include "../host/engine.h"
#include "plan.h"

/* At most `blocks` blocks of `threads` threads, a multiple of 32 up to 256, in an order of `seed`.
 * SPW_ENOMEM without memory; SPW_EINVAL also when the kernels leave no violation behind. */
spw_status spw_first_violation_on_host(const spw_tensor *tensor, spw_level level, unsigned blocks,
                                       unsigned threads, uint64_t seed, spw_violation *first);

/* The same with a tile of a quarter of the size that is compiled for devices. */
spw_status spw_first_violation_in_small_tiles(const spw_tensor *tensor, spw_level level,
                                              unsigned blocks, unsigned threads, uint64_t seed,
                                              spw_violation *first);

#endif
