/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a locale with localedef, and enters it. */
#define _GNU_SOURCE
#include "some_locale.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void enter_locale(const char *name, const char *point)
{
  char folder[] = "/tmp/spw-locale-XXXXXX", command[256], full[32];
  cr_assert(mkdtemp(folder));
  snprintf(full, sizeof full, "%s.UTF-8", name);
  snprintf(command, sizeof command, "localedef -i %s -f UTF-8 %s/%s >/dev/null 2>&1", name, folder, full);
  const int failed = system(command);
  setenv("LOCPATH", folder, 1);
  const char *entered = setlocale(LC_ALL, full);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_assert(system(command) == 0);
  if (failed || !entered) cr_skip_test("no locale %s can be made here", full);
  cr_assert_str_eq(localeconv()->decimal_point, point);
}
