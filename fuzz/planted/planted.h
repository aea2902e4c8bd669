/* SPDX-License-Identifier: Apache-2.0 */
/* Included first into every file of a copy of src/ in which faults are planted (see strength). One
 * program holds all faults; the environment variable SPW_FAULT says which one acts. */
#ifndef FUZZ_PLANTED_H
#define FUZZ_PLANTED_H

int spw_fault_is(int fault);    /* reached, if it is the one that acts */
void spw_fault_triggered(void); /* the faulty value differs from the right one */

/* The value of `right`, or of `wrong` where the fault acts. */
#define SPW_FAULTY(fault, right, wrong)                                                            \
  __extension__({                                                                                  \
    __auto_type spw_value = (right);                                                               \
    if (spw_fault_is(fault)) {                                                                     \
      const __typeof__(spw_value) spw_other = (wrong);                                             \
      if (__builtin_memcmp(&spw_value, &spw_other, sizeof spw_value)) spw_fault_triggered();       \
      spw_value = spw_other;                                                                       \
    }                                                                                              \
    spw_value;                                                                                     \
  })

#endif
