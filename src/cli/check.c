/* SPDX-License-Identifier: Apache-2.0 */
/* spw check */
#include "cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

typedef struct check_options {
  check_request request;
  int64_t max_bytes;
  bool recursive, json, quiet;
  colour_mode colour;
  cli_output sarif, junit;
} check_options;

typedef struct check_run {
  check_options options;
  cli_style style;
  cli_progress progress;
  cli_sarif sarif;
  cli_junit junit;
  size_t files, file;         /* how many, and which one is being checked */
  int64_t tensors, counts[3]; /* by verdict */
  int64_t not_checked;        /* of the malformed: refused for another reason than their contents */
  int64_t unreadable;
  bool silent; /* a report has standard output for itself */
  bool internal_error;
} check_run;

static bool parse_level(const char *name, spw_level *level)
{
  static const char *const names[] = {"shape", "structure", "canonical"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(name, names[i]) != 0) continue;
    *level = (spw_level)(i + 1);
    return true;
  }
  return false;
}

/* A report that is asked for twice would be written once. */
static bool set_output(cli_output *output, const char *path)
{
  if (!output->path) {
    output->path = path;
    return true;
  }
  usage_error("check", "--%s is given twice", output->option);
  return false;
}

/* Returns -1 to go on, or the exit code. */
static int parse_options(int argc, char **argv, check_options *options)
{
  enum { LEVEL = 256, ALL, FIRST, MAX_WORK, MAX_BYTES, JSON, SARIF, JUNIT, COLOUR };
  static const struct option table[] = {
      {"recursive", no_argument, NULL, 'r'}, {"level", required_argument, NULL, LEVEL},
      {"all", no_argument, NULL, ALL},       {"first", no_argument, NULL, FIRST},
      {"json", no_argument, NULL, JSON},     {"sarif", required_argument, NULL, SARIF},
      {"junit", required_argument, NULL, JUNIT}, {"quiet", no_argument, NULL, 'q'},
      {"color", required_argument, NULL, COLOUR}, {"help", no_argument, NULL, 'h'},
      {"max-work", required_argument, NULL, MAX_WORK},
      {"max-bytes", required_argument, NULL, MAX_BYTES},
      {NULL, 0, NULL, 0}};
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, ":rqh", table, NULL)) != -1;) {
    switch (code) {
    case 'r': options->recursive = true; break;
    case 'q': options->quiet = true; break;
    case 'h': return print_help("check");
    case ALL: options->request.first_only = false; break;
    case FIRST: options->request.first_only = true; break;
    case JSON: options->json = true; break;
    case SARIF:
      if (set_output(&options->sarif, optarg)) break;
      return EXIT_USAGE;
    case JUNIT:
      if (set_output(&options->junit, optarg)) break;
      return EXIT_USAGE;
    case LEVEL:
      if (parse_level(optarg, &options->request.level)) break;
      return usage_error("check", "--level is shape, structure or canonical, not %s", optarg);
    case MAX_WORK:
      if (parse_count("check", "max-work", optarg, &options->request.max_work)) break;
      return EXIT_USAGE;
    case MAX_BYTES:
      if (parse_count("check", "max-bytes", optarg, &options->max_bytes)) break;
      return EXIT_USAGE;
    case COLOUR:
      if (parse_colour(optarg, &options->colour)) break;
      return usage_error("check", "--color is always, never or auto, not %s", optarg);
    default: return option_error("check", argv, code);
    }
  }
  if (optind == argc) return usage_error("check", "a file is needed, or - for standard input");
  return -1;
}

static void count(check_run *run, const cli_judgement *judgement)
{
  run->tensors++;
  run->counts[judgement->verdict]++;
  const char *kind = judgement->problem.kind;
  if (!kind) return;
  run->unreadable += strcmp(kind, "unreadable") == 0;
  run->not_checked += strcmp(kind, "limit") == 0 || strcmp(kind, "unsupported") == 0;
}

static void check_input(void *context, const cli_input *input)
{
  check_run *run = context;
  cli_judgement judgement;
  if (!judge(input, &run->options.request, &judgement)) {
    run->internal_error = true;
    return;
  }
  count(run, &judgement);
  if (run->options.sarif.path) sarif_add(&run->sarif, &judgement);
  if (run->options.junit.path) junit_add(&run->junit, &judgement);
  if (!run->silent && (!run->options.quiet || judgement.verdict != VERDICT_VALID)) {
    progress_clear(&run->progress);
    if (run->options.json)
      put_json(stdout, &judgement);
    else
      put_human(&run->style, &judgement);
    flush_output();
  }
  progress_draw(&run->progress, run->tensors,
                ((double)run->file + input->done) / (double)run->files);
}

static void begin_file(void *context, size_t file)
{
  ((check_run *)context)->file = file;
}

static void put_count(int64_t number, const char *what, bool *any)
{
  if (number == 0) return;
  printf("%s%lld %s", *any ? ", " : "", (long long)number, what);
  *any = true;
}

static void put_summary(const check_run *run)
{
  bool any = false;
  if ((size_t)run->tensors == run->files)
    printf("%zu files: ", run->files);
  else
    printf("%zu %s, %lld tensors: ", run->files, run->files == 1 ? "file" : "files",
           (long long)run->tensors);
  put_count(run->counts[VERDICT_VALID], "valid", &any);
  put_count(run->counts[VERDICT_INVALID], "invalid", &any);
  put_count(run->counts[VERDICT_MALFORMED] - run->unreadable - run->not_checked, "malformed", &any);
  put_count(run->unreadable, "unreadable", &any);
  put_count(run->not_checked, "not checked", &any);
  putchar('\n');
}

static int exit_code(const check_run *run)
{
  if (run->internal_error) return EXIT_INTERNAL;
  if (run->counts[VERDICT_MALFORMED]) return EXIT_UNREADABLE;
  return run->counts[VERDICT_INVALID] ? EXIT_INVALID : EXIT_VALID;
}

static int finish_report(int code, const cli_output *output, cli_text text)
{
  const int written = write_output("check", output, &text);
  free(text.bytes);
  return written ? written : code;
}

static int finish(check_run *run)
{
  const check_options *options = &run->options;
  progress_clear(&run->progress);
  if (!options->quiet && !options->json && !run->silent && run->tensors > 1) put_summary(run);
  int code = finish_output(exit_code(run));
  if (options->sarif.path) code = finish_report(code, &options->sarif, sarif_end(&run->sarif));
  if (options->junit.path) code = finish_report(code, &options->junit, junit_end(&run->junit));
  return code;
}

/* The reports, and who has standard output; -1 to go on, or the exit code. */
static int begin_reports(check_run *run, const file_list *list)
{
  const check_options *options = &run->options;
  const cli_output outputs[] = {options->sarif, options->junit};
  for (int i = 0; i < 2; i++)
    run->silent = run->silent || (outputs[i].path && strcmp(outputs[i].path, "-") == 0);
  if (run->silent && options->json)
    return usage_error("check", "--json and a report cannot both go to standard output");
  const int refused = claim_outputs("check", outputs, 2, list);
  if (refused >= 0) return refused;
  if (options->sarif.path) run->sarif = sarif_begin();
  if (options->junit.path) run->junit = junit_begin();
  return -1;
}

int command_check(int argc, char **argv)
{
  check_run run = {.options = {.request.level = SPW_CANONICAL,
                               .sarif.option = "sarif", .junit.option = "junit"}};
  int code = parse_options(argc, argv, &run.options);
  if (code >= 0) return code;
  file_list list = {0, 0, NULL};
  for (int i = optind; i < argc; i++) list_files(&list, argv[i], run.options.recursive);
  run.style = stdout_style(run.options.colour);
  run.progress = progress_begin();
  run.files = list.count;
  code = begin_reports(&run, &list);
  if (code < 0) {
    visit_files(&list, run.options.max_bytes, check_input, begin_file, &run);
    code = finish(&run);
  }
  free_file_list(&list);
  return code;
}
