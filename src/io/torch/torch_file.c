/* SPDX-License-Identifier: Apache-2.0 */
/* The zip archives of torch.save, and the chains of pickles that it wrote before. */
#define _XOPEN_SOURCE 700 /* strncasecmp */
#include "torch_file.h"
#include "../compressed/zip_archive.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- Zip: NAME/data.pkl, NAME/data/KEY, NAME/byteorder, NAME/version ... ---------------------- */

typedef struct archive {
  const spw_zip_entry *entries;
  size_t count;
  spw_torch_storage **storages; /* of each entry; null: no storage so far */
  const char *folder;           /* NAME/ */
  size_t folder_length;
  spw_error *error;
} archive;

enum { LONGEST_KEY = 64, LONGEST_FOLDER = 255 };

static const spw_zip_entry *member(const archive *a, const char *name)
{
  char joined[LONGEST_FOLDER + LONGEST_KEY + 16];
  const int length = snprintf(joined, sizeof joined, "%.*s%s", (int)a->folder_length, a->folder, name);
  return spw_zip_find(a->entries, a->count, joined, (size_t)length);
}

/* torch finds these whatever the case of their letters. */
static bool is_misspelt(const archive *a, const spw_zip_entry *e)
{
  static const char *const names[] = {"data.pkl",      "byteorder",       "version",
                                      ".data/version", ".format_version", ".storage_alignment"};
  const char *const name = e->name + a->folder_length;
  const size_t length = e->name_length - a->folder_length;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (length == strlen(names[i]) && strncasecmp(name, names[i], length) == 0) return memcmp(name, names[i], length) != 0;
  return false;
}

/* All members lie in one folder, and none is compressed. */
static spw_status check_members(archive *a)
{
  const char *const slash = a->count > 0 ? memchr(a->entries[0].name, '/', a->entries[0].name_length) : NULL;
  if (!slash) return spw_fail(SPW_EFORMAT, a->error, "", "zip: a member lies in no folder, and torch.save writes one");
  a->folder = a->entries[0].name;
  a->folder_length = (size_t)(slash + 1 - a->folder);
  if (a->folder_length > LONGEST_FOLDER)
    return spw_fail(SPW_EUNSUPPORTED, a->error, "", "zip: a folder whose name has more than 254 characters");
  for (const spw_zip_entry *e = a->entries; e < a->entries + a->count; e++) {
    if (e->name_length < a->folder_length || memcmp(e->name, a->folder, a->folder_length) != 0)
      return spw_fail(SPW_EFORMAT, a->error, "", "zip: members lie in more than one folder");
    if (is_misspelt(a, e))
      return spw_fail(SPW_EFORMAT, a->error, "", "zip: a name that torch takes for another one of small letters");
    if (e->deflated)
      return spw_fail(SPW_EUNSUPPORTED, a->error, "", "zip: a compressed member, and torch.save compresses none");
  }
  return SPW_OK;
}

/* Does a member consist of this text? */
static bool says(const spw_zip_entry *e, const char *text)
{
  return e->size == strlen(text) && memcmp(e->data, text, (size_t)e->size) == 0;
}

static spw_status read_byte_order(const archive *a, bool *big_endian)
{
  const spw_zip_entry *const e = member(a, "byteorder");
  *big_endian = e && says(e, "big");
  if (!e || *big_endian || says(e, "little")) return SPW_OK;
  return spw_fail(SPW_EFORMAT, a->error, "byteorder", "the byte order is neither little nor big");
}

static spw_status check_version(const archive *a)
{
  const spw_zip_entry *const e = member(a, "version");
  if (e && (says(e, "2\n") || says(e, "3\n") || says(e, "2") || says(e, "3"))) return SPW_OK;
  return spw_fail(SPW_EUNSUPPORTED, a->error, "version", "the version of the archive is neither 2 nor 3");
}

/* torch.save numbers storages. */
static bool is_key(const spw_torch_storage *s)
{
  static const char others[] = "._-";
  for (uint32_t i = 0; i < s->key_length; i++) {
    const char c = s->key[i];
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c && strchr(others, c)))) return false;
  }
  return s->key_length > 0 && s->key_length <= LONGEST_KEY;
}

/* The member data/KEY, which has just the elements of the storage. */
static spw_status place_member(void *context, spw_torch_storage *storage, spw_torch_storage **known)
{
  archive *const a = context;
  char name[LONGEST_KEY + 8];
  if (!is_key(storage))
    return spw_fail(SPW_EFORMAT, a->error, "",
                    "the key of a storage is not of 1 to %d letters, digits, dots, dashes and underscores", LONGEST_KEY);
  snprintf(name, sizeof name, "data/%.*s", (int)storage->key_length, storage->key);
  const spw_zip_entry *const e = member(a, name);
  if (!e) return spw_fail(SPW_EFORMAT, a->error, "", "there is no member %s for a storage", name);
  *known = a->storages[e - a->entries];
  if (*known) return SPW_OK;
  int64_t bytes;
  if (__builtin_mul_overflow(storage->count, storage->type->size, &bytes) || (uint64_t)bytes != e->size)
    return spw_fail(SPW_EFORMAT, a->error, "", "storage %.*s of %lld elements of %lld bytes is a member of %llu bytes",
                    (int)storage->key_length, storage->key, (long long)storage->count, (long long)storage->type->size,
                    (unsigned long long)e->size);
  storage->data = e->data;
  a->storages[e - a->entries] = storage;
  return SPW_OK;
}

static spw_status read_zip(spw_owned *owned, const unsigned char *bytes, size_t size, spw_torch_file *file, spw_error *error)
{
  archive a = {.error = error};
  spw_zip_entry *entries;
  spw_status status = spw_zip_open_torch(owned, bytes, size, &entries, &a.count, error);
  if (status) return status;
  a.entries = entries;
  a.storages = spw_owned_alloc(owned, a.count, sizeof *a.storages);
  if (!a.storages) return spw_fail(SPW_ENOMEM, error, "", "zip: the directory needs more than the memory limit");
  status = check_members(&a);
  if (status) return status;
  if (member(&a, "constants.pkl"))
    return spw_fail(SPW_EUNSUPPORTED, error, "", "a TorchScript program, which torch.jit.save wrote");
  const spw_zip_entry *const pickle = member(&a, "data.pkl");
  if (!pickle) return spw_fail(SPW_EUNSUPPORTED, error, "", "a zip archive without a member data.pkl, which torch.save writes");
  status = read_byte_order(&a, &file->big_endian);
  if (!status) status = check_version(&a);
  if (status) return status;
  spw_torch_host host = {.owned = owned, .error = error, .id_length = 5, .context = &a, .place = place_member};
  const spw_pickle_host reader = spw_torch_reader(&host, "data.pkl");
  size_t used;
  status = spw_pickle_read(&reader, pickle->data, (size_t)pickle->size, &file->root, &used);
  file->sparse = host.sparse;
  if (!status && file->big_endian && host.untyped) /* torch turns no bytes of them */
    status = spw_fail(SPW_EUNSUPPORTED, error, "", "a storage without a type in an archive of big-endian numbers");
  if (status || used == pickle->size) return status;
  return spw_fail(SPW_EFORMAT, error, "data.pkl", "bytes behind the pickle");
}

/* ---- Legacy: five pickles, then the storages in the order of the last one --------------------- */

enum { MOST_STORAGES = 8192, MOST_NAMED = 1 << 16 }; /* they are looked up one by one, so many times */

typedef struct chain {
  const unsigned char *bytes;
  size_t size, at;
  spw_torch_storage **storages;
  size_t count, named, sparse;
  spw_owned *owned;
  spw_error *error;
} chain;

static spw_torch_storage *find_storage(const chain *c, const char *key, uint32_t length)
{
  for (size_t i = 0; i < c->count; i++)
    if (c->storages[i]->key_length == length && memcmp(c->storages[i]->key, key, length) == 0) return c->storages[i];
  return NULL;
}

static spw_status place_later(void *context, spw_torch_storage *storage, spw_torch_storage **known)
{
  chain *const c = context;
  if (c->named++ == MOST_NAMED)
    return spw_fail(SPW_EUNSUPPORTED, c->error, "", "storages are named more than %d times in a file of the legacy format",
                    MOST_NAMED);
  *known = find_storage(c, storage->key, storage->key_length);
  if (*known) return SPW_OK;
  if (c->count == MOST_STORAGES)
    return spw_fail(SPW_EUNSUPPORTED, c->error, "", "more than %d storages in a file of the legacy format", MOST_STORAGES);
  c->storages[c->count++] = storage;
  return SPW_OK;
}

static spw_status refuse_storage(void *context, spw_torch_storage *storage, spw_torch_storage **known)
{
  (void)known;
  return spw_fail(SPW_EFORMAT, ((const chain *)context)->error, "", "a storage of %lld elements before the object",
                  (long long)storage->count);
}

static spw_status next_pickle(chain *c, const char *name, bool storages, spw_pickle_value *value)
{
  spw_torch_host host = {
      .owned = c->owned, .error = c->error, .id_length = 6, .context = c, .place = storages ? place_later : refuse_storage};
  const spw_pickle_host reader = spw_torch_reader(&host, name);
  size_t used;
  const spw_status status = spw_pickle_read(&reader, c->bytes + c->at, c->size - c->at, value, &used);
  c->at += used;
  c->sparse += host.sparse;
  return status;
}

/* {"little_endian": True, ...} */
static spw_status read_system(chain *c, bool *big_endian)
{
  spw_pickle_value system;
  const spw_status status = next_pickle(c, "system", false, &system);
  if (status) return status;
  for (size_t i = 0; system.kind == SPW_PICKLE_DICT && i < system.node->count; i += 2) {
    const spw_pickle_value *const key = &system.node->items[i];
    if (!spw_pickle_is_text(key, "little_endian") || key[1].kind != SPW_PICKLE_TRUTH) continue;
    *big_endian = !key[1].number;
    if (!*big_endian) return SPW_OK;
    return spw_fail(SPW_EUNSUPPORTED, c->error, "", "big-endian numbers in a file of the legacy format");
  }
  return spw_fail(SPW_EFORMAT, c->error, "", "the file does not say its byte order");
}

/* Its length, and its elements. */
static spw_status place_storage(chain *c, const spw_pickle_value *key)
{
  spw_torch_storage *const s = key->kind == SPW_PICKLE_TEXT ? find_storage(c, key->text, key->length) : NULL;
  if (!s || s->data) return spw_fail(SPW_EFORMAT, c->error, "", "the keys of storages are not those of the object, each once");
  uint64_t count = 0;
  if (c->size - c->at < 8) return spw_fail(SPW_EFORMAT, c->error, "", "the file ends before the length of a storage");
  for (size_t i = 0; i < 8; i++) count |= (uint64_t)c->bytes[c->at + i] << 8 * i;
  c->at += 8;
  if (count != (uint64_t)s->count)
    return spw_fail(SPW_EFORMAT, c->error, "", "a storage has %llu elements, and the object says %lld",
                    (unsigned long long)count, (long long)s->count);
  if (count > (c->size - c->at) / (uint64_t)s->type->size)
    return spw_fail(SPW_EFORMAT, c->error, "", "the file ends within a storage of %llu elements of %lld bytes",
                    (unsigned long long)count, (long long)s->type->size);
  s->data = c->bytes + c->at;
  c->at += (size_t)count * (size_t)s->type->size;
  return SPW_OK;
}

static spw_status place_storages(chain *c, const spw_pickle_value *keys)
{
  if (keys->kind != SPW_PICKLE_LIST || keys->node->count != c->count)
    return spw_fail(SPW_EFORMAT, c->error, "", "the keys of storages are not those of the object, each once");
  spw_status status = SPW_OK;
  for (size_t i = 0; !status && i < c->count; i++) status = place_storage(c, &keys->node->items[i]);
  if (status || c->at == c->size) return status;
  return spw_fail(SPW_EFORMAT, c->error, "", "bytes behind the last storage");
}

static const unsigned char legacy_magic[] = {0x80, 2,    0x8a, 10,   0x6c, 0xfc, 0x9c, 0x46,
                                             0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19, '.'};

static spw_status read_legacy(spw_owned *owned, const unsigned char *bytes, size_t size, spw_torch_file *file, spw_error *error)
{
  chain c = {.bytes = bytes, .size = size, .at = sizeof legacy_magic, .owned = owned, .error = error};
  spw_pickle_value version, keys;
  c.storages = spw_owned_alloc(owned, MOST_STORAGES, sizeof(void *));
  if (!c.storages) return spw_fail(SPW_ENOMEM, error, "", "the list of storages needs more than the memory limit");
  spw_status status = next_pickle(&c, "version", false, &version);
  if (!status && (version.kind != SPW_PICKLE_INTEGER || version.number != 1001))
    status = spw_fail(SPW_EUNSUPPORTED, error, "version", "the version of the legacy format is not 1001");
  if (!status) status = read_system(&c, &file->big_endian);
  if (!status) status = next_pickle(&c, "object", true, &file->root);
  if (!status) status = next_pickle(&c, "keys", false, &keys);
  file->sparse = c.sparse;
  return status ? status : place_storages(&c, &keys);
}

bool spw_is_pt(const void *bytes, size_t size)
{
  enum { HEADER = 30, NAME_LENGTH = 26 };
  const unsigned char *const at = bytes;
  if (!at) return false;
  if (size >= sizeof legacy_magic && memcmp(at, legacy_magic, sizeof legacy_magic) == 0) return true;
  if (size < HEADER || memcmp(at, "PK\3\4", 4) != 0) return false;
  const size_t length = (size_t)at[NAME_LENGTH] | (size_t)at[NAME_LENGTH + 1] << 8;
  return length <= size - HEADER && memchr(at + HEADER, '/', length);
}

spw_status spw_torch_file_read(spw_owned *owned, const unsigned char *bytes, size_t size, spw_torch_file *file,
                               spw_error *error)
{
  if (size >= sizeof legacy_magic && memcmp(bytes, legacy_magic, sizeof legacy_magic) == 0)
    return read_legacy(owned, bytes, size, file, error);
  if (size >= 2 && memcmp(bytes, "PK", 2) == 0) return read_zip(owned, bytes, size, file, error);
  if (size >= 2 && bytes[0] == 0x80) return spw_fail(SPW_EUNSUPPORTED, error, "", "a pickle that torch.save did not write");
  return spw_fail(SPW_EFORMAT, error, "", "neither a zip archive nor a file of torch.save's legacy format");
}
