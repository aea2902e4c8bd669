/* SPDX-License-Identifier: Apache-2.0 */
/* Words for what was found, and files by their names: the last part of sparsewright.h. Its functions are in
 * libsparsewright_io. */
#ifndef SPARSEWRIGHT_IO_H
#define SPARSEWRIGHT_IO_H

#include "sparsewright_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Sentences --------------------------------------------------------------------------------- */

/* Each function here writes one sentence without a full stop. At most `length` bytes are written to `text`, the zero
 * at the end included. The result is how many bytes the whole sentence has, without that zero: the sentence is cut where
 * it is not below `length`. `text` may be null where `length` is 0. Sentences are ASCII, but for what an spw_error or
 * `names` hold. They are for people: the words may change with any version. */

/* What a violation that the checker has found in `tensor` says, with its place and its numbers:
 * "plain_indices[3] in row 1: 7 is not below P = 6 columns". The tensor is the one that was checked, unchanged.
 * Rule 5.4 and 5.5 name the row (column, block row, block column) where rules 5.1 to 5.3 hold in the batch.
 * O(dimensions), and O(C) for rules 5.4 to 5.6. */
size_t spw_violation_text(const spw_tensor *tensor, const spw_violation *violation, char *text, size_t length);

/* Which operation was refused. */
typedef enum spw_operation {
  SPW_ANY_OPERATION = 0, /* not told: the sentence fits every one */
  SPW_CONVERTING,
  SPW_RESTRUCTURING,
  SPW_PERMUTING,
  SPW_MULTIPLYING, /* also with a prepared operand, and of two sparse ones */
  SPW_SAMPLING,    /* spw_sampled_multiply */
  SPW_COMBINING,   /* spw_elementwise */
  SPW_REDUCING
} spw_operation;

#define SPW_OPERATION_COUNT 8

/* What is known of a refused call. All but `operation` may be null: the sentence says less then. */
typedef struct spw_refused {
  spw_operation operation;
  const spw_tensor *a, *b, *c; /* the operands, in the order of the call. Restructuring: a is the one that the refusal names */
  const spw_conversion *conversion; /* what was wanted */
  const spw_elementwise_request *elementwise;
  const spw_reduction *reduction;
  const char *const *names; /* what the operands and then the result are called: 3 names, 4 of SPW_SAMPLING */
} spw_refused;

/* With the first two operands, and all else null: spw_refused what = SPW_REFUSED(SPW_CONVERTING, tensor, NULL);
 * what.conversion = &to; */
#ifdef __cplusplus
#define SPW_REFUSED(operation, a, b) (spw_refused{(operation), (a), (b), NULL, NULL, NULL, NULL, NULL})
#else
#define SPW_REFUSED(operation, a, b) ((spw_refused){(operation), (a), (b), NULL, NULL, NULL, NULL, NULL})
#endif

/* Why an operation gave `status`: the obstacle with its numbers, the broken rule with its place, or, where the status does
 * not come with a refusal, as spw_status_string. `what` and `refusal` may be null.
 * O(dimensions), O(C) where a rule is broken or a duplicate named, and O(nse) where a size has to be inferred. */
size_t spw_refusal_text(const spw_refused *what, spw_status status, const spw_refusal *refusal, char *text, size_t length);

/* Why a reader or a writer gave `status`: "line 3: ..." from *error, which it filled, or as spw_status_string. `error` may be
 * null. */
size_t spw_status_text(spw_status status, const spw_error *error, char *text, size_t length);

/* ---- Files by their names ------------------------------------------------------------------------ */

/* Reads the tensor that the file `path` holds, as the reader of its format does. The first bytes say the format, and the
 * ending of the name where they do not: .spw.json, .npz, .mtx, .mtx.gz, .npy; a .spw.jsonl file of one tensor is read, too.
 * The tensor takes at most `limit` bytes (0: spw_memory_limit of the file's size). It may be invalid: check it.
 * SPW_EIO: it cannot be read, or has more than 16 GiB (no regular file: 1 GiB). SPW_EFORMAT: no known format, or malformed.
 * Else as the reader. *out: with SPW_OK only. `error` may be null; its `where` begins with the file's name if that is short. */
spw_status spw_read_file(const char *path, size_t limit, spw_owned **out, spw_error *error);

/* Writes a tensor to the file `path`, in the format that the ending of the name says: .json, .jsonl, .npz, .mtx, .npy. The
 * file is written whole or stays as it was: the bytes go to a new file beside it that takes its place, and keeps the
 * permissions. What is no regular file is written to as it is.
 * SPW_EUNSUPPORTED: the name says no format, or the format cannot express the tensor. SPW_EIO: the file cannot be written.
 * Else as the writer. `error` may be null. */
spw_status spw_write_file(const char *path, const spw_tensor *tensor, spw_error *error);

/* ---- Names ------------------------------------------------------------------------------------- */

/* What the array of a violation is called: "compressed_indices", "plain_indices", "indices", "values"; "size", "layout". Null
 * for SPW_MEMBER_NONE and what is no member. */
const char *spw_member_name(spw_layout layout, spw_member member);

/* The same as PyTorch calls it: "crow_indices", "row_indices". */
const char *spw_member_torch_name(spw_layout layout, spw_member member);

#ifdef __cplusplus
}
#endif

#endif
