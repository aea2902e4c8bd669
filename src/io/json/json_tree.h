/* SPDX-License-Identifier: Apache-2.0 */
/* Short JSON texts, as formats have them for headers: a tree in the memory of an owner. Names that stand twice in an object,
 * a zero byte and more than 64 levels are refused. */
#ifndef SPW_IO_JSON_TREE_H
#define SPW_IO_JSON_TREE_H

#include "../../owned/owned.h"

typedef enum spw_json_kind {
  SPW_JSON_NULL,
  SPW_JSON_FALSE,
  SPW_JSON_TRUE,
  SPW_JSON_INTEGER, /* within int64 */
  SPW_JSON_NUMBER,  /* any other one, whose value is not kept */
  SPW_JSON_TEXT,
  SPW_JSON_LIST,
  SPW_JSON_OBJECT
} spw_json_kind;

typedef struct spw_json {
  spw_json_kind kind;
  const char *name; /* in an object */
  const char *text;
  int64_t integer;
  size_t count;                  /* of a list or an object: */
  struct spw_json *first, *next; /* its items, in the order of the file, and the next item of the same */
  struct spw_json **by_name;     /* those of an object, sorted */
} spw_json;

/* All of a text is one value. `where` stands before the place in *error. */
spw_status spw_json_parse(spw_owned *owned, const char *text, size_t size, const char *where, const spw_json **tree,
                          spw_error *error);

/* The value of a name; null if there is none, or this is no object, or null. */
const spw_json *spw_json_member(const spw_json *object, const char *name);

/* Item i of a list; null if there is none. O(i). */
const spw_json *spw_json_item(const spw_json *list, size_t i);

/* Null for null and for other kinds. */
const char *spw_json_text(const spw_json *value);

bool spw_json_is(const spw_json *value, spw_json_kind kind);

#endif
