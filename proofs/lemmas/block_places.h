/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of a block have places of their own, in rows of BSR and in columns of BSC: a ghost function, proved in
 * block_places.c. */
#ifndef SPW_LEMMAS_BLOCK_PLACES_H
#define SPW_LEMMAS_BLOCK_PLACES_H

#include "times.h"
#include "../../spec/acsl/tile_line.acsl"

/*@ ghost
  /@ // lines lie one behind the other
     requires sizes: 0 < bh && 0 < bw && bh * bw == bs <= INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures places: block_places(bh, bw, bw, 1, bs); @/
  void lem_rows_placed(int64_t bh, int64_t bw, int64_t bs);

  /@ // or beside each other
     requires sizes: 0 < bh && 0 < bw && bh * bw == bs <= INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures places: block_places(bh, bw, 1, bh, bs); @/
  void lem_columns_placed(int64_t bh, int64_t bw, int64_t bs);
*/

#endif
