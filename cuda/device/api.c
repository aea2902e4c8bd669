/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of sparsewright_cuda.h. */
#include "../sparsewright_cuda.h"
#include "errors.h"
#include "launch.h"

#include <stdio.h>
#include <string.h>


_Static_assert(sizeof(spw_cuda_result) <= sizeof(spw_check_memory) &&
                   offsetof(spw_check_memory, rhs) == offsetof(spw_cuda_result, rhs),
               "a result is the beginning of the workspace");
_Static_assert(SPW_CUDA_VALID == SPW_WORD_VALID, "what callers compare with is what kernels write");

static const char *const status_names[] = {"SPW_OK", "SPW_EINVAL", "SPW_EOVERFLOW", "SPW_ENOMEM",
                                           "SPW_EFORMAT", "SPW_EUNSUPPORTED", "SPW_EIO",
                                           "SPW_EINVALID", "SPW_ERANGE"};

EXPORT const char *spw_cuda_status_string(int status)
{
  static _Thread_local char text[160];
  if (status > 0) {
    snprintf(text, sizeof text, "%s (%s)", cudaGetErrorName((cudaError_t)status),
             cudaGetErrorString((cudaError_t)status));
    return text;
  }
  const size_t number = (size_t)-(long)status;
  return number < sizeof status_names / sizeof *status_names ? status_names[number]
                                                             : "unknown status";
}

EXPORT bool spw_cuda_is_no_device(int status)
{
  return status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver ||
         status == cudaErrorStubLibrary || status == cudaErrorSystemDriverMismatch;
}

EXPORT int spw_cuda_device_count(int *count)
{
  int devices = 0;
  if (count == NULL) return SPW_EINVAL;
  const int error = returned(cudaGetDeviceCount(&devices));
  if (error) return error;
  if (devices < 1) return (int)cudaErrorNoDevice;
  *count = devices;
  return SPW_OK;
}

EXPORT int spw_cuda_prepare(void)
{
  const int earlier = earlier_error();
  if (earlier) return earlier;
  const int error = returned((cudaError_t)spw_cuda_load_kernels());
  return error ? error : returned((cudaError_t)spw_cuda_load_convert_kernels());
}

EXPORT int spw_cuda_check_bytes(const spw_tensor *tensor, spw_level level, size_t *bytes)
{
  spw_check_plan plan;
  if (bytes == NULL) return SPW_EINVAL;
  const spw_status status = spw_check_plan_make(tensor, level, &plan);
  if (status == SPW_OK) *bytes = plan.bytes;
  return status;
}

static int start(const spw_check_plan *plan, void *workspace, cudaStream_t stream)
{
  const int earlier = earlier_error();
  if (earlier) return earlier;
  const int error = returned(cudaMemsetAsync(workspace, plan->fill, plan->bytes, stream));
  if (error || plan->kind == SPW_CHECK_DECIDED) return error;
  return returned((cudaError_t)spw_cuda_launch_check(plan, workspace, stream));
}

EXPORT int spw_cuda_check_start(const spw_tensor *tensor, spw_level level, void *workspace,
                                size_t bytes, spw_cuda_stream stream)
{
  spw_check_plan plan;
  const spw_status status = spw_check_plan_make(tensor, level, &plan);
  if (status != SPW_OK) return status;
  if (workspace == NULL || bytes < plan.bytes || (uintptr_t)workspace % 8 != 0) return SPW_EINVAL;
  return start(&plan, workspace, stream);
}

EXPORT int spw_cuda_check_fetch(const void *workspace, spw_cuda_result *result,
                                spw_cuda_stream stream)
{
  if (workspace == NULL || result == NULL) return SPW_EINVAL;
  const int earlier = earlier_error();
  if (earlier) return earlier;
  return returned(
      cudaMemcpyAsync(result, workspace, sizeof *result, cudaMemcpyDeviceToHost, stream));
}

EXPORT int spw_cuda_check_result(const spw_tensor *tensor, spw_level level,
                                 const spw_cuda_result *result, spw_violation *first)
{
  spw_check_plan plan;
  if (result == NULL || first == NULL) return SPW_EINVAL;
  const spw_status status = spw_check_plan_make(tensor, level, &plan);
  if (status != SPW_OK) return status;
  return spw_check_plan_read(&plan, result->word, result->lhs, result->rhs, first);
}

/* Queue, fetch, wait. */
static int run_and_wait(const spw_check_plan *plan, void *workspace, cudaStream_t stream,
                        spw_cuda_result *result)
{
  int error = start(plan, workspace, stream);
  if (!error) error = spw_cuda_check_fetch(workspace, result, stream);
  const int waited = returned(cudaStreamSynchronize(stream));
  return error ? error : waited;
}

EXPORT int spw_cuda_first_violation(const spw_tensor *tensor, spw_level level,
                                    spw_cuda_stream stream, spw_violation *first)
{
  spw_check_plan plan;
  spw_cuda_result result = {0, 0, 0};
  void *workspace = NULL;
  if (first == NULL) return SPW_EINVAL;
  const spw_status status = spw_check_plan_make(tensor, level, &plan);
  if (status != SPW_OK) return status;
  int error = earlier_error();
  if (!error) error = returned(cudaMalloc(&workspace, plan.bytes));
  if (error) return error;
  error = run_and_wait(&plan, workspace, stream, &result);
  const int freed = returned(cudaFree(workspace));
  if (error || freed) return error ? error : freed;
  return spw_check_plan_read(&plan, result.word, result.lhs, result.rhs, first);
}

EXPORT int spw_cuda_is_valid(const spw_tensor *tensor, spw_level level, spw_cuda_stream stream,
                             bool *valid)
{
  spw_violation first;
  if (valid == NULL) return SPW_EINVAL;
  const int error = spw_cuda_first_violation(tensor, level, stream, &first);
  if (!error) *valid = first.rule == SPW_RULE_NONE;
  return error;
}

/* ---- Host arrays ----------------------------------------------------------------------------- */

/* Copies an index array to the device and points the view there. */
static int upload(spw_index_array *a, void **memory)
{
  const void *const host =
      a->array.dtype == SPW_INT32 ? (const void *)a->i32 : (const void *)a->i64;
  if ((a->array.dtype != SPW_INT32 && a->array.dtype != SPW_INT64) || a->array.length <= 0)
    return 0;
  const size_t bytes = (size_t)a->array.length * (size_t)spw_dtype_size(a->array.dtype);
  int error = returned(cudaMalloc(memory, bytes));
  if (!error) error = returned(cudaMemcpy(*memory, host, bytes, cudaMemcpyHostToDevice));
  if (a->array.dtype == SPW_INT32) a->i32 = *memory;
  else a->i64 = *memory;
  return error;
}

EXPORT int spw_cuda_first_violation_copied(const spw_tensor *tensor, spw_level level,
                                           spw_violation *first)
{
  spw_check_plan plan;
  spw_violation found;
  void *memory[2] = {NULL, NULL};
  if (first == NULL) return SPW_EINVAL;
  const spw_status status = spw_check_plan_make(tensor, level, &plan); /* refuses null arrays */
  if (status != SPW_OK) return status;
  spw_tensor copy = *tensor;
  int error = earlier_error();
  if (!error && copy.layout != SPW_COO) error = upload(&copy.compressed, &memory[0]);
  if (!error) error = upload(&copy.plain, &memory[1]);
  if (!error) error = spw_cuda_first_violation(&copy, level, NULL, &found);
  for (int i = 0; i < 2; i++) {
    const int freed = returned(cudaFree(memory[i]));
    if (!error) error = freed;
  }
  if (!error) *first = found;
  return error;
}
