/* SPDX-License-Identifier: Apache-2.0 */
#include "library.h"

#include <dlfcn.h>
#include <string.h>

bool spw_library_load(const char *const *names, size_t count, bool find_all(void *handle))
{
  for (size_t i = 0; i < count; i++) {
    void *const handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (handle && find_all(handle)) return true;
    if (handle) dlclose(handle);
  }
  return false;
}

/* A pointer to an object may be one to a function, POSIX says, and ISO C does not. */
bool spw_library_find(void *handle, const char *name, void *to)
{
  void *const symbol = dlsym(handle, name);
  memcpy(to, &symbol, sizeof symbol);
  return symbol != NULL;
}
