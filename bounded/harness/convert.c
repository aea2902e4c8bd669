/* SPDX-License-Identifier: Apache-2.0 */
/* One cell of the table of conversions, through the public call: any valid tensor of these sizes becomes one that holds its
 * rules and means the same. */
#include "matrix.h"

#ifdef ROOM /* how much workspace the cell takes: compiled with gcc, linked with the library */
#include <stdio.h>
#include "convert/plan.h"
#define WORK 4096
#define __CPROVER_assume(condition) ((void)(condition))
int32_t nondet_index(void) { return 0; }
uint32_t nondet_bits(void) { return 0; }
#endif

#ifndef ROWS
#define ROWS 2
#define COLUMNS 2
#endif
#ifndef NSE
#define NSE 2
#endif
#ifndef BLOCK
#define BLOCK {1, 1}
#endif
#ifndef TO_BLOCK
#define TO_BLOCK {1, 1}
#endif
#ifndef DTYPE
#define DTYPE SPW_FLOAT32
#endif
#ifndef CLAIM
#define CLAIM SPW_CLAIM_NONE
#endif
#ifndef COMBINE
#define COMBINE SPW_COMBINE_FIRST
#endif
#ifndef CALL
#define CALL spw_convert
#endif
#ifndef WORK_TYPE
#define WORK_TYPE uint64_t
#endif
#ifndef BITS
#define BITS true
#endif
#ifndef OUT_NSE
#define OUT_NSE NSE
#endif

enum { SCALARS = ROWS * COLUMNS, LINES = (ROWS > COLUMNS ? ROWS : COLUMNS) + 1 };
static const int block[2] = BLOCK, to_block[2] = TO_BLOCK;

static int32_t c[LINES], p[2 * NSE + 1];
static uint32_t v[4 * MOST];
static const int64_t size[2] = {ROWS, COLUMNS}, one[1] = {1};
static int64_t offsets[1], elements[1] = {NSE}, list[2] = {2, NSE}, of_list[2] = {NSE, 1}, of_blocks[3], in_blocks[3];

static matrix operand(void)
{
  matrix m = {FROM, ROWS, COLUMNS, block[0], block[1], NSE, NSE, c, p, v, 1, 0, 0};
  if (is_blocks(FROM)) m.s0 = block[0] * block[1], m.s1 = block[1], m.s2 = 1;
  if (FROM == DENSE) m.s0 = COLUMNS, m.s1 = 1;
  for (int i = 0; i < LINES; i++) c[i] = nondet_index();
  for (int k = 0; k < 2 * NSE; k++) p[k] = nondet_index();
  for (int k = 0; k < (FROM == DENSE ? SCALARS : NSE * block[0] * block[1]); k++) v[k] = nondet_bits();
  return m;
}

static spw_tensor view(const matrix *m)
{
  spw_tensor t = {.layout = (spw_layout)FROM, .has_size = FROM != DENSE, .ndim = 2, .size = size, .coalesced = CLAIM};
  const int C = lines_of(m), cells = m->b0 * m->b1;
  offsets[0] = C + 1;
  of_blocks[0] = NSE, of_blocks[1] = m->b0, of_blocks[2] = m->b1;
  in_blocks[0] = cells, in_blocks[1] = m->b1, in_blocks[2] = 1;
  t.values = (spw_value_array){{DTYPE, 1, elements, one, 0, NSE}, v};
  if (is_blocks(FROM)) t.values.array = (spw_array){DTYPE, 3, of_blocks, in_blocks, 0, NSE * cells};
  if (FROM == DENSE) {
    in_blocks[0] = COLUMNS, in_blocks[1] = 1;
    t.values.array = (spw_array){DTYPE, 2, size, in_blocks, 0, SCALARS};
  }
  if (FROM == COO) t.plain = (spw_index_array){{SPW_INT32, 2, list, of_list, 0, 2 * NSE}, .i32 = p};
  if (is_lines(FROM)) {
    t.compressed = (spw_index_array){{SPW_INT32, 1, offsets, one, 0, C + 1}, .i32 = c};
    t.plain = (spw_index_array){{SPW_INT32, 1, elements, one, 0, NSE}, .i32 = p};
  }
  return t;
}

/* Elements that are stored of a dense array, in the words of the request. */
static bool is_stored(uint32_t bits)
{
  return BITS || DTYPE != SPW_FLOAT32 ? bits != 0 : (bits << 1) != 0;
}

static uint32_t combined(found f)
{
  return COMBINE == SPW_COMBINE_SUM ? f.sum : COMBINE == SPW_COMBINE_LAST ? f.last : f.first;
}

/* Is something of the block of the result stored in which the position lies? */
static bool block_is_stored(const matrix *m, int i, int j)
{
  bool stored = false;
  for (int r = 0; r < to_block[0]; r++)
    for (int s = 0; s < to_block[1]; s++) {
      const found f = at(m, i / to_block[0] * to_block[0] + r, j / to_block[1] * to_block[1] + s);
      stored = stored || (FROM == DENSE ? is_stored(f.first) : f.times > 0);
    }
  return stored;
}

static int32_t out_c[LINES], out_p[2 * (OUT_NSE + 1)];
static uint32_t out_v[4 * MOST];
static int64_t dims[64];
/* CBMC copes best with the type that most of it is used as. */
static WORK_TYPE work[8 * WORK / sizeof(WORK_TYPE)] __attribute__((aligned(8)));

static matrix result(const spw_tensor *r)
{
  const spw_array *const values = &r->values.array;
  matrix m = {TO, ROWS, COLUMNS, to_block[0], to_block[1], 0, OUT_NSE, out_c, out_p, out_v, 1, 0, 0};
  assert(r->layout == (spw_layout)TO && values->dtype == DTYPE && values->offset == 0 && r->values.data == out_v);
  if (TO == DENSE) {
    assert(values->ndim == 2 && values->shape[0] == ROWS && values->shape[1] == COLUMNS);
    assert(values->strides[0] == COLUMNS && values->strides[1] == 1);
    m.s0 = COLUMNS, m.s1 = 1;
    return m;
  }
  assert(r->has_size && r->ndim == 2 && r->size[0] == ROWS && r->size[1] == COLUMNS);
  assert(r->plain.i32 == out_p && r->plain.array.offset == 0 && r->plain.array.dtype == SPW_INT32);
  const int64_t nse = values->shape[0];
  assert(0 <= nse && nse <= OUT_NSE);
  m.nse = (int)nse;
  if (TO == COO) {
    assert(r->coalesced == SPW_CLAIM_YES && r->plain.array.ndim == 2);
    assert(r->plain.array.shape[0] == 2 && r->plain.array.shape[1] == nse && r->plain.array.strides[0] == nse);
  } else {
    assert(r->plain.array.ndim == 1 && r->plain.array.shape[0] == nse && r->compressed.i32 == out_c);
    assert(r->compressed.array.ndim == 1 && r->compressed.array.shape[0] == lines_of(&m) + 1);
  }
  if (is_blocks(TO)) {
    assert(values->ndim == 3 && values->shape[1] == to_block[0] && values->shape[2] == to_block[1]);
    m.s0 = to_block[0] * to_block[1], m.s1 = to_block[1], m.s2 = 1;
    assert(values->strides[0] == m.s0 && values->strides[1] == m.s1 && values->strides[2] == m.s2);
  } else {
    assert(values->ndim == 1 && values->strides[0] == 1);
  }
  return m;
}

#ifndef ROOM
/* What the harness defines stands for what the library has. The checker has a harness of its own: here its verdict is known,
 * which lets CBMC see that the plan of the conversion is a constant. */
static const spw_tensor *judged;
spw_status spw_is_valid_parallel(const spw_tensor *tensor, spw_level level, int threads, bool *valid)
{
  assert(tensor == judged && level == SPW_CANONICAL && threads == 1);
  *valid = true;
  return SPW_OK;
}

spw_status spw_first_violation(const spw_tensor *tensor, spw_level level, spw_violation *first)
{
  (void)tensor, (void)level, (void)first;
  assert(false);
  return SPW_EINVAL;
}

/* Every array here is aligned as its type; CBMC sees addresses as any, and would follow both answers. */
bool spw_is_aligned(const void *data, spw_dtype dtype)
{
  assert(data == v && dtype == DTYPE);
  return true;
}

bool spw_elements_in_order(const spw_value_array *values)
{
  int64_t stride = 1;
  bool good = values->data == v;
  for (int64_t d = values->array.ndim - 1; d >= 0; d--) {
    good = good && (values->array.shape[d] == 1 || values->array.strides[d] == stride);
    stride *= values->array.shape[d];
  }
  return good;
}
#endif

int main(void)
{
  const matrix m = operand();
  __CPROVER_assume(holds(&m, FROM != COO || CLAIM == SPW_CLAIM_YES));
  const spw_tensor t = view(&m);
  spw_conversion want = {.layout = (spw_layout)TO, .batch_dims = -1, .dense_dims = -1, .index_dtype = SPW_INT32,
                         .duplicates = COMBINE, .bits = BITS};
  if (is_blocks(TO)) want.block_rows = to_block[0], want.block_columns = to_block[1];
  spw_buffers b = {.dims = dims, .compressed_i32 = out_c, .plain_i32 = out_p, .values = out_v, .work = work,
                   .room = {.index_dtype = SPW_INT32, .dtype = DTYPE, .nse = OUT_NSE, .dims = 64, .compressed = LINES,
                            .plain = 2 * (OUT_NSE + 1), .values = 4 * MOST, .work = sizeof work}};
  spw_refusal why;
#ifdef ROOM
  spw_room need;
  printf("%d\n", spw_convert_within(&t, &want, &b, &need, &why) == SPW_OK ? (int)(need.work + 7) / 8 : -1);
  return 0;
#else
  spw_tensor r;
  judged = &t;
  const spw_status status = CALL(&t, &want, &b, &r, &why);
  if (COMBINE == SPW_COMBINE_REFUSE && status == SPW_ERANGE) {
    bool twice = false;
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++) twice = twice || at(&m, i, j).times > 1;
    assert(twice && why.obstacle == SPW_OBSTACLE_DUPLICATE);
    return 0;
  }
  assert(status == SPW_OK);
  const matrix out = result(&r);
  assert(holds(&out, true));
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      const found before = at(&m, i, j), after = at(&out, i, j);
      const bool there = TO == DENSE || block_is_stored(&m, i, j);
      assert(after.times == (there ? 1 : 0));
      assert(!there || after.first == (before.times > 0 ? combined(before) : 0));
      assert(COMBINE != SPW_COMBINE_REFUSE || before.times <= 1);
    }
  return 0;
#endif
}
