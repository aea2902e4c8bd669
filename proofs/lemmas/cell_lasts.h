/* SPDX-License-Identifier: Apache-2.0 */
/* The last cells of keys: a ghost function, proved in cell_lasts.c. */
#ifndef SPW_LEMMAS_CELL_LASTS_H
#define SPW_LEMMAS_CELL_LASTS_H

#include "../../src/convert/indices/sort/total_cells.h"

/*@ ghost
  /@ // the last cell of a key ends it
     requires size: 0 <= n;
     terminates \true; exits \false; assigns \nothing;
     ensures found: \forall integer q; 0 <= cell_last(a, q, n) ==> cell_last(a, q, n) < n && cell_key(a, cell_last(a, q, n)) == q &&
       key_ends(a, cell_last(a, q, n), n);
     ensures there: \forall integer k; 0 <= k < n ==> k <= cell_last(a, cell_key(a, k), n); @/
  void lem_cell_lasts(const spw_cell *a, int64_t n);
*/

#endif
