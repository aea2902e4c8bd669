/* SPDX-License-Identifier: Apache-2.0 */
/* A reader of Python's pickles that executes nothing: a stack machine whose values are numbers, texts, names and containers.
 * What a name stands for, and what becomes of a call, its host decides. */
#ifndef SPW_IO_PICKLE_H
#define SPW_IO_PICKLE_H

#include "../../owned/owned.h"

typedef enum spw_pickle_kind {
  SPW_PICKLE_NONE,
  SPW_PICKLE_TRUTH,   /* number: 0 or 1 */
  SPW_PICKLE_INTEGER, /* number */
  SPW_PICKLE_LARGE,   /* an integer beyond int64; its value is lost */
  SPW_PICKLE_REAL,
  SPW_PICKLE_TEXT,  /* `length` bytes of `text`, which lie in the pickle */
  SPW_PICKLE_NAME,  /* number: as the host has it */
  SPW_PICKLE_TUPLE, /* node */
  SPW_PICKLE_LIST,
  SPW_PICKLE_DICT,  /* node, whose items are keys and values in turn */
  SPW_PICKLE_OBJECT /* what the host made of a call or of a persistent id */
} spw_pickle_kind;

struct spw_pickle_node;

typedef struct spw_pickle_value {
  spw_pickle_kind kind;
  uint32_t length;
  union {
    int64_t number;
    double real;
    const char *text;
    struct spw_pickle_node *node;
    void *object;
  };
} spw_pickle_value;

typedef struct spw_pickle_node {
  spw_pickle_value *items;
  size_t count, capacity;
  bool ordered; /* an OrderedDict: the only object that may be given a state */
  bool frozen;  /* nothing may be put into it any more: the host has relied on what it holds */
  bool visited; /* for whoever walks through the values: nodes may be shared, and lead in circles */
} spw_pickle_node;

/* Who reads a pickle. Each call gives SPW_OK, or a negative status and *error. */
typedef struct spw_pickle_host {
  void *context;
  spw_owned *owned; /* where values live */
  spw_error *error;
  const char *file; /* what is read, for *error: "data.pkl" */
  /* A name MODULE.NAME of printable characters, with a final 0. */
  spw_status (*name)(void *context, const char *name, spw_pickle_value *value);
  spw_status (*call)(void *context, const spw_pickle_value *callable, const spw_pickle_value *arguments,
                     spw_pickle_value *value);
  spw_status (*persistent)(void *context, const spw_pickle_value *id, spw_pickle_value *value);
} spw_pickle_host;

/* Reads the one pickle that bytes[0 .. size) begin with; *used: how many bytes it is. Takes time and memory in proportion to
 * these, and no stack: nothing recurses. */
spw_status spw_pickle_read(const spw_pickle_host *host, const unsigned char *bytes, size_t size, spw_pickle_value *value,
                           size_t *used);

/* A new container without items; null without memory. */
spw_pickle_node *spw_pickle_new_node(spw_owned *owned);

bool spw_pickle_is_text(const spw_pickle_value *value, const char *text);

#endif
