/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel that loads as read-only what it has written. */
#ifndef CUDA_TESTS_METER_WRONG_H
#define CUDA_TESTS_METER_WRONG_H

#include "../host/engine.h"

extern const spw_engine_kernel *const meter_wrong;

#endif
