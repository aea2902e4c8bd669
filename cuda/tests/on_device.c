/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels_under_test.h"

#include "../sparsewright_cuda.h"

#include <stdio.h>

int kernels_under_test_tile; /* a device has the shipped one */

int kernels_under_test_begin(void)
{
  int count;
  const int status = spw_cuda_device_count(&count);
  if (status == 0) return 0;
  printf("%s: %s\n", spw_cuda_is_no_device(status) ? "no device, skipped" : "device error",
         spw_cuda_status_string(status));
  return spw_cuda_is_no_device(status) ? SKIPPED : 1;
}

void kernels_under_test_end(void)
{
}

int kernels_under_test(const spw_tensor *tensor, spw_level level, uint64_t way,
                       spw_violation *first)
{
  (void)way;
  return spw_cuda_first_violation_copied(tensor, level, first);
}

int convert_room_under_test(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room, spw_refusal *refusal)
{
  return spw_cuda_convert_size(tensor, wanted, room, refusal);
}

int convert_under_test(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, uint64_t way,
                       spw_tensor *result, spw_refusal *refusal)
{
  (void)way;
  return spw_cuda_convert_copied(tensor, wanted, buffers, result, refusal);
}
