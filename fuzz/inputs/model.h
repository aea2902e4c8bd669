/* SPDX-License-Identifier: Apache-2.0 */
/* The tests that the targets run, in a form that can be changed: bytes <-> model -> tensors.
 *
 * A model is what is asked, an operation and its parameters, of which each target says what they
 * mean to it, and of what it is asked: 1 .. FUZZ_OPERANDS operands. README.md has the bytes.
 *
 * An operand is one of three kinds. Free: each member is spelled out, any shape, strides, storage
 * and contents. Built: a valid tensor by construction (tests/operands/specimen.h), with one named violation
 * or none, whose verdict is known beforehand, and then any number of random changes. Dense: an
 * array; to the checker it is COO without sparse dimensions, whose values are the array. */
#ifndef FUZZ_MODEL_H
#define FUZZ_MODEL_H

#include "../../src/sparsewright.h"
#include "../../tests/operands/specimen.h"
#include "bytes.h"
#include "values.h"

enum {
  FUZZ_VERSION = 2,    /* the last byte of every input; other versions are not run */
  FUZZ_PARAMETERS = 16,
  FUZZ_OPERANDS = 4,
  FUZZ_DIMS = 8,
  FUZZ_ELEMENTS = 4096, /* of a storage */
  FUZZ_LITERALS = 512,
  FUZZ_PATCHES = 4,
  FUZZ_INPUT = 16384   /* no larger input is made */
};

/* A storage, in words (values.h): literal[0 .. count-1], then what start + step * (i modulo period)
 * (period 0: i) says; last the patches. What it says is the word itself, of a bool its lowest bit;
 * or, where there are classes, a word drawn from them with that number as the seed. */
typedef struct fuzz_contents {
  int64_t start, step, period;
  int64_t classes; /* bits 1 << fuzz_class; 0 for indices */
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
  fuzz_member members[FUZZ_MEMBERS]; /* COO has no compressed indices; dense: the values only */
} fuzz_free;

typedef struct fuzz_built {
  plan plan;
  int64_t seed;
  spw_dtype dtype; /* of the values */
  fuzz_contents values;
  int64_t violation, where, amount; /* see violations.h */
  int64_t changes;                  /* by specimen_disturb */
} fuzz_built;

typedef enum fuzz_kind { FUZZ_FREE, FUZZ_BUILT, FUZZ_DENSE, FUZZ_KINDS } fuzz_kind;

typedef struct fuzz_operand {
  fuzz_kind kind;
  fuzz_free free; /* of a dense one: the values */
  fuzz_built built;
} fuzz_operand;

typedef struct fuzz_model {
  uint8_t operation;
  int64_t parameters, parameter[FUZZ_PARAMETERS];
  int64_t operands; /* 1 .. FUZZ_OPERANDS */
  fuzz_operand operand[FUZZ_OPERANDS];
} fuzz_model;

/* Any bytes of this version are some model; false for other versions and for no bytes at all. */
bool fuzz_decode(const uint8_t *bytes, size_t size, fuzz_model *model);

/* Bytes that decode to the model; 0 when there is no room. */
size_t fuzz_encode(const fuzz_model *model, uint8_t *bytes, size_t capacity);

/* One of `count` operations: the model's, modulo that. */
int fuzz_operation(const fuzz_model *model, int count);

/* Parameter `i` modulo `count`: 0 .. count-1; 0 where the model has no such parameter. */
int64_t fuzz_parameter(const fuzz_model *model, int64_t i, int64_t count);

/* The level of parameter 0. */
spw_level fuzz_level(const fuzz_model *model);

/* The free operand of a tensor, of a dense array the dense one; false when it has too many dimensions or elements. Values beyond
 * FUZZ_LITERALS words are lost unless they are all equal. */
bool fuzz_operand_of(const spw_tensor *tensor, fuzz_operand *operand);

/* A model with this operand, operation 0 and no parameters. */
bool fuzz_model_of(const spw_tensor *tensor, fuzz_model *model);

/* Model `number` of the long ones: matrices of 256, 300 and 1000 rows of every layout, index type and type of values, valid
 * or with one fault in the last line. False where there are no more. */
bool fuzz_long_model(int64_t number, bool *valid, fuzz_model *model);

/* A tensor with all that it points to. Storages of free operands end where their memory ends. */
typedef struct fuzz_tensor {
  spw_tensor tensor;
  bool has_values; /* tensor.values.data has all its elements; otherwise it may not be read */
  int64_t strides[FUZZ_MEMBERS][FUZZ_DIMS];
  int64_t no_indices[2]; /* the shape of a dense operand's indices */
  specimen specimen;
} fuzz_tensor;

/* The model must outlive the tensor. The storages of each operand's number are shared: at one time
 * there is one tensor of every number. A built tensor is left as valid as it was constructed:
 * violation and changes are not yet in it. */
void fuzz_build(const fuzz_model *model, int64_t number, fuzz_tensor *tensor);

/* The tensor of an operand, with violation and changes; its values may not be read, as the checker
 * does not. */
void fuzz_build_without_values(const fuzz_model *model, int64_t number, fuzz_tensor *tensor);

/* Its values too, if they are not too long. */
void fuzz_build_whole(const fuzz_model *model, int64_t number, fuzz_tensor *tensor);

/* The array of a dense operand that has been built: not the tensor without indices that the checker is
 * asked about, but what files and conversions know as SPW_DENSE. */
spw_tensor fuzz_dense_of(const fuzz_tensor *tensor);

/* An operand that has been built, as files have it: fuzz_dense_of a dense one, the tensor of another. */
spw_tensor fuzz_for_file(const fuzz_model *model, int64_t number, const fuzz_tensor *tensor);

/* Every operand as a line of JSON, to free(); error->message says why not. */
spw_status fuzz_write_lines(const fuzz_model *model, void **bytes, size_t *size, spw_error *error);

/* About how many elements the checker looks at; 0 when a shape rule keeps it from looking. */
double fuzz_work(const spw_tensor *tensor);

/* The elements of the largest member, as its shape says: npz and mtx write each of them, though a
 * stride of 0 may make them all the same. */
double fuzz_volume(const spw_tensor *tensor);

/* The same, and the positions that values have room for: those of a block are gone through even if dense dimensions of 0 leave
 * it no value. */
double fuzz_positions(const spw_tensor *tensor);

/* The elements of the longest storage. A fill that was read is one piece of memory however long it
 * is, but an engine that bounds memory counts it again wherever it was looked at. */
int64_t fuzz_length(const spw_tensor *tensor);

#endif
