/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of the checker on every tensor of these shapes is the rules, as they are written here once more; and so is whether
 * a first violation is named, and whether a report calls it valid. */
#include "operand.h"

#ifndef ROWS
#define ROWS 2
#define COLUMNS 2
#endif
#ifndef BLOCK
#define BLOCK {1, 1}
#endif
#ifndef CLAIM
#define CLAIM SPW_CLAIM_NONE
#endif

int main(void)
{
  static operand o;
  const int block[2] = BLOCK;
  draw(&o, LAYOUT, ROWS, COLUMNS, block[0], block[1], NSE, SPW_FLOAT32, CLAIM);
  bool valid = false, structure = false;
  assert(spw_is_valid(&o.t, SPW_CANONICAL, &valid) == SPW_OK);
  assert(valid == holds(&o.m, LAYOUT != COO || CLAIM == SPW_CLAIM_YES));
  assert(spw_is_valid(&o.t, SPW_STRUCTURE, &structure) == SPW_OK);
  assert(structure == holds(&o.m, false));
#ifdef FIRST
  spw_violation first;
  assert(spw_first_violation(&o.t, SPW_CANONICAL, &first) == SPW_OK);
  assert((first.rule == SPW_RULE_NONE) == valid);
#endif
  return 0;
}
