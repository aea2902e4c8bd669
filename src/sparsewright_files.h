/* SPDX-License-Identifier: Apache-2.0 */
/* Files that hold several tensors: .pt and .pth, as torch.save writes them. Part of libsparsewright_io.
 *
 * Nothing in a file is executed. A pickle may name the functions that torch.save writes for tensors, and everything else is
 * refused by its name. */
#ifndef SPARSEWRIGHT_FILES_H
#define SPARSEWRIGHT_FILES_H

#include "sparsewright_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The list of the sparse tensors in a file. */
typedef struct spw_archive spw_archive;

/* Lists the sparse tensors of a .pt file that lies in bytes[0 .. size), which must stay as they are until spw_archive_close.
 * Both formats of torch.save are read: zip archives of either byte order, and the legacy format in little-endian order. Every
 * sparse tensor that the pickle makes has to be part of the object that was saved. Each is listed once, at the first path that
 * leads to it, in the order of the file. Of a dict that has a key twice, both values are listed.
 *
 * *out is set with SPW_OK only. `limit`: bytes of memory at most; 0: spw_memory_limit(size). `error` may be null.
 * O(size) time and memory; reads no element.
 * SPW_EINVAL        a null pointer
 * SPW_EFORMAT       no such file, or one that two readers may take for different tensors: doubled or overlapping members, bytes
 *                   that belong to nothing, a tensor beyond its storage, a storage of another length
 * SPW_EUNSUPPORTED  the pickle names something else than tensors, dicts, lists and numbers; members are compressed
 * SPW_ENOMEM        more than the limit */
spw_status spw_archive_open_pt(const void *bytes, size_t size, size_t limit, spw_archive **out, spw_error *error);

/* Do the first `size` bytes look like a .pt file: a zip archive whose first member lies in a folder, or the pickle that the
 * older format begins with? Never an .npz file. False for null. O(size of the name). */
bool spw_is_pt(const void *bytes, size_t size);

/* How many sparse tensors, and how many dense ones, which are not listed. */
size_t spw_archive_count(const spw_archive *archive);
size_t spw_archive_dense_count(const spw_archive *archive);

/* Where tensor i < count lies in the object that was saved: keys of dicts and numbers in lists and tuples, separated by slashes:
 * "state_dict/layer.weight". "" where the object is the tensor. In a key `~1` stands for a slash and `~0` for a tilde, as in JSON
 * pointers, and control characters are \\xNN. Null for another i. The archive owns it. */
const char *spw_archive_path(const spw_archive *archive, size_t i);

/* The tensor at a path; SIZE_MAX if there is none, or more than one, as where a dict has a key twice. O(count). */
size_t spw_archive_find(const spw_archive *archive, const char *path);

/* Tensor i with a copy of the elements that its arrays reach, in an owner of its own; it may well be invalid: check it.
 * Strides are those of the file. O(elements from each array's first to its last).
 * SPW_EINVAL        a null pointer, or i is not below the count
 * SPW_EUNSUPPORTED  an element type that is none of rule 1.5, as complex32 and float8
 * SPW_ENOMEM        more than `limit` bytes (0: spw_memory_limit of the file's size) */
spw_status spw_archive_read(const spw_archive *archive, size_t i, size_t limit, spw_owned **out, spw_error *error);

void spw_archive_close(spw_archive *archive); /* null is fine */

#ifdef __cplusplus
}
#endif

#endif
