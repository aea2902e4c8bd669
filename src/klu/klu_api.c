/* SPDX-License-Identifier: Apache-2.0 */
/* Finds libklu. */
#include "klu_api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static spw_klu found;
static const spw_klu *library, *other;

/* A pointer to an object may be one to a function, POSIX says, and ISO C does not. */
static bool find(void *handle, const char *name, void *to)
{
  void *const symbol = dlsym(handle, name);
  memcpy(to, &symbol, sizeof symbol);
  return symbol != NULL;
}

static bool find_all(void *handle)
{
  return find(handle, "klu_l_defaults", &found.defaults) && find(handle, "klu_l_analyze", &found.analyze) &&
         find(handle, "klu_l_free_symbolic", &found.free_symbolic) && find(handle, "klu_l_factor", &found.real.factor) &&
         find(handle, "klu_l_solve", &found.real.solve) && find(handle, "klu_l_free_numeric", &found.real.free_numeric) &&
         find(handle, "klu_zl_factor", &found.complex.factor) && find(handle, "klu_zl_solve", &found.complex.solve) &&
         find(handle, "klu_zl_free_numeric", &found.complex.free_numeric);
}

static void look_for_it(void)
{
  static const char *const names[] = {"libklu.so.1", "libklu.so.2"};
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) {
    void *const handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (handle && find_all(handle))
      library = &found;
    else if (handle)
      dlclose(handle);
  }
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
