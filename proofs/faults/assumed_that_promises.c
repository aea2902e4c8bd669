/* SPDX-License-Identifier: Apache-2.0 */
/* expect: takes nothing but its effects for given */

/*@ terminates \true; exits \false; assigns *refusal;
    ensures none: *refusal == 0; */
void spw_refuse_made(int *refusal);

/*@ requires output: \valid(n);
    terminates \true; exits \false; assigns *n;
    ensures none: *n == 0; */
/* level L2 */
void spw_caller(int *n)
{
  spw_refuse_made(n);
}
