/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libhdf5 that are called. It is looked for when a file of HDF5 is opened: nothing is linked, and no header
   of it
 * is needed. Numbers and structs are those that its versions from 1.10 on share. */
#ifndef SPW_IO_HDF5_API_H
#define SPW_IO_HDF5_API_H

#include "../../owned/owned.h"

#include <sys/types.h>

typedef int64_t spw_hid;

/* What H5Gget_info and H5Lget_info write: only what is named here is read, and no version writes more. */
typedef struct spw_hdf5_group_info {
  int storage;
  uint64_t links;
  int64_t order;
  int mounted;
  uint64_t room[8];
} spw_hdf5_group_info;

typedef struct spw_hdf5_link_info {
  int type;
  uint64_t room[16];
} spw_hdf5_link_info;

/* result, name, arguments */
#define SPW_HDF5_FUNCTIONS(X)                                                                                                  \
  X(int, H5open, (void))                                                                                                       \
  X(int, H5get_libversion, (unsigned *, unsigned *, unsigned *))                                                               \
  X(int, H5free_memory, (void *))                                                                                              \
  X(int, H5Eset_auto2, (spw_hid, void *, void *))                                                                              \
  X(int, H5PLset_loading_state, (unsigned))                                                                                    \
  X(int, H5PLget_loading_state, (unsigned *))                                                                                  \
  X(spw_hid, H5Pcreate, (spw_hid))                                                                                             \
  X(int, H5Pclose, (spw_hid))                                                                                                  \
  X(int, H5Pset_fapl_core, (spw_hid, size_t, int))                                                                             \
  X(int, H5Pset_file_image, (spw_hid, void *, size_t))                                                                         \
  X(int, H5Pset_fclose_degree, (spw_hid, int))                                                                                 \
  X(int, H5Pset_obj_track_times, (spw_hid, int))                                                                               \
  X(int, H5Pget_layout, (spw_hid))                                                                                             \
  X(int, H5Pget_chunk, (spw_hid, int, uint64_t *))                                                                             \
  X(int, H5Pget_external_count, (spw_hid))                                                                                     \
  X(int, H5Pget_nfilters, (spw_hid))                                                                                           \
  X(int, H5Pget_filter2, (spw_hid, unsigned, unsigned *, size_t *, unsigned *, size_t, char *, unsigned *))                    \
  X(spw_hid, H5Fopen, (const char *, unsigned, spw_hid))                                                                       \
  X(spw_hid, H5Fcreate, (const char *, unsigned, spw_hid, spw_hid))                                                            \
  X(int, H5Fflush, (spw_hid, int))                                                                                             \
  X(ssize_t, H5Fget_file_image, (spw_hid, void *, size_t))                                                                     \
  X(int, H5Fclose, (spw_hid))                                                                                                  \
  X(int, H5Gget_info, (spw_hid, spw_hdf5_group_info *))                                                                        \
  X(ssize_t, H5Lget_name_by_idx, (spw_hid, const char *, int, int, uint64_t, char *, size_t, spw_hid))                         \
  X(int, H5Lexists, (spw_hid, const char *, spw_hid))                                                                          \
  X(spw_hid, H5Oopen, (spw_hid, const char *, spw_hid))                                                                        \
  X(int, H5Oclose, (spw_hid))                                                                                                  \
  X(int, H5Iget_type, (spw_hid))                                                                                               \
  X(int, H5Aexists, (spw_hid, const char *))                                                                                   \
  X(spw_hid, H5Aopen, (spw_hid, const char *, spw_hid))                                                                        \
  X(spw_hid, H5Acreate2, (spw_hid, const char *, spw_hid, spw_hid, spw_hid, spw_hid))                                          \
  X(int, H5Aclose, (spw_hid))                                                                                                  \
  X(spw_hid, H5Aget_type, (spw_hid))                                                                                           \
  X(spw_hid, H5Aget_space, (spw_hid))                                                                                          \
  X(int, H5Aread, (spw_hid, spw_hid, void *))                                                                                  \
  X(int, H5Awrite, (spw_hid, spw_hid, const void *))                                                                           \
  X(spw_hid, H5Screate, (int))                                                                                                 \
  X(spw_hid, H5Screate_simple, (int, const uint64_t *, const uint64_t *))                                                      \
  X(int, H5Sclose, (spw_hid))                                                                                                  \
  X(int, H5Sget_simple_extent_type, (spw_hid))                                                                                 \
  X(int, H5Sget_simple_extent_ndims, (spw_hid))                                                                                \
  X(int, H5Sget_simple_extent_dims, (spw_hid, uint64_t *, uint64_t *))                                                         \
  X(int, H5Tget_class, (spw_hid))                                                                                              \
  X(size_t, H5Tget_size, (spw_hid))                                                                                            \
  X(size_t, H5Tget_precision, (spw_hid))                                                                                       \
  X(int, H5Tget_sign, (spw_hid))                                                                                               \
  X(int, H5Tget_order, (spw_hid))                                                                                              \
  X(int, H5Tget_fields, (spw_hid, size_t *, size_t *, size_t *, size_t *, size_t *))                                           \
  X(size_t, H5Tget_ebias, (spw_hid))                                                                                           \
  X(int, H5Tget_nmembers, (spw_hid))                                                                                           \
  X(char *, H5Tget_member_name, (spw_hid, unsigned))                                                                           \
  X(size_t, H5Tget_member_offset, (spw_hid, unsigned))                                                                         \
  X(spw_hid, H5Tget_member_type, (spw_hid, unsigned))                                                                          \
  X(int, H5Tis_variable_str, (spw_hid))                                                                                        \
  X(spw_hid, H5Tcopy, (spw_hid))                                                                                               \
  X(int, H5Tset_size, (spw_hid, size_t))                                                                                       \
  X(int, H5Tclose, (spw_hid))                                                                                                  \
  X(spw_hid, H5Dget_type, (spw_hid))                                                                                           \
  X(spw_hid, H5Dget_space, (spw_hid))                                                                                          \
  X(spw_hid, H5Dget_create_plist, (spw_hid))                                                                                   \
  X(int, H5Dread, (spw_hid, spw_hid, spw_hid, spw_hid, spw_hid, void *))                                                       \
  X(int, H5Dwrite, (spw_hid, spw_hid, spw_hid, spw_hid, spw_hid, const void *))                                                \
  X(spw_hid, H5Dcreate2, (spw_hid, const char *, spw_hid, spw_hid, spw_hid, spw_hid, spw_hid))                                 \
  X(int, H5Dclose, (spw_hid))

/* Numbers that the library gives out. */
#define SPW_HDF5_NUMBERS(X)                                                                                                    \
  X(H5P_CLS_FILE_ACCESS_ID_g)                                                                                                  \
  X(H5P_CLS_DATASET_CREATE_ID_g)                                                                                               \
  X(H5T_C_S1_g)                                                                                                                \
  X(H5T_STD_U8LE_g)                                                                                                            \
  X(H5T_STD_I8LE_g)                                                                                                            \
  X(H5T_STD_I16LE_g)                                                                                                           \
  X(H5T_STD_I32LE_g)                                                                                                           \
  X(H5T_STD_I64LE_g)                                                                                                           \
  X(H5T_IEEE_F32LE_g)                                                                                                          \
  X(H5T_IEEE_F64LE_g)

#define SPW_HDF5_DECLARE(result, name, arguments) result(*name) arguments;
#define SPW_HDF5_NUMBER(name) spw_hid name;

typedef struct spw_hdf5 {
  SPW_HDF5_FUNCTIONS(SPW_HDF5_DECLARE)
  SPW_HDF5_NUMBERS(SPW_HDF5_NUMBER)
  /* These have had other names since 1.12. */
  int (*get_link_info)(spw_hid, const char *, spw_hdf5_link_info *, spw_hid);
  unsigned version[3];
} spw_hdf5;

/* The library; null where there is none. Each caller holds it until it lets it go: one thread at a time, for the library need not
 * be one that several may call. While it is held, it prints no errors and loads no filters of others. */
const spw_hdf5 *spw_hdf5_take(void);
void spw_hdf5_let_go(const spw_hdf5 *library);

/* Calls this instead of the library, or the library again for null: for tests. */
void spw_hdf5_replace(const spw_hdf5 *library);

#endif
