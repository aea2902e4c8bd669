/* SPDX-License-Identifier: Apache-2.0 */
/* Zip archives that two readers could take for different ones are refused, whichever lie they tell;
 * and what NumPy writes, with zip64 fields and data descriptors, is read. */
#include "../../src/sparsewright.h"
#include "../support/memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- Archives made by hand ----------------------------------------------------------------- */

enum {
  ROOM = 1 << 15,
  LARGEST = 6000, /* member */
  MEMBERS = 6,
  MARKED = 2 /* the member that is not as the others are */
};

static const char *const NAMES[MEMBERS] = {"format.npy",  "shape.npy", "indptr.npy",
                                           "indices.npy", "data.npy",  "more.npy"};

typedef struct text {
  size_t size;
  const char *bytes;
} text;

#define TEXT(string) {sizeof(string) - 1, string}
#define NOTHING {0, ""}

/* What is unusual about an archive. */
typedef struct wish {
  bool descriptors, wide, end64, deflated;
  bool repeats;                             /* wide, and the 32-bit numbers say the same */
  bool bare;                                /* names without ".npy" */
  const char *last_name;                    /* of more.npy; null: that */
  text central_extra, local_extra, comment; /* of the marked member */
  text first, between, content;             /* before all, after the marked one; of more.npy */
  text last;                                /* the archive's comment */
  text behind;                              /* the deflated data of more.npy */
  int longer;                               /* more.npy is said to be */
} wish;

typedef struct archive {
  size_t size;
  size_t local[MEMBERS], data[MEMBERS], descriptor[MEMBERS], central[MEMBERS];
  size_t directory, end64, locator, end;
  unsigned char bytes[ROOM];
} archive;

static void append(archive *a, const void *bytes, size_t size)
{
  cr_assert(a->size + size <= ROOM);
  if (size > 0) memcpy(a->bytes + a->size, bytes, size);
  a->size += size;
}

static void append_text(archive *a, text t)
{
  append(a, t.bytes, t.size);
}

static void store(unsigned char *at, int width, uint64_t value)
{
  for (int i = 0; i < width; i++) at[i] = (unsigned char)(value >> 8 * i);
}

/* Pairs of a width in bytes and a number, up to a width of 0. */
static void append_numbers(archive *a, const uint64_t (*numbers)[2])
{
  for (; (*numbers)[0]; numbers++) {
    unsigned char bytes[8];
    store(bytes, (int)(*numbers)[0], (*numbers)[1]);
    append(a, bytes, (size_t)(*numbers)[0]);
  }
}

#define NUMBERS(a, ...) append_numbers(a, (const uint64_t[][2]){__VA_ARGS__, {0, 0}})

static size_t npy(unsigned char *to, const char *descr, const char *shape, const void *elements,
                  size_t size)
{
  char header[96];
  const int length = snprintf(header, sizeof header,
                              "{'descr': '%s', 'fortran_order': False, 'shape': %s, } \n", descr,
                              shape);
  memcpy(to, "\x93NUMPY\1\0", 8);
  store(to + 8, 2, (uint64_t)length);
  memcpy(to + 10, header, (size_t)length);
  memcpy(to + 10 + length, elements, size);
  return 10 + (size_t)length + size;
}

#define ARRAY(descr, shape, ...) \
  return npy(to, descr, shape, (__VA_ARGS__), sizeof(__VA_ARGS__))

/* [[1 2 0] [0 0 3]], in CSR. */
static size_t content_of(int member, const wish *w, unsigned char *to)
{
  switch (member) {
  case 0: return npy(to, "|S3", "()", "csr", 3);
  case 1: ARRAY("<i8", "(2,)", (int64_t[]){2, 3});
  case 2: ARRAY("<i4", "(3,)", (int32_t[]){0, 2, 3});
  case 3: ARRAY("<i4", "(3,)", (int32_t[]){0, 1, 2});
  case 4: ARRAY("<f8", "(3,)", (double[]){1, 2, 3});
  default: memcpy(to, w->content.bytes, w->content.size); return w->content.size;
  }
}

/* The name and the numbers of one member. */
typedef struct sums {
  char name[96];
  size_t size, packed;
  uint64_t crc;
  text extra[2]; /* in the directory, before the member */
} sums;

static void set_name(int m, const wish *w, sums *s)
{
  const char *name = w->last_name && m == MEMBERS - 1 ? w->last_name : NAMES[m];
  snprintf(s->name, sizeof s->name, "%s", name);
  if (w->bare) s->name[strlen(name) - 4] = 0;
}

/* The size of the deflated data, which take the place of the content. */
static size_t deflate_content(unsigned char *content, size_t size)
{
  unsigned char packed[LARGEST];
  z_stream z = {
      .next_in = content, .avail_in = (uInt)size, .next_out = packed, .avail_out = LARGEST};
  cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
  memcpy(content, packed, z.total_out);
  deflateEnd(&z);
  return z.total_out;
}

static void append_member(archive *a, int m, const wish *w, sums *s)
{
  unsigned char content[LARGEST];
  const bool later = w->descriptors, is_last = m == MEMBERS - 1;
  s->size = s->packed = content_of(m, w, content);
  s->crc = crc32(0, content, (uInt)s->size);
  if (w->deflated) s->packed = deflate_content(content, s->size);
  if (is_last && w->behind.size) memcpy(content + s->packed, w->behind.bytes, w->behind.size);
  if (is_last) s->packed += w->behind.size;
  if (is_last) s->size += (size_t)w->longer;
  const bool elsewhere = w->wide && !w->repeats;
  const uint64_t unknown = elsewhere ? UINT32_MAX : 0;
  const uint64_t packed = elsewhere || later ? unknown : s->packed;
  const uint64_t size = elsewhere || later ? unknown : s->size, method = w->deflated ? 8 : 0;
  a->local[m] = a->size;
  append(a, "PK\3\4", 4);
  NUMBERS(a, {2, 45}, {2, later ? 8 : 0}, {2, method}, {4, 0x210000}, {4, later ? 0 : s->crc},
          {4, packed}, {4, size}, {2, strlen(s->name)}, {2, s->extra[1].size + (w->wide ? 20 : 0)});
  append(a, s->name, strlen(s->name));
  if (w->wide) NUMBERS(a, {2, 1}, {2, 16}, {8, later ? 0 : s->size}, {8, later ? 0 : s->packed});
  append_text(a, s->extra[1]);
  a->data[m] = a->size;
  append(a, content, s->packed);
  a->descriptor[m] = a->size;
  const uint64_t width = w->wide ? 8 : 4;
  if (later) append(a, "PK\7\10", 4);
  if (later) NUMBERS(a, {4, s->crc}, {width, s->packed}, {width, s->size});
  if (m == MARKED) append_text(a, w->between);
}

static void append_entry(archive *a, int m, const wish *w, const sums *s)
{
  const size_t comment = m == MARKED ? w->comment.size : 0;
  a->central[m] = a->size;
  append(a, "PK\1\2", 4);
  NUMBERS(a, {2, 20}, {2, 45}, {2, w->descriptors ? 8 : 0}, {2, w->deflated ? 8 : 0},
          {4, 0x210000}, {4, s->crc}, {4, s->packed}, {4, s->size},
          {2, strlen(s->name)}, {2, s->extra[0].size}, {2, comment},
          {8, 0}, {4, a->local[m]});
  append(a, s->name, strlen(s->name));
  append_text(a, s->extra[0]);
  if (comment) append_text(a, w->comment);
}

static void append_end(archive *a, const wish *w, int members)
{
  const uint64_t count = (uint64_t)members, at = a->directory, size = a->size - at;
  a->end64 = a->size;
  if (w->end64) append(a, "PK\6\6", 4);
  if (w->end64)
    NUMBERS(a, {8, 44}, {4, 45 << 16 | 45}, {8, 0}, {8, count}, {8, count}, {8, size}, {8, at});
  a->locator = a->size;
  if (w->end64) append(a, "PK\6\7", 4);
  if (w->end64) NUMBERS(a, {4, 0}, {8, a->end64}, {4, 1});
  a->end = a->size;
  append(a, "PK\5\6", 4);
  NUMBERS(a, {4, 0}, {2, count}, {2, count}, {4, size}, {4, at}, {2, w->last.size});
  append_text(a, w->last);
}

static archive make(wish w)
{
  static const text none = NOTHING;
  archive a = {.size = 0};
  sums s[MEMBERS];
  const int members = w.content.size ? MEMBERS : MEMBERS - 1;
  append_text(&a, w.first);
  for (int m = 0; m < members; m++) {
    s[m] = (sums){.extra = {none, none}};
    if (m == MARKED) s[m] = (sums){.extra = {w.central_extra, w.local_extra}};
    set_name(m, &w, &s[m]);
    append_member(&a, m, &w, &s[m]);
  }
  a.directory = a.size;
  for (int m = 0; m < members; m++) append_entry(&a, m, &w, &s[m]);
  append_end(&a, &w, members);
  return a;
}

/* ---- Reading them -------------------------------------------------------------------------- */

static void is_read(const archive *a)
{
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_read_npz(a->bytes, a->size, 0, &owned, &error);
  cr_assert_eq(status, SPW_OK, "%s: %s", error.where, error.message);
  const spw_tensor *t = spw_owned_tensor(owned);
  cr_assert(t->layout == SPW_CSR && t->compressed.i32[1] == 2 && t->plain.i32[2] == 2);
  cr_assert_eq(((const double *)t->values.data)[2], 3.0);
  spw_owned_free(owned);
}

/* `because`: the end of the reason. */
static void is_refused(const archive *a, spw_status expected, const char *because)
{
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_read_npz(a->bytes, a->size, 0, &owned, &error);
  cr_assert(!owned && status == expected, "%d instead of %d: %s: %s, not: %s", status, expected,
            error.where, error.message, because);
  cr_assert(strstr(error.message, because), "'%s: %s' lacks '%s'", error.where, error.message,
            because);
}

static void refuses(wish w, spw_status expected, const char *because)
{
  const archive a = make(w);
  is_refused(&a, expected, because);
}

/* ---- What is read -------------------------------------------------------------------------- */

Test(zip, reads_what_is_unusual_and_says_one_thing)
{
  for (int bits = 0; bits < 32; bits++) {
    const wish w = {.descriptors = bits & 1, .wide = bits & 2, .end64 = bits & 4,
                    .deflated = bits & 16,
                    .content = bits & 8 ? (text)TEXT("PK\7\10 and PK\5\6 are harmless alone, and "
                                                     "PK\5\6\1 so far from the end as well")
                                        : (text)NOTHING};
    archive a = make(w);
    is_read(&a);
    if (!w.end64) continue;
    store(a.bytes + a.end + 4, 4, UINT32_MAX); /* all of it is in the zip64 record only */
    store(a.bytes + a.end + 8, 4, UINT32_MAX);
    store(a.bytes + a.end + 12, 8, UINT64_MAX);
    is_read(&a);
  }
  const wish times = {.central_extra = TEXT("UT\5\0\1abcd"),
                      .local_extra = TEXT("UT\1\0\0ux\13\0\1\4abcd\4abcd\12\0\0\0")};
  archive a = make(times);
  is_read(&a);
  a = make((wish){.wide = true, .local_extra = TEXT("UT\0\0")});
  is_read(&a);
  a = make((wish){0});
  a.bytes[a.local[1] + 7] = a.bytes[a.central[1] + 9] = 8; /* the name is UTF-8: ASCII is */
  is_read(&a);
  a = make((wish){.central_extra = TEXT("\1\0\20\0________________")});
  unsigned char *field = a.bytes + a.central[MARKED] + 46 + strlen(NAMES[MARKED]) + 4;
  const size_t size = a.descriptor[MARKED] - a.data[MARKED];
  store(field, 8, size);
  store(field + 8, 8, size);
  store(a.bytes + a.central[MARKED] + 20, 8, UINT64_MAX);
  is_read(&a);
  expect_no_leaks();
}

/* Python up to 3.11.3 writes a zip64 field before each member of NumPy's, and the numbers twice. */
Test(zip, reads_numbers_that_stand_twice)
{
  for (int bits = 0; bits < 4; bits++) {
    const wish w = {.wide = true, .repeats = true, .descriptors = bits & 1, .deflated = bits & 2};
    const archive whole = make(w);
    is_read(&whole);
    for (int number = 0; number < 2; number++) { /* size, packed */
      archive a = whole;
      unsigned char *field = a.bytes + a.local[MARKED] + 30 + strlen(NAMES[MARKED]) + 4;
      field[8 * number]++;
      is_refused(&a, SPW_EFORMAT, "than are needed");
      field[8 * number]--;
      field[8 * number + 7]++; /* beyond the 32 bits */
      is_refused(&a, SPW_EFORMAT, "than are needed");
    }
  }
  expect_no_leaks();
}

Test(zip, reads_names_without_npy)
{
  archive a = make((wish){.bare = true});
  is_read(&a);
  memcpy(a.bytes + a.local[1] + 30, "other", 5);
  memcpy(a.bytes + a.central[1] + 46, "other", 5);
  is_refused(&a, SPW_EFORMAT, "missing member");
}

/* ---- What is refused ----------------------------------------------------------------------- */

typedef enum place {
  LOCAL,
  LOCAL_BEFORE_LATER, /* of an archive with data descriptors */
  CENTRAL,
  BOTH,
  DESCRIPTOR,
  END64,
  LOCATOR,
  END
} place;

static unsigned char *place_in(archive *a, place where)
{
  switch (where) {
  case LOCAL:
  case LOCAL_BEFORE_LATER: return a->bytes + a->local[MARKED];
  case DESCRIPTOR: return a->bytes + a->descriptor[MARKED];
  case END64: return a->bytes + a->end64;
  case LOCATOR: return a->bytes + a->locator;
  case END: return a->bytes + a->end;
  default: return a->bytes + a->central[MARKED];
  }
}

/* Each number of each record in turn is another one. Offsets of BOTH are those of CENTRAL. */
Test(zip, refuses_every_number_that_lies)
{
  static const struct {
    place where;
    int offset, width;
    uint64_t value;
    spw_status status;
    const char *because;
  } lies[] = {
      {LOCAL, 0, 4, 0x4034b51, SPW_EFORMAT, "no local header"},
      {LOCAL, 4, 2, 46, SPW_EFORMAT, "other flags"},
      {LOCAL, 6, 2, 1, SPW_EFORMAT, "other flags"},
      {LOCAL, 6, 2, 1 << 11, SPW_EFORMAT, "other flags"},
      {LOCAL, 8, 2, 8, SPW_EFORMAT, "another method"},
      {LOCAL, 14, 4, 1, SPW_EFORMAT, "another CRC"},
      {LOCAL, 18, 4, 1, SPW_EFORMAT, "another CRC or size"},
      {LOCAL, 22, 4, 1, SPW_EFORMAT, "another CRC or size"},
      {LOCAL, 22, 4, UINT32_MAX, SPW_EFORMAT, "zip64 field"},
      {LOCAL, 26, 2, 9, SPW_EFORMAT, "another name"},
      {LOCAL, 26, 2, 65535, SPW_EFORMAT, "beyond the members"},
      {LOCAL, 28, 2, 65535, SPW_EFORMAT, "beyond the members"},
      {LOCAL, 28, 2, 4, SPW_EFORMAT, "do not fill"},
      {LOCAL, 30, 1, 'I', SPW_EFORMAT, "another name"},
      {LOCAL_BEFORE_LATER, 14, 4, 1, SPW_EFORMAT, "another CRC or size"},
      {LOCAL_BEFORE_LATER, 18, 4, 1, SPW_EFORMAT, "another CRC or size"},
      {LOCAL_BEFORE_LATER, 22, 4, 1, SPW_EFORMAT, "another CRC or size"},
      {CENTRAL, 0, 4, 0x2014b51, SPW_EFORMAT, "fewer entries"},
      {CENTRAL, 6, 2, 63, SPW_EUNSUPPORTED, "needs more"},
      {CENTRAL, 8, 2, 4, SPW_EFORMAT, "other flags"},
      {BOTH, 8, 2, 1, SPW_EUNSUPPORTED, "encrypted"},
      {BOTH, 8, 2, 1 << 6, SPW_EUNSUPPORTED, "encrypted"},
      {BOTH, 8, 2, 1 << 13, SPW_EUNSUPPORTED, "encrypted"},
      {BOTH, 8, 2, 1 << 5, SPW_EUNSUPPORTED, "needs more"},
      {BOTH, 8, 2, 1 << 3, SPW_EFORMAT, "another CRC"},
      {BOTH, 10, 2, 12, SPW_EUNSUPPORTED, "compression method 12"},
      {BOTH, 10, 2, 9, SPW_EUNSUPPORTED, "compression method 9"},
      {BOTH, 10, 2, 65535, SPW_EUNSUPPORTED, "compression method 65535"},
      {BOTH, 10, 2, 8, SPW_EFORMAT, "zip: "},
      {BOTH, 16, 4, 1, SPW_EFORMAT, "CRC is wrong"},
      {BOTH, 20, 4, 1, SPW_EFORMAT, "which cannot be"},
      {BOTH, 20, 4, 65536, SPW_EFORMAT, "which cannot be"},
      {BOTH, 24, 4, 1, SPW_EFORMAT, "which cannot be"},
      {CENTRAL, 28, 2, 9, SPW_EFORMAT, "another name"},
      {CENTRAL, 28, 2, 65535, SPW_EFORMAT, "beyond the end of the directory"},
      {CENTRAL, 30, 2, 5, SPW_EFORMAT, "do not fill"},
      {CENTRAL, 32, 2, 1, SPW_EUNSUPPORTED, "comment"},
      {CENTRAL, 34, 2, 1, SPW_EFORMAT, "several parts"},
      {CENTRAL, 42, 4, 0, SPW_EFORMAT, "where the member before it ends"},
      {BOTH, 46, 1, 0, SPW_EFORMAT, "ASCII"},
      {BOTH, 46, 1, '/', SPW_EFORMAT, "ASCII"},
      {BOTH, 46, 1, '\\', SPW_EFORMAT, "ASCII"},
      {BOTH, 46, 1, 0xe9, SPW_EFORMAT, "ASCII"},
      {DESCRIPTOR, 0, 4, 0, SPW_EFORMAT, "descriptor is missing"},
      {DESCRIPTOR, 4, 4, 0, SPW_EFORMAT, "contradicts"},
      {DESCRIPTOR, 8, 8, 0, SPW_EFORMAT, "contradicts"},
      {DESCRIPTOR, 16, 8, 0, SPW_EFORMAT, "contradicts"},
      {END64, 0, 4, 0, SPW_EFORMAT, "not where its locator is"},
      {END64, 4, 8, 45, SPW_EFORMAT, "not where its locator is"},
      {END64, 16, 4, 1, SPW_EFORMAT, "several parts"},
      {END64, 20, 4, 1, SPW_EFORMAT, "several parts"},
      {END64, 24, 8, 4, SPW_EFORMAT, "several parts"},
      {END64, 32, 8, 4, SPW_EFORMAT, "several parts"},
      {END64, 40, 8, 9, SPW_EFORMAT, "end record contradicts"},
      {END64, 48, 8, 9, SPW_EFORMAT, "end record contradicts"},
      {LOCATOR, 0, 4, 0, SPW_EFORMAT, "does not end here"},
      {LOCATOR, 4, 4, 1, SPW_EFORMAT, "not where its locator is"},
      {LOCATOR, 8, 8, 0, SPW_EFORMAT, "not where its locator is"},
      {LOCATOR, 16, 4, 2, SPW_EFORMAT, "not where its locator is"},
      {END, 0, 4, 0, SPW_EFORMAT, "no end record"},
      {END, 4, 2, 1, SPW_EFORMAT, "no end record"},
      {END, 4, 4, UINT32_MAX, SPW_EFORMAT, "several parts"},
      {END, 8, 2, 1, SPW_EFORMAT, "several parts"},
      {END, 8, 4, 0x40004, SPW_EFORMAT, "belong to no member"},
      {END, 8, 4, 0x60006, SPW_EFORMAT, "fewer entries"},
      {END, 8, 4, 0x410041, SPW_EUNSUPPORTED, "65 members, more than 64"},
      {END, 12, 4, 1, SPW_EFORMAT, "does not end here"},
      {END, 12, 4, UINT32_MAX, SPW_EFORMAT, "does not end here"},
      {END, 16, 4, 1, SPW_EFORMAT, "does not end here"},
      {END, 20, 2, 1, SPW_EFORMAT, "comment is cut short"}};
  for (size_t i = 0; i < COUNT(lies); i++) {
    const place where = lies[i].where;
    const bool wide = where == DESCRIPTOR || where == END64 || where == LOCATOR;
    archive a = make((wish){.descriptors = wide || where == LOCAL_BEFORE_LATER,
                            .wide = wide, .end64 = wide});
    is_read(&a);
    unsigned char *record = place_in(&a, where);
    store(record + lies[i].offset, lies[i].width, lies[i].value);
    if (where == BOTH) /* names apart, every number is two bytes earlier in the local header */
      store(place_in(&a, LOCAL) + (lies[i].offset == 46 ? 30 : lies[i].offset - 2), lies[i].width,
            lies[i].value);
    is_refused(&a, lies[i].status, lies[i].because);
  }
  expect_no_leaks();
}

/* The end record and the zip64 record may say the same, and contradict each other in no number. */
Test(zip, refuses_end_records_that_disagree)
{
  static const int offsets[] = {8, 10, 12, 16};
  for (size_t i = 0; i < COUNT(offsets); i++) {
    archive a = make((wish){.end64 = true});
    is_read(&a);
    store(a.bytes + a.end + offsets[i], 2, 77);
    is_refused(&a, SPW_EFORMAT, "contradicts the zip64 end record");
  }
  archive a = make((wish){.end64 = true});
  memmove(a.bytes, a.bytes + a.locator, a.size - a.locator);
  a.size -= a.locator;
  is_refused(&a, SPW_EFORMAT, "no room for the zip64 end record");
}

Test(zip, refuses_fields_that_rename_or_repeat)
{
  const wish bad[] = {
      {.central_extra = TEXT("up\6\0\1abcdx")},            /* the name is x */
      {.local_extra = TEXT("up\6\0\1abcdx")},
      {.central_extra = TEXT("uc\6\0\1abcdx")},            /* the comment is */
      {.local_extra = TEXT("\x99\0\1\0x")}};
  for (size_t i = 0; i < COUNT(bad); i++) refuses(bad[i], SPW_EUNSUPPORTED, "an extra field 0x");
  refuses((wish){.central_extra = TEXT("up\6\0\1abcdx")}, SPW_EUNSUPPORTED, "0x7075");
  refuses((wish){.central_extra = TEXT("UT\5\0\1abc")}, SPW_EFORMAT, "do not fill their room");
  refuses((wish){.central_extra = TEXT("UT\5")}, SPW_EFORMAT, "do not fill their room");
  refuses((wish){.local_extra = TEXT("UT\5\0\1abc")}, SPW_EFORMAT, "do not fill their room");
  refuses((wish){.central_extra = TEXT("\1\0\10\0abcdefgh")}, SPW_EFORMAT, "than are needed");
  refuses((wish){.local_extra = TEXT("\1\0\10\0abcdefgh")}, SPW_EFORMAT, "than are needed");
  refuses((wish){.local_extra = TEXT("\1\0\0\0"), .wide = true}, SPW_EFORMAT, "than are needed");
  archive a = make((wish){.central_extra = TEXT("\1\0\4\0abcd")});
  store(a.bytes + a.central[MARKED] + 24, 4, UINT32_MAX);
  is_refused(&a, SPW_EFORMAT, "than are needed");
}

/* Bytes that some reader takes for the beginning, a member or the end, and another does not. */
Test(zip, refuses_bytes_that_belong_to_no_member)
{
  refuses((wish){.first = TEXT("x")}, SPW_EFORMAT, "where the member before it ends");
  refuses((wish){.between = TEXT("x")}, SPW_EFORMAT, "where the member before it ends");
  refuses((wish){.between = TEXT("x"), .descriptors = true}, SPW_EFORMAT,
          "where the member before it ends");
  refuses((wish){.comment = TEXT("x")}, SPW_EUNSUPPORTED, "comment");
  refuses((wish){.last = TEXT("x")}, SPW_EFORMAT, "read a comment");
  archive a = make((wish){0});
  a.bytes[a.size++] = 0;
  is_refused(&a, SPW_EFORMAT, "readers may find another end");
  a = make((wish){0});
  memmove(a.bytes + a.directory + 1, a.bytes + a.directory, a.size - a.directory);
  store(a.bytes + ++a.end + 16, 4, a.directory + 1);
  a.size++;
  is_refused(&a, SPW_EFORMAT, "belong to no member");
  const archive inner = make((wish){0});
  const archive empty = {.size = 22, .bytes = "PK\5\6"}, cut = {.size = 4, .bytes = "PK\5\6"};
  is_refused(&cut, SPW_EFORMAT, "no end record");
  refuses((wish){.content = {inner.size, (const char *)inner.bytes}}, SPW_EFORMAT,
          "bytes behind an end record");
  refuses((wish){.content = {empty.size, (const char *)empty.bytes}}, SPW_EFORMAT,
          "bytes behind an end record");
  is_refused(&empty, SPW_EUNSUPPORTED, "not a sparse matrix");
  expect_no_leaks();
}

/* The int64 101010256 begins like an end record. With numbers behind it that tell of members, and no directory, it is none. */
Test(zip, reads_numbers_that_begin_like_an_end_record)
{
  const int64_t number = 101010256, numbers[] = {number, number + 1, number, 1 << 20 | 5, 7, -1, number};
  const archive a = make((wish){.content = {sizeof numbers, (const char *)numbers}});
  is_read(&a);
  const int64_t no_member[][3] = {{number, 0, 0}, {number, 5, 7}, {number, 1 << 20, 0}};
  for (int i = 0; i < 3; i++)
    refuses((wish){.content = {sizeof no_member[i], (const char *)no_member[i]}}, SPW_EFORMAT, "bytes behind an end record");
  expect_no_leaks();
}

/* A reader of a pipe ends a stored member at the first descriptor that fits: after one byte. */
Test(zip, refuses_a_descriptor_inside_its_member)
{
  static const text fits = TEXT("xPK\7\10abcd\1\0\0\0\1\0\0\0, and so on"),
                    fits_wide = TEXT("xPK\7\10abcd\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0, and so on"),
                    at_the_end = TEXT("xPK\7\10abcd\1\0\0\0\1\0\0");
  const char *const because = "a data descriptor that fits inside";
  refuses((wish){.descriptors = true, .content = fits}, SPW_EFORMAT, because);
  refuses((wish){.descriptors = true, .wide = true, .content = fits_wide}, SPW_EFORMAT, because);
  archive a = make((wish){.content = fits}); /* the local header says how long the member is */
  is_read(&a);
  a = make((wish){.descriptors = true, .wide = true, .content = fits});
  is_read(&a);
  a = make((wish){.descriptors = true, .content = at_the_end});
  is_read(&a);
  expect_no_leaks();
}

Test(zip, refuses_two_members_of_one_name)
{
  static const char *const twins[] = {"shape.npy", "shape", "SHAPE.npy", "shape.NPY", "Shape"};
  static const char *const others[] = {"shapes.npy", "shap", "shape.npy.npy", "shape.npz", ".npy"};
  static const text content = TEXT("any");
  for (size_t i = 0; i < COUNT(twins); i++)
    refuses((wish){.content = content, .last_name = twins[i]}, SPW_EFORMAT, "duplicate member");
  for (size_t i = 0; i < COUNT(others); i++) {
    const archive a = make((wish){.content = content, .last_name = others[i]});
    is_read(&a);
  }
  refuses((wish){.content = content, .last_name = ""}, SPW_EFORMAT, "ASCII");
  expect_no_leaks();
}

/* Some bytes before the directory are cut out, or all of the last member (0): no entry knows. */
static archive cut_before_directory(wish w, size_t bytes)
{
  archive a = make(w);
  const size_t gap = bytes ? bytes : a.directory - a.local[MEMBERS - 1];
  memmove(a.bytes + a.directory - gap, a.bytes + a.directory, a.size - a.directory);
  a.size -= gap;
  store(a.bytes + a.end - gap + 16, 4, a.directory - gap);
  return a;
}

Test(zip, refuses_members_that_end_in_the_directory)
{
  static const text content = TEXT("any");
  archive a = cut_before_directory((wish){.content = content}, 0);
  is_refused(&a, SPW_EFORMAT, "no local header");
  a = cut_before_directory((wish){.content = content}, 1);
  is_refused(&a, SPW_EFORMAT, "which cannot be");
  a = cut_before_directory((wish){.content = content, .descriptors = true}, 1);
  is_refused(&a, SPW_EFORMAT, "the data descriptor is missing");
  a = cut_before_directory((wish){.content = content, .descriptors = true}, 17);
  is_refused(&a, SPW_EFORMAT, "which cannot be");
}

static void refuses_named(wish w, spw_status expected, const char *where, const char *because)
{
  const archive a = make(w);
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  is_refused(&a, expected, because);
  cr_assert_eq(spw_read_npz(a.bytes, a.size, 0, &owned, &error), expected);
  cr_assert_str_eq(error.where, where);
}

/* Members that make no part of the tensor are looked at too: who reads without the directory would
 * find another member behind deflated data that end too soon. */
Test(zip, refuses_damage_in_members_that_nobody_wants)
{
  static const text content = TEXT("any"), behind = TEXT("x");
  static const char long_name[] =
      "a name of more than sixty-four characters, which is cut where it is to be told";
  refuses_named((wish){.content = content, .behind = behind, .deflated = true}, SPW_EFORMAT,
                "more.npy", "bytes behind the end of the deflated data");
  refuses_named((wish){.content = content, .longer = 1, .deflated = true}, SPW_EFORMAT, "more.npy",
                "ends before its time");
  refuses_named((wish){.content = content, .longer = -1, .deflated = true}, SPW_EFORMAT,
                "more.npy", "longer than the directory says");
  refuses_named((wish){.content = content, .behind = behind, .longer = 1}, SPW_EFORMAT, "more.npy",
                "the CRC is wrong");
  char where[64] = "";
  memcpy(where, long_name, sizeof where - 1);
  refuses_named((wish){.content = content, .behind = behind, .longer = 1, .last_name = long_name},
                SPW_EFORMAT, where, "the CRC is wrong");
  const archive a = make((wish){.content = content, .behind = behind, .last_name = long_name});
  is_refused(&a, SPW_EFORMAT, "which cannot be");
  expect_no_leaks();
}

Test(zip, holds_unwanted_members_to_the_limit)
{
  static char zeros[LARGEST - 500];
  const archive a = make((wish){.content = {sizeof zeros, zeros}});
  spw_owned *owned = NULL;
  spw_error error;
  is_read(&a);
  cr_assert_eq(spw_read_npz(a.bytes, a.size, 4000, &owned, &error), SPW_ENOMEM);
  cr_assert(!owned && !strcmp(error.where, "more.npy"), "%s: %s", error.where, error.message);
  expect_no_leaks();
}
