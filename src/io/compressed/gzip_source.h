/* SPDX-License-Identifier: Apache-2.0 */
/* The inflated bytes of a gzip file in memory, one piece after the other. */
#ifndef SPW_IO_GZIP_SOURCE_H
#define SPW_IO_GZIP_SOURCE_H

#include "../../owned/owned.h"

/* No deflate stream grows by more than this: 258 bytes for a length code and a distance code of
 * one bit each. */
enum { SPW_GZIP_MOST_RATIO = 1032 };

typedef struct spw_gzip spw_gzip;

/* Do the bytes begin as a gzip file does? */
bool spw_gzip_detect(const void *bytes, size_t size);

/* Its memory, about 48 KiB, lies in the arena of `owned`, so there is nothing to close. The file
 * may inflate to at most what the arena has left now. Null without memory. */
spw_gzip *spw_gzip_open(spw_owned *owned, const void *bytes, size_t size);

/* Puts the next 1 to `capacity` bytes into `to`; *got is 0 at the end of the last member, and only
 * there. Damage, a file cut short and bytes that follow the last member are SPW_EFORMAT. */
spw_status spw_gzip_read(spw_gzip *gzip, char *to, unsigned capacity, size_t *got,
                         spw_error *error);

#endif
