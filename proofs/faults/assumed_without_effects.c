/* SPDX-License-Identifier: Apache-2.0 */
/* expect: contract without 'assigns */

/*@ terminates \true; exits \false; */
void spw_refuse_made(int *refusal);

/*@ requires output: \valid(n);
    terminates \true; exits \false; assigns \nothing; */
/* level L0 */
void spw_caller(int *n)
{
  spw_refuse_made(n);
}
