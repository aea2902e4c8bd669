/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold of a file that may hold several tensors. */
#ifndef FUZZ_ARCHIVES_H
#define FUZZ_ARCHIVES_H

#include "target.h"

/* The first tensor, as a reader of one. */
spw_status fuzz_read_first(spw_file_format format, const void *bytes, size_t size, size_t limit, spw_owned **out,
                           spw_error *error);

/* Of a file that has been read once: each tensor is listed once, at a path that finds it, and read or refused with a reason; the
 * same file without its last byte is refused. Where `pieces`, each array is a piece of the file. */
void fuzz_expect_archive(spw_file_format format, const uint8_t *data, size_t size, bool pieces);

/* Reads arrays as one tensor, by names that are words of the file, which its bytes choose. What holds of a reader holds. */
void fuzz_try_members(spw_file_format of, const fuzz_format *format, const uint8_t *data, size_t size);

#endif
