/* SPDX-License-Identifier: Apache-2.0 */
/* A text file in memory, plain or gzip, read as words in lines: what line-oriented formats need. */
#ifndef SPW_IO_TEXT_SOURCE_H
#define SPW_IO_TEXT_SOURCE_H

#include "../compressed/gzip_source.h"

/* Longer words are refused. No finite double has more than 1100 significant characters. */
enum { SPW_WORD_MAX = 4095 };

/* Characters without white space; valid until the next call. Length 0: there is none. */
typedef struct spw_word {
  const char *at;
  size_t length;
} spw_word;

/* The first failure of the file itself stays in `status`; the text ends there. */
typedef struct spw_text {
  const char *at;  /* the cursor */
  const char *end; /* of what is at hand; gzip text may go on */
  int64_t line;    /* of the cursor, from 1 */
  size_t column;   /* characters of the line before the cursor; carriage returns are not counted */
  size_t at_most;  /* the text has no more bytes than this */
  spw_status status;
  spw_error *error;
  spw_gzip *gzip; /* null: plain */
  char *buffer;
} spw_text;

/* What a gzip text needs lies in the arena of `owned`: about 112 KiB. */
spw_status spw_text_open(spw_text *text, spw_owned *owned, const void *bytes, size_t size,
                         spw_error *error);

/* The next word of this line. */
spw_word spw_text_word(spw_text *text);

/* Is there no further word on this line? */
bool spw_text_at_line_end(spw_text *text);

/* Moves to the next word on this or a later line; a word that begins with `comment` takes the rest
 * of its line with it. False at the end of the text. */
bool spw_text_seek(spw_text *text, char comment);

/* The same past comments in lines of at most `longest` characters; a longer one is a failure of the file. */
bool spw_text_seek_past(spw_text *text, char comment, size_t longest);

/* SPW_EFORMAT at the current line; or `text->status`, if the file itself has failed, which explains
 * whatever else seems wrong. */
spw_status spw_text_malformed(spw_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same with another status. */
spw_status spw_text_fail(spw_text *text, spw_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
