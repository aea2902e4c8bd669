/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of one tensor that a reader or a conversion makes: an arena with a budget. */
#ifndef SPW_IO_OWNED_H
#define SPW_IO_OWNED_H

#include "../sparsewright.h"

/* A tensor without members, whose arena may take `limit` bytes; null without memory. */
spw_owned *spw_owned_new(size_t limit);

/* The tensor, for who fills it. */
spw_tensor *spw_owned_edit(spw_owned *owned);

/* `count` zeroed elements of `size` bytes, freed with the tensor; not null for count * size == 0.
 * Null when the budget or the memory is exhausted or the product overflows. */
void *spw_owned_alloc(spw_owned *owned, size_t count, size_t size);

/* `count` elements of `size` bytes (1, 2, 4, 8, 16), each equal to *element: large ones take
 * address space, are read-only, and cost the budget no more than 8 MiB, or nothing where they are zero. Null on failure. */
const void *spw_owned_fill(spw_owned *owned, size_t count, size_t size, const void *element);

/* Bytes that the budget still allows. */
size_t spw_owned_left(const spw_owned *owned);

/* That many bytes more may be taken: what its limit was short of is free again. */
void spw_owned_give(spw_owned *owned, size_t bytes);

/* The arrays that b->room asks for, in the memory of `owned`; the workspace is the caller's to free. */
bool spw_owned_buffers(spw_owned *owned, spw_buffers *b);

/* A call that fills buffers of the lengths that b->room says. */
typedef spw_status spw_owned_filler(const void *context, const spw_buffers *b, spw_tensor *result, spw_refusal *refusal);

/* *out: what `fill` gives in the buffers that b->room asks for, with its workspace within `limit` bytes. SPW_ENOMEM beyond. */
spw_status spw_owned_make(spw_owned_filler *fill, const void *context, size_t limit, spw_buffers *b, spw_owned **out,
                          spw_refusal *refusal);

/* Fills *error (null is fine) and returns `status`. `where` is copied; "" when there is no place. */
spw_status spw_fail(spw_status status, spw_error *error, const char *where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
