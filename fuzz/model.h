/* SPDX-License-Identifier: Apache-2.0 */
/* The tests that the targets run, in a form that can be changed: bytes <-> model -> tensor.
 *
 * A model is one of two kinds. Free: each member is spelled out, any shape, strides, storage and
 * contents. Built: a valid tensor by construction (tests/specimen.h), with one named violation or
 * none, whose verdict is known beforehand, and then any number of random changes. */
#ifndef FUZZ_MODEL_H
#define FUZZ_MODEL_H

#include "../src/sparsewright.h"
#include "../tests/specimen.h"
#include "bytes.h"

enum {
  FUZZ_VERSION = 1,    /* the last byte of every input; other versions are not run */
  FUZZ_DIMS = 8,
  FUZZ_ELEMENTS = 4096, /* of a storage */
  FUZZ_LITERALS = 512,
  FUZZ_PATCHES = 4,
  FUZZ_INPUT = 16384   /* no larger input is made */
};

/* A storage: literal[0 .. count-1], then start + step * (i modulo period) (period 0: i); last the
 * patches. Elements are bits: a type of fewer than 8 bytes takes the lowest. */
typedef struct fuzz_contents {
  int64_t start, step, period;
  int64_t patches, at[FUZZ_PATCHES], value[FUZZ_PATCHES];
  int64_t count, literal[FUZZ_LITERALS];
} fuzz_contents;

typedef struct fuzz_member {
  spw_dtype dtype;
  int64_t ndim, shape[FUZZ_DIMS], strides[FUZZ_DIMS], offset;
  bool c_order; /* strides follow from the shape */
  bool fits;    /* length follows from all that */
  int64_t length;
  fuzz_contents contents;
} fuzz_member;

enum { FUZZ_COMPRESSED, FUZZ_PLAIN, FUZZ_VALUES, FUZZ_MEMBERS };

typedef struct fuzz_free {
  spw_layout layout;
  bool has_size;
  spw_claim coalesced;
  spw_dtype index_dtype, dtype;
  int64_t ndim, size[FUZZ_DIMS];
  fuzz_member members[FUZZ_MEMBERS]; /* COO has no compressed indices */
} fuzz_free;

typedef struct fuzz_built {
  plan plan;
  int64_t seed;
  int64_t violation, where, amount; /* see violations.h */
  int64_t changes;                  /* by specimen_disturb */
} fuzz_built;

typedef struct fuzz_model {
  bool is_built;
  spw_level level;
  uint8_t modifier; /* chooses among ways to ask the same question */
  fuzz_free free;
  fuzz_built built;
} fuzz_model;

/* Any bytes of this version are some model; false for other versions and for no bytes at all. */
bool fuzz_decode(const uint8_t *bytes, size_t size, fuzz_model *model);

/* Bytes that decode to the model; 0 when there is no room. */
size_t fuzz_encode(const fuzz_model *model, uint8_t *bytes, size_t capacity);

/* The free model of a tensor; false when it has too many dimensions or elements. Values beyond
 * FUZZ_LITERALS are lost unless they are all equal. */
bool fuzz_model_of(const spw_tensor *tensor, fuzz_model *model);

/* A tensor with all that it points to. Storages of free models end where their memory ends. */
typedef struct fuzz_tensor {
  spw_tensor tensor;
  bool has_values; /* tensor.values.data has all its elements; otherwise it may not be read */
  int64_t strides[FUZZ_MEMBERS][FUZZ_DIMS];
  specimen specimen;
} fuzz_tensor;

/* The model must outlive the tensor. One tensor at a time: the storages are shared. A built tensor
 * is left as valid as it was constructed: violation and changes are not yet in it. */
void fuzz_build(const fuzz_model *model, fuzz_tensor *tensor);

/* The tensor of an input, with violation and changes; its values may not be read, as the checker
 * does not. */
void fuzz_build_without_values(const fuzz_model *model, fuzz_tensor *tensor);

/* Its values too, if they are not too long. */
void fuzz_build_whole(const fuzz_model *model, fuzz_tensor *tensor);

/* About how many elements the checker looks at; 0 when a shape rule keeps it from looking. */
double fuzz_work(const spw_tensor *tensor);

/* The elements of the largest member, as its shape says: npz and mtx write each of them, though a
 * stride of 0 may make them all the same. */
double fuzz_volume(const spw_tensor *tensor);

/* The elements of the longest storage. A fill that was read is one piece of memory however long it
 * is, but an engine that bounds memory counts it again wherever it was looked at. */
int64_t fuzz_length(const spw_tensor *tensor);

#endif
