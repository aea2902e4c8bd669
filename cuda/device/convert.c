/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of sparsewright_cuda.h that convert. */
#include "../sparsewright_cuda.h"
#include "errors.h"
#include "launch.h"

#include <string.h>

_Static_assert(sizeof(spw_cuda_converted) == sizeof(spw_convert_told), "what is fetched is the beginning of the workspace");

EXPORT int spw_cuda_convert_size(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                                 spw_refusal *refusal)
{
  spw_convert_plan plan;
  if (room == NULL) return SPW_EINVAL;
  const spw_status status = spw_convert_plan_make(tensor, wanted, &plan, refusal);
  if (status == SPW_OK) *room = plan.room;
  return status;
}

/* What stages tell begins as not run, but for what the host has decided of the check. */
static int start(const spw_convert_plan *plan, const spw_buffers *buffers, cudaStream_t stream)
{
  spw_convert_told *const told = buffers->work;
  int error = earlier_error();
  if (!error) error = returned(cudaMemsetAsync(told, 0xff, plan->begun, stream));
  if (error) return error;
  if (plan->check.kind == SPW_CHECK_DECIDED)
    error = returned(cudaMemsetAsync(&told->checked, plan->check.fill, plan->check.bytes, stream));
  else
    error = returned((cudaError_t)spw_cuda_launch_check(&plan->check, &told->checked, stream));
  return error ? error : returned((cudaError_t)spw_cuda_launch_convert(plan, buffers, stream));
}

EXPORT int spw_cuda_convert_start(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                  spw_cuda_stream stream, spw_refusal *refusal)
{
  spw_convert_plan plan;
  if (buffers == NULL) return SPW_EINVAL;
  spw_status status = spw_convert_plan_make(tensor, wanted, &plan, refusal);
  if (status == SPW_OK) status = spw_convert_plan_judge_buffers(&plan, buffers);
  return status == SPW_OK ? start(&plan, buffers, stream) : (int)status;
}

EXPORT int spw_cuda_convert_fetch(const void *workspace, spw_cuda_converted *told, spw_cuda_stream stream)
{
  if (workspace == NULL || told == NULL) return SPW_EINVAL;
  const int earlier = earlier_error();
  if (earlier) return earlier;
  return returned(cudaMemcpyAsync(told, workspace, sizeof *told, cudaMemcpyDeviceToHost, stream));
}

EXPORT int spw_cuda_convert_result(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                   const spw_cuda_converted *told, spw_tensor *result, spw_refusal *refusal)
{
  spw_convert_plan plan;
  spw_convert_told left;
  if (buffers == NULL || told == NULL || result == NULL) return SPW_EINVAL;
  const spw_status status = spw_convert_plan_make(tensor, wanted, &plan, refusal);
  if (status != SPW_OK) return status;
  memcpy(&left, told, sizeof left);
  return spw_convert_plan_read(&plan, &left, buffers, result, refusal);
}

/* ---- Host arrays ----------------------------------------------------------------------------- */

enum { IN_COMPRESSED, IN_PLAIN, IN_VALUES, OUT_COMPRESSED, OUT_PLAIN, OUT_VALUES, WORK, ARRAYS };

/* Memory of the device, with a copy of what lies on the host. */
static int upload(void **memory, const void *host, int64_t length, int64_t size)
{
  if (length <= 0) return 0;
  const size_t bytes = (size_t)length * (size_t)size;
  const int error = returned(cudaMalloc(memory, bytes));
  if (error || !host) return error;
  return returned(cudaMemcpy(*memory, host, bytes, cudaMemcpyHostToDevice));
}

static int download(void *host, const void *memory, int64_t length, int64_t size)
{
  if (length <= 0) return 0;
  return returned(cudaMemcpy(host, memory, (size_t)length * (size_t)size, cudaMemcpyDeviceToHost));
}

static int upload_indices(spw_index_array *a, void **memory)
{
  const bool narrow = a->array.dtype == SPW_INT32;
  const int error = upload(memory, narrow ? (const void *)a->i32 : (const void *)a->i64, a->array.length, narrow ? 4 : 8);
  if (narrow) a->i32 = *memory;
  else a->i64 = *memory;
  return error;
}

static int upload_all(spw_tensor *t, const spw_room *room, void **m)
{
  const int64_t index = room->index_dtype == SPW_INT32 ? 4 : 8;
  const bool dense = t->layout == SPW_DENSE;
  int error = !dense && t->layout != SPW_COO ? upload_indices(&t->compressed, &m[IN_COMPRESSED]) : 0;
  if (!error && !dense) error = upload_indices(&t->plain, &m[IN_PLAIN]);
  if (!error)
    error = upload(&m[IN_VALUES], t->values.data, t->values.array.length, spw_dtype_size(t->values.array.dtype));
  t->values.data = m[IN_VALUES];
  if (!error) error = upload(&m[OUT_COMPRESSED], NULL, room->compressed, index);
  if (!error) error = upload(&m[OUT_PLAIN], NULL, room->plain, index);
  if (!error) error = upload(&m[OUT_VALUES], NULL, room->values, spw_dtype_size(room->dtype));
  if (!error) error = upload(&m[WORK], NULL, (int64_t)room->work, 1);
  return error;
}

static spw_buffers buffers_over(const spw_buffers *host, const spw_room *room, void *const *m)
{
  spw_buffers b = {.dims = host->dims, .values = m[OUT_VALUES], .work = m[WORK], .room = *room};
  if (room->index_dtype == SPW_INT32) b.compressed_i32 = m[OUT_COMPRESSED], b.plain_i32 = m[OUT_PLAIN];
  else b.compressed_i64 = m[OUT_COMPRESSED], b.plain_i64 = m[OUT_PLAIN];
  return b;
}

static int download_all(const spw_buffers *host, const spw_room *room, void *const *m)
{
  const bool narrow = room->index_dtype == SPW_INT32;
  void *const c = narrow ? (void *)host->compressed_i32 : (void *)host->compressed_i64,
             *const p = narrow ? (void *)host->plain_i32 : (void *)host->plain_i64;
  int error = download(c, m[OUT_COMPRESSED], room->compressed, narrow ? 4 : 8);
  if (!error) error = download(p, m[OUT_PLAIN], room->plain, narrow ? 4 : 8);
  if (!error) error = download(host->values, m[OUT_VALUES], room->values, spw_dtype_size(room->dtype));
  return error;
}

/* Queue, fetch, wait. */
static int run_and_wait(const spw_convert_plan *plan, const spw_buffers *buffers, spw_cuda_converted *told)
{
  int error = start(plan, buffers, NULL);
  if (!error) error = spw_cuda_convert_fetch(buffers->work, told, NULL);
  const int waited = returned(cudaStreamSynchronize(NULL));
  return error ? error : waited;
}

/* With device memory in place of all arrays of `copy`. */
static int convert_there(spw_tensor *copy, const spw_conversion *wanted, const spw_buffers *host, const spw_room *room,
                         void **m, spw_convert_told *left)
{
  spw_convert_plan plan;
  spw_cuda_converted told;
  int error = earlier_error();
  if (!error) error = upload_all(copy, room, m);
  if (error) return error;
  const spw_buffers buffers = buffers_over(host, room, m);
  error = spw_convert_plan_make(copy, wanted, &plan, NULL);
  if (!error) error = run_and_wait(&plan, &buffers, &told);
  if (!error) memcpy(left, &told, sizeof *left);
  if (error || left->stages.done != plan.last) return error;
  const spw_room took = spw_convert_plan_took(&plan, left);
  return download_all(host, &took, m);
}

EXPORT int spw_cuda_convert_copied(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                   spw_tensor *result, spw_refusal *refusal)
{
  spw_convert_plan plan;
  spw_convert_told left;
  void *memory[ARRAYS] = {NULL};
  if (buffers == NULL || result == NULL) return SPW_EINVAL;
  spw_status status = spw_convert_plan_make(tensor, wanted, &plan, refusal);
  if (status == SPW_OK) status = spw_convert_plan_judge_buffers(&plan, buffers);
  if (status != SPW_OK) return status;
  spw_tensor copy = *tensor;
  int error = convert_there(&copy, wanted, buffers, &plan.room, memory, &left);
  for (int i = 0; i < ARRAYS; i++) {
    const int freed = memory[i] ? returned(cudaFree(memory[i])) : 0;
    if (!error) error = freed;
  }
  return error ? error : (int)spw_convert_plan_read(&plan, &left, buffers, result, refusal);
}
