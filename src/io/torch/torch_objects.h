/* SPDX-License-Identifier: Apache-2.0 */
/* What the pickle of torch.save consists of: storages, tensors that view them, and sparse tensors made of tensors. Nothing is
 * called: the few functions that may stand in such a file are known by name, and what they would return is worked out. */
#ifndef SPW_IO_TORCH_OBJECTS_H
#define SPW_IO_TORCH_OBJECTS_H

#include "pickle.h"

enum { SPW_TORCH_DIMS = 64 }; /* torch's own limit */

typedef struct spw_torch_type {
  const char *name;    /* "float32" */
  const char *storage; /* "FloatStorage"; null where torch has none of its own */
  spw_dtype dtype;     /* SPW_DTYPE_NONE where the library has none */
  int64_t size, part;  /* bytes of an element, and of what a byte order turns */
} spw_torch_type;

typedef enum spw_torch_kind {
  SPW_TORCH_OTHER,
  SPW_TORCH_STORAGE,
  SPW_TORCH_TENSOR,
  SPW_TORCH_SPARSE,
  SPW_TORCH_SEMI,
  SPW_TORCH_SIZE,
  SPW_TORCH_LAYOUT
} spw_torch_kind;

/* What each of the objects begins with. */
typedef struct spw_torch_object {
  spw_torch_kind kind;
  bool visited; /* for whoever walks through the values */
} spw_torch_object;

typedef struct spw_torch_storage {
  spw_torch_object object;
  const spw_torch_type *type; /* uint8 where it is untyped */
  bool untyped;
  int64_t count; /* elements of `type` */
  const char *key;
  uint32_t key_length;
  const unsigned char *data; /* where its elements lie; null: not known yet */
} spw_torch_storage;

typedef struct spw_torch_tensor {
  spw_torch_object object;
  const spw_torch_storage *storage;
  const spw_torch_type *type;
  int64_t ndim, offset; /* in elements of `type`, as strides are */
  int64_t extent;       /* elements from the offset to the last one, which lies in the storage; 0 for none */
  bool conjugated, negated;
  const int64_t *shape, *strides;
} spw_torch_tensor;

typedef struct spw_torch_sparse {
  spw_torch_object object;
  spw_layout layout;
  spw_claim coalesced;
  int64_t ndim;
  const int64_t *size;
  const spw_torch_tensor *compressed, *plain, *values; /* compressed: null for COO */
} spw_torch_sparse;

/* A 2:4 matrix in the order of CUTLASS. */
typedef struct spw_torch_semi {
  spw_torch_object object;
  int64_t rows, columns;
  const spw_torch_tensor *packed, *meta;
} spw_torch_semi;

/* Where a storage is looked for. */
typedef struct spw_torch_host {
  spw_owned *owned;
  spw_error *error;
  size_t id_length; /* entries of a persistent id: 5, or 6 in files of the legacy format */
  size_t sparse;    /* sparse tensors and 2:4 matrices that have been made so far */
  bool untyped;     /* has there been a storage without a type? */
  void *context;
  /* Fills in `data`, or leaves it for later; gives the one that has the same key, where there is one. */
  spw_status (*place)(void *context, spw_torch_storage *storage, spw_torch_storage **known);
} spw_torch_host;

/* What reads a pickle for it; `file` as in spw_pickle_host. */
spw_pickle_host spw_torch_reader(spw_torch_host *host, const char *file);

/* SPW_TORCH_OTHER for what is no object. */
spw_torch_kind spw_torch_kind_of(const spw_pickle_value *value);

#endif
