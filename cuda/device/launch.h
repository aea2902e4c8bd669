/* SPDX-License-Identifier: Apache-2.0 */
/* Between the host code of the device side and the file that nvcc compiles. */
#ifndef SPW_CUDA_LAUNCH_H
#define SPW_CUDA_LAUNCH_H

#include "../check/plan.h"

#include <cuda_runtime_api.h>

/* What the registers of the verdict leave room for on a multiprocessor: each warp then
 * has one equal share of the work. */
#define SPW_CUDA_BLOCKS_PER_PROCESSOR 3

#ifdef __cplusplus
extern "C" {
#endif
/* Launches the kernels of a plan that is not decided; 0 or the cudaError_t. `memory` is filled
 * with the plan's byte. */
int spw_cuda_launch_check(const spw_check_plan *plan, void *memory, cudaStream_t stream);

/* Loads every kernel on the current device; 0 or the cudaError_t, also of a kernel that is not there
 * for its architecture. */
int spw_cuda_load_kernels(void);

#ifdef __cplusplus
}
#endif

#endif
