/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: a group of which all elements but two are set to zero fits. */
#include "../../src/semi/kernels/prune.h"

/*@ ghost
  /@ // whatever the values are, and whatever counts as zero besides 0
     requires legal: legal_code(code);
     terminates \true; exits \false; assigns \nothing;
     ensures two: 0 <= kept_first(code) < kept_second(code) < 4;
     ensures fits: \forall integer a, b, c, d, other;
       four_fit(mark_of(put_at(0, code, a, a), other), mark_of(put_at(1, code, b, b), other),
                mark_of(put_at(2, code, c, c), other), mark_of(put_at(3, code, d, d), other)); @/
  void lem_pruned_fits(uint8_t code) { }
*/
