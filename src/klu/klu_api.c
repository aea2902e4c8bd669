/* SPDX-License-Identifier: Apache-2.0 */
/* Finds libklu. */
#include "klu_api.h"
#include "../owned/library.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static spw_klu found;
static const spw_klu *library, *other;

static bool find_all(void *handle)
{
  return spw_library_find(handle, "klu_l_defaults", &found.defaults) &&
         spw_library_find(handle, "klu_l_analyze", &found.analyze) &&
         spw_library_find(handle, "klu_l_free_symbolic", &found.free_symbolic) &&
         spw_library_find(handle, "klu_l_factor", &found.real.factor) &&
         spw_library_find(handle, "klu_l_solve", &found.real.solve) &&
         spw_library_find(handle, "klu_l_free_numeric", &found.real.free_numeric) &&
         spw_library_find(handle, "klu_zl_factor", &found.complex.factor) &&
         spw_library_find(handle, "klu_zl_solve", &found.complex.solve) &&
         spw_library_find(handle, "klu_zl_free_numeric", &found.complex.free_numeric);
}

static void look_for_it(void)
{
  static const char *const names[] = {"libklu.so.1", "libklu.so.2"};
  if (spw_library_load(names, sizeof names / sizeof *names, find_all)) library = &found;
}

const spw_klu *spw_klu_find(void)
{
  if (other) return other->analyze ? other : NULL;
  pthread_once(&once, look_for_it);
  return library;
}

void spw_klu_replace(const spw_klu *l)
{
  other = l;
}
