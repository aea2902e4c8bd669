/* SPDX-License-Identifier: Apache-2.0 */
/* What places of elements of COO need: the product of sizes. */
#ifndef SPW_CONVERT_INDICES_COORDINATES_COO_ENTRY_H
#define SPW_CONVERT_INDICES_COORDINATES_COO_ENTRY_H

#include "../../../check/coo/coo_rules.h"
#include "../../../view/entry_of.h"
#include "../../../../proofs/lemmas/times_apart.h"
#include "../../../../proofs/lemmas/times_at.h"
#include "../../../../spec/acsl/times.acsl"

/*@ ghost
  /@ // the product of the first sizes is no more than that of all
     requires sizes: 0 <= n && positive(size, n) && product(size, n) <= INT64_MAX;
     terminates \true; exits \false; assigns \nothing;
     ensures sign: \forall integer i; 0 <= i <= n ==> 1 <= product(size, i);
     ensures step: \forall integer i; 0 <= i < n ==> product(size, i + 1) == product(size, i) * size[i];
     ensures within: \forall integer i; 0 <= i <= n ==> product(size, i) <= product(size, n); @/
  void lem_products(const int64_t *size, int64_t n) {
    /@ loop invariant range: 0 <= i <= n;
       loop invariant sign: \forall integer t; 0 <= t <= i ==> 1 <= product(size, t);
       loop invariant step: \forall integer t; 0 <= t < i ==> product(size, t + 1) == product(size, t) * size[t];
       loop assigns i; loop variant n - i; @/
    for (int64_t i = 0; i < n; i++) {
      /@ assert step: product(size, i + 1) == product(size, i) * size[i]; @/
      /@ assert size: 1 <= size[i]; @/
      /@ assert more: 0 <= (size[i] - 1) * product(size, i); @/
      /@ assert sign: 1 <= product(size, i + 1); @/
    }
    /@ loop invariant range: 0 <= i <= n;
       loop invariant within: \forall integer t; i <= t <= n ==> product(size, t) <= product(size, n);
       loop assigns i; loop variant i; @/
    for (int64_t i = n; i > 0; i--) {
      /@ assert step: product(size, (i - 1) + 1) == product(size, i - 1) * size[i - 1]; @/
      /@ assert size: 1 <= size[i - 1]; @/
      /@ assert more: 0 <= (size[i - 1] - 1) * product(size, i - 1); @/
      /@ assert within: product(size, i - 1) <= product(size, i); @/
    }
  }
*/

#endif
