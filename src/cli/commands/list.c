/* SPDX-License-Identifier: Apache-2.0 */
/* spw list */
#include "../report/report.h"
#include "command.h"

#include <string.h>

static const char *layouts_name(unsigned layouts)
{
  const unsigned blocked = 1u << SPW_BSR | 1u << SPW_BSC;
  const unsigned compressed = blocked | 1u << SPW_CSR | 1u << SPW_CSC;
  if (layouts == compressed) return "compressed";
  if (layouts == blocked) return "bsr, bsc";
  if (layouts == 1u << SPW_COO) return "coo";
  if (layouts == 0) return "2:4";
  return layouts == (compressed | 1u << SPW_COO) ? "all" : "some";
}

/* ---- For people ------------------------------------------------------------------------------ */

static void put_rules(void)
{
  enum { COLUMN = 28 };
  const int width = stdout_style(COLOUR_NEVER).width;
  for (int i = 0; i < ANY_RULE_COUNT; i++) {
    const spw_rule_info *rule = any_rule(i);
    printf("%-5s%-11s%-12s", rule->id, level_name(rule->phase), layouts_name(rule->layouts));
    put_wrapped(stdout, rule->formula, COLUMN, width);
  }
}

static void put_semantics(void)
{
  enum { COLUMN = 28 };
  const int width = stdout_style(COLOUR_NEVER).width;
  const spw_statement_info *statement;
  for (int i = 0; (statement = spw_statement_get(i)); i++) {
    printf("%-5s%-11s%-12s", statement->id, statement->topic, statement->state);
    put_wrapped(stdout, statement->formula, COLUMN, width);
  }
}

static void put_formats(void)
{
  printf("%-14s%-41s%s\n", "NAME", "CONTENTS", "RECOGNISED BY");
  const spw_file_format_info *info;
  for (int i = 0; (info = spw_file_format_get(i)); i++)
    printf("%-14s%-41s%s\n", info->ending, info->contents, info->recognised_by);
  unsigned v[3];
  if (spw_hdf5_version(v))
    printf("\nHDF5 is read and written by libhdf5 %u.%u.%u.\n", v[0], v[1], v[2]);
  else
    printf("\nHDF5 is not read: there is no libhdf5 (Debian: libhdf5-103-1).\n");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *layout_names(unsigned layouts)
{
  json_t *names = json_array();
  if (layouts == 0) json_array_append_new(names, json_text("semi"));
  for (int i = 0; i < SPW_LAYOUT_COUNT; i++)
    if (layouts & 1u << i) json_array_append_new(names, json_text(spw_layout_name((spw_layout)i)));
  return names;
}

static void put_rules_json(void)
{
  for (int i = 0; i < ANY_RULE_COUNT; i++) {
    const spw_rule_info *rule = any_rule(i);
    json_t *line = json_object();
    json_object_set_new(line, "rule", json_text(rule->id));
    json_object_set_new(line, "phase", json_text(level_name(rule->phase)));
    json_object_set_new(line, "layouts", layout_names(rule->layouts));
    json_object_set_new(line, "formula", json_text(rule->formula));
    json_object_set_new(line, "says", json_text(rule->prose));
    json_object_set_new(line, "why", json_text(rule->why));
    json_object_set_new(line, "fix", json_text(rule->fix));
    json_object_set_new(line, "pytorch", json_text(rule->torch));
    json_object_set_new(line, "scipy", json_text(rule->scipy));
    put_json_line(line);
  }
}

/* The words of a text, as an array. */
static json_t *json_words(const char *text)
{
  json_t *words = json_array();
  for (const char *at = text; *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    json_array_append_new(words, json_stringn(at, length));
    at += length;
  }
  return words;
}

static void put_semantics_json(void)
{
  const spw_statement_info *statement;
  for (int i = 0; (statement = spw_statement_get(i)); i++) {
    json_t *line = json_object();
    json_object_set_new(line, "statement", json_text(statement->id));
    json_object_set_new(line, "topic", json_text(statement->topic));
    json_object_set_new(line, "operations", json_words(statement->operations));
    json_object_set_new(line, "state", json_text(statement->state));
    json_object_set_new(line, "function", json_text(statement->function));
    json_object_set_new(line, "formula", json_text(statement->formula));
    json_object_set_new(line, "says", json_text(statement->prose));
    json_object_set_new(line, "why", json_text(statement->why));
    json_object_set_new(line, "pytorch", json_text(statement->torch));
    json_object_set_new(line, "scipy", json_text(statement->scipy));
    put_json_line(line);
  }
}

static void put_formats_json(void)
{
  unsigned version[3];
  const spw_file_format_info *info;
  for (int i = 0; (info = spw_file_format_get(i)); i++) {
    json_t *line = json_object();
    json_object_set_new(line, "name", json_text(info->ending));
    json_object_set_new(line, "contents", json_text(info->contents));
    json_object_set_new(line, "recognised_by", json_text(info->recognised_by));
    json_object_set_new(line, "written", json_boolean(info->is_written));
    json_object_set_new(line, "available", json_boolean(info->format != SPW_FORMAT_HDF5 || spw_hdf5_version(version)));
    put_json_line(line);
  }
}

/* ---- The command ----------------------------------------------------------------------------- */

static bool take(void *context, int option, const char *argument)
{
  (void)option; /* there is one, */
  (void)argument; /* without an argument */
  *(bool *)context = true;
  return true;
}

static int run_list(int argc, char **argv)
{
  static const struct { const char *name; void (*put)(void), (*put_json)(void); } lists[] = {
      {"rules", put_rules, put_rules_json},
      {"semantics", put_semantics, put_semantics_json},
      {"formats", put_formats, put_formats_json}};
  bool json = false;
  int code = EXIT_USAGE;
  const int first = take_options(&list_command, argc, argv, take, &json, &code);
  if (first < 0) return code;
  for (size_t i = 0; i < sizeof lists / sizeof *lists && argc - first == 1; i++) {
    if (strcmp(argv[first], lists[i].name) != 0) continue;
    (json ? lists[i].put_json : lists[i].put)();
    return finish_output(EXIT_VALID);
  }
  if (argc - first == 1) return unknown_word(&list_command, argv[first]);
  return usage_error("list", "say what to list: rules, semantics or formats");
}

const cli_command list_command = {
    .name = "list",
    .summary = "list the rules, what operations mean, or the file formats",
    .synopsis = "[OPTION...] rules|semantics|formats",
    .description =
        "rules: one line per rule, with id, phase, layouts and formula; `spw explain` says more about one.\n\nsemantics: "
        "one line per statement about operations, with id, topic, state and formula. Operations that are not built do not "
        "exist yet.\n\nformats: the file formats, and how they are recognised.",
    .words = (const char *const[]){"rules", "semantics", "formats", NULL},
    .options =
        (const cli_option[]){
            {0, "json", NULL, "print one line of JSON for each, with all its texts"},
            {0, NULL, NULL, NULL}},
    .statuses = (const exit_status[]){{EXIT_VALID, "the list is printed"},
                                      STATUS_USAGE,
                                      {EXIT_INTERNAL, "the output cannot be written"},
                                      {0, NULL}},
    .examples = (const cli_example[]){{"spw list rules", "all rules"},
                                      {"spw list semantics", "what operations mean"},
                                      {NULL, NULL}},
    .run = run_list};
