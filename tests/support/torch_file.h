/* SPDX-License-Identifier: Apache-2.0 */
/* Files as torch.save writes them, made by hand: pickles opcode by opcode, in a zip archive or a chain. */
#ifndef TESTS_TORCH_FILE_H
#define TESTS_TORCH_FILE_H

#include <stddef.h>
#include <stdint.h>

enum { TORCH_FILE_ROOM = 1 << 14 };

typedef struct torch_bytes {
  size_t size;
  unsigned char bytes[TORCH_FILE_ROOM];
} torch_bytes;

/* Each appends; nothing fits beyond the room, which ends the test. */
void put_bytes(torch_bytes *to, const void *bytes, size_t size);
void put_string(torch_bytes *to, const char *ops); /* without its final 0 */
void put_text(torch_bytes *to, const char *text);
void put_int(torch_bytes *to, int64_t number);
void put_name(torch_bytes *to, const char *module, const char *name);
void put_tuple(torch_bytes *to, int count, const int64_t *numbers);

/* A view of `count` elements of a storage class, as "Long", in storage `key`; `legacy`: as the older format names it. */
typedef struct torch_view {
  const char *key, *type;
  int64_t count, offset;
  int ndim;
  int64_t shape[4], strides[4];
} torch_view;

void put_storage(torch_bytes *to, const torch_view *view, int legacy);
void put_view(torch_bytes *to, const torch_view *view, int legacy);

/* A sparse tensor of 2 or 3 arrays. */
void put_sparse(torch_bytes *to, const char *layout, int arrays, const torch_view *views, int ndim, const int64_t *size,
                int legacy);

typedef struct torch_member {
  const char *name; /* "a/data.pkl" */
  const void *bytes;
  size_t size;
} torch_member;

/* Members that are stored one behind the other. */
void put_zip(torch_bytes *to, int count, const torch_member *members);

#endif
