/* SPDX-License-Identifier: Apache-2.0 */
/* Violations and refusals in words, and files by their names: the last part of sparsewright.h, for callers in C. The
 * functions are in libsparsewright_io. */
#ifndef SPARSEWRIGHT_IO_H
#define SPARSEWRIGHT_IO_H

#include "sparsewright_unary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Sentences --------------------------------------------------------------------------------- */

/* Each function here writes one sentence without a full stop to `text`: at most `length` bytes, with the zero at the
 * end. It returns the bytes of the whole sentence without that zero; a result of `length` or more means that the
 * sentence is cut. `text` may be null if `length` is 0. Sentences are ASCII, except what an spw_error or `names` hold.
 * They are for people: the words may change with any version. */

/* Writes a violation that the checker found in `tensor`, with its place and its numbers: "plain_indices[3] in row 1: 7
 * is not below P = 6 columns". The tensor must be the checked one, unchanged. Rules 5.4 and 5.5 name the row (column,
 * block row, block column) if rules 5.1 to 5.3 hold in the batch. O(dimensions), and O(C) for rules 5.4 to 5.6. */
size_t spw_violation_text(const spw_tensor *tensor, const spw_violation *violation, char *text, size_t length);

/* The refused operation. */
typedef enum spw_operation {
  SPW_ANY_OPERATION = 0, /* not named: the sentence fits every operation */
  SPW_CONVERTING,
  SPW_RESTRUCTURING,
  SPW_PERMUTING,
  SPW_MULTIPLYING, /* with a prepared operand and of two sparse ones too */
  SPW_SAMPLING,    /* spw_sampled_multiply */
  SPW_COMBINING,   /* spw_elementwise */
  SPW_REDUCING,
  SPW_MAPPING      /* spw_unary */
} spw_operation;

#define SPW_OPERATION_COUNT 9

/* A refused call. All members but `operation` may be null: the sentence then says less. */
typedef struct spw_refused {
  spw_operation operation;
  const spw_tensor *a, *b, *c; /* the operands, in the order of the call. Restructuring: a is the one that the refusal names */
  const spw_conversion *conversion; /* what was requested */
  const spw_elementwise_request *elementwise;
  const spw_reduction *reduction;
  const char *const *names; /* names of the operands and then of the result: 3 names, 4 for SPW_SAMPLING */
  const spw_unary_request *unary;
} spw_refused;

/* With the first two operands, and all else null: spw_refused what = SPW_REFUSED(SPW_CONVERTING, tensor, NULL);
 * what.conversion = &to; */
#ifdef __cplusplus
#define SPW_REFUSED(operation, a, b) (spw_refused{(operation), (a), (b), NULL, NULL, NULL, NULL, NULL, NULL})
#else
#define SPW_REFUSED(operation, a, b) ((spw_refused){(operation), (a), (b), NULL, NULL, NULL, NULL, NULL, NULL})
#endif

/* Writes why an operation returned `status`: the obstacle with its numbers, or the broken rule with its place. A status
 * without a refusal gives the text of spw_status_string. `what` and `refusal` may be null.
 * O(dimensions), O(C) if a rule is broken or a duplicate is named, and O(nse) if a size has to be inferred. */
size_t spw_refusal_text(const spw_refused *what, spw_status status, const spw_refusal *refusal, char *text, size_t length);

/* Writes why a reader or a writer returned `status`: "line 3: ..." from *error, which it filled, otherwise the text of
 * spw_status_string. `error` may be null. */
size_t spw_status_text(spw_status status, const spw_error *error, char *text, size_t length);

/* ---- Files by their names ------------------------------------------------------------------------ */

/* Reads the tensor in the file `path`, as the reader of its format does. The first bytes decide the format, otherwise
 * the ending of the name: .spw.json, .npz, .pt, .mtx, .mtx.gz, .npy. A .spw.jsonl or .pt file must have one tensor. It may
 * be invalid: check it. Free *out with spw_owned_free. It takes at most `limit` bytes (0: spw_memory_limit of the
 * file's size). `error` may be null; its `where` begins with the file's name if that is short.
 *   SPW_EIO      the file cannot be read, or has more than 16 GiB (1 GiB if it is no regular file)
 *   SPW_EFORMAT  the format is unknown, or the file is malformed
 * Otherwise the status of the reader. *out is written with SPW_OK only. */
spw_status spw_read_file(const char *path, size_t limit, spw_owned **out, spw_error *error);

/* Writes a tensor to the file `path`, in the format of the ending of its name: .json, .jsonl, .npz, .mtx, .npy. The
 * file is written whole or stays as it was: the bytes go to a new file beside it that replaces it and keeps its
 * permissions. Anything but a regular file is written to directly. `error` may be null.
 *   SPW_EUNSUPPORTED  the name has no known ending, or the format cannot express the tensor
 *   SPW_EIO           the file cannot be written
 * Otherwise the status of the writer. */
spw_status spw_write_file(const char *path, const spw_tensor *tensor, spw_error *error);

/* ---- Names ------------------------------------------------------------------------------------- */

/* The name of the array of a violation: "compressed_indices", "plain_indices", "indices", "values"; "size", "layout".
 * Null for SPW_MEMBER_NONE and for no member. */
const char *spw_member_name(spw_layout layout, spw_member member);

/* The name in PyTorch: "crow_indices", "row_indices". */
const char *spw_member_torch_name(spw_layout layout, spw_member member);

#ifdef __cplusplus
}
#endif

#endif
