/* SPDX-License-Identifier: Apache-2.0 */
/* Criterion's Test and cr_assert for one suite in one process, for ThreadSanitizer, under which
 * Criterion itself does not start. Options of a test, such as .timeout, are not looked at. */
#ifndef TESTS_PLAIN_CRITERION_H
#define TESTS_PLAIN_CRITERION_H

#include <stdio.h>
#include <stdlib.h>

static void (*tests[64])(void);
static size_t test_count;

#define Test(suite, name, ...)                                                                     \
  static void suite##_##name(void);                                                                \
  __attribute__((constructor)) static void add_##suite##_##name(void)                              \
  {                                                                                                \
    tests[test_count++] = suite##_##name;                                                          \
  }                                                                                                \
  static void suite##_##name(void)

#define cr_assert(condition, ...)                                                                  \
  ((condition) ? (void)0 : (void)(fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

#define cr_assert_eq(a, b, ...) cr_assert((a) == (b))
#define cr_assert_neq(a, b, ...) cr_assert((a) != (b))

int main(void)
{
  for (size_t t = 0; t < test_count; t++) tests[t]();
  printf("%zu tests passed\n", test_count);
  return test_count == 0;
}

#endif
