/* SPDX-License-Identifier: Apache-2.0 */
/* A histogram and its running sums. */
#ifndef IDX
#include "starts.h"

#define SPW_TEMPLATE "../convert/indices/offsets/starts.c"
#include "../../../core/each_index_type.h"

#else /* for each index type */

/* how often each minor index occurs */
/*@ requires sizes: 0 <= n && 0 <= minor_size && N(minors)(minor, n, minor_size);
    requires memory: \valid_read(minor + (0 .. n - 1)) && \valid(cursor + (0 .. minor_size - 1));
    terminates \true; exits \false; assigns cursor[0 .. minor_size - 1];
    ensures counts: \forall integer j; 0 <= j < minor_size ==> cursor[j] == N(minor_count)(minor, j, n); */
/* level L2 */
static void N(count_minors)(const IDX *minor, int64_t n, int64_t minor_size, uint64_t *cursor)
{
  //@ ghost N(lem_minor_count)(minor, n);
  /*@ loop invariant range: 0 <= j <= minor_size;
      loop invariant zero: \forall integer t; 0 <= t < j ==> cursor[t] == 0;
      loop assigns j, cursor[0 .. minor_size - 1];
      loop variant minor_size - j; */
  for (int64_t j = 0; j < minor_size; j++) cursor[j] = 0;
  /*@ loop invariant range: 0 <= k <= n;
      loop invariant counts: \forall integer j; 0 <= j < minor_size ==> cursor[j] == N(minor_count)(minor, j, k);
      loop assigns k, cursor[0 .. minor_size - 1];
      loop variant n - k; */
  for (int64_t k = 0; k < n; k++) {
    const IDX j = minor[k];
    //@ assert in_range: 0 <= j < minor_size;
    //@ assert room: cursor[j] == N(minor_count)(minor, j, k) && N(minor_count)(minor, j, k) <= k;
    /*@ assert unfold: \forall integer t;
          N(minor_count)(minor, t, k + 1) == N(minor_count)(minor, t, k) + (j == t ? 1 : 0); */
    cursor[j]++;
    //@ assert others: \forall integer t; 0 <= t < minor_size && t != j ==> cursor[t] == \at(cursor[t],LoopCurrent);
  }
}

/* level L2 */
void N(spw_start_lines)(const IDX *minor, int64_t n, int64_t minor_size, uint64_t *cursor)
{
  N(count_minors)(minor, n, minor_size, cursor);
  //@ ghost N(lem_minor_below)(minor, n, minor_size);
  uint64_t sum = 0;
  /*@ loop invariant range: 0 <= j <= minor_size;
      loop invariant sum: sum == N(minor_below)(minor, j, n);
      loop invariant done: \forall integer t; 0 <= t < j ==> cursor[t] == N(minor_below)(minor, t, n);
      loop invariant todo: \forall integer t; j <= t < minor_size ==> cursor[t] == N(minor_count)(minor, t, n);
      loop assigns j, sum, cursor[0 .. minor_size - 1];
      loop variant minor_size - j; */
  for (int64_t j = 0; j < minor_size; j++) {
    const uint64_t count = cursor[j];
    //@ assert next: sum + count == N(minor_below)(minor, j + 1, n) && 0 <= sum + count <= n;
    cursor[j] = sum;
    sum += count;
  }
}

/* level L2 */
void N(spw_write_starts)(const uint64_t *cursor, int64_t size, IDX *out_ptr)
{
  out_ptr[0] = 0;
  /*@ loop invariant range: 0 <= j <= size;
      loop invariant first: out_ptr[0] == 0;
      loop invariant next: \forall integer t; 1 <= t <= j ==> out_ptr[t] == cursor[t - 1];
      loop assigns j, out_ptr[0 .. size];
      loop variant size - j; */
  for (int64_t j = 0; j < size; j++) out_ptr[j + 1] = (IDX)cursor[j];
}

#endif
