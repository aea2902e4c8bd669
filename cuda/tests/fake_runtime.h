/* SPDX-License-Identifier: Apache-2.0 */
/* A CUDA runtime in the real one's place, which does what it is told to. Memory of the device is memory
 * of the host, kernels run on the host engine at once, and any call can be made to fail. */
#ifndef CUDA_TESTS_FAKE_RUNTIME_H
#define CUDA_TESTS_FAKE_RUNTIME_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

typedef struct fake_runtime {
  /* What shall go wrong; all 0: nothing. */
  unsigned fail_at;         /* number of the call that gives `error`, from 1; 0: none */
  cudaError_t error;
  bool sticky;              /* every later call gives it, too: the context is gone */
  const char *missing;      /* launches and attributes of kernels with this in their name fail */
  const char *lost;         /* such a kernel is launched, and never runs */
  bool foreign_stream;      /* all streams belong to another device: copies work, launches do not */
  unsigned char allocated;  /* what new memory is filled with */

  /* What happened. */
  unsigned calls, launches, verdicts; /* verdicts: kernels that ran to their end */
  int allocations;                    /* not freed */
  bool failed;
} fake_runtime;

extern fake_runtime fake;

#endif
