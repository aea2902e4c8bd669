/* SPDX-License-Identifier: Apache-2.0 */
/* Files of several tensors. */
#define _GNU_SOURCE 1 /* memmem */
#include "archives.h"

#include <string.h>

spw_status fuzz_read_first(spw_file_format format, const void *bytes, size_t size, size_t limit, spw_owned **out,
                           spw_error *error)
{
  spw_archive *archive = NULL;
  spw_status status = spw_archive_open(format, bytes, size, limit / 2, &archive, error);
  if (status != SPW_OK) return status;
  if (spw_archive_count(archive) == 0) {
    status = SPW_EUNSUPPORTED;
    if (error) memcpy(error->message, "no tensor", sizeof "no tensor");
  } else {
    status = spw_archive_read(archive, 0, limit / 2, out, error);
  }
  spw_archive_close(archive);
  return status;
}

static void expect_piece(const uint8_t *data, size_t size, const spw_array *a, const void *storage)
{
  const int64_t bytes = a->length * spw_dtype_size(a->dtype);
  if (a->offset != 0 || bytes < 0 || (size_t)bytes > size || !memmem(data, size, storage, (size_t)bytes))
    fuzz_fail("an array that is no piece of the file", "%lld bytes", (long long)bytes);
}

static void expect_tensor(const uint8_t *data, size_t size, const spw_tensor *t)
{
  if (t->layout != SPW_COO) expect_piece(data, size, &t->compressed.array, fuzz_index_data(&t->compressed));
  expect_piece(data, size, &t->plain.array, fuzz_index_data(&t->plain));
  expect_piece(data, size, &t->values.array, t->values.data);
}

static bool is_plain(const char *path)
{
  for (; *path; path++)
    if (*path < ' ' || *path > '~') return false;
  return true;
}

static void expect_entry(const spw_archive *archive, size_t i, const uint8_t *data, size_t size, bool pieces)
{
  const char *const path = spw_archive_path(archive, i);
  const size_t found = path ? spw_archive_find(archive, path) : 0;
  if (!path || !is_plain(path) || (found != i && found != SIZE_MAX)) fuzz_fail("a path that does not find its tensor", "%zu", i);
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_archive_read(archive, i, 0, &owned, &error);
  if (status == SPW_EINVAL || (status != SPW_OK && !error.message[0])) fuzz_fail("no message with a refusal", "%d", (int)status);
  if (status == SPW_OK && pieces) expect_tensor(data, size, spw_owned_tensor(owned));
  spw_owned_free(owned);
}

void fuzz_expect_archive(spw_file_format format, const uint8_t *data, size_t size, bool pieces)
{
  enum { MOST = 16 };
  spw_archive *archive = NULL;
  spw_error error = {"", ""};
  if (spw_archive_open(format, data, size, 0, &archive, &error) != SPW_OK) fuzz_fail("refused the second time", "%s",
                                                                                     error.message);
  for (size_t i = 0; i < spw_archive_count(archive) && i < MOST; i++) expect_entry(archive, i, data, size, pieces);
  spw_archive_close(archive);
  if (spw_archive_open(format, data, size - 1, 0, &archive, &error) == SPW_OK)
    fuzz_fail("a file without its last byte is read", "see the input");
}

/* ---- Arrays by names ------------------------------------------------------------------------- */

enum { WORDS = 16, LETTERS = 32, MEMBERS = 4 };

typedef struct words {
  size_t count;
  char word[WORDS][LETTERS];
} words;

static bool is_letter(uint8_t c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static void add_word(words *w, const uint8_t *from, size_t length)
{
  char word[LETTERS] = "";
  if (length < 1 || length >= LETTERS || w->count == WORDS) return;
  memcpy(word, from, length);
  for (size_t i = 0; i < w->count; i++)
    if (strcmp(w->word[i], word) == 0) return;
  memcpy(w->word[w->count++], word, LETTERS);
}

static bool ends_with(const uint8_t *data, size_t at, const char *ending)
{
  const size_t length = strlen(ending);
  return at >= length && memcmp(data + at - length, ending, length) == 0;
}

/* Those that an archive of NumPy or a header of safetensors has for arrays. */
static words words_of(const uint8_t *data, size_t size)
{
  words w = {0};
  for (size_t at = 0, begun = 0; at < size; at++)
    if (!is_letter(data[at])) {
      if (at - begun > 4 && ends_with(data, at, ".npy")) add_word(&w, data + begun, at - begun - 4);
      if (data[at] == '"' && at + 2 < size && data[at + 1] == ':' && data[at + 2] == '{') add_word(&w, data + begun, at - begun);
      begun = at + 1;
    }
  return w;
}

/* A reader is told nothing but bytes. */
static spw_file_format named_in;
static spw_members named;
static fuzz_reader *then; /* what is written is an ordinary file of the format */

static spw_status read_named(const void *bytes, size_t size, size_t limit, spw_owned **out, spw_error *error)
{
  const bool first = named.values != NULL;
  const spw_members names = named;
  named = (spw_members){0};
  return first ? spw_read_members(named_in, bytes, size, limit, &names, out, error) : then(bytes, size, limit, out, error);
}

void fuzz_try_members(spw_file_format of, const fuzz_format *format, const uint8_t *data, size_t size)
{
  const words w = words_of(data, size);
  if (w.count == 0) return;
  uint32_t chosen = 0;
  for (size_t i = 0; i < size; i++) chosen = chosen * 31 + data[i];
  const char *names[MEMBERS];
  for (int i = 0; i < MEMBERS; i++, chosen /= WORDS) names[i] = w.word[chosen % WORDS % w.count];
  const bool compressed = chosen & 1, has_size = chosen & 2;
  named_in = of;
  then = format->read;
  named = (spw_members){.layout = chosen & 4 ? -1 : compressed ? SPW_CSC : SPW_COO, .compressed = compressed ? names[0] : NULL,
                        .plain = names[1], .values = names[2], .size = has_size ? names[3] : NULL};
  const fuzz_format by_names = {format->name, format->is_zip, read_named, format->write};
  fuzz_try_reader(&by_names, data, size);
}
