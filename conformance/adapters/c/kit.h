/* SPDX-License-Identifier: Apache-2.0 */
/* What every adapter in C or C++ needs: the protocol's loop, the arrays of a question between
 * unreadable pages, exact answers. An adapter defines one kit_library and calls kit_serve. */
#ifndef SPW_CONFORMANCE_KIT_H
#define SPW_CONFORMANCE_KIT_H

#include "operations.h"
#include "sparsewright.h"

#ifdef __cplusplus
extern "C" {
#endif

#define KIT_CONSTANT(NAME, TEXT) KIT_##NAME,
typedef enum kit_operation { KIT_OPERATIONS(KIT_CONSTANT) KIT_OPERATION_COUNT } kit_operation;

typedef enum kit_phase { KIT_CONSTRUCT, KIT_VALIDATE, KIT_USED } kit_phase;

/* A dense array, contiguous and row-major whatever it was in the question. */
typedef struct kit_dense {
  spw_dtype dtype;
  int64_t ndim;
  const int64_t *shape;
  int64_t length;
  void *data;
  const spw_value_array *stored; /* in a question: as it was there, not guarded */
} kit_dense;

/* The arrays of a tensor with two dimensions, contiguous, as libraries take them. `*_length` is how
 * many elements there really are. COO: row and column, `nse` each; compressed and plain are null.
 * Otherwise row and column are null. Blocks are 1 x 1 in CSR, CSC and COO. */
typedef struct kit_matrix {
  spw_layout layout;
  spw_dtype index_dtype, dtype;
  int64_t rows, columns, nse;
  int64_t block[2];
  int64_t compressed_length, plain_length, values_length;
  void *compressed, *plain, *row, *column, *values;
} kit_matrix;

/* The field of an argument by its kind: all zero where the question does not have it. */
enum { KIT_MOST = 64 };
#define KIT_ARRAY_FIELD(name)    kit_dense name;
#define KIT_BOOLEAN_FIELD(name)  bool name;
#define KIT_DTYPE_FIELD(name)    spw_dtype name;
#define KIT_FUNCTION_FIELD(name) const char *name;
#define KIT_INTEGER_FIELD(name)  int64_t name;
#define KIT_INTEGERS_FIELD(name) int64_t name[KIT_MOST], name##_count;
#define KIT_LAYOUT_FIELD(name)   spw_layout name;
#define KIT_NUMBER_FIELD(name)   double name;
#define KIT_OPERAND_FIELD(name)  const char *name;
#define KIT_TENSOR_FIELD(name)   const spw_tensor *name;
#define KIT_TENSORS_FIELD(name)                                                                    \
  const spw_tensor *name[KIT_MOST];                                                                \
  int64_t name##_count;

typedef struct kit_question {
  kit_operation operation;
  const spw_tensor *tensor; /* null where the question has none; storages are not guarded */
  void *live;               /* after the first step of a chain: what the one before kept; `tensor` is null */
  kit_dense dense;          /* the operand, or the argument of that name */
  const char *format;       /* of the file */
  void *file;
  size_t file_size;
  KIT_ARGUMENTS(KIT_ARRAY_FIELD, KIT_BOOLEAN_FIELD, KIT_DTYPE_FIELD, KIT_FUNCTION_FIELD, KIT_INTEGER_FIELD,
                KIT_INTEGERS_FIELD, KIT_LAYOUT_FIELD, KIT_NUMBER_FIELD, KIT_OPERAND_FIELD, KIT_TENSOR_FIELD, KIT_TENSORS_FIELD)
  kit_operation of; /* of a gradient: the operation, the arguments of which are among those above */
} kit_question;

typedef struct kit_answer kit_answer;

typedef struct kit_library {
  const char *name, *version;
  const char *manifest; /* JSON */
  const char *absent;   /* null, or why the library cannot be asked on this machine */
  bool isolated;        /* answer each question in a forked process */
  void (*start)(void);  /* may be null */
  void (*judge)(const kit_question *question, kit_answer *answer);
} kit_library;

/* The file of a question under a name in the file system; remove() it. */
enum { KIT_PATH = 4096 };
void kit_write_file(const kit_question *question, char path[KIT_PATH]);

/* Serves questions until the driver says stop; the exit code of main. */
int kit_serve(const kit_library *library);

/* `lacks` of a manifest: what a library of matrices without batches cannot express, and what one
 * with bare pointers cannot be told besides. */
#define KIT_LACKS_OF_ANY_MATRICES                                                                  \
  "\"batched\", \"hybrid\", \"sizeless\", \"declared\", \"claim\", \"coo-nd\", \"sparse-dim-0\", " \
  "\"indices-not-2d\", \"strided\", \"strided-indices\", \"negative-stride\", "                    \
  "\"out-of-storage\", "                                                                           \
  "\"negative-shape\", \"huge-array\", \"mixed-index-dtypes\", \"narrow-index-dtype\", "           \
  "\"not-2d\", "                                                                                   \
  "\"block-size\""
#define KIT_LACKS_OF_MATRICES KIT_LACKS_OF_ANY_MATRICES ", \"large-size\""
#define KIT_LACKS_OF_POINTERS KIT_LACKS_OF_MATRICES ", \"array-lengths\""

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Bytes that end directly before an unreadable page or, where the question asks for guard "before",
 * start directly behind one. Zeroed; freed when the question has been answered. */
void *kit_guarded(size_t size);
void *kit_guarded_copy(const void *bytes, size_t size);
bool kit_is_guarded(const void *pointer);

/* The tensor as a matrix; null, or why bare arrays cannot express it. */
const char *kit_matrix_of(const spw_tensor *tensor, kit_matrix *matrix);
/* Null, or which array has a length that a library without lengths cannot be told. */
const char *kit_lengths_of(const kit_matrix *matrix);

/* float32 values become float64, for a library without the former. */
void kit_widen(kit_matrix *matrix);

/* `use` makes no dense array larger than this. */
enum { KIT_LARGEST_DENSE = 1 << 20 };
bool kit_fits_dense(const kit_matrix *matrix);

int64_t kit_index(const void *indices, spw_dtype dtype, int64_t position);
/* A guarded copy in another index type; null when an index does not fit. */
void *kit_indices_as(const void *indices, spw_dtype from, spw_dtype to, int64_t count);

/* The number one, and `count` of them: what `use` multiplies with. */
void kit_set_one(spw_dtype dtype, void *element);
kit_dense kit_ones(spw_dtype dtype, int64_t count);

/* ---- Answers --------------------------------------------------------------------------------- */

void kit_accept(kit_answer *answer, kit_phase phase);
void kit_reject(kit_answer *answer, kit_phase phase, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void kit_unsupported(kit_answer *answer, const char *why);
bool kit_is_accepted(const kit_answer *answer);
void kit_rule(kit_answer *answer, const char *id);

/* Each sets the result and accepts. The arrays are contiguous, dense ones row-major. */
void kit_dense_result(kit_answer *answer, spw_dtype dtype, int64_t ndim, const int64_t *shape,
                      const void *data);
void kit_matrix_result(kit_answer *answer, const kit_matrix *matrix);
void kit_tensor_result(kit_answer *answer, const spw_tensor *tensor);
/* JSON of the claims about the tensor result, such as {"sorted":true}. */
void kit_claims(kit_answer *answer, const char *claims);

/* ---- Chains ----------------------------------------------------------------------------------
 * The kit asks a library whose manifest has `chain` for one step after the other. The result of a step that
 * is not the last is not written: the library keeps it as it is in its memory, and has it as `live`
 * in the next one. */

/* Is this such a step? Then kit_keep takes the place of the results above. */
bool kit_keeps(const kit_answer *answer);
/* Accepts. `release` may be null; it is called when the whole chain has been answered. */
void kit_keep(kit_answer *answer, void *object, void (*release)(void *object));
/* To be released then, and used until then: what an object that is kept points into. */
void kit_release_later(kit_answer *answer, void *object, void (*release)(void *object));

#ifdef __cplusplus
}
#endif

#endif
