/* SPDX-License-Identifier: Apache-2.0 */
/* What the targets share. A target is one file, targets/NAME.c, that defines
 * LLVMFuzzerTestOneInput and checks one property of whatever the bytes mean. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include "../inputs/model.h"

/* The only entry, of libFuzzer, of AFL++ and of replay.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The property does not hold: prints "FUZZ FAILURE: PROPERTY: message" and aborts. Crashes are
 * sorted by PROPERTY, which must be a literal. */
_Noreturn void fuzz_fail(const char *property, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Is a switch on? One that is 0 or empty is off. */
bool fuzz_is_on(const char *variable);

/* At the end of a run, how far a target came with a library that is asked questions: "TARGET: 12 asked, 10 accepted". */
enum { FUZZ_COUNTS = 4 };
typedef struct fuzz_counts {
  const char *target, *what[FUZZ_COUNTS]; /* the first is what was asked */
  unsigned long long number[FUZZ_COUNTS];
} fuzz_counts;
void fuzz_say_at_end(fuzz_counts *counts); /* to be called for every input */

/* Decodes into storage that lives until the next call; null for bytes of another version. */
const fuzz_model *fuzz_model_from(const uint8_t *data, size_t size);

/* The tensor of an operand, with all violations and changes; null when there is no such operand, or
 * when checking it would take more than `work` steps. Lives until the next call for this number. */
const fuzz_tensor *fuzz_tensor_from(const fuzz_model *model, int64_t number, double work);

/* The same without values: a target that reads them does what the checker may not do. */
const fuzz_tensor *fuzz_indices_from(const fuzz_model *model, int64_t number, double work);

/* A sparse operand with values, valid or not, of few scalars and little work; else null. */
const spw_tensor *fuzz_small_sparse(const fuzz_model *model, int64_t number);

/* Has `attempt` try something with the first operand, a small sparse one, four times; each time something else is drawn by a
 * seed, which is a parameter. */
void fuzz_attempt_draws(const uint8_t *data, size_t size,
                        void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed));

/* The three functions of the checker agree with one another at every level; the report of the
 * highest comes back. Fails also when the tensor is refused, unless there are too many batches. */
const spw_report *fuzz_check_agrees(const spw_tensor *tensor);

/* Do both mean the same, with the same bits in the same storages? Values only if `values`. */
bool fuzz_same_tensor(const spw_tensor *a, const spw_tensor *b, bool values);

/* Have both the same elements, wherever they lie in memory? Small tensors, of one size where both
 * have one. */
bool fuzz_same_elements(const spw_tensor *a, const spw_tensor *b);

/* Are the bytes the storage of these values, in one byte order or the other? */
bool fuzz_same_storage(const uint8_t *bytes, const spw_value_array *values);

/* The storage of an index array, and the place of row-major element `number` in an array's. */
const void *fuzz_index_data(const spw_index_array *indices);
int64_t fuzz_place_of(const spw_array *array, int64_t number);

/* A reader and the writer of its format. */
typedef spw_status fuzz_reader(const void *bytes, size_t size, size_t limit, spw_owned **out,
                               spw_error *error);
typedef spw_status fuzz_writer(const spw_tensor *tensor, void **bytes, size_t *size,
                               spw_error *error);

typedef struct fuzz_format {
  const char *name;
  bool is_zip;
  fuzz_reader *read;
  fuzz_writer *write;
} fuzz_format;

enum { FUZZ_JSON, FUZZ_MTX, FUZZ_NPZ, FUZZ_NPY, FUZZ_FORMATS };
extern const fuzz_format fuzz_formats[FUZZ_FORMATS];

/* Reads any bytes: they are refused with a message and nothing else happens, or give a tensor that
 * can be checked and that survives being written and read again. Gives the reader's status; SPW_EUNSUPPORTED
 * too where a sanitizer does not see all that the reader uses. */
spw_status fuzz_try_reader(const fuzz_format *format, const uint8_t *data, size_t size);

/* Memory held at the same time since fuzz_memory_watch, in bytes; 0 where it cannot be known. */
void fuzz_memory_watch(void);
size_t fuzz_memory_peak(void);

#endif
