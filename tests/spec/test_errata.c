/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the counterexample of every entry of spec/errata.def. */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/sparsewright.h"

enum { MAX_DIMS = 8 };

static void put_violated_rules(const spw_tensor *tensor, FILE *out)
{
  spw_report report;
  cr_assert(spw_check(tensor, SPW_CANONICAL, &report) == SPW_OK);
  const char *separator = "";
  for (int rule = 0; rule < (int)SPW_RULE_COUNT; rule++) {
    if (report.findings[rule].state != SPW_VIOLATED) continue;
    fprintf(out, "%s%s", separator, spw_rule_get((spw_rule)rule)->id);
    separator = " ";
  }
  if (report.valid && *separator) fputs(" in a valid tensor", out);
  if (!report.valid && !*separator) fputs("invalid without a violation", out);
}

static void put_size(const spw_tensor *tensor, FILE *out)
{
  int64_t size[MAX_DIMS], ndim = 0;
  cr_assert(spw_infer_size(tensor, size, MAX_DIMS, &ndim) == SPW_OK);
  for (int64_t d = 0; d < ndim; d++) fprintf(out, "%s%" PRId64, d ? "," : "", size[d]);
}

static void put_batches(const spw_tensor *tensor, FILE *out)
{
  spw_report report;
  cr_assert(spw_check(tensor, SPW_CANONICAL, &report) == SPW_OK);
  fprintf(out, "%" PRId64, report.batches);
}

static void put_plain_size(const spw_tensor *tensor, FILE *out)
{
  spw_report report;
  cr_assert(spw_check(tensor, SPW_CANONICAL, &report) == SPW_OK);
  fprintf(out, "%" PRId64, report.plain_size);
}

static int64_t bytes_of(const spw_array *array)
{
  return array->length * spw_dtype_size(array->dtype);
}

static int64_t bytes_of_members(const spw_tensor *tensor)
{
  int64_t bytes = bytes_of(&tensor->plain.array) + bytes_of(&tensor->values.array);
  if (tensor->layout != SPW_COO) bytes += bytes_of(&tensor->compressed.array);
  return bytes;
}

static void put_memory(const spw_tensor *tensor, FILE *out)
{
  fprintf(out, "%" PRId64, bytes_of_members(tensor));
}

static void put_saving(const spw_tensor *tensor, FILE *out)
{
  int64_t strided = spw_dtype_size(tensor->values.array.dtype);
  for (int64_t d = 0; d < tensor->ndim; d++) strided *= tensor->size[d];
  fprintf(out, "%.2f", (double)strided / (double)bytes_of_members(tensor));
}

/* The matrix of a compressed int64 tensor without batch or dense dimensions; free() it. */
static int64_t *dense_matrix(const spw_tensor *tensor)
{
  const bool by_rows = tensor->layout == SPW_CSR || tensor->layout == SPW_BSR;
  const spw_array *values = &tensor->values.array;
  const int64_t b0 = values->ndim == 3 ? values->shape[1] : 1;
  const int64_t b1 = values->ndim == 3 ? values->shape[2] : 1;
  const int64_t *compressed = tensor->compressed.i64, *plain = tensor->plain.i64;
  const int64_t *block = tensor->values.data;
  int64_t *matrix = calloc((size_t)(tensor->size[0] * tensor->size[1]), sizeof *matrix);
  cr_assert(matrix && values->dtype == SPW_INT64 && tensor->ndim == 2);
  for (int64_t i = 0; i + 1 < tensor->compressed.array.shape[0]; i++)
    for (int64_t k = compressed[i]; k < compressed[i + 1]; k++, block += b0 * b1)
      for (int64_t e = 0; e < b0 * b1; e++) {
        const int64_t row = (by_rows ? i : plain[k]) * b0 + e / b1;
        const int64_t column = (by_rows ? plain[k] : i) * b1 + e % b1;
        matrix[row * tensor->size[1] + column] = block[e];
      }
  return matrix;
}

static void put_dense(const spw_tensor *tensor, FILE *out)
{
  int64_t *matrix = dense_matrix(tensor);
  const int64_t columns = tensor->size[1];
  for (int64_t i = 0; i < tensor->size[0] * columns; i++) {
    const char *separator = i == 0 ? "" : i % columns ? " " : "; ";
    fprintf(out, "%s%" PRId64, separator, matrix[i]);
  }
  free(matrix);
}

/* What an entry's kind names: the text to compare with `expected`. */
typedef void observation(const spw_tensor *tensor, FILE *out);

#define VALID put_violated_rules
#define INVALID put_violated_rules
#define SIZE put_size
#define BATCHES put_batches
#define PLAIN_SIZE put_plain_size
#define DENSE put_dense
#define MEMORY put_memory
#define SAVING put_saving

static const struct erratum {
  const char *id, *kind;
  observation *observe;
  const char *expected;
  const char *json;
} errata[] = {
#define SPW_ERRATUM(id, document, says, right, kind, expected, ...)                                \
  {#id, #kind, kind, expected, #__VA_ARGS__},
#include "../../spec/errata.def"
#undef SPW_ERRATUM
};

static void run(const struct erratum *erratum)
{
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_read_json(erratum->json, strlen(erratum->json), 0, &owned, &error);
  cr_expect(status == SPW_OK, "%s: %s: %s", erratum->id, error.where, error.message);
  if (status != SPW_OK) return;
  const spw_tensor *tensor = spw_owned_tensor(owned);
  bool valid = false;
  cr_expect(spw_is_valid(tensor, SPW_SHAPE, &valid) == SPW_OK);
  const bool may_be_invalid = strcmp(erratum->kind, "INVALID") == 0;
  cr_expect(valid || may_be_invalid, "%s: a shape rule is violated", erratum->id);
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert(out);
  erratum->observe(tensor, out);
  fclose(out);
  cr_expect(strcmp(text, erratum->expected) == 0, "%s: expected \"%s\", got \"%s\"", erratum->id,
            erratum->expected, text);
  free(text);
  spw_owned_free(owned);
}

Test(errata, every_counterexample)
{
  const size_t count = sizeof errata / sizeof *errata;
  cr_assert(count >= 40);
  for (size_t n = 0; n < count; n++) run(&errata[n]);
}
