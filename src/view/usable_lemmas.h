/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller who is not refused provides, as a lemma function; a compiler sees a comment. */
#ifndef SPW_VIEW_USABLE_LEMMAS_H
#define SPW_VIEW_USABLE_LEMMAS_H

#include "quantities.h"
#include "usable.h"
#include "../../spec/acsl/lines.acsl"

/*@ ghost
  /@ // what a usable call provides
     requires honest(t) && usable(t);
     terminates \true; exits \false; assigns \nothing;
     ensures tensor_readable(t) && readable_indices(&t->plain);
     ensures t->layout != SPW_COO ==> readable_indices(&t->compressed); @/
  void lem_readable(const spw_tensor *t) {
    /@ assert size: t->has_size == 1 ==> \valid_read(t->size + (0 .. t->ndim - 1)); @/
    /@ assert values: array_readable(&t->values.array); @/
    /@ assert plain: array_readable(&t->plain.array); @/
    /@ assert compressed: t->layout != SPW_COO ==> array_readable(&t->compressed.array); @/
  }
*/

#endif
