/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a named file whole or not at all: to a temporary file beside it, which then takes its
 * place. Whatever happens before that, a signal or a full disk, leaves the old file as it was. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *volatile temporary; /* to remove when a signal ends the process */

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { ENDING = sizeof ending / sizeof *ending };

static void remove_and_end(int number)
{
  if (temporary) unlink(temporary);
  raise(number); /* whose default, which this handler has restored, ends the process */
}

/* Signals that were ignored stay so. */
static void catch_signals(struct sigaction before[ENDING])
{
  struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < ENDING; i++) {
    sigaction(ending[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(ending[i], &action, NULL);
  }
}

static void restore_signals(const struct sigaction before[ENDING])
{
  for (int i = 0; i < ENDING; i++) sigaction(ending[i], &before[i], NULL);
}

/* The handler is there while a file is; a text that changes is no name any more. */
static void remember(const char *name)
{
  static struct sigaction before[ENDING];
  static bool caught;
  temporary = name;
  if (name && !caught) catch_signals(before);
  if (!name && caught) restore_signals(before);
  caught = name != NULL;
}

bool write_file(const char *path, const void *bytes, size_t size, spw_error *error)
{
  *error = (spw_error){{0}, {0}};
  return spw_replace_file(path, bytes, size, remember, error) == SPW_OK;
}
