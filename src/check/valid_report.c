/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "report_frame.h"

#define HOLDS(id) r.findings[SPW_RULE_##id] = spw_holds();
#define UNKNOWN(id) r.findings[SPW_RULE_##id] = spw_and_unknown(spw_holds());

/*@ requires readable: tensor_readable(t);
    requires shape: compressed_layout(t) && compressed_shape(t);
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report compressed_report(const spw_tensor *t, spw_level level, int64_t P)
{
  //@ assert rules: rule_3_2(t) && rule_3_12(t);
  //@ assert signs: non_negative(t->compressed.array.shape, t->compressed.array.ndim);
  spw_report r = spw_compressed_frame(t);
  SPW_COMPRESSED_SHAPE_RULES(HOLDS)
  if (!spw_blocked(t)) r.findings[SPW_RULE_3_13] = spw_not_applicable();
  if (!t->has_size && level == SPW_SHAPE) {
    UNKNOWN(1_6) UNKNOWN(3_11)
  }
  r.batches = spw_product(t->compressed.array.shape, spw_batch_dims(t));
  r.plain_size = r.batches >= 0 ? P : -1;
  if (level == SPW_SHAPE) return r;
  r.size_inferred = !t->has_size;
  HOLDS(5_1) HOLDS(5_2) HOLDS(5_3) HOLDS(5_4) HOLDS(5_5)
  if (level == SPW_CANONICAL) HOLDS(5_6)
  return r;
}

/*@ requires readable: tensor_readable(t);
    requires shape: t->layout == SPW_COO && coo_shape(t);
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
static spw_report coo_report(const spw_tensor *t, spw_level level)
{
  spw_report r = spw_coo_frame(t);
  SPW_COO_SHAPE_RULES(HOLDS)
  if (!t->has_size && level == SPW_SHAPE) {
    UNKNOWN(1_6) UNKNOWN(3_11)
  }
  if (level == SPW_SHAPE) return r;
  r.size_inferred = !t->has_size;
  HOLDS(6_5) HOLDS(6_6)
  if (level == SPW_CANONICAL && t->coalesced == SPW_CLAIM_YES) HOLDS(6_7)
  return r;
}

/* level L0 */
spw_report spw_valid_report(const spw_tensor *t, spw_level level, int64_t P)
{
  return t->layout == SPW_COO ? coo_report(t, level) : compressed_report(t, level, P);
}
