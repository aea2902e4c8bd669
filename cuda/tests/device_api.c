/* SPDX-License-Identifier: Apache-2.0 */
/* device_api: the public functions of libsparsewright_cuda. Without a device every function that
 * needs one says so and leaves its outputs alone; with one the whole path is walked. Exit code 0,
 * and the last line says which of the two was seen. */
#include "../sparsewright_cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int expectations;

#define EXPECT(condition) \
  do { \
    expectations++; \
    if (condition) break; \
    printf("device_api: line %d: not so: %s\n", __LINE__, #condition); \
    exit(1); \
  } while (0)

static const int64_t one[] = {1}, size[] = {2, 6}, c_shape[] = {3}, p_shape[] = {4};
static const int64_t c[] = {0, 6, 4}, p[] = {0, 1, 2, 3};

static spw_tensor row_past_the_end(void)
{
  spw_tensor t = {
      .layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE};
  t.compressed = (spw_index_array){{SPW_INT64, 1, c_shape, one, 0, 3}, NULL, c, NULL};
  t.plain = (spw_index_array){{SPW_INT64, 1, p_shape, one, 0, 4}, NULL, p, NULL};
  t.values = (spw_value_array){{SPW_FLOAT32, 1, p_shape, one, 0, 4}, p};
  return t;
}

/* What needs no device. */
static void host_side(const spw_tensor *t)
{
  size_t bytes = 0;
  spw_cuda_result valid = {SPW_CUDA_VALID, 0, 0}, found = {0x30ull << 56, 1, 0},
                  not_run = {~0ull, 0, 0}, cleared = {0, 0, 0};
  spw_violation first = {SPW_RULE_5_6, SPW_MEMBER_NONE, 9, 9, 9, 9};
  EXPECT(spw_cuda_check_bytes(t, SPW_CANONICAL, &bytes) == SPW_OK && bytes >= sizeof valid &&
         bytes % 8 == 0);
  EXPECT(spw_cuda_check_bytes(NULL, SPW_CANONICAL, &bytes) == SPW_EINVAL);
  EXPECT(spw_cuda_check_bytes(t, SPW_CANONICAL, NULL) == SPW_EINVAL);
  EXPECT(spw_cuda_check_result(t, SPW_CANONICAL, NULL, &first) == SPW_EINVAL && first.batch == 9);
  EXPECT(spw_cuda_check_result(t, SPW_CANONICAL, &found, &first) == SPW_OK &&
         first.rule == SPW_RULE_5_1 && first.lhs == 1);
  EXPECT(spw_cuda_check_result(t, SPW_CANONICAL, &valid, &first) == SPW_OK &&
         first.rule == SPW_RULE_NONE);
  first.batch = 9;
  EXPECT(spw_cuda_check_result(t, SPW_CANONICAL, &not_run, &first) == SPW_EINVAL);
  EXPECT(spw_cuda_check_result(t, SPW_CANONICAL, &cleared, &first) == SPW_EINVAL && first.batch == 9);
  EXPECT(spw_cuda_check_start(t, SPW_CANONICAL, NULL, bytes, NULL) == SPW_EINVAL);
  EXPECT(spw_cuda_check_start(t, SPW_CANONICAL, &valid, bytes - 1, NULL) == SPW_EINVAL);
  EXPECT(spw_cuda_check_fetch(NULL, &valid, NULL) == SPW_EINVAL);
  EXPECT(!strcmp(spw_cuda_status_string(0), "SPW_OK") &&
         !strcmp(spw_cuda_status_string(SPW_EUNSUPPORTED), "SPW_EUNSUPPORTED"));
  EXPECT(!strcmp(spw_cuda_status_string(-99), "unknown status") &&
         strstr(spw_cuda_status_string(2), "cudaErrorMemoryAllocation"));
  EXPECT(!spw_cuda_is_no_device(0) && !spw_cuda_is_no_device(2) && spw_cuda_is_no_device(100));
}

static void without_device(const spw_tensor *t, int status)
{
  int count = 5;
  bool valid = true;
  long long room[16] = {7};
  spw_cuda_result result = {42, 1, 2};
  spw_violation first = {SPW_RULE_5_6, SPW_MEMBER_SIZE, 1, 2, 3, 4}, before = first;
  for (int again = 0; again < 3;
       again++) { /* an error does not stay behind and change the next answer */
    EXPECT(spw_cuda_device_count(&count) == status && count == 5);
    EXPECT(spw_cuda_first_violation(t, SPW_CANONICAL, NULL, &first) == status);
    EXPECT(spw_cuda_first_violation_copied(t, SPW_CANONICAL, &first) == status);
    EXPECT(memcmp(&first, &before, sizeof first) == 0);
    EXPECT(spw_cuda_is_valid(t, SPW_CANONICAL, NULL, &valid) == status && valid);
    EXPECT(spw_cuda_check_start(t, SPW_CANONICAL, room, sizeof room, NULL) == status &&
           room[0] == 7);
    EXPECT(spw_cuda_prepare() == status);
    EXPECT(spw_cuda_check_fetch(room, &result, NULL) == status && result.word == 42);
  }
}

static void with_device(const spw_tensor *t)
{
  spw_violation first, expected;
  int count = 0;
  EXPECT(spw_cuda_device_count(&count) == SPW_OK && count > 0);
  EXPECT(spw_first_violation(t, SPW_CANONICAL, &expected) == SPW_OK);
  for (int again = 0; again < 3; again++) { /* bad data leaves the context usable */
    EXPECT(spw_cuda_first_violation_copied(t, SPW_CANONICAL, &first) == SPW_OK);
    EXPECT(memcmp(&first, &expected, sizeof first) == 0);
  }
}

int main(void)
{
  const spw_tensor t = row_past_the_end();
  int count;
  const int status = spw_cuda_device_count(&count);
  host_side(&t);
  if (spw_cuda_is_no_device(status)) without_device(&t, status);
  else with_device(&t);
  printf("device_api: %d expectations hold, %s\n", expectations,
         status ? spw_cuda_status_string(status) : "on a device");
  return 0;
}
