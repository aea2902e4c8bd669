/* SPDX-License-Identifier: Apache-2.0 */
/* The members of a zip archive: each entry of the directory is compared with its local header, and
 * all of them together must fill the file. */
#define _GNU_SOURCE 1 /* memmem */
#include "zip_archive.h"
#include "zip_end.h"
#include "zip_fields.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  STORED = 0,
  DEFLATED = 8,
  INFLATION = 1032,    /* one deflated byte gives at most so many */
  NEEDED_VERSION = 45, /* zip64; what needs more is encrypted or of another method */
  ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13,
  DESCRIPTOR = 1 << 3,
  KNOWN_FLAGS = 1 << 1 | 1 << 2 | DESCRIPTOR | 1 << 11, /* how well deflated; the name is UTF-8 */
  ZIP64 = 1,
  PADDING = 0x4246 /* as torch aligns members */
};

/* What a header says, in the directory or before the member. */
typedef struct header {
  unsigned needed, flags, method;
  uint32_t crc;
  uint64_t packed, size, offset;
  const unsigned char *name, *extra;
  size_t name_length, extra_length;
  bool zip64; /* has a field of 64-bit numbers */
} header;

typedef struct reader {
  const unsigned char *bytes;
  spw_zip_end end;
  uint64_t next; /* all before this byte of the file belongs to the members so far */
  bool torch;    /* of torch.save: with folders and padding */
  spw_error *error;
} reader;

/* Slashes are turned, zeros cut and other alphabets guessed by some readers and not by others. */
static bool is_plain(const header *h, bool folders)
{
  for (size_t i = 0; i < h->name_length; i++)
    if (h->name[i] < ' ' || h->name[i] > '~' || (h->name[i] == '/' && !folders) || h->name[i] == '\\')
      return false;
  return h->name_length > 0;
}

static spw_status refuse(const reader *r, const header *h, spw_status status, const char *message)
{
  char where[72];
  const int length = !is_plain(h, r->torch) ? 0 : h->name_length < 64 ? (int)h->name_length : 64;
  snprintf(where, sizeof where, "%.*s", length, length ? (const char *)h->name : "");
  return spw_fail(status, r->error, where, "zip: %s", message);
}

static spw_status malformed(const reader *r, const header *h, const char *message)
{
  return refuse(r, h, SPW_EFORMAT, message);
}

/* ---- Extra fields -------------------------------------------------------------------------- */

/* Times, owners and 64-bit numbers. Others may say that the member has another name, or be read by
 * some and not by others. */
static bool is_harmless(const reader *r, unsigned id)
{
  if (r->torch && id == PADDING) return true;
  static const uint16_t known[] = {ZIP64,  0x000a /* NTFS times */, 0x5455 /* times */,
                                   0x5855 /* times and owner */, 0x7855 /* owner */,
                                   0x7875 /* owner */};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (id == known[i]) return true;
  return false;
}

/* Does the zip64 field have all numbers, though none needs it, and say the same? Python up to 3.11.3
 * writes such local headers where it is told to allow for zip64, as NumPy does. */
static bool repeats_numbers(const unsigned char *field, size_t length, uint64_t *const *numbers)
{
  for (; *numbers; numbers++, field += 8, length -= 8)
    if (length < 8 || **numbers == UINT32_MAX || spw_zip_u64(field) != **numbers) return false;
  return length == 0;
}

/* The numbers that do not fit their 32 bits, and only those, are in the zip64 field; or all are, twice. */
static bool take_zip64(const unsigned char *field, size_t length, uint64_t *const *numbers)
{
  if (repeats_numbers(field, length, numbers)) return true;
  for (; *numbers; numbers++) {
    if (**numbers != UINT32_MAX) continue;
    if (length < 8) return false;
    **numbers = spw_zip_u64(field);
    field += 8;
    length -= 8;
  }
  return length == 0;
}

/* `numbers`, up to a null: those of the header that may be in the zip64 field, in its order. */
static spw_status read_extra(const reader *r, header *h, uint64_t *const *numbers)
{
  const unsigned char *at = h->extra, *end = at + h->extra_length;
  while (end - at >= 4) {
    const unsigned id = spw_zip_u16(at);
    const size_t length = spw_zip_u16(at + 2);
    if (length > (size_t)(end - at) - 4) break;
    if (!is_harmless(r, id)) {
      char message[96];
      snprintf(message, sizeof message,
               "an extra field 0x%04x, which not every reader knows (0x7075 renames)", id);
      return refuse(r, h, SPW_EUNSUPPORTED, message);
    }
    if (id == ZIP64 && (h->zip64 || !take_zip64(at + 4, length, numbers)))
      return malformed(r, h, "a zip64 field with more or fewer numbers than are needed");
    h->zip64 = h->zip64 || id == ZIP64;
    at += 4 + length;
  }
  if (at != end) return malformed(r, h, "extra fields that do not fill their room");
  for (; *numbers; numbers++)
    if (!h->zip64 && **numbers == UINT32_MAX)
      return malformed(r, h, "a number in a zip64 field that is not there");
  return SPW_OK;
}

/* ---- Headers ------------------------------------------------------------------------------- */

/* An entry of the directory at `at`, which has `left` bytes. */
static spw_status read_central(const reader *r, const unsigned char *at, uint64_t left, header *h)
{
  *h = (header){0};
  if (left < SPW_ZIP_CENTRAL_SIZE || !spw_zip_is(at, SPW_ZIP_CENTRAL))
    return malformed(r, h, "the directory has fewer entries than the end record says");
  const size_t comment = spw_zip_u16(at + 32);
  *h = (header){.needed = spw_zip_u16(at + 6), .flags = spw_zip_u16(at + 8),
                .method = spw_zip_u16(at + 10), .crc = spw_zip_u32(at + 16),
                .packed = spw_zip_u32(at + 20), .size = spw_zip_u32(at + 24),
                .offset = spw_zip_u32(at + 42), .name_length = spw_zip_u16(at + 28),
                .extra_length = spw_zip_u16(at + 30)};
  left -= SPW_ZIP_CENTRAL_SIZE;
  if (h->name_length + h->extra_length + comment > left) {
    h->name_length = 0;
    return malformed(r, h, "an entry goes beyond the end of the directory");
  }
  h->name = at + SPW_ZIP_CENTRAL_SIZE;
  h->extra = h->name + h->name_length;
  if (comment > 0) return refuse(r, h, SPW_EUNSUPPORTED, "a member with a comment");
  if (spw_zip_u16(at + 34) != 0) return malformed(r, h, "an archive in several parts");
  return read_extra(r, h, (uint64_t *const[]){&h->size, &h->packed, &h->offset, NULL});
}

/* The header before the member of the entry `c`. */
static spw_status read_local(const reader *r, const header *c, header *h)
{
  const unsigned char *at = r->bytes + c->offset;
  const uint64_t left = r->end.directory - c->offset;
  if (left < SPW_ZIP_LOCAL_SIZE || !spw_zip_is(at, SPW_ZIP_LOCAL))
    return malformed(r, c, "no local header where the directory says that it is");
  *h = (header){.needed = spw_zip_u16(at + 4), .flags = spw_zip_u16(at + 6),
                .method = spw_zip_u16(at + 8), .crc = spw_zip_u32(at + 14),
                .packed = spw_zip_u32(at + 18), .size = spw_zip_u32(at + 22),
                .name = at + SPW_ZIP_LOCAL_SIZE, .name_length = spw_zip_u16(at + 26),
                .extra_length = spw_zip_u16(at + 28)};
  h->extra = h->name + h->name_length;
  if (h->name_length + h->extra_length > left - SPW_ZIP_LOCAL_SIZE)
    return malformed(r, c, "the local header goes beyond the members");
  if (h->name_length != c->name_length || memcmp(h->name, c->name, c->name_length) != 0)
    return malformed(r, c, "the local header has another name than the directory");
  return read_extra(r, h, (uint64_t *const[]){&h->size, &h->packed, NULL});
}

/* ---- Checks -------------------------------------------------------------------------------- */

static spw_status check_kind(const reader *r, const header *c)
{
  if (!is_plain(c, r->torch))
    return malformed(r, c, r->torch ? "a name must be of ASCII characters, without backslash"
                                    : "a name must be of ASCII characters, without slash or backslash");
  if (c->flags & ENCRYPTED) return refuse(r, c, SPW_EUNSUPPORTED, "an encrypted member");
  if (c->method != STORED && c->method != DEFLATED) {
    char message[80];
    snprintf(message, sizeof message, "compression method %u; stored and deflated are supported",
             c->method);
    return refuse(r, c, SPW_EUNSUPPORTED, message);
  }
  if (c->flags & ~(unsigned)KNOWN_FLAGS || c->needed > NEEDED_VERSION)
    return refuse(r, c, SPW_EUNSUPPORTED, "needs more of a reader than stored or deflated members");
  return SPW_OK;
}

/* Where data descriptors are used, the local header leaves its numbers at 0. */
static bool same_numbers(const header *c, const header *l)
{
  if (c->flags & DESCRIPTOR) return !l->crc && !l->packed && !l->size;
  return l->crc == c->crc && l->packed == c->packed && l->size == c->size;
}

static spw_status check_local(const reader *r, const header *c, const header *l)
{
  if (l->flags != c->flags || l->method != c->method || l->needed > NEEDED_VERSION)
    return malformed(r, c, "the local header has other flags or another method than the directory");
  if (!same_numbers(c, l))
    return malformed(r, c, "the local header has another CRC or size than the directory");
  return SPW_OK;
}

static spw_status check_size(const reader *r, const header *c, uint64_t left)
{
  const bool deflated = c->method == DEFLATED;
  if (c->packed <= left &&
      (deflated ? c->size / INFLATION <= c->packed : c->size == c->packed))
    return SPW_OK;
  char message[96];
  snprintf(message, sizeof message, "the directory claims %llu bytes in %llu, which cannot be",
           (unsigned long long)c->size, (unsigned long long)c->packed);
  return malformed(r, c, message);
}

/* The signature, CRC and both sizes of a data descriptor, 64 bits wide if the local header has a
 * zip64 field. */
static size_t descriptor_size(const header *local)
{
  return local->zip64 ? 24 : 16;
}

static bool is_descriptor(const unsigned char *at, const header *local, uint64_t packed)
{
  return spw_zip_is(at, SPW_ZIP_DESCRIPTOR) &&
         (local->zip64 ? spw_zip_u64(at + 8) : spw_zip_u32(at + 8)) == packed;
}

static spw_status check_descriptor(const reader *r, const header *c, const header *l,
                                   const unsigned char *at, uint64_t left)
{
  if (left < descriptor_size(l) || !is_descriptor(at, l, c->packed) ||
      spw_zip_u32(at + 4) != c->crc ||
      (l->zip64 ? spw_zip_u64(at + 16) : spw_zip_u32(at + 12)) != c->size)
    return malformed(r, c, "the data descriptor is missing or contradicts the directory");
  return SPW_OK;
}

/* Who reads a stored member without the directory takes the first bytes that fit for its end. */
static spw_status expect_one_descriptor(const reader *r, const header *c, const header *l,
                                        const unsigned char *data)
{
  for (const unsigned char *at = data, *end = data + c->packed;; at++) {
    at = memmem(at, (size_t)(end - at), SPW_ZIP_DESCRIPTOR, SPW_ZIP_SIGNATURE);
    if (!at) return SPW_OK;
    if ((size_t)(end - at) >= descriptor_size(l) && is_descriptor(at, l, (uint64_t)(at - data)))
      return malformed(r, c, "a data descriptor that fits inside the member");
  }
}

/* ---- Members ------------------------------------------------------------------------------- */

/* The member of the entry `c`, which begins where the last one ended. */
static spw_status read_member(reader *r, const header *c, spw_zip_entry *entry)
{
  header local;
  if (c->offset != r->next)
    return malformed(r, c, "does not begin where the member before it ends");
  spw_status status = read_local(r, c, &local);
  if (!status) status = check_local(r, c, &local);
  if (status) return status;
  const unsigned char *data = local.extra + local.extra_length;
  uint64_t left = r->end.directory - (uint64_t)(data - r->bytes);
  if ((status = check_size(r, c, left))) return status;
  *entry = (spw_zip_entry){(const char *)c->name, c->name_length, data, c->packed,
                           c->size, c->crc, c->method == DEFLATED};
  left -= c->packed;
  r->next = r->end.directory - left;
  if (!(c->flags & DESCRIPTOR)) return SPW_OK;
  status = check_descriptor(r, c, &local, data + c->packed, left);
  if (status) return status;
  r->next += descriptor_size(&local);
  return entry->deflated ? SPW_OK : expect_one_descriptor(r, c, &local, data);
}

static unsigned char lower(char c)
{
  return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool same_letters(const char *a, const char *b, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

static size_t length_without_npy(const spw_zip_entry *e)
{
  const size_t n = e->name_length;
  return n > 4 && same_letters(e->name + n - 4, ".npy", 4) ? n - 4 : n;
}

/* To NumPy `indices` and `indices.npy` are one array, and to a system that ignores the case of
 * letters Indices.npy is one more name of it. */
static bool same_name(const spw_zip_entry *a, const spw_zip_entry *b)
{
  const size_t length = length_without_npy(a);
  return length == length_without_npy(b) && same_letters(a->name, b->name, length);
}

static spw_status check_unique(const reader *r, const header *c, const spw_zip *zip)
{
  const spw_zip_entry *last = &zip->entries[zip->count];
  for (const spw_zip_entry *e = zip->entries; e < last; e++)
    if (same_name(e, last))
      return malformed(r, c, "duplicate member: another one has this name, to some readers");
  return SPW_OK;
}

/* The next entry of the directory, and its member; *at goes behind it. */
static spw_status read_entry(reader *r, const unsigned char **at, header *c, spw_zip_entry *entry)
{
  const unsigned char *const end = r->bytes + r->end.directory + r->end.size;
  spw_status status = read_central(r, *at, (uint64_t)(end - *at), c);
  if (!status) status = check_kind(r, c);
  if (!status) status = read_member(r, c, entry);
  if (!status) *at = c->extra + c->extra_length;
  return status;
}

/* Behind the last entry. */
static spw_status check_filled(const reader *r, const unsigned char *at)
{
  if (at == r->bytes + r->end.directory + r->end.size && r->next == r->end.directory) return SPW_OK;
  return spw_fail(SPW_EFORMAT, r->error, "", "zip: bytes that belong to no member");
}

static spw_status read_entries(reader *r, spw_zip *zip)
{
  const unsigned char *at = r->bytes + r->end.directory;
  for (zip->count = 0; zip->count < r->end.entries; zip->count++) {
    header c;
    spw_status status = read_entry(r, &at, &c, &zip->entries[zip->count]);
    if (!status) status = check_unique(r, &c, zip);
    if (status) return status;
  }
  return check_filled(r, at);
}

spw_status spw_zip_open(spw_zip *zip, const void *bytes, size_t size, spw_error *error)
{
  reader r = {.bytes = bytes, .error = error};
  const spw_status status = spw_zip_find_end(bytes, size, &r.end, error);
  if (status) return status;
  if (r.end.entries > SPW_ZIP_ENTRIES)
    return spw_fail(SPW_EUNSUPPORTED, error, "", "zip: %llu members, more than %d",
                    (unsigned long long)r.end.entries, SPW_ZIP_ENTRIES);
  return read_entries(&r, zip);
}

/* ---- Archives of torch.save ------------------------------------------------------------------ */

static int compare_letters(const char *a, size_t a_length, const char *b, size_t b_length)
{
  const size_t common = a_length < b_length ? a_length : b_length;
  for (size_t i = 0; i < common; i++)
    if (lower(a[i]) != lower(b[i])) return lower(a[i]) < lower(b[i]) ? -1 : 1;
  return (a_length > b_length) - (a_length < b_length);
}

static int compare_entries(const void *a, const void *b)
{
  const spw_zip_entry *const one = a, *const other = b;
  return compare_letters(one->name, one->name_length, other->name, other->name_length);
}

static spw_status check_names(const reader *r, const spw_zip_entry *entries, size_t count)
{
  for (size_t i = 1; i < count; i++) {
    if (compare_entries(&entries[i - 1], &entries[i]) != 0) continue;
    const header named = {.name = (const unsigned char *)entries[i].name, .name_length = entries[i].name_length};
    return malformed(r, &named, "duplicate member: another one has this name, to some readers");
  }
  return SPW_OK;
}

spw_status spw_zip_open_torch(spw_owned *owned, const void *bytes, size_t size, spw_zip_entry **entries, size_t *count,
                              spw_error *error)
{
  reader r = {.bytes = bytes, .torch = true, .error = error};
  spw_status status = spw_zip_find_end(bytes, size, &r.end, error);
  if (status) return status;
  if (r.end.entries > r.end.size / SPW_ZIP_CENTRAL_SIZE)
    return spw_fail(SPW_EFORMAT, error, "", "zip: the directory has fewer entries than the end record says");
  *count = (size_t)r.end.entries;
  *entries = spw_owned_alloc(owned, *count, sizeof **entries);
  if (!*entries) return spw_fail(SPW_ENOMEM, error, "", "zip: the directory needs more than the memory limit");
  const unsigned char *at = r.bytes + r.end.directory;
  for (size_t i = 0; !status && i < *count; i++) {
    header c;
    status = read_entry(&r, &at, &c, &(*entries)[i]);
  }
  if (!status) status = check_filled(&r, at);
  if (status) return status;
  qsort(*entries, *count, sizeof **entries, compare_entries);
  return check_names(&r, *entries, *count);
}

const spw_zip_entry *spw_zip_find(const spw_zip_entry *entries, size_t count, const char *name, size_t length)
{
  while (count > 0) {
    const spw_zip_entry *const middle = &entries[count / 2];
    const int order = compare_letters(name, length, middle->name, middle->name_length);
    if (order == 0) return memcmp(name, middle->name, length) == 0 ? middle : NULL;
    if (order > 0) entries = middle + 1;
    count = order > 0 ? count - count / 2 - 1 : count / 2;
  }
  return NULL;
}
