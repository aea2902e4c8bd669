/* SPDX-License-Identifier: Apache-2.0 */
/* The two containers that torch.save writes: a zip archive, and the older chain of pickles. */
#ifndef SPW_IO_TORCH_FILE_H
#define SPW_IO_TORCH_FILE_H

#include "torch_objects.h"

typedef struct spw_torch_file {
  spw_pickle_value root;
  bool big_endian;
  size_t sparse; /* sparse tensors that its pickles make, whether they are part of the root or not */
} spw_torch_file;

/* Reads the pickles of a file, and says where the elements of every storage lie. */
spw_status spw_torch_file_read(spw_owned *owned, const unsigned char *bytes, size_t size, spw_torch_file *file,
                               spw_error *error);

#endif
