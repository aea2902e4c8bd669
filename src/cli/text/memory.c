/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, or the end of the process. */
#include "text.h"

#include "../exit_code.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *volatile looked_at; /* a signal handler reads it */

void now_looking_at(const char *file)
{
  looked_at = file;
}

const char *looking_at(void)
{
  return looked_at;
}

/* Byte by byte: there is no memory for a copy of the name that is safe on a terminal. */
static void put_safe_bytes(FILE *out, const char *text)
{
  for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++)
    fputc(*byte < 0x20 || *byte > 0x7e ? '?' : *byte, out);
}

static void *or_exit(void *memory)
{
  if (memory) return memory;
  fputs("spw: ", stderr);
  if (looked_at) put_safe_bytes(stderr, looked_at);
  fputs(looked_at ? ": not enough memory for the file\n" : "out of memory\n", stderr);
  exit(looked_at ? EXIT_UNREADABLE : EXIT_INTERNAL);
}

void *allocate(size_t count, size_t size)
{
  return or_exit(calloc(count ? count : 1, size));
}

void *allocate_again(void *memory, size_t size)
{
  return or_exit(realloc(memory, size));
}

size_t machine_memory(size_t most)
{
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0 || (size_t)pages > most / (size_t)page) return most;
  return (size_t)pages * (size_t)page;
}

char *copy_text(const char *text)
{
  const size_t size = strlen(text) + 1;
  return memcpy(allocate(size, 1), text, size);
}
