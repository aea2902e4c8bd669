/* SPDX-License-Identifier: Apache-2.0 */
/* A matrix of a cell as a tensor of the library: its shapes are constants, its indices and bits are any. */
#ifndef SPW_BOUNDED_OPERAND_H
#define SPW_BOUNDED_OPERAND_H

#include "matrix.h"

typedef struct operand {
  matrix m;
  spw_tensor t;
  int32_t c[MOST], p[2 * MOST];
  uint32_t v[4 * MOST];
  int64_t size[2], one[1], offsets[1], elements[1], list[2], of_list[2], of_blocks[3], in_blocks[3];
} operand;

/* Any of `nse` elements, not yet valid. */
static void draw(operand *o, int layout, int rows, int columns, int b0, int b1, int nse, spw_dtype dtype, spw_claim claim)
{
  o->m = (matrix){layout, rows, columns, b0, b1, nse, nse, o->c, o->p, o->v, 1, 0, 0};
  const int C = lines_of(&o->m), cells = b0 * b1;
  for (int i = 0; i <= C; i++) o->c[i] = nondet_index();
  for (int k = 0; k < 2 * nse; k++) o->p[k] = nondet_index();
  for (int k = 0; k < (layout == DENSE ? rows * columns : nse * cells); k++) o->v[k] = nondet_bits();
  o->size[0] = rows, o->size[1] = columns, o->one[0] = 1, o->offsets[0] = C + 1, o->elements[0] = nse;
  o->list[0] = 2, o->list[1] = nse, o->of_list[0] = nse, o->of_list[1] = 1;
  o->of_blocks[0] = nse, o->of_blocks[1] = b0, o->of_blocks[2] = b1;
  o->in_blocks[0] = cells, o->in_blocks[1] = b1, o->in_blocks[2] = 1;
  o->t = (spw_tensor){.layout = (spw_layout)layout, .has_size = layout != DENSE, .ndim = 2, .size = o->size, .coalesced = claim};
  o->t.values = (spw_value_array){{dtype, 1, o->elements, o->one, 0, nse}, o->v};
  if (is_blocks(layout)) {
    o->m.s0 = cells, o->m.s1 = b1, o->m.s2 = 1;
    o->t.values.array = (spw_array){dtype, 3, o->of_blocks, o->in_blocks, 0, nse * cells};
  }
  if (layout == DENSE) {
    o->m.s0 = columns, o->m.s1 = 1, o->in_blocks[0] = columns, o->in_blocks[1] = 1;
    o->t.values.array = (spw_array){dtype, 2, o->size, o->in_blocks, 0, rows * columns};
  }
  if (layout == COO) o->t.plain = (spw_index_array){{SPW_INT32, 2, o->list, o->of_list, 0, 2 * nse}, .i32 = o->p};
  if (is_lines(layout)) {
    o->t.compressed = (spw_index_array){{SPW_INT32, 1, o->offsets, o->one, 0, C + 1}, .i32 = o->c};
    o->t.plain = (spw_index_array){{SPW_INT32, 1, o->elements, o->one, 0, nse}, .i32 = o->p};
  }
}

#endif
