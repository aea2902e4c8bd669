/* SPDX-License-Identifier: Apache-2.0 */
/* Locales in which numbers are written otherwise, made where the system has none. */
#ifndef TESTS_SOME_LOCALE_H
#define TESTS_SOME_LOCALE_H

/* The program runs in "de_DE" (a decimal comma) or "ps_AF" (a point of two bytes) from here on; where there is no such
 * locale to be made the test ends there, skipped. */
void enter_locale(const char *name, const char *point);

#endif
