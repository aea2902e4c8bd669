/* SPDX-License-Identifier: Apache-2.0 */
/* fail_closed: the public functions, as compiled for a device, over a runtime that fails each call in
 * turn, lacks kernels, loses launches, or is given another device's stream. Whatever happens, an error is
 * told, outputs are left alone, memory is freed, the next call works, and nothing that did not run to
 * its end is read as valid. Exit code 0, and the last line says how often that was seen. */
#include "../../tests/operands/specimen.h"
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

/* ---- Conversions ----------------------------------------------------------------------------- */

typedef struct conversion {
  spw_tensor tensor, result;
  spw_conversion wanted;
  int64_t size[2], shape[3][2], strides[3][2];
  int32_t indices[8];
  double values[12];
  struct {
    int64_t dims[16];
    int32_t compressed[8], plain[24];
    double values[12];
    _Alignas(16) double work[1024];
  } out;
  spw_buffers buffers;
} conversion;

static spw_array array_over(conversion *x, int which, spw_dtype dtype, int64_t rows, int64_t entries)
{
  const int64_t shape[2] = {rows, entries}, strides[2] = {entries, 1};
  const int skip = rows == 0;
  memcpy(x->shape[which], shape + skip, sizeof shape - (size_t)skip * sizeof *shape);
  memcpy(x->strides[which], strides + skip, sizeof strides - (size_t)skip * sizeof *strides);
  const spw_array a = {dtype, 2 - skip, x->shape[which], x->strides[which], 0, skip ? entries : rows * entries};
  return a;
}

static const double three_elements[] = {1.5, -2, 3};

/* Three elements of a 3 x 4 matrix, from CSR or from COO to the other, from dense to CSR, or from CSR with a zero to CSR
 * without; one that is `wrong` has a column 9. */
static bool in_disorder; /* of COO, and not claimed to be in order */
static bool with_zeros;  /* of CSR, made canonical and pruned: its elements turned, and one that is zero */

static void make_conversion(conversion *x, spw_layout from, bool wrong)
{
  static const int32_t csr[] = {0, 2, 2, 3, 0, 3, 1}, coo[] = {0, 0, 2, 0, 3, 1};
  memset(x, 0, sizeof *x);
  static const int32_t disorder[] = {2, 0, 0, 1, 3, 0};
  static const int32_t zeros[] = {0, 3, 3, 4, 3, 2, 0, 1};
  const int stored = with_zeros ? 4 : 3;
  memcpy(x->indices, from == SPW_CSR ? csr : in_disorder ? disorder : coo, from == SPW_CSR ? sizeof csr : sizeof coo);
  if (with_zeros) memcpy(x->indices, zeros, sizeof zeros);
  if (wrong) x->indices[from == SPW_CSR ? 5 : 4] = 9;
  x->size[0] = 3, x->size[1] = 4;
  for (int k = 0; k < 3; k++) x->values[k] = three_elements[in_disorder ? 2 - k : k];
  if (with_zeros) x->values[0] = three_elements[1], x->values[1] = -0.0, x->values[2] = three_elements[0], x->values[3] = 3;
  x->tensor = (spw_tensor){.layout = from, .has_size = true, .ndim = 2, .size = x->size,
                           .coalesced = from != SPW_COO ? SPW_CLAIM_NONE : in_disorder ? SPW_CLAIM_NO : SPW_CLAIM_YES};
  if (from == SPW_CSR) x->tensor.compressed = (spw_index_array){array_over(x, 0, SPW_INT32, 0, 4), x->indices, NULL, NULL};
  x->tensor.plain = from == SPW_CSR ? (spw_index_array){array_over(x, 1, SPW_INT32, 0, stored), x->indices + 4, NULL, NULL}
                                    : (spw_index_array){array_over(x, 1, SPW_INT32, 2, 3), x->indices, NULL, NULL};
  x->tensor.values = (spw_value_array){array_over(x, 2, SPW_FLOAT64, 0, stored), x->values};
  x->wanted = (spw_conversion){.layout = from == SPW_CSR && !with_zeros ? SPW_COO : SPW_CSR, .batch_dims = -1, .dense_dims = -1,
                               .index_dtype = SPW_INT32, .prune = with_zeros, .canonicalize = with_zeros};
  if (from == SPW_DENSE) {
    memset(x->values, 0, sizeof x->values);
    x->values[0] = three_elements[0], x->values[3] = three_elements[1], x->values[9] = three_elements[2];
    x->tensor.values.array = array_over(x, 2, SPW_FLOAT64, 3, 4);
  }
  x->buffers = (spw_buffers){.dims = x->out.dims, .compressed_i32 = x->out.compressed, .plain_i32 = x->out.plain,
                             .values = x->out.values, .work = x->out.work};
  EXPECT(spw_cuda_convert_size(&x->tensor, &x->wanted, &x->buffers.room, NULL) == SPW_OK);
  EXPECT(x->buffers.room.dims <= 16 && x->buffers.room.work <= sizeof x->out.work);
  memset(&x->out, 0xaa, sizeof x->out);
  x->result.ndim = -7;
}

static bool outputs_untouched(const conversion *x)
{
  const unsigned char *const bytes = (const unsigned char *)&x->out;
  for (size_t i = 0; i < offsetof(conversion, out.work) - offsetof(conversion, out); i++)
    if (bytes[i] != 0xaa) return false;
  return x->result.ndim == -7;
}

static int convert(conversion *x, spw_refusal *refusal)
{
  return spw_cuda_convert_copied(&x->tensor, &x->wanted, &x->buffers, &x->result, refusal);
}

static void convert_clean(spw_layout from)
{
  static const int32_t csr[] = {0, 2, 2, 3}, columns[] = {0, 3, 1}, coo[] = {0, 0, 2, 0, 3, 1};
  conversion x;
  forget();
  make_conversion(&x, from, false);
  EXPECT(convert(&x, NULL) == SPW_OK && fake.allocations == 0);
  EXPECT(x.result.layout == x.wanted.layout && memcmp(x.out.values, three_elements, sizeof three_elements) == 0);
  EXPECT(x.result.layout == SPW_COO ? memcmp(x.out.plain, coo, sizeof coo) == 0
                         : memcmp(x.out.compressed, csr, sizeof csr) == 0 &&
                               memcmp(x.out.plain, columns, sizeof columns) == 0);
}

static void conversions_that_fail(spw_layout from)
{
  enum { MOST = 20 };
  static const char *const sorts[MOST] = {"verdict", "key", "count_digits", "scan_words", "scatter_digits", "mark_firsts",
                                          "choose", "compress", "sum", "spw", "find"};
  static const char *const others[][MOST] = {[SPW_COO] = {"verdict", "compress", "gather", "spw", "find"},
                                           [SPW_CSR] = {"verdict", "expand", "gather", "spw", "find"},
                                           [SPW_DENSE] = {"mark", "scan", "settle", "collect", "gather", "spw", "find"}};
  static const char *const prunes[MOST] = {"verdict", "expand", "key", "count_digits", "scan_words", "scatter_digits",
                                           "mark_firsts", "choose", "sum", "mark_told", "pick", "settle", "compress", "gather",
                                           "spw", "find"};
  const char *const *const kernels = with_zeros ? prunes : in_disorder ? sorts : others[from];
  conversion x;
  convert_clean(from);
  const unsigned calls = fake.calls;
  for (unsigned at = 1; at <= calls; at++) {
    situation = "a call of a conversion fails";
    forget();
    make_conversion(&x, from, false);
    fake.fail_at = at;
    fake.error = cudaErrorLaunchFailure;
    EXPECT(convert(&x, NULL) == cudaErrorLaunchFailure && x.result.ndim == -7 && fake.allocations == 0);
    (void)cudaGetLastError();
  }
  for (int k = 0; kernels[k]; k++) {
    const bool needed = strcmp(kernels[k], "find") != 0;
    situation = "a kernel of a conversion is missing or lost";
    forget();
    make_conversion(&x, from, false);
    fake.missing = kernels[k];
    if (needed || from != SPW_DENSE)
      EXPECT(convert(&x, NULL) == cudaErrorNoKernelImageForDevice && outputs_untouched(&x));
    EXPECT(spw_cuda_prepare() == cudaErrorNoKernelImageForDevice);
    forget();
    make_conversion(&x, from, false);
    fake.lost = kernels[k];
    EXPECT(convert(&x, NULL) == (needed ? SPW_EINVAL : SPW_OK) && (!needed || outputs_untouched(&x)));
  }
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  forget();
  if (from == SPW_DENSE) return;
  make_conversion(&x, from, true);
  EXPECT(convert(&x, &refusal) == SPW_EINVALID && outputs_untouched(&x));
  EXPECT(refusal.obstacle == SPW_OBSTACLE_RULE && refusal.violation.lhs == 9);
  convert_clean(from);
}

/* In a caller's stream, into memory that says whatever it says: only what ran to its end is a result. */
static void conversions_by_a_caller_who_looks_at_no_status(spw_layout from)
{
  situation = "errors of a conversion are ignored";
  for (unsigned at = 1; at < CALLS; at++) {
    conversion x;
    spw_cuda_converted told;
    make_conversion(&x, from, false);
    memset(&told, 0, sizeof told);
    memset(x.out.work, at % 2 ? 0 : SPW_CUDA_VALID & 0xff, sizeof x.out.work);
    forget();
    fake.fail_at = at;
    fake.error = cudaErrorNoKernelImageForDevice;
    (void)spw_cuda_convert_start(&x.tensor, &x.wanted, &x.buffers, NULL, NULL);
    (void)spw_cuda_convert_fetch(x.out.work, &told, NULL);
    const int status = spw_cuda_convert_result(&x.tensor, &x.wanted, &x.buffers, &told, &x.result, NULL);
    const bool failed = fake.failed;
    (void)cudaGetLastError();
    EXPECT(status == (failed ? SPW_EINVAL : SPW_OK) && (status == SPW_OK || x.result.ndim == -7));
    if (!failed) return;
  }
  EXPECT(!"a conversion makes few calls");
}

/* What the host refuses: no call of the runtime is made. */
static void conversions_that_are_refused(void)
{
  conversion x;
  situation = "a conversion is refused";
  for (int what = 0; what < 7; what++) {
    make_conversion(&x, SPW_CSR, false);
    forget();
    if (what == 0) x.buffers.room.values--;
    if (what == 1) x.buffers.room.plain--;
    if (what == 2) x.buffers.room.work--;
    if (what == 3) x.buffers.work = (char *)x.buffers.work + 8;
    if (what == 4) x.buffers.plain_i32 = (int32_t *)(void *)((char *)x.buffers.plain_i32 + 2);
    if (what == 5) x.buffers.dims = NULL;
    if (what == 6) x.buffers.room.index_dtype = SPW_INT64;
    EXPECT(spw_cuda_convert_start(&x.tensor, &x.wanted, &x.buffers, NULL, NULL) == SPW_EINVAL);
    EXPECT(convert(&x, NULL) == SPW_EINVAL && outputs_untouched(&x) && fake.calls == 0);
  }
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
  static const spw_layout from[] = {SPW_COO, SPW_CSR, SPW_DENSE, SPW_COO, SPW_CSR};
  for (int i = 0; i < 5; i++) {
    in_disorder = i == 3;
    with_zeros = i == 4;
    conversions_that_fail(from[i]);
    conversions_by_a_caller_who_looks_at_no_status(from[i]);
  }
  with_zeros = false;
  conversions_that_are_refused();
  spw_engine_release();
  printf("fail_closed: %u valid and %u invalid tensors, %lu expectations hold\n", valid, invalid,
         expectations);
  return 0;
}
