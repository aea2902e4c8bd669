/* SPDX-License-Identifier: Apache-2.0 */
/* Where differential.c runs the kernels: on_engine.c or on_device.c. */
#ifndef CUDA_TESTS_KERNELS_UNDER_TEST_H
#define CUDA_TESTS_KERNELS_UNDER_TEST_H

#include "../../src/sparsewright.h"

enum { SKIPPED = 77, SMALL_TILE = 1, SHIPPED_TILE = 2 };

/* Which tile the kernels have on the engine; 0: `way` decides. */
extern int kernels_under_test_tile;

/* 0, or SKIPPED after a message when there is nothing to run them on. */
int kernels_under_test_begin(void);
void kernels_under_test_end(void);

/* As spw_first_violation; `way` chooses the launch. A positive result is a cudaError_t. */
int kernels_under_test(const spw_tensor *tensor, spw_level level, uint64_t way,
                       spw_violation *first);

/* As spw_convert_size and spw_convert; the buffers lie on the host. */
int convert_room_under_test(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room, spw_refusal *refusal);
int convert_under_test(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, uint64_t way,
                       spw_tensor *result, spw_refusal *refusal);

#endif
