/* SPDX-License-Identifier: Apache-2.0 */
/* Two tensors of any layouts, compared by kernels that are proved for payloads of any width. */
#ifndef SPW_CONVERT_INSTANCES_CERTIFY_H
#define SPW_CONVERT_INSTANCES_CERTIFY_H

#include "../indices/lookup/cursor.h"
#include "../indices/lookup/scalars.h"

/* A valid tensor, and its payloads one behind the other. */
typedef struct spw_certified {
  spw_scalars scalars;
  const void *values;
} spw_certified;

/* 1: the same payloads lie at the same positions of both, 0 where none is specified, which `drops` allows b, and `adds` a.
 * Payloads of 1, 2, 4 and 8 bytes. w[room]: workspace that none of both shares; with one cursor for each line of CSC, it is
 * quicker to see that CSR is the same (kernels/certify/same_quickly_contract.inc).
 * Time: that of spw_scalar_at for each payload of both. */
int spw_certify_u8(const spw_certified *a, const spw_certified *b, int drops, int adds, spw_cursor *w, int64_t room);
int spw_certify_u16(const spw_certified *a, const spw_certified *b, int drops, int adds, spw_cursor *w, int64_t room);
int spw_certify_u32(const spw_certified *a, const spw_certified *b, int drops, int adds, spw_cursor *w, int64_t room);
int spw_certify_u64(const spw_certified *a, const spw_certified *b, int drops, int adds, spw_cursor *w, int64_t room);

/* How duplicates come together, and room for it: twice the payloads of the result, and a byte for each of its elements. */
typedef struct spw_summed {
  int how, type; /* spw_combine but SPW_COMBINE_REFUSE, and a type that is not complex */
  void *totals;
  uint8_t *found;
} spw_summed;

/* 1: COO c specifies what a does, each position once, with the payloads that those of a come to there in the order of storage.
 * Time: a log2(c). */
int spw_certify_sum_u8(const spw_certified *a, const spw_certified *c, const spw_summed *sum);
int spw_certify_sum_u16(const spw_certified *a, const spw_certified *c, const spw_summed *sum);
int spw_certify_sum_u32(const spw_certified *a, const spw_certified *c, const spw_summed *sum);
int spw_certify_sum_u64(const spw_certified *a, const spw_certified *c, const spw_summed *sum);

#endif
