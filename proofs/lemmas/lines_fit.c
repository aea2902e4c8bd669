/* SPDX-License-Identifier: Apache-2.0 */
/* Element by element of a line. */
#ifndef IDX
#include "lines_fit.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_fit.c"
#include "../../src/core/each_index_type.h"

#else /* for each index type */

/*@ ghost
  void N(lem_lines_fit)(const IDX *c, const IDX *d, int64_t C, int64_t P, int64_t n) {
    N(lem_line_only)(c, C, n);
    /@ loop invariant range: 0 <= i <= C;
       loop invariant steps: \forall integer r; 1 <= r <= i ==> N(step)(c, P, r);
       loop assigns i; loop variant C - i; @/
    for (int64_t i = 0; i < C; i++) {
      /@ assert line: 0 <= c[i] <= c[i + 1] <= n && N(ascending_row)(d, c[i], c[i + 1]); @/
      /@ loop invariant range: c[i] <= k <= c[i + 1];
         loop invariant below: k > c[i] ==> k - c[i] <= d[k - 1] + 1;
         loop assigns k; loop variant c[i + 1] - k; @/
      for (int64_t k = c[i]; k < c[i + 1]; k++) {
        /@ assert minor: 0 <= d[k] < P; @/
      }
      /@ assert last: c[i] < c[i + 1] ==> 0 <= d[c[i + 1] - 1] < P; @/
      /@ assert few: 0 <= c[i + 1] - c[i] <= P; @/
      /@ assert before: c[(i + 1) - 1] == c[i]; @/
      /@ assert step: N(step)(c, P, i + 1); @/
    }
  }
*/

#endif
