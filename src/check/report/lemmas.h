/* SPDX-License-Identifier: Apache-2.0 */
/* Lemma functions about findings. */
#ifndef SPW_CHECK_REPORT_LEMMAS_H
#define SPW_CHECK_REPORT_LEMMAS_H

#include "report_frame.h"

#define SPW_SAYS_NOTHING(id) ensures index_finding_##id(t, f);

/*@ ghost
  /@ // what is not judged says nothing
     requires f.state != SPW_HOLDS && f.state != SPW_VIOLATED;
     requires 0 <= f.count;
     terminates \true; exits \false; assigns \nothing;
     SPW_COMPRESSED_INDEX_RULES(SPW_SAYS_NOTHING) SPW_COO_INDEX_RULES(SPW_SAYS_NOTHING)
     ensures missing_size_1_6(t, f) && missing_size_3_11(t, f); @/
  void lem_says_nothing(const spw_tensor *t, spw_finding f) {
  }
*/

#endif
