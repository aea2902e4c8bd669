/* SPDX-License-Identifier: Apache-2.0 */
#include "target.h"

#include "../../src/core/size.h"
#include "../../tests/expected/oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fuzz_fail(const char *property, const char *format, ...)
{
  va_list args;
  fprintf(stderr, "FUZZ FAILURE: %s: ", property);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  abort();
}

bool fuzz_is_on(const char *variable)
{
  const char *const value = getenv(variable);
  return value && value[0] && strcmp(value, "0") != 0;
}

static const fuzz_counts *counted;

/* fuzz/runner/engines.py knows the second line. */
static void say_counts(void)
{
  fprintf(stderr, "%s:", counted->target);
  for (int i = 0; i < FUZZ_COUNTS && counted->what[i]; i++)
    fprintf(stderr, "%s %llu %s", i ? "," : "", counted->number[i], counted->what[i]);
  fputc('\n', stderr);
  if (counted->number[0] == 0) fputs("FUZZ: nothing was asked\n", stderr);
}

void fuzz_say_at_end(fuzz_counts *counts)
{
  if (!counted) atexit(say_counts);
  counted = counts;
}

const fuzz_model *fuzz_model_from(const uint8_t *data, size_t size)
{
  static fuzz_model model;
  return fuzz_decode(data, size, &model) ? &model : NULL;
}

static fuzz_tensor the_tensors[FUZZ_OPERANDS];

const fuzz_tensor *fuzz_tensor_from(const fuzz_model *model, int64_t number, double work)
{
  fuzz_tensor *const t = &the_tensors[number];
  if (number >= model->operands) return NULL;
  fuzz_build_whole(model, number, t);
  return fuzz_work(&t->tensor) <= work ? t : NULL;
}

const spw_tensor *fuzz_small_sparse(const fuzz_model *model, int64_t number)
{
  enum { WORK = 20000, SCALARS = 2000 };
  bool shape = false;
  const fuzz_tensor *t = fuzz_tensor_from(model, number, WORK);
  if (!t || !t->has_values || model->operand[number].kind == FUZZ_DENSE) return NULL;
  if (spw_is_valid(&t->tensor, SPW_SHAPE, &shape) == SPW_OK && shape && fuzz_volume(&t->tensor) > SCALARS) return NULL;
  return &t->tensor;
}

void fuzz_attempt_draws(const uint8_t *data, size_t size,
                        void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed))
{
  const fuzz_model *model = fuzz_model_from(data, size);
  const spw_tensor *x = model ? fuzz_small_sparse(model, 0) : NULL;
  for (int64_t i = 0; x && i < 4; i++) attempt(model, x, (uint64_t)fuzz_parameter(model, i, INT64_MAX));
}

const fuzz_tensor *fuzz_indices_from(const fuzz_model *model, int64_t number, double work)
{
  fuzz_tensor *const t = &the_tensors[number];
  if (number >= model->operands) return NULL;
  fuzz_build_without_values(model, number, t);
  return fuzz_work(&t->tensor) <= work ? t : NULL;
}

/* ---- The checker against itself -------------------------------------------------------------- */

static void expect_answers(const spw_tensor *x, spw_level level, const spw_report *report)
{
  spw_violation first;
  bool valid = !report->valid;
  if (spw_is_valid(x, level, &valid) != SPW_OK) fuzz_fail("spw_is_valid refuses", "%d", (int)level);
  if (valid != report->valid)
    fuzz_fail("spw_is_valid is not spw_check", "%d\n%s", valid, oracle_describe(x));
  if (spw_first_violation(x, level, &first) != SPW_OK)
    fuzz_fail("spw_first_violation refuses", "%d", (int)level);
  const spw_violation wanted = oracle_first_violation(report);
  const bool same = first.rule == wanted.rule &&
                    (first.rule == SPW_RULE_NONE ||
                     (first.member == wanted.member && first.batch == wanted.batch &&
                      first.position == wanted.position && first.lhs == wanted.lhs &&
                      first.rhs == wanted.rhs));
  if (!same)
    fuzz_fail("spw_first_violation is not spw_check", "rule %d position %lld\n%s", (int)first.rule,
              (long long)first.position, oracle_describe(x));
}

static void expect_sense(const spw_report *report, spw_level level)
{
  bool broken = false;
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    const spw_finding *f = &report->findings[rule];
    broken |= f->state == SPW_VIOLATED;
    if (f->state == SPW_VIOLATED && ((int)f->first.rule != rule || f->count < 1))
      fuzz_fail("a violation without a witness", "rule %d", rule);
    if (f->state == SPW_VIOLATED && spw_rule_get((spw_rule)rule)->phase > level)
      fuzz_fail("a rule above the level is judged", "rule %d", rule);
  }
  if (broken && report->valid) fuzz_fail("valid in spite of a violation", "level %d", (int)level);
}

const spw_report *fuzz_check_agrees(const spw_tensor *tensor)
{
  static spw_report report;
  for (int level = SPW_SHAPE; level <= SPW_CANONICAL; level++) {
    const spw_status status = spw_check(tensor, (spw_level)level, &report);
    if (status == SPW_EOVERFLOW) return NULL;
    if (status != SPW_OK) fuzz_fail("spw_check refuses", "%s", spw_status_string(status));
    expect_sense(&report, (spw_level)level);
    expect_answers(tensor, (spw_level)level, &report);
  }
  return &report;
}

/* ---- Comparing tensors ----------------------------------------------------------------------- */

static bool same_list(int64_t count, const int64_t *a, const int64_t *b)
{
  return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static bool same_array(const spw_array *a, const void *a_data, const spw_array *b,
                       const void *b_data)
{
  const size_t bytes = (size_t)a->length * (size_t)spw_dtype_size(a->dtype);
  return a->dtype == b->dtype && a->ndim == b->ndim && a->offset == b->offset &&
         a->length == b->length && same_list(a->ndim, a->shape, b->shape) &&
         same_list(a->ndim, a->strides, b->strides) &&
         (!a_data || bytes == 0 || memcmp(a_data, b_data, bytes) == 0);
}

const void *fuzz_index_data(const spw_index_array *a)
{
  if (a->array.dtype == SPW_INT32) return a->i32;
  return a->array.dtype == SPW_INT64 ? (const void *)a->i64 : a->raw;
}

static bool same_index_array(const spw_index_array *a, const spw_index_array *b)
{
  return same_array(&a->array, fuzz_index_data(a), &b->array, fuzz_index_data(b));
}

bool fuzz_same_tensor(const spw_tensor *a, const spw_tensor *b, bool values)
{
  return a->layout == b->layout && a->has_size == b->has_size &&
         (!a->has_size || (a->ndim == b->ndim && same_list(a->ndim, a->size, b->size))) &&
         a->index_dtype == b->index_dtype && a->dtype == b->dtype &&
         (a->layout != SPW_COO || a->coalesced == b->coalesced) &&
         (a->layout == SPW_COO || same_index_array(&a->compressed, &b->compressed)) &&
         same_index_array(&a->plain, &b->plain) &&
         same_array(&a->values.array, values ? a->values.data : NULL, &b->values.array,
                    b->values.data);
}

/* ---- Elements, wherever they lie ------------------------------------------------------------- */

int64_t fuzz_place_of(const spw_array *array, int64_t number)
{
  return array->offset + spw_position_of(array->shape, array->strides, array->ndim, number);
}

static const char *element_number(const spw_array *a, const void *data, int64_t number)
{
  return (const char *)data + fuzz_place_of(a, number) * spw_dtype_size(a->dtype);
}

static bool same_elements(const spw_array *a, const void *a_data, const spw_array *b,
                          const void *b_data)
{
  const size_t size = (size_t)spw_dtype_size(a->dtype);
  if (a->dtype != b->dtype || a->ndim != b->ndim || !same_list(a->ndim, a->shape, b->shape))
    return false;
  const int64_t count = spw_product(a->shape, a->ndim); /* 0 where an entry is, whatever the others are */
  for (int64_t i = 0; i < count; i++)
    if (memcmp(element_number(a, a_data, i), element_number(b, b_data, i), size) != 0) return false;
  return true;
}

bool fuzz_same_elements(const spw_tensor *a, const spw_tensor *b)
{
  const spw_index_array *ac = &a->compressed, *bc = &b->compressed, *ap = &a->plain, *bp = &b->plain;
  const bool sized = a->has_size && b->has_size, is_dense = a->layout == SPW_DENSE;
  return a->layout == b->layout &&
         (!sized || (a->ndim == b->ndim && same_list(a->ndim, a->size, b->size))) &&
         (a->layout == SPW_COO || is_dense ||
          same_elements(&ac->array, fuzz_index_data(ac), &bc->array, fuzz_index_data(bc))) &&
         (is_dense || same_elements(&ap->array, fuzz_index_data(ap), &bp->array, fuzz_index_data(bp))) &&
         same_elements(&a->values.array, a->values.data, &b->values.array, b->values.data);
}

/* Complex numbers are two. */
bool fuzz_same_storage(const uint8_t *bytes, const spw_value_array *values)
{
  const bool pair = values->array.dtype == SPW_COMPLEX64 || values->array.dtype == SPW_COMPLEX128;
  const size_t size = (size_t)(values->array.length * spw_dtype_size(values->array.dtype));
  const size_t width = (size_t)spw_dtype_size(values->array.dtype) / (pair ? 2 : 1);
  const unsigned char *data = values->data;
  bool same = true, swapped = true;
  for (size_t i = 0; i < size; i++) {
    same = same && bytes[i] == data[i];
    swapped = swapped && bytes[i] == data[i / width * width + (width - 1 - i % width)];
  }
  return same || swapped;
}
