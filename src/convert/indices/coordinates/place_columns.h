/* SPDX-License-Identifier: Apache-2.0 */
/* Row-major places become the coordinates of a COO tensor: spw_place_columns_i32, spw_place_columns_i64. */
#ifndef SPW_CONVERT_INDICES_COORDINATES_PLACE_COLUMNS_H
#define SPW_CONVERT_INDICES_COORDINATES_PLACE_COLUMNS_H

#include "coo_entry.h"
#include "batch_coordinate.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/place_columns.h"
#include "../../../core/each_index_type.h"

#elif defined IDX /* for each index type */

#include "../../../../spec/acsl/at_place.acsl"
#include "../../../../spec/acsl/coo_dense.acsl"
#include "../../../../spec/acsl/listed_columns.acsl"

/*@ ghost
  /@ // elements of a list are in order, where their places are
     requires sizes: 1 <= dims <= SPW_NDIM_MAX && \valid_read(size + (0 .. dims - 1)) && positive(size, dims) &&
       product(size, dims) <= INT64_MAX && 0 <= n && times(dims, n) <= INT64_MAX;
     requires readable: \valid_read(list + (0 .. times(dims, n) - 1));
     requires inside: \forall integer d, e; 0 <= d < dims && 0 <= e < n ==> 0 <= N(listed_entry)(list, n, d, e) < size[d];
     requires order: \forall spw_columns h, integer e; N(listed)(h, dims, n) && 1 <= e < n ==>
       N(place_of)(list, h, size, dims, e - 1) < N(place_of)(list, h, size, dims, e);
     terminates \true; exits \false; assigns \nothing;
     ensures inside: \forall spw_columns h; N(listed)(h, dims, n) ==> N(rule_6_5)(list, h, size) && N(rule_6_6)(list, h, size);
     ensures order: \forall spw_columns h; N(listed)(h, dims, n) ==> N(rule_6_7)(list, h); @/
  void N(lem_list_in_order)(const IDX *list, const int64_t *size, int64_t dims, int64_t n);
*/

/* Of n elements, whose row-major places lie where their last coordinates are to be, all coordinates: those of each dimension one
 * behind the other, one dimension behind the other. Of neighbours at one place they are found once.
 *   in      size[dims], each at least 1, whose product is at most INT64_MAX
 *   in, out list[dims * n]
 * Time: n * dims. */
/*@ requires sizes: 1 <= dims <= SPW_NDIM_MAX && \valid_read(size + (0 .. dims - 1)) && positive(size, dims) &&
      product(size, dims) <= INT64_MAX && 0 <= n && times(dims, n) <= INT64_MAX;
    requires fit: \forall integer d; 0 <= d < dims ==> size[d] - 1 <= IDX_MAX;
    requires writable: \valid(list + (0 .. times(dims, n) - 1));
    requires apart: \separated(list + (0 .. times(dims, n) - 1), size + (0 .. dims - 1));
    requires places: \forall integer e; 0 <= e < n ==> 0 <= N(listed_entry)(list, n, dims - 1, e) < product(size, dims);
    terminates \true; exits \false; assigns list[0 .. times(dims, n) - 1];
    ensures sizes_stay: N(sizes_stay){Pre,Post}(size, dims) && product(size, dims) == product{Pre}(size, dims);
    ensures inside: \forall integer d, e; 0 <= d < dims && 0 <= e < n ==> 0 <= N(listed_entry)(list, n, d, e) < size[d];
    ensures places: \forall spw_columns h, integer e; N(listed)(h, dims, n) && 0 <= e < n ==>
      N(place_of)(list, h, size, dims, e) == N(listed_entry){Pre}(list, n, dims - 1, e); */
void N(spw_place_columns)(const int64_t *size, int64_t dims, int64_t n, IDX *list);

#endif
