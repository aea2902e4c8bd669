/* SPDX-License-Identifier: Apache-2.0 */
/* Criterion, or with SUITE_PLAIN just enough of it to run a suite where Criterion cannot, under
 * ThreadSanitizer and MemorySanitizer: tests run in order, the first failure ends the program. */
#ifndef CUDA_TESTS_SUITE_H
#define CUDA_TESTS_SUITE_H

#ifndef SUITE_PLAIN
#include <criterion/criterion.h>
#else
#include <stdio.h>
#include <stdlib.h>

static unsigned suite_tests;

#define Test(suite, name) \
  static void suite##_##name(void); \
  __attribute__((constructor(1000 + __COUNTER__))) static void run_##suite##_##name(void) \
  { \
    suite##_##name(); \
    suite_tests++; \
  } \
  static void suite##_##name(void)

#define SUITE_FAIL(condition) \
  (fprintf(stderr, "suite: %s:%d: not so: %s\n", __FILE__, __LINE__, condition), exit(1))
#define cr_assert(condition, ...) ((condition) ? (void)0 : SUITE_FAIL(#condition))
#define cr_assert_eq(a, b, ...) ((a) == (b) ? (void)0 : SUITE_FAIL(#a " == " #b))

int main(void)
{
  printf("suite: %u tests passed\n", suite_tests);
  return suite_tests == 0;
}
#endif

#endif
