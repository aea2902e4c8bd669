/* SPDX-License-Identifier: Apache-2.0 */
/* The C locale for a while: printf, strtod and jansson follow the thread's, in which numbers may be written otherwise.
 * To be included behind a definition of _GNU_SOURCE. */
#ifndef SPW_IO_C_LOCALE_H
#define SPW_IO_C_LOCALE_H

#include <locale.h>
#include <stdbool.h>

typedef struct spw_c_locale {
  locale_t locale, before;
} spw_c_locale;

/* False without memory: then there is nothing to leave. */
static inline bool spw_enter_c_locale(spw_c_locale *c)
{
  c->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c->locale) return false;
  c->before = uselocale(c->locale);
  return true;
}

static inline void spw_leave_c_locale(const spw_c_locale *c)
{
  uselocale(c->before);
  freelocale(c->locale);
}

#endif
