/* SPDX-License-Identifier: Apache-2.0 */
/* spw conform: hands over to the suite, a Python program that lies beside the installed or built
   command. */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Below the folder above that of the command: where it is installed, and where it is built. */
static const char *const places[] = {"share/sparsewright/conformance/conform",
                                     "conformance/conform", "../conformance/conform"};

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

/* The suite reads its options itself, abbreviated ones too; here they are only named where there are none such. */
static bool is_known(const char *word, bool *takes_argument)
{
  const size_t length = strcspn(word, "=");
  for (const cli_option *at = conform_command.options; at->name; at++) {
    if (strncmp(word + 2, at->name, length - 2) != 0) continue;
    *takes_argument = at->argument && !word[length];
    return true;
  }
  return false;
}

/* -1 to go on, or the exit code: of help, which may stand anywhere, and of an option that the suite does not have. */
static int look_at_words(int argc, char **argv)
{
  const bool is_run = argc > 1 && argv[1][0] == '-';
  for (int i = 1; i < argc; i++) {
    bool takes_argument = false;
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return print_help(&conform_command);
    if (!is_run || strncmp(argv[i], "--", 2) != 0) continue;
    if (!is_known(argv[i], &takes_argument)) return unknown_option(&conform_command, argv[i]);
    i += takes_argument;
  }
  if (argc > 1 && !is_run && place_among(conform_command.words, argv[1]) < 0)
    return unknown_word(&conform_command, argv[1]);
  if (argc > 3 && strcmp(argv[1], "check-adapter") == 0)
    return usage_error("conform", "check-adapter takes one command; put it in quotes: check-adapter '%s %s%s'", argv[2], argv[3],
                       argc > 4 ? " ..." : "");
  return -1;
}

static int run_conform(int argc, char **argv)
{
  const int code = look_at_words(argc, argv);
  if (code >= 0) return code;
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

const cli_command conform_command = {
    .name = "conform",
    .summary = "run the conformance suite against another library",
    .synopsis = "--adapter=CMD [OPTION...]\n"
                "check-adapter CMD\n"
                "cases\n"
                "export --pack=DIR\n"
                "site DIR [--report=FILE...]\n"
                "verify-findings [NAME...]",
    .description =
        "Asks a library, through your adapter, every question that the adapter's manifest covers. Every wrong answer fails "
        "the run, unless --xfail lists it.\n\ncheck-adapter asks only whether the adapter speaks the protocol: a few "
        "questions of each kind, every message looked at. cases prints the cases, one JSON object a line; export writes "
        "them into an empty folder, with their version, hashes, schema and two small programs that use them. site makes "
        "web pages of the reports of runs (default: conform-results/report.json) and of the suite's findings, in an empty "
        "folder: they need no network. verify-findings runs the programs of conformance/findings again.",
    .words = (const char *const[]){"check-adapter", "cases", "export", "site", "verify-findings", NULL},
    .options =
        (const cli_option[]){
            {0, "adapter", "CMD", "the command that runs the adapter"},
            {0, "profile", "FILE",
             "what your library promises (conformance/ADAPTERS.md); without one, it must reject every violation"},
            {0, "out", "DIR", "where the reports go (default: conform-results)"},
            {0, "pack", "DIR", "of export: where the cases go"},
            {0, "report", "FILE", "of site: the report.json of a run; may be repeated"},
            {0, "run", "GLOB", "ask only cases whose id or group fits; may be repeated"},
            {0, "skip", "GLOB", "leave out such cases; may be repeated"},
            {0, "xfail", "FILE",
             "known wrong answers: these cases must be wrong, and all others right"},
            {0, "case", "FILE", "ask the cases of this file instead, such as a random question that was not right"},
            {0, "random", "SEED",
             "ask random chains of operations instead, some of large tensors; what is not right is made small, and a file"},
            {0, "for", "TIME", "how long --random asks: 30s, 10m, 2h (default: 1m)"},
            {0, "shard", "I/N", "ask one of N parts of the cases, from 1"},
            {0, "seed", "N", "run the cases in another order"},
            {0, "timeout", "SECONDS", "for one answer (default: 10)"},
            {0, "start-timeout", "SECONDS", "for its start (default: 120)"},
            {0, "memory", "MIB", "that the adapter may take (default: 4096)"},
            {0, "resume", NULL, "take over what an interrupted run has finished"},
            {0, "verbose", NULL, "name every case that is not right"},
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){{0, "everything is right"},
                              {1, "something is wrong"},
                              STATUS_USAGE,
                              {4, "interrupted: what was finished is reported"},
                              {EXIT_INTERNAL, "internal error, or the suite is not installed"},
                              {0, NULL}},
    .examples = (const cli_example[]){{"spw conform --adapter=./adapter --out=results",
                                       "test a library"},
                                      {NULL, NULL}},
    .run = run_conform};
