/* SPDX-License-Identifier: Apache-2.0 */
/* The element types that NumPy's files and the library share. */
#ifndef TESTS_NPY_TYPES_H
#define TESTS_NPY_TYPES_H

#include "../../src/sparsewright.h"

enum { NPY_TYPES = 11 };

typedef struct npy_type {
  const char *code; /* NumPy's, behind the byte order */
  spw_dtype dtype;
  size_t size, swap; /* bytes of an element, and of what another byte order turns round */
} npy_type;

extern const npy_type npy_types[NPY_TYPES];

/* Turns every `width` bytes round, of which `size` is a multiple. */
void mirror(const unsigned char *from, size_t size, size_t width, unsigned char *to);

#endif
