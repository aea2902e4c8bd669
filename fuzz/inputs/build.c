/* SPDX-License-Identifier: Apache-2.0 */
/* A model as a tensor in memory. Every storage ends where its memory ends, and what lies before it
 * is poisoned, so that a sanitizer sees a read outside of it. */
#include "model.h"
#include "violations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __has_feature
#if __has_feature(address_sanitizer) || defined FUZZ_UNDER_ASAN
#include <sanitizer/asan_interface.h>
#define HIDE(at, size) __asan_poison_memory_region(at, size)
#define SHOW(at, size) __asan_unpoison_memory_region(at, size)
#elif __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define HIDE(at, size) __msan_poison(at, size)
#define SHOW(at, size) __msan_unpoison(at, size)
#endif
#endif
#ifndef HIDE
#define HIDE(at, size) ((void)(at), (void)(size))
#define SHOW(at, size) ((void)(at), (void)(size))
#endif

enum { MEMORY = FUZZ_ELEMENTS * 16, HIDDEN = 4096 };

/* MEMORY bytes a member of each operand, kept for the life of the process. */
static char *memory_of(int64_t number, int member)
{
  static char *memory[FUZZ_OPERANDS][FUZZ_MEMBERS];
  char **const place = &memory[number][member];
  if (!*place) *place = malloc(MEMORY);
  if (!*place) {
    fputs("fuzz: no memory\n", stderr);
    exit(70);
  }
  return *place;
}

/* Where a storage of so many bytes lies. */
static char *place_for(int64_t number, int member, size_t bytes)
{
  char *at = memory_of(number, member) + MEMORY - bytes;
  const size_t before = (size_t)(MEMORY - bytes) < HIDDEN ? MEMORY - bytes : HIDDEN;
  SHOW(at, bytes);
  HIDE(at - before, before);
  return at;
}

/* Of a word beyond the literals. */
static uint64_t number_of(const fuzz_contents *c, int64_t w)
{
  const uint64_t steps = (uint64_t)(c->period > 0 ? w % c->period : w);
  return (uint64_t)c->start + steps * (uint64_t)c->step;
}

/* Sizes that the compiler knows: a copy is then one instruction and no call. */
static void put_word(char *at, size_t size, uint64_t word)
{
  switch (size) {
    case 1: memcpy(at, &word, 1); break;
    case 2: memcpy(at, &word, 2); break;
    case 4: memcpy(at, &word, 4); break;
    default: memcpy(at, &word, 8); break;
  }
}

static char *fill(int64_t number, int member, const fuzz_contents *c, spw_dtype dtype,
                  int64_t length)
{
  const size_t element = spw_dtype_size(dtype) ? (size_t)spw_dtype_size(dtype) : 1;
  const int64_t words = length * fuzz_words(dtype);
  const size_t size = element > 8 ? 8 : element;
  char *at = place_for(number, member, (size_t)length * element);
  int64_t w = 0;
  for (; w < words && w < c->count; w++)
    put_word(at + (size_t)w * size, size, (uint64_t)c->literal[w]);
  for (; w < words && c->classes; w++)
    put_word(at + (size_t)w * size, size, fuzz_draw(dtype, c->classes, number_of(c, w)));
  for (const uint64_t mask = dtype == SPW_BOOL ? 1 : UINT64_MAX; w < words; w++)
    put_word(at + (size_t)w * size, size, number_of(c, w) & mask);
  for (int64_t i = 0; i < c->patches; i++)
    if (c->at[i] < words) put_word(at + (size_t)c->at[i] * size, size, (uint64_t)c->value[i]);
  return at;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static int64_t limited(__int128 length)
{
  if (length < 0) return 0;
  return length > INT64_MAX ? INT64_MAX : (int64_t)length;
}

/* One more than the last element that shape, strides and offset reach. */
static int64_t reach(const fuzz_member *m, const int64_t *strides)
{
  __int128 last = m->offset;
  for (int64_t d = 0; d < m->ndim; d++) {
    if (m->shape[d] <= 0) return limited(m->offset);
    last += (__int128)(m->shape[d] - 1) * strides[d];
    if (last > INT64_MAX || last < INT64_MIN) return limited(last);
  }
  return limited(last + 1);
}

static void lay_out(const fuzz_member *m, spw_array *array, int64_t *strides)
{
  int64_t stride = 1;
  for (int64_t d = m->ndim - 1; d >= 0; d--) {
    strides[d] = m->c_order ? stride : m->strides[d];
    if (__builtin_mul_overflow(stride, m->shape[d] > 1 ? m->shape[d] : 1, &stride))
      stride = INT64_MAX;
  }
  *array = (spw_array){m->dtype, m->ndim, m->shape, strides, m->offset, m->length};
  if (m->fits) array->length = reach(m, strides);
}

static void build_indices(const fuzz_operand *o, int64_t number, int member, fuzz_tensor *t)
{
  const fuzz_member *m = &o->free.members[member];
  spw_index_array *a = member == FUZZ_PLAIN ? &t->tensor.plain : &t->tensor.compressed;
  lay_out(m, &a->array, t->strides[member]);
  if (a->array.length > FUZZ_ELEMENTS) a->array.length %= FUZZ_ELEMENTS + 1;
  const void *data = fill(number, member, &m->contents, m->dtype, a->array.length);
  a->i32 = m->dtype == SPW_INT32 ? data : NULL;
  a->i64 = m->dtype == SPW_INT64 ? data : NULL;
  a->raw = data;
}

/* Values that may not be read: the checker never does. */
static void hide_values(int64_t number, fuzz_tensor *t)
{
  t->tensor.values.data = place_for(number, FUZZ_VALUES, 0);
  t->has_values = false;
}

static void lay_out_values(const fuzz_operand *o, int64_t number, fuzz_tensor *t)
{
  lay_out(&o->free.members[FUZZ_VALUES], &t->tensor.values.array, t->strides[FUZZ_VALUES]);
  hide_values(number, t);
}

static void build_free(const fuzz_operand *o, int64_t number, fuzz_tensor *t)
{
  const fuzz_free *free = &o->free;
  t->tensor = (spw_tensor){.layout = free->layout, .has_size = free->has_size, .ndim = free->ndim,
                           .size = free->size, .index_dtype = free->index_dtype,
                           .dtype = free->dtype, .coalesced = free->coalesced};
  if (free->layout != SPW_COO) build_indices(o, number, FUZZ_COMPRESSED, t);
  build_indices(o, number, FUZZ_PLAIN, t);
  lay_out_values(o, number, t);
}

/* COO without sparse dimensions, and so without an index. */
static void build_dense(const fuzz_operand *o, int64_t number, fuzz_tensor *t)
{
  static const int64_t strides[] = {1, 1};
  const fuzz_member *values = &o->free.members[FUZZ_VALUES];
  t->no_indices[0] = 0;
  t->no_indices[1] = values->ndim > 0 ? values->shape[0] : 0;
  t->tensor = (spw_tensor){.layout = SPW_COO, .coalesced = SPW_CLAIM_NONE};
  t->tensor.plain.array = (spw_array){SPW_INT64, 2, t->no_indices, strides, 0, 0};
  lay_out_values(o, number, t);
}

static void build_specimen(const fuzz_operand *o, int64_t number, fuzz_tensor *t)
{
  const fuzz_built *built = &o->built;
  dice d = {(uint64_t)built->seed};
  specimen_make(&t->specimen, &built->plan, &d);
  t->specimen.tensor.values.array.dtype = built->dtype;
  if (built->plan.declares) t->specimen.tensor.dtype = built->dtype;
  t->tensor = t->specimen.tensor;
  hide_values(number, t);
}

void fuzz_build(const fuzz_model *model, int64_t number, fuzz_tensor *tensor)
{
  const fuzz_operand *o = &model->operand[number];
  if (o->kind == FUZZ_BUILT) build_specimen(o, number, tensor);
  else if (o->kind == FUZZ_DENSE) build_dense(o, number, tensor);
  else build_free(o, number, tensor);
}

static void fill_values(const fuzz_operand *o, int64_t number, fuzz_tensor *t)
{
  const spw_array *a = &t->tensor.values.array;
  const fuzz_contents *c =
      o->kind == FUZZ_BUILT ? &o->built.values : &o->free.members[FUZZ_VALUES].contents;
  if (a->length > FUZZ_ELEMENTS || !spw_dtype_size(a->dtype)) return;
  t->tensor.values.data = fill(number, FUZZ_VALUES, c, a->dtype, a->length);
  t->has_values = true;
}

void fuzz_build_without_values(const fuzz_model *model, int64_t number, fuzz_tensor *tensor)
{
  fuzz_build(model, number, tensor);
  if (model->operand[number].kind != FUZZ_BUILT) return;
  const fuzz_built *b = &model->operand[number].built;
  dice d = {(uint64_t)b->seed + 1};
  (void)fuzz_violate(&tensor->specimen, &b->plan, b->violation, b->where, b->amount);
  for (int64_t i = 0; i < b->changes; i++) specimen_disturb(&tensor->specimen, &d);
  tensor->tensor = tensor->specimen.tensor;
  hide_values(number, tensor);
}

void fuzz_build_whole(const fuzz_model *model, int64_t number, fuzz_tensor *tensor)
{
  fuzz_build_without_values(model, number, tensor);
  fill_values(&model->operand[number], number, tensor);
}

/* ---- Dense arrays ---------------------------------------------------------------------------- */

spw_tensor fuzz_dense_of(const fuzz_tensor *tensor)
{
  const spw_value_array *values = &tensor->tensor.values;
  return (spw_tensor){.layout = SPW_DENSE, .has_size = true, .ndim = values->array.ndim,
                      .size = values->array.shape, .coalesced = SPW_CLAIM_NONE, .values = *values};
}

spw_tensor fuzz_for_file(const fuzz_model *model, int64_t number, const fuzz_tensor *tensor)
{
  return model->operand[number].kind == FUZZ_DENSE ? fuzz_dense_of(tensor) : tensor->tensor;
}

/* ---- Work ------------------------------------------------------------------------------------ */

/* The product of the entries; those below 1 count as `otherwise`. */
static double product(const spw_array *a, double otherwise)
{
  double work = 1;
  for (int64_t d = 0; d < a->ndim; d++)
    work *= a->shape[d] > 0 ? (double)a->shape[d] : otherwise;
  return work;
}

double fuzz_work(const spw_tensor *x)
{
  bool shape;
  if (spw_is_valid(x, SPW_SHAPE, &shape) == SPW_OK && !shape) return 0;
  if (x->layout == SPW_COO) return product(&x->plain.array, 1);
  const double offsets = product(&x->compressed.array, 0);
  return offsets > 0 ? offsets + product(&x->plain.array, 1) : 0;
}

double fuzz_volume(const spw_tensor *x)
{
  const spw_array *members[] = {&x->plain.array, &x->values.array, &x->compressed.array};
  double most = 0;
  for (int i = 0; i < (x->layout == SPW_COO ? 2 : 3); i++) {
    const double here = product(members[i], 0);
    if (here > most) most = here;
  }
  return most;
}

double fuzz_positions(const spw_tensor *x)
{
  const double volume = fuzz_volume(x), positions = product(&x->values.array, 1);
  return positions > volume ? positions : volume;
}

int64_t fuzz_length(const spw_tensor *x)
{
  int64_t most = x->plain.array.length;
  if (x->values.array.length > most) most = x->values.array.length;
  if (x->layout != SPW_COO && x->compressed.array.length > most) most = x->compressed.array.length;
  return most;
}
