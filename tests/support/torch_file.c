/* SPDX-License-Identifier: Apache-2.0 */
#include "torch_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void put_bytes(torch_bytes *to, const void *bytes, size_t size)
{
  if (size > TORCH_FILE_ROOM - to->size) {
    fputs("torch_file: no room\n", stderr);
    abort();
  }
  if (size > 0) memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
}

void put_string(torch_bytes *to, const char *ops)
{
  put_bytes(to, ops, strlen(ops));
}

static void put_number(torch_bytes *to, uint64_t number, int width)
{
  for (int i = 0; i < width; i++, number >>= 8) put_bytes(to, &(unsigned char){(unsigned char)number}, 1);
}

void put_text(torch_bytes *to, const char *text)
{
  put_string(to, "X");
  put_number(to, strlen(text), 4);
  put_string(to, text);
}

void put_int(torch_bytes *to, int64_t number)
{
  put_string(to, "\x8a\x08");
  put_number(to, (uint64_t)number, 8);
}

void put_name(torch_bytes *to, const char *module, const char *name)
{
  put_string(to, "c");
  put_string(to, module);
  put_string(to, "\n");
  put_string(to, name);
  put_string(to, "\n");
}

void put_tuple(torch_bytes *to, int count, const int64_t *numbers)
{
  put_string(to, "(");
  for (int i = 0; i < count; i++) put_int(to, numbers[i]);
  put_string(to, "t");
}

void put_storage(torch_bytes *to, const torch_view *view, int legacy)
{
  char name[40];
  snprintf(name, sizeof name, "%sStorage", view->type);
  put_string(to, "(");
  put_text(to, "storage");
  put_name(to, "torch", name);
  put_text(to, view->key);
  put_text(to, "cpu");
  put_int(to, view->count);
  put_string(to, legacy ? "NtQ" : "tQ");
}

void put_view(torch_bytes *to, const torch_view *view, int legacy)
{
  put_name(to, "torch._utils", "_rebuild_tensor_v2");
  put_string(to, "(");
  put_storage(to, view, legacy);
  put_int(to, view->offset);
  put_tuple(to, view->ndim, view->shape);
  put_tuple(to, view->ndim, view->strides);
  put_string(to, "\x89");
  put_name(to, "collections", "OrderedDict");
  put_string(to, ")RtR");
}

void put_sparse(torch_bytes *to, const char *layout, int arrays, const torch_view *views, int ndim, const int64_t *size,
                int legacy)
{
  put_name(to, "torch._utils", "_rebuild_sparse_tensor");
  put_string(to, "(");
  put_name(to, "torch.serialization", "_get_layout");
  put_text(to, layout);
  put_string(to, "\x85R(");
  for (int i = 0; i < arrays; i++) put_view(to, &views[i], legacy);
  put_name(to, "torch", "Size");
  put_tuple(to, ndim, size);
  put_string(to, "\x85RttR");
}

/* ---- Zip ------------------------------------------------------------------------------------- */

/* What the local header and the directory have in common, from the version on: no CRC, which nobody asks for. */
static void put_header(torch_bytes *to, const torch_member *m)
{
  put_number(to, 20, 2);
  put_number(to, 0, 2 + 2 + 4 + 4);
  put_number(to, m->size, 4);
  put_number(to, m->size, 4);
  put_number(to, strlen(m->name), 2);
  put_number(to, 0, 2);
}

void put_zip(torch_bytes *to, int count, const torch_member *members)
{
  size_t places[32];
  const size_t start = to->size;
  for (int i = 0; i < count; i++) {
    places[i] = to->size - start;
    put_string(to, "PK\3\4");
    put_header(to, &members[i]);
    put_string(to, members[i].name);
    put_bytes(to, members[i].bytes, members[i].size);
  }
  const size_t directory = to->size - start;
  for (int i = 0; i < count; i++) {
    put_string(to, "PK\1\2");
    put_number(to, 20, 2);
    put_header(to, &members[i]);
    put_number(to, 0, 8);
    put_number(to, 0, 2);
    put_number(to, places[i], 4);
    put_string(to, members[i].name);
  }
  const size_t end = to->size - start;
  put_string(to, "PK\5\6");
  put_number(to, 0, 4);
  put_number(to, (uint64_t)count, 2);
  put_number(to, (uint64_t)count, 2);
  put_number(to, end - directory, 4);
  put_number(to, directory, 4);
  put_number(to, 0, 2);
}
