/* SPDX-License-Identifier: Apache-2.0 */
/* 2:4: what an element is after a round trip. */
#ifndef SPW_LEMMAS_SEMI_BACK_H
#define SPW_LEMMAS_SEMI_BACK_H

/*@ // the same bits; only -0.0 where nothing is stored becomes 0. Where other is 0 all bits are the same
    predicate comes_back(integer before, integer behind, integer other) =
      behind == before || (behind == 0 && before == other);
*/

#endif
