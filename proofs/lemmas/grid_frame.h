/* SPDX-License-Identifier: Apache-2.0 */
/* Where batches start, while nothing is written to the shape and the strides of a grid. */
#ifndef SPW_LEMMAS_GRID_FRAME_H
#define SPW_LEMMAS_GRID_FRAME_H

#include "../../src/view/grid.h"
#include "../../spec/acsl/same_sizes.acsl"

/*@ predicate places_same{K,L}(int64_t *shape, int64_t *strides, integer n) =
      \forall integer flat; position_of{K}(shape, strides, n, flat) == position_of{L}(shape, strides, n, flat);

    predicate reach_same{K,L}(int64_t *shape, int64_t *strides, integer n) = reach{K}(shape, strides, n) == reach{L}(shape, strides, n);

    // what is left for the dimensions before n, and what dimension n adds: without division and product in what follows
    logic integer flat_before{L}(int64_t *shape, integer n, integer flat) = flat / shape[n];
    logic integer place_along{L}(int64_t *shape, int64_t *strides, integer n, integer flat) = (flat % shape[n]) * strides[n];

    lemma next_place{L}: \forall int64_t *shape, int64_t *strides, integer n, flat; 0 <= n ==>
      position_of(shape, strides, n + 1, flat) ==
        position_of(shape, strides, n, flat_before(shape, n, flat)) + place_along(shape, strides, n, flat);

    lemma same_before{K,L}: \forall int64_t *shape, integer n, m, flat; 0 <= n < m && same_sizes{K,L}(shape, m) ==>
      flat_before{K}(shape, n, flat) == flat_before{L}(shape, n, flat);

    lemma same_along{K,L}: \forall int64_t *shape, int64_t *strides, integer n, m, flat;
      0 <= n < m && same_sizes{K,L}(shape, m) && same_sizes{K,L}(strides, m) ==>
      place_along{K}(shape, strides, n, flat) == place_along{L}(shape, strides, n, flat);

    lemma one_dimension_more{K,L}: \forall int64_t *shape, int64_t *strides, integer n, m;
      0 <= n < m && places_same{K,L}(shape, strides, n) && same_sizes{K,L}(shape, m) && same_sizes{K,L}(strides, m) ==>
      places_same{K,L}(shape, strides, n + 1);

    logic integer reach_along{L}(int64_t *shape, int64_t *strides, integer n) = (shape[n] - 1) * strides[n];

    lemma next_reach{L}: \forall int64_t *shape, int64_t *strides, integer n; 0 <= n ==>
      reach(shape, strides, n + 1) == reach(shape, strides, n) + reach_along(shape, strides, n);

    lemma same_reach_along{K,L}: \forall int64_t *shape, int64_t *strides, integer n, m;
      0 <= n < m && same_sizes{K,L}(shape, m) && same_sizes{K,L}(strides, m) ==>
      reach_along{K}(shape, strides, n) == reach_along{L}(shape, strides, n);

    lemma one_reach_more{K,L}: \forall int64_t *shape, int64_t *strides, integer n, m;
      0 <= n < m && reach_same{K,L}(shape, strides, n) && same_sizes{K,L}(shape, m) && same_sizes{K,L}(strides, m) ==>
      reach_same{K,L}(shape, strides, n + 1);

    lemma still_positive{K,L}: \forall int64_t *a, integer n; same_sizes{K,L}(a, n) && positive{K}(a, n) ==> positive{L}(a, n);

    lemma still_non_negative{K,L}: \forall int64_t *a, integer n;
      same_sizes{K,L}(a, n) && non_negative{K}(a, n) ==> non_negative{L}(a, n);

    // all of a grid that lies in memory, and what is computed from it
    predicate grid_same{K,L}(spw_grid g) =
      same_sizes{K,L}(g.shape, g.ndim) && same_sizes{K,L}(g.c_strides, g.ndim) && same_sizes{K,L}(g.p_strides, g.ndim) &&
      places_same{K,L}(g.shape, g.c_strides, g.ndim) && places_same{K,L}(g.shape, g.p_strides, g.ndim) &&
      reach_same{K,L}(g.shape, g.c_strides, g.ndim) && reach_same{K,L}(g.shape, g.p_strides, g.ndim);

    lemma grid_same_twice{K,L,M}: \forall spw_grid g; grid_same{K,L}(g) && grid_same{L,M}(g) ==> grid_same{K,M}(g);
*/

#endif
