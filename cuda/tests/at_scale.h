/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs share that compare large tensors on every device: scale, scale_convert. */
#ifndef CUDA_TESTS_AT_SCALE_H
#define CUDA_TESTS_AT_SCALE_H

#include "../sparsewright_cuda.h"
#include "kernels_under_test.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

static void must(int status, const char *what)
{
  if (status == 0) return;
  fprintf(stderr, "at scale: %s: %s\n", what, spw_cuda_status_string(status));
  exit(1);
}

/* Compares with so many elements on a device, and says how often. */
typedef uint64_t at_scale(int device, int64_t elements);

/* On all devices, with the numbers of elements that the command names, or else the usual ones. Exit code 77 without a
 * device; otherwise `devices` is how many there are, and the comparisons are added up. */
static uint64_t on_every_device(at_scale *compare, int argc, char **argv, const int64_t *usual, int count, int *devices)
{
  const int status = spw_cuda_device_count(devices);
  if (spw_cuda_is_no_device(status)) {
    printf("no device, skipped: %s\n", spw_cuda_status_string(status));
    exit(SKIPPED);
  }
  must(status, "spw_cuda_device_count");
  uint64_t compared = 0;
  for (int device = 0; device < *devices; device++) {
    must((int)cudaSetDevice(device), "cudaSetDevice");
    must(spw_cuda_prepare(), "spw_cuda_prepare");
    for (int i = 0; i < (argc > 1 ? argc - 1 : count); i++)
      compared += compare(device, argc > 1 ? strtoll(argv[i + 1], NULL, 10) : usual[i]);
  }
  return compared;
}

#endif
