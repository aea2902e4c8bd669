/* SPDX-License-Identifier: Apache-2.0 */
/* spw check */
#include "../report/report.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct check_options {
  check_request request;
  input_options input;
  bool json, quiet, skips_unknown;
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
  int64_t not_checked, unsupported, unreadable; /* of the malformed: refused for another reason than their contents */
  int64_t skipped;
  int64_t bad;       /* of what is listed: how many are not valid */
  cli_text bad_names; /* of the first few */
  bool silent; /* a report has standard output for itself */
  bool internal_error;
} check_run;

/* The rows of the options; those of INPUT_OPTIONS come last. */
enum { LEVEL, ALL, FIRST, JSON, SARIF, JUNIT, QUIET, COLOUR, SKIP_UNKNOWN, MAX_DENSE_BYTES, MEMBERS, SHARED };

static bool take(void *context, int option, const char *argument)
{
  check_options *options = context;
  switch (option) {
  case LEVEL:
    if (parse_level(argument, &options->request.level)) return true;
    usage_error("check", "--level is shape, structure or canonical, not %s", argument);
    return false;
  case COLOUR:
    if (parse_colour(argument, &options->colour)) return true;
    usage_error("check", "--color is always, never or auto, not %s", argument);
    return false;
  case SARIF: options->sarif.path = argument; return true;
  case JUNIT: options->junit.path = argument; return true;
  case ALL: options->request.first_only = false; return true;
  case FIRST: options->request.first_only = true; return true;
  case JSON: options->json = true; return true;
  case QUIET: options->quiet = true; return true;
  case SKIP_UNKNOWN: options->skips_unknown = true; return true;
  case MEMBERS: return take_members_option("check", &options->input, argument);
  case MAX_DENSE_BYTES: return parse_count("check", "max-dense-bytes", argument, &options->request.max_dense_bytes);
  default: return take_input_option("check", &options->input, option - SHARED, argument);
  }
}

static void count(check_run *run, const cli_judgement *judgement)
{
  run->tensors++;
  run->counts[judgement->verdict]++;
  const char *kind = judgement->problem.kind;
  if (!kind) return;
  run->unreadable += strcmp(kind, "unreadable") == 0;
  run->unsupported += strcmp(kind, "unsupported") == 0;
  run->not_checked += strcmp(kind, "limit") == 0;
}

enum { MOST_NAMES = 20, LONG_LISTING = 20 };

/* What a long listing is to end with. */
static void remember(check_run *run, const cli_judgement *judgement)
{
  if (judgement->verdict == VERDICT_VALID || run->bad++ >= MOST_NAMES) return;
  char *name = escape_text(judgement->input->file);
  add_format(&run->bad_names, "%s%s", run->bad_names.size ? ", " : "", name);
  if (judgement->input->line) add_format(&run->bad_names, ":%lld", (long long)judgement->input->line);
  free(name);
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
  remember(run, &judgement);
  if (run->options.sarif.path) sarif_add(&run->sarif, &judgement);
  if (run->options.junit.path) junit_add(&run->junit, &judgement);
  if (!run->silent && (!run->options.quiet || judgement.verdict != VERDICT_VALID)) {
    progress_clear(&run->progress);
    if (run->options.json)
      put_json(&judgement);
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
  put_count(run->counts[VERDICT_MALFORMED] - run->unreadable - run->unsupported - run->not_checked, "malformed", &any);
  put_count(run->unreadable, "unreadable", &any);
  put_count(run->unsupported, "unsupported", &any);
  put_count(run->not_checked, "not checked", &any);
  put_count(run->skipped, "skipped", &any);
  putchar('\n');
}

/* On a terminal, where they have gone out of sight. */
static void put_bad_names(const check_run *run)
{
  if (run->bad == 0 || run->tensors < LONG_LISTING || !isatty(STDOUT_FILENO)) return;
  cli_text text = new_text();
  add_format(&text, "not valid: %s", run->bad_names.bytes);
  if (run->bad > MOST_NAMES) add_format(&text, " and %lld more", (long long)(run->bad - MOST_NAMES));
  add_text(&text, " (-q prints only these)");
  put_wrapped(stdout, text.bytes, 0, run->style.width);
  free(text.bytes);
}

/* Files below a directory that nothing has looked at. */
static void put_skipped(check_run *run, const file_list *list)
{
  if (run->options.skips_unknown || list->skipped_count + list->dense_count == 0) return;
  run->skipped = (int64_t)list->skipped_count;
  progress_clear(&run->progress);
  for (size_t i = 0; i < list->skipped_count; i++) {
    cli_problem problem;
    set_problem(&problem, "skipped", "its name is of no format that is read");
    put_problem_line("check", &(cli_input){.file = list->skipped[i]}, &problem);
  }
  if (list->skipped_count) fputs("spw check: --skip-unknown passes over such files\n", stderr);
  if (list->dense_count)
    fprintf(stderr, "spw check: -r leaves out .npy files, which hold dense arrays: %zu; name them to check them\n",
            list->dense_count);
}

static int exit_code(const check_run *run)
{
  if (run->internal_error) return EXIT_INTERNAL;
  if (run->counts[VERDICT_MALFORMED] || run->skipped) return EXIT_UNREADABLE;
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
  if (!options->quiet && !options->json && !run->silent && run->tensors > 1) {
    put_summary(run);
    put_bad_names(run);
  }
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
    run->silent = run->silent || (outputs[i].path && is_standard_stream(outputs[i].path));
  if (run->silent && options->json)
    return usage_error("check", "--json and a report cannot both go to standard output");
  const int refused = claim_outputs("check", outputs, 2, list);
  if (refused >= 0) return refused;
  if (options->sarif.path) run->sarif = sarif_begin();
  if (options->junit.path) run->junit = junit_begin();
  return -1;
}

static int run_check(int argc, char **argv)
{
  check_run run = {.options = {.request = {.level = SPW_CANONICAL, .takes_semi = true},
                                  .sarif = {"sarif", NULL, true}, .junit = {"junit", NULL, true}}};
  check_options *options = &run.options;
  file_list list;
  int code = EXIT_USAGE;
  const int first = take_options(&check_command, argc, argv, take, options, &code);
  if (first < 0) return code;
  if (!take_files("check", argc, (const char *const *)argv, first, options->input.recursive, &list)) return EXIT_USAGE;
  options->request.max_work = options->input.max_work;
  list.members = given_members(&options->input);
  run.style = stdout_style(options->colour);
  run.progress = progress_begin();
  run.files = list.count;
  run.bad_names = new_text();
  code = begin_reports(&run, &list);
  if (code < 0) {
    visit_files(&list, options->input.max_bytes, check_input, begin_file, &run);
    put_skipped(&run, &list);
    code = finish(&run);
  }
  free(run.bad_names.bytes);
  free(options->input.names);
  free_file_list(&list);
  return code;
}

const cli_command check_command = {
    .name = "check",
    .summary = "say whether tensors are valid, and if not, why",
    .synopsis = "[OPTION...] FILE...",
    .description =
        "Says whether each tensor is valid, and if not, which rules it violates and where. FILE, "
        "or - for standard input, has one of the formats that `spw list formats` names; contents "
        "decide before names.",
    .options =
        (const cli_option[]){
            [LEVEL] = {0, "level", "LEVEL",
                       "shape, structure or canonical (default: canonical); each level "
                       "includes those before it"},
            [ALL] = {0, "all", NULL, "report every violated rule (default)"},
            [FIRST] = {0, "first", NULL, "report only the first violated rule"},
            [JSON] = {0, "json", NULL, "print one line of JSON for each tensor"},
            [SARIF] = {0, "sarif", "FILE",
                       "also write a SARIF 2.1.0 log; - writes it to standard output, in "
                       "place of the verdicts"},
            [JUNIT] = {0, "junit", "FILE",
                       "also write a JUnit XML report; - writes it to standard output. Both reports list the first 25000 "
                       "results that are not valid, and count the others"},
            [QUIET] = {'q', "quiet", NULL, "print nothing for valid tensors, and no summary"},
            [COLOUR] = COLOUR_OPTION,
            [SKIP_UNKNOWN] = {0, "skip-unknown", NULL,
                              "with -r, say nothing of files whose names are of no format; otherwise they are named, and "
                              "the exit status is 3"},
            [MAX_DENSE_BYTES] = {0, "max-dense-bytes", "N",
                                 "refuse a valid tensor that would take more bytes as a dense array: 20 bytes can mean "
                                 "terabytes (default: none is refused)"},
            [MEMBERS] = MEMBERS_OPTION,
            [SHARED] = INPUT_OPTIONS,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){{EXIT_VALID, "every tensor is valid"},
                              {EXIT_INVALID, "some tensor is invalid"},
                              STATUS_USAGE,
                              {EXIT_UNREADABLE, "some file is unreadable, malformed, unsupported, skipped or "
                                                "too much work; wins over 1"},
                              STATUS_INTERNAL,
                              {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw check matrix.npz tensors.spw.jsonl", "are these tensors valid, and if not, why?"},
            {"spw check -r --quiet --sarif=log.sarif data",
             "every file below data; prints what is wrong, and keeps a log of it"},
            {NULL, NULL}},
    .run = run_check};
