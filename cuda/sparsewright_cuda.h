/* SPDX-License-Identifier: Apache-2.0 */
/* sparsewright_cuda.h -- the checker, and conversions, on a CUDA device, as libsparsewright_cuda.
 *
 * The same tensor, the same verdict and the same first violation as spw_first_violation gives, bit
 * for bit, with the index arrays in device memory: compressed.i32 or i64 and plain.i32 or i64 are
 * then device pointers. Shapes, strides and the size stay on the host. The arrays may hold
 * anything: nothing outside them is read, no assertion fails on the device, and the context stays
 * usable.
 *
 *     spw_cuda_check_bytes(&tensor, level, &bytes);       once; workspace: device memory
 *     spw_cuda_check_start(&tensor, level, workspace, bytes, stream);       asynchronous
 *     spw_cuda_check_fetch(workspace, result, stream);                      asynchronous
 *     ... anything else; then wait for the stream ...
 *     spw_cuda_check_result(&tensor, level, result, &first);                host only
 *
 * spw_cuda_first_violation does all of this and waits.
 *
 * Every function returns 0, a negative spw_status, or a positive cudaError_t;
 * spw_cuda_status_string names it. On a machine without a driver or a device they return CUDA's
 * own error for that (spw_cuda_is_no_device), and leave their outputs alone, as with any other
 * error. The CUDA runtime is part of the library, with a last error of its own: what
 * cudaPeekAtLastError tells the caller is another. An error that ended the context is returned by
 * each call after it. All functions may be called from any thread and use the current device. */
#ifndef SPARSEWRIGHT_CUDA_H
#define SPARSEWRIGHT_CUDA_H

#include "sparsewright.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cudaStream_t; null is the default stream. */
typedef struct CUstream_st *spw_cuda_stream;

/* What a check leaves at the start of its workspace, and what spw_cuda_check_fetch copies. The
 * word is SPW_CUDA_VALID exactly when every rule up to the level holds; a kernel of the caller
 * that runs later on the same stream may read it there. A queued check first makes something else of
 * it, and only what has judged the whole tensor writes that word: after a launch that failed, or
 * kernels that did not end, it is not there. Where spw_cuda_check_start gives an error it may not even
 * have come so far, and the workspace says what it said before. The rest is for
 * spw_cuda_check_result. */
typedef struct spw_cuda_result {
  unsigned long long word;
  int64_t lhs, rhs;
} spw_cuda_result;

#define SPW_CUDA_VALID 0xd6d6d6d6d6d6d6d6ull

/* "SPW_EINVAL", "cudaErrorNoDevice (no CUDA-capable device is detected)" ...; never null. */
const char *spw_cuda_status_string(int status);

/* Does this status say that there is nothing to run on: no driver, too old a driver, or no
 * device? */
bool spw_cuda_is_no_device(int status);

/* Number of devices, at least 1 where 0 is returned. */
int spw_cuda_device_count(int *count);

/* Loads the kernels on the current device now, and says whether it can run them. Without it the first
 * check on a device does, which takes longer, and may synchronise; call it before a capture, or before
 * what is timed. */
int spw_cuda_prepare(void);

/* Bytes of workspace that a check of this tensor needs. Also SPW_EINVAL and SPW_EOVERFLOW, as
 * spw_first_violation has them, and SPW_EUNSUPPORTED for tensors beyond what the kernels handle:
 * more than 64 sparse dimensions, or 64 batch dimensions along which the index arrays move, or
 * 2^56 indices. SPW_EINVAL also for an index array at an address that is no multiple of its elements'
 * size. Reads no device memory and needs no device. */
int spw_cuda_check_bytes(const spw_tensor *tensor, spw_level level, size_t *bytes);

/* Queues a check on `stream`: one fill of the workspace and at most three kernels; no allocation,
 * no synchronisation, and all of it can be captured in a graph. The graph keeps a copy of shapes
 * and pointers; the contents of the index arrays are read when it runs, and must not change until
 * the check has finished. `workspace` is device memory of at least the bytes asked for, a
 * multiple of 8, and belongs to the check until then: one for each check under way. SPW_EINVAL
 * for too little of it. */
int spw_cuda_check_start(const spw_tensor *tensor, spw_level level, void *workspace, size_t bytes,
                         spw_cuda_stream stream);

/* Queues the copy of the result to `result` on the host; asynchronous if that is pinned memory. */
int spw_cuda_check_fetch(const void *workspace, spw_cuda_result *result, spw_cuda_stream stream);

/* The first violation that a fetched result stands for; first->rule is SPW_RULE_NONE for a valid
 * tensor. Tensor and level must be those of spw_cuda_check_start; the index arrays are not read.
 * SPW_EINVAL when the result is none that a check leaves. Needs no device. */
int spw_cuda_check_result(const spw_tensor *tensor, spw_level level, const spw_cuda_result *result,
                          spw_violation *first);

/* The whole of it, with a workspace of its own: waits for `stream`. */
int spw_cuda_first_violation(const spw_tensor *tensor, spw_level level, spw_cuda_stream stream,
                             spw_violation *first);
int spw_cuda_is_valid(const spw_tensor *tensor, spw_level level, spw_cuda_stream stream,
                      bool *valid);

/* The same for a tensor whose index arrays lie on the host: they are copied to the device, `length`
 * elements each, and freed there afterwards. */
int spw_cuda_first_violation_copied(const spw_tensor *tensor, spw_level level,
                                    spw_violation *first);

/* ---- Conversions ----------------------------------------------------------------------------- */

/* The same bits as spw_convert gives, in device memory, but for payload and sign of a NaN that a sum makes. There are
 * kernels for
 *   CSR, CSC, BSR, BSC, with batches of any strides, to each other, to COO and to dense, and made canonical
 *   COO to each of these, its leading sparse dimensions to batches
 *   dense, of any strides, to the others, by what compares != 0 or by bits
 * What lies at one position, of COO that does not claim to be coalesced or of lines that are made canonical, becomes the first,
 * the last, or the sum in order of storage, or is refused. All of it is done, and pruned,
 * with a size, values of any type, strides and dense dimensions, and either index type. SPW_EUNSUPPORTED: a sparse tensor without
 * a size; more cells of a dense array than the index type can number, and more elements where only kernels can tell how many of
 * them the result has; int32 indices where a batch dimension, or the size and the elements of what is made of blocks, are beyond
 * them, though int64 is wanted; values to be summed that are not aligned as their type is.
 *
 *     spw_cuda_convert_size(&tensor, &wanted, &room, &refusal);                 host only
 *     ... buffers: as spw_buffers has them, in device memory, but `dims`, which lies on the host ...
 *     spw_cuda_convert_start(&tensor, &wanted, &buffers, stream, &refusal);     asynchronous
 *     spw_cuda_convert_fetch(buffers.work, told, stream);                       asynchronous
 *     ... anything else; then wait for the stream ...
 *     spw_cuda_convert_result(&tensor, &wanted, &buffers, told, &result, &refusal);   host only
 *
 * The tensor is checked first, by the kernels of the check, on the same stream: where it is not valid, nothing is written to
 * the outputs; where a launch or a copy failed, there is no result, but what came before it may have been written. Values have
 * to be in device memory, too: SPW_EINVAL where they are null and have a length. */

/* What a conversion leaves at the start of its workspace; for spw_cuda_convert_result. */
typedef struct spw_cuda_converted {
  unsigned long long words[12];
} spw_cuda_converted;

/* As spw_convert_size: what the result takes, and the workspace. From dense, where positions may repeat, elements become
 * blocks, or cells are pruned, it is an upper bound: spw_cuda_convert_result tells how many cells are stored. Of the rules
 * those of shapes alone are judged (SPW_EINVALID), and obstacles that numbers tell (SPW_ERANGE). No device memory is read. */
int spw_cuda_convert_size(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                          spw_refusal *refusal);

/* Queues check and conversion on `stream`: at most two fills and some kernels; no allocation, no synchronisation,
 * and all of it can be captured in a graph. Until it has finished the tensor's arrays must not change, and
 * the buffers belong to it; none of them may overlap another or the tensor. Behind what a counted result takes buffers
 * stay as they are. The workspace lies at a multiple of 16.
 * SPW_EINVAL for too short or misaligned buffers. */
int spw_cuda_convert_start(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                           spw_cuda_stream stream, spw_refusal *refusal);

/* Queues the copy of what the conversion tells to `told` on the host. */
int spw_cuda_convert_fetch(const void *workspace, spw_cuda_converted *told, spw_cuda_stream stream);

/* *result: views of the buffers, with sizes and strides in buffers->dims. SPW_EINVALID: the tensor breaks the rule of
 * refusal->violation. SPW_ERANGE: batches have different numbers of cells, or elements
 * that are to be refused lie at one position. SPW_EINVAL: the conversion did not come to its end. The same tensor, request
 * and buffers as when it was started; no device memory is read. */
int spw_cuda_convert_result(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                            const spw_cuda_converted *told, spw_tensor *result, spw_refusal *refusal);

/* The whole of it for a tensor and buffers on the host: what is needed is copied to the device, and back. */
int spw_cuda_convert_copied(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                            spw_tensor *result, spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
