/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of files, and files that hold several tensors: .pt and .pth, as torch.save writes them, .safetensors, and HDF5.
 * Part of libsparsewright_io.
 *
 * Nothing in a file is executed. A pickle may name the functions that torch.save writes for tensors, and everything else is
 * refused by its name. */
#ifndef SPARSEWRIGHT_FILES_H
#define SPARSEWRIGHT_FILES_H

#include "sparsewright_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Formats ------------------------------------------------------------------------------------- */

typedef enum spw_file_format {
  SPW_FORMAT_UNKNOWN = 0,
  SPW_FORMAT_JSON,
  SPW_FORMAT_JSONL, /* a JSON object a line */
  SPW_FORMAT_NPZ,
  SPW_FORMAT_PT,
  SPW_FORMAT_SAFETENSORS,
  SPW_FORMAT_HDF5,
  SPW_FORMAT_MTX,
  SPW_FORMAT_NPY
} spw_file_format;

/* An ending of names, and what such a file is. */
typedef struct spw_file_format_info {
  const char *ending; /* ".npz" */
  spw_file_format format;
  const char *contents, *recognised_by;
  bool is_written;
  bool is_dense;   /* it never holds a sparse tensor */
  bool has_places; /* it may hold several tensors: spw_archive_open */
} spw_file_format_info;

/* Ending i of all; null behind the last. */
const spw_file_format_info *spw_file_format_get(int i);

/* The format of a file whose first `size` bytes these are. Where they do not tell, the ending of the name does; `name` may be
 * null. 64 KiB are enough. SPW_FORMAT_UNKNOWN if the file begins with a zero byte and is no safetensors file, whatever its
 * name. */
spw_file_format spw_file_format_of(const char *name, const void *bytes, size_t size);

/* The format of the ending of a name, the longest that fits; SPW_FORMAT_UNKNOWN for others. */
spw_file_format spw_file_format_of_name(const char *name);

/* The same, but SPW_FORMAT_UNKNOWN for formats that are not written; ".json" is JSON, too. */
spw_file_format spw_file_format_to_write(const char *name);

/* What the file of another program is that these bytes begin, and that is not read: "a Parquet file". Null if it may be one that
 * is read, or one of no known format. */
const char *spw_foreign_format(const void *bytes, size_t size);

/* Reads and writes bytes of a format as the function of that format does: SPW_FORMAT_NPZ as spw_read_npz. JSON is read where
 * the format is unknown. A file that has places must hold one sparse tensor. */
spw_status spw_read_bytes(spw_file_format format, const void *bytes, size_t size, size_t limit, spw_owned **out,
                          spw_error *error);
spw_status spw_write_bytes(spw_file_format format, const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);

/* ---- Files of several tensors -------------------------------------------------------------------- */

/* The list of the sparse tensors in a file. */
typedef struct spw_archive spw_archive;

/* Lists the sparse tensors of a file in bytes[0 .. size), which must stay as they are until spw_archive_close. The format is one
 * that has places. *out is set with SPW_OK only. `limit`: bytes of memory at most; 0: spw_memory_limit(size). `error` may be
 * null. O(size) time and memory; reads no element.
 * SPW_EINVAL        a null pointer, or a format without places
 * Otherwise as the function of the format, below. */
spw_status spw_archive_open(spw_file_format format, const void *bytes, size_t size, size_t limit, spw_archive **out,
                            spw_error *error);

/* Lists the sparse tensors of a .pt file. Both formats of torch.save are read: zip archives of either byte order, and the legacy
 * format in little-endian order. Every sparse tensor that the pickle makes has to be part of the object that was saved. Each is
 * listed once, at the first path that leads to it, in the order of the file. Of a dict that has a key twice, both values are
 * listed.
 * SPW_EINVAL        a null pointer
 * SPW_EFORMAT       no such file, or one that two readers may take for different tensors: doubled or overlapping members, bytes
 *                   that belong to nothing, a tensor beyond its storage, a storage of another length
 * SPW_EUNSUPPORTED  the pickle names something else than tensors, dicts, lists and numbers; members are compressed
 * SPW_ENOMEM        more than the limit */
spw_status spw_archive_open_pt(const void *bytes, size_t size, size_t limit, spw_archive **out, spw_error *error);

/* Lists the sparse tensors of a .safetensors file. The format has dense tensors only: several of them are one sparse tensor by
 * their names, which begin alike. X is "" or ends in a dot; the path of the tensor is X without that dot.
 *
 * | members                                     | layout                                                     |
 * | Xcrow_indices, Xcol_indices, Xvalues        | CSR or BSR                                                 |
 * | Xccol_indices, Xrow_indices, Xvalues        | CSC or BSC                                                 |
 * | Xindices, Xvalues                           | COO: indices of shape (sparse_dim, nse)                    |
 * | Xrow, Xcol, Xdata                           | COO                                                        |
 * | Xindptr, Xindices, Xdata                    | CSR, CSC or BSR, as the metadata say                       |
 *
 * The metadata Xsparse_format or Xlayout, else sparse_format or layout, name a layout. The size is the member Xsize or Xshape,
 * else the metadata of these names, "[2, 3]"; else there is none. The metadata Xcoalesced claim that COO is coalesced: "true".
 * SPW_EINVAL        a null pointer
 * SPW_EFORMAT       no such file: tensors that overlap, gaps between them, a length that the shape does not give, a name twice
 * SPW_ENOMEM        more than the limit */
spw_status spw_archive_open_safetensors(const void *bytes, size_t size, size_t limit, spw_archive **out, spw_error *error);

/* Lists the sparse matrices of an HDF5 file, each at the path of its group: "layers/counts". Groups are read as AnnData and
 * 10x Genomics write them, and as binsparse 0.1 describes them. A group with datasets of the names above is one, too; its
 * layout and size are the attributes sparse_format and shape. Arrays may be chunked, and compressed by filters that libhdf5
 * has itself. Soft links are not followed.
 *
 * libhdf5 reads the file. It is not linked: any version from 1.10 on is looked for at run time. One thread at a time calls it,
 * and it loads no filters of others meanwhile. It was not written for hostile files: where such come in, call this in a process
 * of its own.
 * SPW_EINVAL        a null pointer
 * SPW_EFORMAT       libhdf5 cannot open the file, or a part of it
 * SPW_EUNSUPPORTED  there is no libhdf5; an external link; groups deeper than 32, more than 65536 links
 * SPW_ENOMEM        more than the limit */
spw_status spw_archive_open_hdf5(const void *bytes, size_t size, size_t limit, spw_archive **out, spw_error *error);

/* The version of libhdf5, 1 10 8; false where there is none. */
bool spw_hdf5_version(unsigned version[3]);

/* Do the first `size` bytes look like a .pt file: a zip archive whose first member lies in a folder, or the pickle that the
 * older format begins with? Never an .npz file. False for null. O(size of the name). */
bool spw_is_pt(const void *bytes, size_t size);

/* Do they look like a .safetensors file: a length of at most 100 MB, and a bracket? False for null. */
bool spw_is_safetensors(const void *bytes, size_t size);

/* Do they begin an HDF5 file without a user block? False for null. */
bool spw_is_hdf5(const void *bytes, size_t size);

/* How many sparse tensors, and how many dense ones, which are not listed. */
size_t spw_archive_count(const spw_archive *archive);
size_t spw_archive_dense_count(const spw_archive *archive);

/* Where tensor i < count lies in the file. Of a .pt file: keys of dicts and numbers in lists and tuples, separated by slashes:
 * "state_dict/layer.weight". "" where the object is the tensor. In a key `~1` stands for a slash and `~0` for a tilde, as in JSON
 * pointers, and control characters are \\xNN. Null for another i. The archive owns it. */
const char *spw_archive_path(const spw_archive *archive, size_t i);

/* The tensor at a path; SIZE_MAX if there is none, or more than one, as where a dict has a key twice. O(count). */
size_t spw_archive_find(const spw_archive *archive, const char *path);

/* Tensor i with a copy of the elements that its arrays reach, in an owner of its own; it may well be invalid: check it.
 * Strides are those of the file. Where a file has index arrays of another integer type than int32 and int64, both become int64;
 * values of uint16, uint32 and uint64 become int32 and int64. O(elements from each array's first to its last).
 * SPW_EINVAL        a null pointer, or i is not below the count
 * SPW_EFORMAT       arrays that are no tensor
 * SPW_EUNSUPPORTED  an element type that is none of rule 1.5, as complex32 and float8; a layout that the file does not say
 * SPW_ENOMEM        more than `limit` bytes (0: spw_memory_limit of the file's size) */
spw_status spw_archive_read(const spw_archive *archive, size_t i, size_t limit, spw_owned **out, spw_error *error);

void spw_archive_close(spw_archive *archive); /* null is fine */

/* ---- Arrays by names that the caller gives ---------------------------------------------------------- */

/* The names of the arrays that are one sparse tensor. Null is no name. */
typedef struct spw_members {
  int layout; /* an spw_layout, or -1: what the file says, else CSR where there are compressed indices, and COO */
  const char *compressed, *plain, *values; /* compressed: null for COO, whose indices are `plain` */
  const char *size; /* of an array of integers; null: what the file says, if it does */
} spw_members;

/* Reads the tensor of the arrays of these names in bytes[0 .. size): the members of a .safetensors file, those of any .npz file
 * (without ".npy"), or the datasets of an HDF5 file, "group/dataset" from its root. Otherwise as the readers of
 * sparsewright_core.h and spw_archive_read. It may well be invalid: check it.
 * SPW_EINVAL        a null pointer, no name of plain indices or of values, or compressed indices and COO
 * SPW_EFORMAT       the file is malformed, or has no array of a name: *error says which
 * SPW_EUNSUPPORTED  another format; an element type that is none of rule 1.5; the file says a layout that has no such arrays */
spw_status spw_read_members(spw_file_format format, const void *bytes, size_t size, size_t limit, const spw_members *members,
                            spw_owned **out, spw_error *error);

/* ---- Writing --------------------------------------------------------------------------------------- */

/* Writes the file `path` whole, or leaves it as it was: the bytes go to a new file beside it, which takes its place, its owner,
 * its group and its permissions. What a link leads to is replaced, not the link. What is no regular file is written to as it is.
 * `beside` may be null. It is told the name of the new file before that is there, and null when it is no more, so that a program
 * can remove it when a signal comes. `error` may be null.
 * SPW_EINVAL        a null pointer
 * SPW_EIO           the file cannot be written: *error says why, as strerror does */
spw_status spw_replace_file(const char *path, const void *bytes, size_t size, void (*beside)(const char *name), spw_error *error);

/* spw_write_npz, with members that are stored as they are (level 0) or deflated (level 1, fast, to 9, small).
 * SPW_EINVAL        another level, or a null pointer
 * SPW_EUNSUPPORTED  as spw_write_npz; deflated they would be more than 64 times as large as the file, which no reader takes */
spw_status spw_write_npz_at_level(const spw_tensor *tensor, int level, void **bytes, size_t *size, spw_error *error);

/* Writes a tensor as a .safetensors file that spw_archive_open_safetensors reads: the members of the layout without a prefix, and
 * the metadata sparse_format, size and coalesced. Members are row-major. As the writers of sparsewright_core.h.
 * SPW_EUNSUPPORTED  a dense array, or one that reaches outside its storage */
spw_status spw_write_safetensors(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);

/* Writes a matrix as an HDF5 file of binsparse 0.1: CSR, CSC or COO, with a size of two dimensions. libhdf5 writes it.
 * SPW_EUNSUPPORTED  another layout, more dimensions, float16 or bfloat16; there is no libhdf5 */
spw_status spw_write_binsparse(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);

/* ---- Files as parts of paths ---------------------------------------------------------------------- */

/* Where a path is FILE:PLACE, FILE is a regular file and there is no file of the whole name: the length of FILE. Else 0. */
size_t spw_path_of_file(const char *path);

#ifdef __cplusplus
}
#endif

#endif
