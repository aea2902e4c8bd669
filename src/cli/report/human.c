/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on one tensor, for people. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 7 };

static const char *level_note(spw_level level)
{
  return level == SPW_SHAPE ? ", shape rules only"
         : level == SPW_STRUCTURE ? ", up to structure rules" : "";
}

/* "csr 2x6, nse 4, int64" */
static char *describe(const cli_judgement *j)
{
  const spw_tensor *t = j->input->tensor;
  cli_text text = new_text();
  if (j->semi) {
    add_semi(&text, j->semi);
    if (j->verdict == VERDICT_VALID && j->level == SPW_SHAPE) add_text(&text, level_note(j->level));
    return text.bytes;
  }
  add_format(&text, "%s ", spw_layout_name(t->layout));
  if (j->size_known)
    add_sizes(&text, j->ndim, j->size);
  else
    add_text(&text, "of unknown size");
  if (j->size_known && !t->has_size) add_text(&text, " (inferred)");
  const spw_numbers n = numbers_of(t);
  if (is_blocked(t->layout) && n.block_rows >= 0)
    add_format(&text, ", blocks %lldx%lld", (long long)n.block_rows, (long long)n.block_columns);
  if (j->report.nse >= 0) add_format(&text, ", nse %lld", (long long)j->report.nse);
  const spw_array *typed = t->layout == SPW_DENSE ? &t->values.array : &t->plain.array;
  add_format(&text, ", %s", spw_dtype_name(typed->dtype));
  if (j->verdict == VERDICT_VALID) add_text(&text, level_note(j->level));
  return text.bytes;
}

/* On the line of the file's name if it fits, else on the next. */
static void put_header(const cli_style *style, const cli_judgement *j, const char *word,
                       cli_paint paint, const char *details)
{
  char *const place = place_in_file(j->input);
  char *file = escape_text(j->input->file), *line = escape_text(place);
  fputs(file, style->out);
  fprintf(style->out, "%s:", line);
  const int columns = text_columns(file) + (int)strlen(line) + 2 + (int)strlen(word);
  fputc(' ', style->out);
  put_painted(style, paint, word);
  free(file);
  free(line);
  free(place);
  if (details[0] && columns + 2 + text_columns(details) <= style->width) {
    fprintf(style->out, "  %s\n", details);
    return;
  }
  fputc('\n', style->out);
  if (!details[0]) return;
  fputs("  ", style->out);
  put_wrapped(style->out, details, 2, style->width);
}

static void put_problem(const cli_style *style, const cli_judgement *j)
{
  const char *kind = j->problem.kind;
  put_header(style, j, strcmp(kind, "limit") == 0 ? "not checked" : kind, PAINT_YELLOW, "");
  char *where = escape_text(j->problem.error.where);
  char *message = escape_text(j->problem.error.message);
  fprintf(style->out, "  %s%s", where, where[0] ? ":" : "");
  const int column = 2 + (where[0] ? text_columns(where) + 2 : 0);
  if (column + text_columns(message) <= style->width) {
    fprintf(style->out, "%s%s\n", where[0] ? " " : "", message);
  } else {
    fprintf(style->out, where[0] ? "\n    " : "");
    put_wrapped(style->out, message, where[0] ? 4 : 2, style->width);
  }
  free(where);
  free(message);
}

static char *with_names_and_count(const cli_judgement *j, const spw_finding *finding)
{
  const spw_layout layout = j->input->tensor->layout;
  const spw_member member = finding->first.member;
  const char *own = spw_member_torch_name(layout, member);
  char *message = violation_message(j, &finding->first);
  cli_text text = new_text();
  add_text(&text, message);
  free(message);
  if (spw_rule_get(finding->first.rule)->phase == SPW_SHAPE && own
      && own != spw_member_name(layout, member))
    add_format(&text, " (in %s: %s)", spw_layout_name(layout), own);
  if (finding->count > 1)
    add_format(&text, " (first of %lld places)", (long long)finding->count);
  return text.bytes;
}

static void put_violation(const cli_style *style, const cli_judgement *j,
                          const spw_finding *finding)
{
  const spw_rule_info *rule = spw_rule_get(finding->first.rule);
  char id[16];
  snprintf(id, sizeof id, "%-4s", rule->id);
  fputs("  ", style->out);
  put_painted(style, PAINT_BOLD, id);
  fputs(" ", style->out);
  put_wrapped(style->out, rule->formula, INDENT, style->width);
  char *message = with_names_and_count(j, finding);
  fprintf(style->out, "%*s", INDENT, "");
  put_wrapped(style->out, message, INDENT, style->width);
  free(message);
  if (rule->phase != SPW_SHAPE) put_neighbourhood(style, j, &finding->first, INDENT + 2);
  fprintf(style->out, "%*s", INDENT, "");
  put_painted(style, PAINT_DIM, "fix:");
  fputc(' ', style->out);
  put_wrapped(style->out, rule->fix, INDENT + 5, style->width);
}

static void put_semi_violation(const cli_style *style, const told_violation *told)
{
  cli_text message = new_text();
  fputs("  ", style->out);
  put_painted(style, PAINT_BOLD, told->rule->id);
  fputs("  ", style->out);
  put_wrapped(style->out, told->rule->formula, INDENT, style->width);
  add_text(&message, told->message);
  if (told->count > 1) add_format(&message, " (first of %lld places)", (long long)told->count);
  fprintf(style->out, "%*s", INDENT, "");
  put_wrapped(style->out, message.bytes, INDENT, style->width);
  free(message.bytes);
  fprintf(style->out, "%*s", INDENT, "");
  put_painted(style, PAINT_DIM, "fix:");
  fputc(' ', style->out);
  put_wrapped(style->out, told->rule->fix, INDENT + 5, style->width);
}

static void put_semi_violations(const cli_style *style, const cli_judgement *j)
{
  told_violation told;
  for (int i = SPW_RULE_COUNT; i < ANY_RULE_COUNT; i++)
    if (tell_violation(j, i, &told)) {
      put_semi_violation(style, &told);
      free(told.message);
    }
}

/* Rules that an earlier violation hides; those above the level were not asked for. */
static void put_not_evaluated(const cli_style *style, const cli_judgement *j)
{
  char ids[8 * ANY_RULE_COUNT] = "", *to = ids;
  for (int i = 0; i < ANY_RULE_COUNT; i++) {
    const spw_rule_info *rule = any_rule(i);
    if (state_of_rule(j, i) == SPW_NOT_EVALUATED && rule->phase <= j->level)
      to += snprintf(to, 8, "%s%.5s", to == ids ? "" : ", ", rule->id);
  }
  if (to == ids) return;
  fputs("  not evaluated: ", style->out);
  put_wrapped(style->out, ids, 17, style->width);
}

/* What `spw convert` mends, where nothing else is wrong; null: what is wrong takes more. */
static const char *mending(const spw_report *report)
{
  bool unsorted = false, claims = false, types = false;
  for (int i = 0; i < SPW_RULE_COUNT; i++) {
    if (report->findings[i].state != SPW_VIOLATED) continue;
    unsorted = unsorted || i == SPW_RULE_5_6;
    claims = claims || i == SPW_RULE_6_7;
    types = types || i == SPW_RULE_1_1 || i == SPW_RULE_1_2;
    if (i != SPW_RULE_5_6 && i != SPW_RULE_6_7 && i != SPW_RULE_1_1 && i != SPW_RULE_1_2) return NULL;
  }
  if (types) return "`spw convert --index=int64 IN OUT` gives all indices one type";
  if (unsorted) return "`spw convert --canonicalize IN OUT` sorts the rows and combines duplicates";
  if (!claims) return NULL;
  return "`spw convert --canonicalize IN OUT` sorts the elements, combines duplicates, and so makes the claim true";
}

void put_human(const cli_style *style, const cli_judgement *j)
{
  if (j->verdict == VERDICT_MALFORMED) {
    put_problem(style, j);
    return;
  }
  const bool valid = j->verdict == VERDICT_VALID;
  char *details = describe(j);
  put_header(style, j, verdict_name(j->verdict), valid ? PAINT_GREEN : PAINT_RED, details);
  free(details);
  if (j->semi) put_semi_violations(style, j);
  for (int i = 0; i < SPW_RULE_COUNT && !j->semi; i++)
    if (j->report.findings[i].state == SPW_VIOLATED)
      put_violation(style, j, &j->report.findings[i]);
  if (valid) return;
  put_not_evaluated(style, j);
  const char *const how = j->semi ? NULL : mending(&j->report);
  if (!how) return;
  fputs("  ", style->out);
  put_wrapped(style->out, how, 2, style->width);
}
