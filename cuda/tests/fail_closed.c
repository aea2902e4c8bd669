/* SPDX-License-Identifier: Apache-2.0 */
/* fail_closed: the public functions, as compiled for a device, over a runtime that fails each call in
 * turn, lacks kernels, loses launches, or is given another device's stream. Whatever happens, an error is
 * told, outputs are left alone, memory is freed, the next call works, and nothing that did not run to
 * its end is read as valid. Exit code 0, and the last line says how often that was seen. */
#include "../../tests/specimen.h"
#include "../host/engine.h"
#include "../sparsewright_cuda.h"
#include "fake_runtime.h"
#include "rows.h"
#include "same_violation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TENSORS = 24, CALLS = 64, MOST_WORKSPACE = 4096 };

static unsigned long expectations;
static const char *situation = "";

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    expectations++;                                                                                \
    if (condition) break;                                                                          \
    printf("fail_closed: line %d: not so: %s (%s, call %u)\n", __LINE__, #condition, situation,    \
           fake.fail_at);                                                                          \
    exit(1);                                                                                       \
  } while (0)

static const spw_violation untouched = {SPW_RULE_5_6, SPW_MEMBER_SIZE, 11, 22, 33, 44};

static void forget(void)
{
  const unsigned char allocated = fake.allocated;
  memset(&fake, 0, sizeof fake);
  fake.allocated = allocated;
}

/* ---- The functions that wait ----------------------------------------------------------------- */

typedef int whole_check(const spw_tensor *t, spw_violation *first);

static int copied(const spw_tensor *t, spw_violation *first)
{
  return spw_cuda_first_violation_copied(t, SPW_CANONICAL, first);
}

static int in_place(const spw_tensor *t, spw_violation *first)
{
  return spw_cuda_first_violation(t, SPW_CANONICAL, NULL, first);
}

static void expect_clean(whole_check *check, const spw_tensor *t, spw_violation expected)
{
  spw_violation first = untouched;
  forget();
  EXPECT(check(t, &first) == SPW_OK && same_violation(first, expected));
  EXPECT(fake.allocations == 0);
}

/* Every call fails once, alone or with all that follow. */
static void fail_each_call(whole_check *check, const spw_tensor *t, spw_violation expected)
{
  static const cudaError_t errors[] = {
      cudaErrorMemoryAllocation, cudaErrorInvalidConfiguration, cudaErrorNoKernelImageForDevice,
      cudaErrorInvalidResourceHandle, cudaErrorIllegalAddress, cudaErrorLaunchFailure};
  expect_clean(check, t, expected);
  const unsigned calls = fake.calls;
  EXPECT(calls < CALLS);
  for (unsigned at = 1; at <= calls; at++)
    for (size_t e = 0; e < 2 * sizeof errors / sizeof *errors; e++) {
      spw_violation first = untouched;
      forget();
      fake.fail_at = at;
      fake.error = errors[e / 2];
      fake.sticky = e % 2;
      situation = "a call fails";
      EXPECT(check(t, &first) == (int)fake.error && same_violation(first, untouched));
      EXPECT(fake.failed && fake.allocations == 0);
      (void)cudaGetLastError(); /* a new context */
      expect_clean(check, t, expected);
    }
}

/* A kernel is missing for the architecture, or is launched and lost. */
static void fail_kernels(whole_check *check, const spw_tensor *t, spw_violation expected)
{
  static const char *const kernels[] = {"range", "verdict", "find", "spw"};
  expect_clean(check, t, expected);
  const unsigned launches = fake.launches;
  for (int k = 0; k < 4; k++) {
    spw_violation first = untouched;
    forget();
    fake.missing = kernels[k];
    situation = "a kernel is missing";
    const int status = check(t, &first);
    if (launches > 0 && k > 0) EXPECT(status == cudaErrorNoKernelImageForDevice);
    EXPECT(status == SPW_OK ? same_violation(first, expected) : same_violation(first, untouched));
    EXPECT(k == 0 || launches == 0 || spw_cuda_prepare() == cudaErrorNoKernelImageForDevice);
    first = untouched;
    forget();
    fake.lost = kernels[k];
    situation = "a launch is lost";
    const bool valid = check(t, &first) == SPW_OK && first.rule == SPW_RULE_NONE;
    EXPECT(!valid || (expected.rule == SPW_RULE_NONE && (launches == 0 || fake.verdicts > 0)));
    EXPECT(fake.allocations == 0);
  }
  spw_violation first = untouched;
  forget();
  fake.foreign_stream = true;
  situation = "another device's stream";
  const int status = check(t, &first);
  EXPECT(status == (launches > 0 ? (int)cudaErrorInvalidResourceHandle : SPW_OK));
}

/* ---- The asynchronous functions, by a caller who looks at no status --------------------------- */

static void ignore_errors(const spw_tensor *t, spw_violation expected)
{
  static const unsigned char fillings[] = {0, 0xff, 0xa5, SPW_CUDA_VALID & 0xff};
  static uint64_t workspace[MOST_WORKSPACE / 8];
  size_t bytes;
  EXPECT(spw_cuda_check_bytes(t, SPW_CANONICAL, &bytes) == SPW_OK && bytes <= sizeof workspace);
  for (unsigned at = 1; at < CALLS; at++)
    for (size_t f = 0; f < sizeof fillings; f++) {
      spw_violation first = untouched;
      spw_cuda_result result = {0, 0, 0};
      memset(workspace, fillings[f], sizeof workspace);
      forget();
      fake.fail_at = at;
      fake.error = cudaErrorNoKernelImageForDevice;
      situation = "errors are ignored";
      const int started = spw_cuda_check_start(t, SPW_CANONICAL, workspace, bytes, NULL);
      const bool filled = memcmp(workspace, &fillings[f], 1) != 0 || fake.launches > 0;
      if (started && !filled && f == 3) continue; /* as the header says: what it said before */
      (void)spw_cuda_check_fetch(workspace, &result, NULL);
      const int status = spw_cuda_check_result(t, SPW_CANONICAL, &result, &first);
      if (status == SPW_OK && first.rule == SPW_RULE_NONE)
        EXPECT(expected.rule == SPW_RULE_NONE && (fake.launches == 0 || fake.verdicts > 0));
      if (!fake.failed) {
        EXPECT(status == SPW_OK && same_violation(first, expected));
        (void)cudaGetLastError();
        if (f + 1 == sizeof fillings) return;
      }
      (void)cudaGetLastError();
    }
  EXPECT(!"a check makes few calls");
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static void one_tensor(const spw_tensor *t)
{
  spw_violation expected;
  EXPECT(spw_first_violation(t, SPW_CANONICAL, &expected) == SPW_OK);
  whole_check *const checks[] = {copied, in_place};
  for (int i = 0; i < 2; i++) {
    fail_each_call(checks[i], t, expected);
    fail_kernels(checks[i], t, expected);
  }
  ignore_errors(t, expected);
}

static void prepare_and_count(void)
{
  int count = 5;
  forget();
  EXPECT(spw_cuda_prepare() == SPW_OK && fake.launches == 0);
  const unsigned calls = fake.calls;
  EXPECT(calls >= 12); /* kernels */
  for (unsigned at = 1; at <= calls; at++) {
    forget();
    fake.fail_at = at;
    fake.error = cudaErrorNoDevice;
    EXPECT(spw_cuda_prepare() == cudaErrorNoDevice);
    (void)cudaGetLastError();
  }
  forget();
  fake.fail_at = 1;
  fake.error = cudaErrorInsufficientDriver;
  EXPECT(spw_cuda_device_count(&count) == cudaErrorInsufficientDriver && count == 5);
  forget();
  EXPECT(spw_cuda_device_count(&count) == SPW_OK && count == 2);
}

int main(void)
{
  static const unsigned char allocated[] = {SPW_CUDA_VALID & 0xff, 0xff, 0};
  unsigned valid = 0, invalid = 0, inferred = 0, coordinates = 0;
  dice d = {1};
  prepare_and_count();
  while (valid < TENSORS / 2 || invalid < TENSORS / 2 || inferred < 4 || coordinates < 4) {
    rows_tensor r;
    spw_violation expected;
    rows_make(&r, &d, ROWS_USUAL);
    const int64_t elements = r.tensor.plain.array.length + r.tensor.compressed.array.length;
    if (elements < 400 && spw_first_violation(&r.tensor, SPW_CANONICAL, &expected) == SPW_OK) {
      fake.allocated = allocated[(valid + invalid) % 3];
      one_tensor(&r.tensor);
      valid += expected.rule == SPW_RULE_NONE;
      invalid += expected.rule != SPW_RULE_NONE;
      inferred += !r.tensor.has_size;
      coordinates += r.tensor.layout == SPW_COO;
    }
    rows_free(&r);
  }
  spw_engine_release();
  printf("fail_closed: %u valid and %u invalid tensors, %lu expectations hold\n", valid, invalid,
         expectations);
  return 0;
}
