/* SPDX-License-Identifier: Apache-2.0 */
/* The coordinates of batches: one at a time; and lemma functions about them, which exist for the proofs only. */
#ifndef SPW_CONVERT_INDICES_COORDINATES_BATCH_COORDINATE_H
#define SPW_CONVERT_INDICES_COORDINATES_BATCH_COORDINATE_H

#include "../../../view/grid.h"
#include "../../../../spec/acsl/batch_coordinate.acsl"
#include "../../../../spec/acsl/same_sizes.acsl"

/* Coordinate e of the batch whose row-major number is b. Time: n - e. */
/*@ requires sizes: 0 <= e < n <= SPW_NDIM_MAX && \valid_read(shape + (0 .. n - 1)) && positive(shape, n);
    requires number: 0 <= b;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == batch_coordinate(shape, n, e, b);
    ensures below: 0 <= \result < shape[e]; */
int64_t spw_batch_coordinate(const int64_t *shape, int64_t n, int64_t e, int64_t b);

/*@ ghost
  /@ // batch b - 1 stands before batch b: the first coordinate in which they differ rises
     requires sizes: 0 <= n <= SPW_NDIM_MAX && positive(shape, n) && \valid_read(shape + (0 .. n - 1));
     requires number: 1 <= b < product(shape, n);
     terminates \true; exits \false; assigns \nothing;
     ensures dimension: 0 <= \result < n;
     ensures agree: \forall integer e; 0 <= e < \result ==> batch_coordinate(shape, n, e, b - 1) == batch_coordinate(shape, n, e, b);
     ensures rises: batch_coordinate(shape, n, \result, b - 1) < batch_coordinate(shape, n, \result, b); @/
  int64_t lem_batch_follows(const int64_t *shape, int64_t n, int64_t b);

  /@ requires sizes: 0 <= n <= SPW_NDIM_MAX && positive(shape, n) && \valid_read(shape + (0 .. n - 1)) && 0 <= b;
     terminates \true; exits \false; assigns \nothing;
     ensures below: \forall integer e; 0 <= e < n ==> 0 <= batch_coordinate(shape, n, e, b) < shape[e]; @/
  void lem_coordinates_below(const int64_t *shape, int64_t n, int64_t b);
*/

#endif
