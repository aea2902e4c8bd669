/* SPDX-License-Identifier: Apache-2.0 */
#include "csr_to_coo.h"
#include "list_part.h"
#include "../../../../proofs/lemmas/times_apart.h"
#include "../../../../proofs/lemmas/times_at.h"
#include "../../../../proofs/lemmas/grid_frame.h"

/*@ logic integer times_size{L}(int64_t *shape, integer n, integer p) = p * shape[n];

    lemma next_product{L}: \forall int64_t *shape, integer n; 0 <= n ==>
      product(shape, n + 1) == times_size(shape, n, product(shape, n));

    lemma same_times_size{K,L}: \forall int64_t *shape, integer n, m, p; 0 <= n < m && same_sizes{K,L}(shape, m) ==>
      times_size{K}(shape, n, p) == times_size{L}(shape, n, p);

    lemma one_product_more{K,L}: \forall int64_t *shape, integer n, m; 0 <= n < m && products_same{K,L}(shape, n) &&
      same_sizes{K,L}(shape, m) ==> products_same{K,L}(shape, n + 1);
*/

#define SPW_TEMPLATE "../../spec/acsl/unchanged_indices.acsl"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../spec/acsl/lines_within.acsl"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/lines_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/cells_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../../proofs/lemmas/listed_frame.inc"
#include "../../../core/each_index_type.h"

#define SPW_TEMPLATE "../convert/indices/coordinates/csr_to_coo.inc"
#include "../../../core/each_index_type.h"
