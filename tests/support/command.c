/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the command spw on files in a new directory: for the suites about it. */
#define _XOPEN_SOURCE 700
#include "command.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Running --------------------------------------------------------------------------------- */

char directory[512];

static void write_samples(void);

static char program[4096];

void make_directory(char made[512])
{
  const char *base = getenv("TMPDIR");
  snprintf(made, 512, "%.400s/spw-test-XXXXXX", base ? base : P_tmpdir);
  cr_assert(mkdtemp(made), "no temporary directory");
}

void remove_directory(const char *made)
{
  char command[600];
  snprintf(command, sizeof command, "rm -rf '%s'", made);
  cr_assert(system(command) == 0, "the directory stays behind");
}

void enter_directory(void)
{
  const char *named = getenv("SPW");
  cr_assert(realpath(named ? named : "build/spw", program), "no program; set SPW");
  make_directory(directory);
  cr_assert(chdir(directory) == 0, "no temporary directory");
  setenv("SPW_PROGRAM", program, 1);
  write_samples();
}

void leave_directory(void)
{
  cr_assert(chdir("/") == 0);
  remove_directory(directory);
}

char *read_text(const char *path)
{
  static char text[1 << 18];
  FILE *in = fopen(path, "r");
  cr_assert(in, "no file %s", path);
  text[fread(text, 1, sizeof text - 1, in)] = 0;
  fclose(in);
  return text;
}

void write_bytes(const char *path, const void *bytes, size_t size)
{
  FILE *out = fopen(path, "w");
  cr_assert(out && fwrite(bytes, 1, size, out) == size && fclose(out) == 0, "cannot write %s",
      path);
}

void write_text(const char *path, const char *text)
{
  write_bytes(path, text, strlen(text));
}

static int exit_status(int status)
{
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* Runs "spw ARGUMENTS" in a shell, a minute at most; its stdout is in the file out, its stderr in
 * the file err. */
int spw(const char *arguments)
{
  char command[2048];
  snprintf(command, sizeof command, "ulimit -t 60; exec >out 2>err; \"$SPW_PROGRAM\" %s",
           arguments);
  return exit_status(system(command));
}

bool output_has(const char *stream, const char *text)
{
  return strstr(read_text(stream), text) != NULL;
}

void expect(const char *arguments, int status, const char *stream, const char *text)
{
  const int got = spw(arguments);
  cr_assert(got == status, "spw %s: exit %d, not %d: %s", arguments, got, status, read_text("err"));
  cr_assert(output_has(stream, text), "spw %s: no \"%s\" on %s: %s", arguments, text, stream,
            read_text(stream));
}

void expect_refused(const char *arguments, int status, const char *text)
{
  const int got = spw(arguments);
  cr_expect(got == status, "%s: exit %d, not %d: %s", arguments, got, status, read_text("err"));
  cr_expect(!read_text("out")[0], "%s: %s", arguments, read_text("out"));
  cr_expect(strstr(read_text("err"), text) != NULL, "%s: %s", arguments, read_text("err"));
}

/* ---- Samples --------------------------------------------------------------------------------- */

/* CSR with int64 indices and float32 values; the two index arrays as JSON lists. */
char *csr(const char *size, int rows, const char *compressed, int nse, const char *plain)
{
  static char text[1024];
  snprintf(text, sizeof text,
           "{\"spw\": 1, \"layout\": \"csr\"%s%s,"
           " \"compressed_indices\": {\"dtype\": \"int64\", \"shape\": [%d], \"data\": [%s]},"
           " \"plain_indices\": {\"dtype\": \"int64\", \"shape\": [%d], \"data\": [%s]},"
           " \"values\": {\"dtype\": \"float32\", \"shape\": [%d], \"length\": %d, \"fill\": 1}}",
           size[0] ? ", \"size\": " : "", size, rows + 1, compressed, nse, plain, nse, nse);
  return text;
}

static void write_samples(void)
{
  char lines[4096];
  write_text("good.spw.json", csr("[2, 6]", 2, "0, 2, 4", 4, "0, 1, 2, 3"));
  write_text("bad.spw.json", csr("[2, 6]", 2, "0, 6, 4", 4, "0, 1, 2, 3"));
  write_text("torn.spw.json", "{\"spw\": 1, \"layout\": \"csr\"");
  write_text("other.txt", "hello\n");
  int at = snprintf(lines, sizeof lines, "%s\n\n",
                    csr("[2, 6]", 2, "0, 2, 4", 4, "0, 1, 2, 3"));
  at += snprintf(lines + at, sizeof lines - (size_t)at, "{\"spw\": 1,\n%s\n",
                 csr("[2, 6]", 2, "0, 6, 4", 4, "0, 1, 2, 3"));
  snprintf(lines + at, sizeof lines - (size_t)at, "%s", csr("", 2, "0, 2, 4", 4, "0, 1, 2, 3"));
  write_text("lines.spw.jsonl", lines);
}

/* Skips the test, and says so, where there are no pseudo-terminals: a system without /dev/pts. */
static void need_terminals(void)
{
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  const bool has = master >= 0 && grantpt(master) == 0;
  if (master >= 0) close(master);
  if (has) return;
  puts("skipped: what a terminal shows, for this machine has no pseudo-terminals");
  fflush(stdout);
  cr_skip_test("no pseudo-terminals");
}

/* Runs a shell command with a terminal of `columns` as stdout and stderr; its output. */
const char *on_terminal(const char *command, unsigned short columns)
{
  static char text[1 << 16];
  need_terminals();
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
  const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  const struct winsize size = {24, columns, 0, 0};
  cr_assert(slave >= 0 && ioctl(slave, TIOCSWINSZ, &size) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(slave, STDOUT_FILENO);
    dup2(slave, STDERR_FILENO);
    close(master);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  close(slave);
  size_t used = 0;
  for (ssize_t got; (got = read(master, text + used, sizeof text - 1 - used)) > 0;)
    used += (size_t)got;
  text[used] = 0;
  close(master);
  cr_assert(waitpid(child, NULL, 0) == child);
  return text;
}

size_t longest_line(const char *text)
{
  size_t longest = 0;
  while (*text) {
    const size_t length = strcspn(text, "\r\n");
    if (length > longest) longest = length;
    text += length + (text[length] != 0);
  }
  return longest;
}

/* Balanced tags, quoted attributes, no bare & or <: enough for what junit.c writes. */
bool is_well_formed(const char *xml)
{
  char open[8][32];
  int depth = 0;
  for (const char *at = xml; *at; at++) {
    if (*at == '&' && strspn(at + 1, "abcdefghijklmnopqrstuvwxyz#0123456789") != strcspn(at + 1,
        ";")) return false;
    if (*at != '<') continue;
    const bool closing = at[1] == '/', prolog = at[1] == '?';
    const char *name = at + 1 + (closing || prolog);
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    if (!length || length > 31) return false;
    for (at = name + length; *at && *at != '>'; at++) {
      if (*at != '"') continue;
      for (at++; *at && *at != '"'; at++)
        if (*at == '<') return false;
    }
    if (*at != '>') return false;
    if (prolog || at[-1] == '/') continue;
    if (!closing && depth == 8) return false;
    if (!closing) sprintf(open[depth++], "%.*s", (int)length, name);
    else if (!depth-- || strlen(open[depth]) != length || strncmp(open[depth], name,
        length) != 0) return false;
  }
  return depth == 0;
}
