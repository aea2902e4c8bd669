/* SPDX-License-Identifier: Apache-2.0 */
/* spw conform: hands over to the suite, a Python program that lies beside the installed or built
   command. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Below the folder above that of the command: where it is installed, and where it is built. */
static const char *const places[] = {"share/sparsewright/conformance/conform", "conformance/conform",
                                     "../conformance/conform"};

enum { PLACES = sizeof places / sizeof *places };

/* The path of the running command; "" if it is not known. */
static void find_self(char self[PATH_MAX])
{
  const ssize_t length = readlink("/proc/self/exe", self, PATH_MAX - 1);
  self[length < 0 ? 0 : length] = '\0';
}

static void drop_last_part(char *path)
{
  char *slash = strrchr(path, '/');
  if (slash) *slash = '\0';
}

int command_conform(int argc, char **argv)
{
  (void)argc;
  char self[PATH_MAX] = "", root[PATH_MAX], suite[PATH_MAX + 64];
  find_self(self);
  memcpy(root, self, sizeof root);
  drop_last_part(root);
  drop_last_part(root);
  setenv("SPW", self, 0);
  for (int i = 0; i < PLACES; i++) {
    snprintf(suite, sizeof suite, "%s/%s", root, places[i]);
    if (access(suite, X_OK) != 0) continue;
    argv[0] = suite;
    signal(SIGXFSZ, SIG_DFL);
    execv(suite, argv);
    fprintf(stderr, "spw conform: cannot run %s: %s\n", suite, strerror(errno));
    return EXIT_INTERNAL;
  }
  fprintf(stderr, "spw conform: the suite is not installed beside %s\n", self[0] ? self : "spw");
  return EXIT_INTERNAL;
}
