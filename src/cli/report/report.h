/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts as people and programs read them. */
#ifndef SPW_CLI_REPORT_H
#define SPW_CLI_REPORT_H

#include "../posix.h"

#include "../terminal/terminal.h"
#include "../text/text.h"
#include "../verdict/verdict.h"

#include <jansson.h>

/* ---- For people ------------------------------------------------------------------------------ */

void put_human(const cli_style *style, const cli_judgement *judgement);

/* "spw COMMAND: FILE:LINE: kind: message" on stderr. */
void put_problem_line(const char *command, const cli_input *input, const cli_problem *problem);

/* What the violation is, with its numbers, to free(). */
char *violation_message(const cli_judgement *judgement, const spw_violation *violation);

/* A violated rule in words and names, whatever it is about. */
typedef struct told_violation {
  const spw_rule_info *rule;
  const char *member; /* null when it is no single one */
  char *message;      /* to free() */
  int64_t count, position, lhs, rhs; /* position -1: none */
} told_violation;

/* Rule `number` as any_rule numbers them; false if it is not violated. */
bool tell_violation(const cli_judgement *judgement, int number, told_violation *told);

/* "semi 32x64, cutlass order, float16" */
void add_semi(cli_text *text, const spw_semi *semi);

/* The elements around a structure or canonical violation, with a caret under the one to blame. */
void put_neighbourhood(const cli_style *style, const cli_judgement *judgement,
                       const spw_violation *violation, int indent);

/* ---- Lines of JSON --------------------------------------------------------------------------- */

void put_json(const cli_judgement *judgement);

json_t *json_text(const char *text); /* any bytes */
json_t *json_numbers(int64_t count, const int64_t *numbers);
json_t *json_problem(const cli_problem *problem); /* null when there is none */
json_t *json_line_number(int64_t line);
void add_json(cli_text *text, const json_t *value, size_t flags); /* as json_dumps */
void put_json_line(json_t *value); /* takes the reference */

/* ---- SARIF 2.1.0 and JUnit XML, in memory until they are written ----------------------------- */

/* A file of many bad lines takes a thousand times its size in a report; nobody reads so many. */
enum { MOST_RESULTS = 25000 }; /* that tell of what is not valid; those behind are counted */

typedef struct cli_sarif {
  json_t *results, *notifications;
  int64_t left_out;
} cli_sarif;

cli_sarif sarif_begin(void);
void sarif_add(cli_sarif *sarif, const cli_judgement *judgement);
cli_text sarif_end(cli_sarif *sarif); /* the log, to free() */

typedef struct cli_junit {
  cli_text cases;
  int64_t tests, failures, errors, left_out;
} cli_junit;

cli_junit junit_begin(void);
void junit_add(cli_junit *junit, const cli_judgement *judgement);
cli_text junit_end(cli_junit *junit);

#endif
