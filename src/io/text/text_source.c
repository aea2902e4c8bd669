/* SPDX-License-Identifier: Apache-2.0 */
/* A window over the text: all of a plain file, or the buffer that a gzip file is inflated into. */
#include "text_source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 1 << 16 };

spw_status spw_text_open(spw_text *text, spw_owned *owned, const void *bytes, size_t size,
                         spw_error *error)
{
  const char *begin = size ? bytes : "";
  *text = (spw_text){.at = begin, .end = begin + size, .line = 1, .at_most = size, .error = error};
  if (!spw_gzip_detect(bytes, size)) return SPW_OK;
  text->gzip = spw_gzip_open(owned, bytes, size);
  text->buffer = spw_owned_alloc(owned, BUFFER, 1);
  if (!text->gzip || !text->buffer)
    return spw_fail(SPW_ENOMEM, error, "", "gzip: inflating needs more than the memory limit");
  text->at = text->end = text->buffer;
  if (__builtin_mul_overflow(size, SPW_GZIP_MOST_RATIO, &text->at_most)) text->at_most = SIZE_MAX;
  return SPW_OK;
}

/* Puts more text behind what is at hand. False when there is none, or no room. */
static bool refill(spw_text *text)
{
  const size_t kept = (size_t)(text->end - text->at);
  size_t got = 0;
  if (!text->gzip || text->status || kept == BUFFER) return false;
  memmove(text->buffer, text->at, kept);
  text->at = text->buffer;
  text->status =
      spw_gzip_read(text->gzip, text->buffer + kept, (unsigned)(BUFFER - kept), &got, text->error);
  text->end = text->status ? text->at : text->at + kept + got;
  return got > 0 && !text->status;
}

static bool is_at_end(spw_text *text)
{
  return text->at == text->end && !refill(text);
}

static bool is_space(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static void stop(spw_text *text, const char *why)
{
  text->status = spw_text_malformed(text, "%s", why);
  text->at = text->end;
}

/* At a carriage return: is it part of a line's end? To some readers one alone ends a line, to
 * others it is a blank, so what follows it in a comment is an entry to the former. */
static bool accept_return(spw_text *text)
{
  if (text->end - text->at < 2) refill(text);
  if (text->status) return false;
  if (text->end - text->at < 2 || text->at[1] == '\n' || text->at[1] == '\r') return true;
  stop(text, "a carriage return that does not end the line");
  return false;
}

static void skip_blanks(spw_text *text)
{
  while (!is_at_end(text) && is_space(*text->at) && *text->at != '\n') {
    if (*text->at == '\r' && !accept_return(text)) return;
    text->column += *text->at != '\r';
    text->at++;
  }
}

bool spw_text_at_line_end(spw_text *text)
{
  skip_blanks(text);
  return is_at_end(text) || *text->at == '\n';
}

spw_word spw_text_word(spw_text *text)
{
  size_t length = 0;
  skip_blanks(text);
  do {
    const size_t at_hand = (size_t)(text->end - text->at);
    while (length < at_hand && !is_space(text->at[length]))
      length++;
    if (length < at_hand || length > SPW_WORD_MAX) break;
  } while (refill(text));
  if (length > SPW_WORD_MAX) {
    char why[64];
    snprintf(why, sizeof why, "a word has more than %d characters", SPW_WORD_MAX);
    stop(text, why);
    return (spw_word){text->at, 0};
  }
  const spw_word word = {text->at, text->status ? 0 : length};
  text->at += word.length;
  text->column += word.length;
  return word;
}

/* One by one: to look from each of them for the end of the line again would take time that grows with their square. */
static void skip_returns(spw_text *text)
{
  while (!is_at_end(text) && *text->at == '\r' && accept_return(text)) text->at++;
}

static void skip_line(spw_text *text)
{
  while (!is_at_end(text)) {
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    const char *end = newline ? newline : text->end;
    const char *carriage = memchr(text->at, '\r', (size_t)(end - text->at));
    text->column += (size_t)((carriage ? carriage : end) - text->at);
    text->at = carriage ? carriage : end;
    if (carriage)
      skip_returns(text);
    else if (newline)
      return;
  }
}

bool spw_text_seek(spw_text *text, char comment)
{
  return spw_text_seek_past(text, comment, SIZE_MAX);
}

bool spw_text_seek_past(spw_text *text, char comment, size_t longest)
{
  for (;;) {
    skip_blanks(text);
    if (is_at_end(text)) return false;
    if (*text->at == comment) {
      skip_line(text);
      if (text->column <= longest || text->status) continue;
      char why[96];
      snprintf(why, sizeof why, "a comment of more than %zu characters, of which some readers make two lines", longest);
      stop(text, why);
    } else if (*text->at == '\n') {
      text->at++;
      text->line++;
      text->column = 0;
    } else {
      return true;
    }
  }
}

static spw_status fail_here(spw_text *text, spw_status status, const char *format, va_list args)
{
  char where[32], message[sizeof text->error->message];
  if (text->status) return text->status;
  snprintf(where, sizeof where, "line %lld", (long long)text->line);
  vsnprintf(message, sizeof message, format, args);
  return spw_fail(status, text->error, where, "%s", message);
}

spw_status spw_text_malformed(spw_text *text, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const spw_status status = fail_here(text, SPW_EFORMAT, format, args);
  va_end(args);
  return status;
}

spw_status spw_text_fail(spw_text *text, spw_status status, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const spw_status failed = fail_here(text, status, format, args);
  va_end(args);
  return failed;
}
