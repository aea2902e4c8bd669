/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a locale with localedef, and enters it. */
#define _GNU_SOURCE
#include "some_locale.h"
#include "command.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

void enter_locale(const char *name, const char *point)
{
  char folder[512], command[640], full[32];
  make_directory(folder);
  snprintf(full, sizeof full, "%s.UTF-8", name);
  snprintf(command, sizeof command, "localedef -i %s -f UTF-8 '%s/%s' >/dev/null 2>&1", name, folder, full);
  const int failed = system(command);
  setenv("LOCPATH", folder, 1);
  const char *entered = setlocale(LC_ALL, full);
  remove_directory(folder);
  if (failed || !entered) {
    printf("skipped: the locale %s, which cannot be made here\n", full);
    fflush(stdout);
    cr_skip_test("no locale %s can be made here", full);
  }
  cr_assert_str_eq(localeconv()->decimal_point, point);
}
