/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences in a caller's buffer, and the names and places that they are about. */
#ifndef SPW_TEXT_H
#define SPW_TEXT_H

#include "../sparsewright.h"

/* ---- Sentences --------------------------------------------------------------------------------- */

/* Text in a buffer of `length` bytes, which it never passes; `needed` counts what does not fit, too. */
typedef struct spw_sentence {
  char *text;
  size_t length, needed;
} spw_sentence;

/* An empty sentence. */
spw_sentence spw_sentence_in(char *text, size_t length);

void spw_say(spw_sentence *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Names ------------------------------------------------------------------------------------- */

bool spw_says_blocks(spw_layout layout);
bool spw_says_lines(spw_layout layout);
/* Of a compressed layout: */
const char *spw_line_name(spw_layout layout);    /* "row", "block column": what it stores one after another */
const char *spw_plain_name(spw_layout layout);   /* "columns": what its plain indices number */
const char *spw_type_word(int64_t dtype);        /* never null */
const char *spw_layout_word(int64_t layout);

/* "2x6", "scalar" without dimensions; many are "2 x 6", so that lines can be broken. */
void spw_say_sizes(spw_sentence *out, int64_t ndim, const int64_t *sizes);

/* "batch 3", or "batch [1, 0]" where there are several dimensions of batches. */
void spw_say_batch(spw_sentence *out, int64_t ndim, const int64_t *shape, int64_t batch);

/* The numbers joined by commas: where batch number `batch` lies along each dimension. */
void spw_say_batch_index(spw_sentence *out, int64_t ndim, const int64_t *shape, int64_t batch);

/* ---- Numbers of a tensor ------------------------------------------------------------------------- */

enum { SPW_INFERRED_DIMS = 1024 }; /* sizes with more are not said where they have to be inferred */

/* The size that a tensor has, that is inferred into `room`, or that a dense array's shape is; null if it has none. */
const int64_t *spw_size_or_inferred(const spw_tensor *tensor, int64_t room[SPW_INFERRED_DIMS], int64_t *ndim);

/* As spw_numbers_of; all are 0 where that refuses the tensor. */
spw_numbers spw_numbers_or_none(const spw_tensor *tensor);
int64_t spw_said_batch_dims(const spw_tensor *tensor); /* 0 where they are unknown */

/* ---- Elements ------------------------------------------------------------------------------------ */

/* The entries of an index array in one batch, or in one row of the indices of COO. */
typedef struct spw_entries {
  const spw_index_array *indices;
  int64_t first, stride, count;
} spw_entries;

/* Of an array whose shape rules hold. */
spw_entries spw_entries_of_batch(const spw_index_array *indices, int64_t batch);
spw_entries spw_entries_of_row(const spw_index_array *indices, int64_t row);
int64_t spw_entry(const spw_entries *entries, int64_t position);

/* The line of a batch that an element lies in, or -1 where rules 5.1 to 5.3 do not hold there. The shape rules do. O(lines). */
int64_t spw_line_of(const spw_tensor *tensor, int64_t batch, int64_t position);

/* ---- Sentences about violations and refusals ------------------------------------------------------ */

/* A violation, and the name of the array that it lies in. */
typedef struct spw_subject {
  spw_sentence *out;
  const spw_tensor *tensor;
  const spw_violation *violation;
  const char *name;
  long long position, lhs, rhs;
} spw_subject;

/* The array that it lies in, or null. */
const spw_array *spw_said_array(const spw_tensor *tensor, spw_member member);

/* Each says what is wrong, of its phase and its rules. */
void spw_say_type_violation(const spw_subject *about);
void spw_say_shape_violation(const spw_subject *about);
void spw_say_structure_violation(const spw_subject *about);

void spw_say_violation(spw_sentence *out, const spw_tensor *tensor, const spw_violation *violation);

/* What operand `number` of a refused operation is called. */
const char *spw_operand_name(const spw_refused *what, int number);

/* Each says why its operation was refused. */
void spw_say_refused_conversion(spw_sentence *out, const spw_refused *what, const spw_refusal *refusal);
void spw_say_refused_structure(spw_sentence *out, const spw_refused *what, const spw_refusal *refusal);
void spw_say_refused_product(spw_sentence *out, const spw_refused *what, const spw_refusal *refusal);
void spw_say_refused_elementwise(spw_sentence *out, const spw_refused *what, const spw_refusal *refusal);
void spw_say_refused_reduction(spw_sentence *out, const spw_refused *what, const spw_refusal *refusal);
void spw_say_refused_unary(spw_sentence *out, const spw_refused *what, const spw_refusal *refusal);

/* What is to be said of any operation. */
void spw_say_obstacle(spw_sentence *out, const spw_refused *what, const spw_refusal *refusal);

#endif
