/* SPDX-License-Identifier: Apache-2.0 */
/* Which rules a layout has, in the order of spec/rules.def, as lists that are expanded. */
#ifndef SPW_VIEW_RULES_H
#define SPW_VIEW_RULES_H

/* The shape rules of the compressed layouts and of COO, in the order of spec/rules.def. */
#define SPW_COMPRESSED_SHAPE_RULES(X) \
  X(1_1) X(1_2) X(1_3) X(1_4) X(1_5) X(1_6) X(3_1) X(3_2) X(3_3) X(3_4) \
  X(3_5) X(3_6) X(3_8) X(3_9) X(3_10) X(3_11) X(3_12) X(3_13) X(3_14)
#define SPW_COO_SHAPE_RULES(X) \
  X(1_3) X(1_4) X(1_5) X(1_6) X(3_11) X(3_12) X(3_14) X(6_1) X(6_2) X(6_3) X(6_4)
/* Rules that strided arrays on the host satisfy by construction. */
#define SPW_CONSTRUCTED_RULES(X) X(2_1) X(2_2) X(2_3) X(2_4) X(4_1) X(4_2) X(4_3) X(4_4)
/* The rules over indices, and those that are not about the layout. */
#define SPW_COMPRESSED_INDEX_RULES(X) X(5_1) X(5_2) X(5_3) X(5_4) X(5_5) X(5_6)
#define SPW_COO_INDEX_RULES(X) X(6_5) X(6_6) X(6_7)
#define SPW_NOT_OF_COMPRESSED(X) X(6_1) X(6_2) X(6_3) X(6_4) SPW_COO_INDEX_RULES(X)
#define SPW_NOT_OF_COO(X) \
  X(1_1) X(1_2) X(3_1) X(3_2) X(3_3) X(3_4) X(3_5) X(3_6) X(3_7) X(3_8) X(3_9) X(3_10) X(3_13) \
  SPW_COMPRESSED_INDEX_RULES(X)
/* Each once, whatever the layout. */
#define SPW_EVERY_RULE(X) \
  SPW_COMPRESSED_SHAPE_RULES(X) SPW_CONSTRUCTED_RULES(X) X(3_7) SPW_COMPRESSED_INDEX_RULES(X) SPW_NOT_OF_COMPRESSED(X)

#endif
