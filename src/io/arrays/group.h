/* SPDX-License-Identifier: Apache-2.0 */
/* A sparse tensor that a file keeps as dense arrays: their names say what each is. */
#ifndef SPW_IO_GROUP_H
#define SPW_IO_GROUP_H

#include "../../owned/owned.h"
#include "unsigned.h"

enum { SPW_GROUP_DIMS = 64 };

/* A dense array of the file. */
typedef struct spw_part {
  spw_stored type;
  const char *type_name; /* as messages have it */
  int64_t ndim, count;   /* count: the product of the shape */
  int64_t shape[SPW_GROUP_DIMS];
  const void *at; /* where its format finds the elements */
} spw_part;

typedef struct spw_group {
  void *context; /* of the functions */
  bool (*has)(void *context, const char *name);
  /* Describes the array of a name that `has` knows; the shape has been checked against the file, and its product is below
     2^63. */
  spw_status (*find)(void *context, const char *name, spw_part *part, spw_error *error);
  /* Writes all of its elements, row-major and in the byte order of this machine. */
  spw_status (*read)(void *context, const char *name, const spw_part *part, void *elements, spw_error *error);
  const char *order; /* of metadata of a 2:4 matrix, as the file has it; null: that of CUTLASS */
  char layout[32]; /* what the file says of it: "csr", "csr_matrix"; "" for nothing */
  spw_claim coalesced;
  int64_t ndim;    /* of a size that the file gives beside its arrays, or -1 */
  int64_t size[SPW_GROUP_DIMS];
  const spw_members *members; /* names that the caller gives; null: those that are known */
} spw_group;

/* The name of the values, if arrays of these names make a sparse tensor; else null. */
const char *spw_group_values(const spw_group *group);

/* How many arrays it consists of. */
size_t spw_group_parts(const spw_group *group);

/* Fills the tensor of `owned`. */
spw_status spw_group_read(const spw_group *group, spw_owned *owned, spw_error *error);

/* The name of the array that stands for a 2:4 matrix, if arrays of these names make one; else null. How many they are, and what
 * they make. */
const char *spw_group_semi(const spw_group *group);
size_t spw_group_semi_parts(const spw_group *group);
spw_status spw_group_read_semi(const spw_group *group, spw_owned *owned, spw_semi *semi, spw_error *error);

/* The layout of a word such as "csr", "csr_matrix", "torch.sparse_csr"; -1 for others. */
int spw_layout_of_word(const char *word);

/* A row-major array over elements that lie at `elements`. Null pointers are not allowed. */
spw_status spw_part_describe(spw_owned *owned, const char *name, const spw_part *part, spw_dtype dtype, spw_array *array,
                             spw_error *error);

/* Sets the pointer of the element type. */
void spw_point_index(spw_index_array *index, const void *elements);

/* Two index arrays of other integers than int32 and int64 become int64, both. */
spw_status spw_unify_indices(spw_owned *owned, spw_index_array *a, spw_index_array *b, spw_error *error);

/* Row and column numbers as one array of two rows: of int32 if both are, else of int64. */
spw_status spw_join_indices(spw_owned *owned, spw_index_array *row, spw_index_array *column, const char *name,
                            spw_index_array *both, spw_error *error);

/* Reads the array of a name. */
spw_status spw_group_read_part(const spw_group *group, spw_owned *owned, const char *name, spw_array *array,
                               const void **elements,
                               spw_error *error);

#endif
