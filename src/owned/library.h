/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are looked for at run time: nothing is linked. */
#ifndef SPW_IO_LIBRARY_H
#define SPW_IO_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* Loads the first of these in which find_all finds what it wants; false if none is that. It stays loaded. */
bool spw_library_load(const char *const *names, size_t count, bool find_all(void *handle));

/* *to: the address of a function or an object of the library. False: it has none of this name. */
bool spw_library_find(void *handle, const char *name, void *to);

#endif
