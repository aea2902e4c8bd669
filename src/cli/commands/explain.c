/* SPDX-License-Identifier: Apache-2.0 */
/* spw explain */
#include "../terminal/terminal.h"
#include "../verdict/verdict.h"
#include "command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { COLUMN = 10 };

/* ---- A rule ---------------------------------------------------------------------------------- */

static void put_section(const cli_style *style, const char *title, const char *text)
{
  if (!text[0]) return;
  char padded[COLUMN + 1];
  snprintf(padded, sizeof padded, "%-*s", COLUMN, title);
  fputc('\n', style->out);
  put_painted(style, PAINT_BOLD, padded);
  put_wrapped(style->out, text, COLUMN, style->width);
}

static void put_rule(const cli_style *style, const spw_rule_info *rule)
{
  char title[32];
  snprintf(title, sizeof title, "Rule %.16s", rule->id);
  put_painted(style, PAINT_BOLD, title);
  fprintf(style->out, "   %s rule of", level_name(rule->phase));
  const char *separator = " ";
  if (!rule->layouts) fputs(" 2:4 matrices", style->out);
  for (int i = 0; i < SPW_LAYOUT_COUNT; i++) {
    if (!(rule->layouts & 1u << i)) continue;
    fprintf(style->out, "%s%s", separator, spw_layout_name((spw_layout)i));
    separator = ", ";
  }
  fputs("\n\n    ", style->out);
  put_wrapped(style->out, rule->formula, 4, style->width);
  put_section(style, "Says", rule->prose);
  put_section(style, "Why", rule->why);
  put_section(style, "Fix", rule->fix);
  put_section(style, "PyTorch", rule->torch);
  put_section(style, "SciPy", rule->scipy);
}

/* "5.3", and "SPW-5.3" as SARIF logs write it. */
static const spw_rule_info *find_rule(const char *word)
{
  const char *const id = strncmp(word, "SPW-", 4) == 0 ? word + 4 : word;
  for (int i = 0; i < ANY_RULE_COUNT; i++)
    if (strcmp(any_rule(i)->id, id) == 0) return any_rule(i);
  return NULL;
}

/* ---- Words, between blanks and commas --------------------------------------------------------- */

static int word_length(const char *at)
{
  return (int)strcspn(at, ", ");
}

static const char *next_word(const char *at)
{
  at += word_length(at);
  return at + strspn(at, ", ");
}

static bool has_word(const char *words, const char *word)
{
  for (const char *at = words; *at; at = next_word(at))
    if (strncmp(at, word, strlen(word)) == 0 && word_length(at) == (int)strlen(word)) return true;
  return false;
}

/* ---- What an operation means ----------------------------------------------------------------- */

static void put_statement(const cli_style *style, const spw_statement_info *statement)
{
  char title[32];
  cli_text about = new_text();
  snprintf(title, sizeof title, "Statement %.16s", statement->id);
  put_painted(style, PAINT_BOLD, title);
  fputs("   ", style->out);
  add_text(&about, statement->topic);
  for (const char *at = statement->operations; *at; at = next_word(at)) add_format(&about, ", %.*s", word_length(at), at);
  add_format(&about, " (%s)", statement->state);
  put_wrapped(style->out, about.bytes, (int)strlen(title) + 3, style->width);
  free(about.bytes);
  fputs("\n    ", style->out);
  put_wrapped(style->out, statement->formula, 4, style->width);
  put_section(style, "Says", statement->prose);
  put_section(style, "Why", statement->why);
  put_section(style, "Done by", statement->function);
  put_section(style, "PyTorch", statement->torch);
  put_section(style, "SciPy", statement->scipy);
}

/* By its id, its topic, or an operation that it is about. */
static bool is_named(const spw_statement_info *statement, const char *word)
{
  return strcmp(statement->id, word) == 0 || strcmp(statement->topic, word) == 0
         || has_word(statement->operations, word);
}

/* How many statements a word names. */
static int count_statements(const char *word)
{
  int count = 0;
  const spw_statement_info *statement;
  for (int i = 0; (statement = spw_statement_get(i)); i++) count += is_named(statement, word);
  return count;
}

static void put_statements(const cli_style *style, const char *word)
{
  const spw_statement_info *statement;
  bool first = true;
  for (int i = 0; (statement = spw_statement_get(i)); i++) {
    if (!is_named(statement, word)) continue;
    if (!first) putchar('\n');
    first = false;
    put_statement(style, statement);
  }
}

/* ---- A word in the texts ---------------------------------------------------------------------- */

/* Whatever the case. */
static bool speaks_of(const char *text, const char *word)
{
  const size_t length = strlen(word);
  for (; *text; text++)
    if (strncasecmp(text, word, length) == 0) return true;
  return false;
}

static bool rule_speaks_of(const spw_rule_info *rule, const char *word)
{
  return speaks_of(rule->formula, word) || speaks_of(rule->prose, word) || speaks_of(rule->why, word) ||
         speaks_of(rule->fix, word) || speaks_of(rule->torch, word) || speaks_of(rule->scipy, word);
}

static bool statement_speaks_of(const spw_statement_info *statement, const char *word)
{
  return speaks_of(statement->formula, word) || speaks_of(statement->prose, word) || speaks_of(statement->why, word) ||
         speaks_of(statement->torch, word) || speaks_of(statement->scipy, word);
}

static void put_found(const cli_style *style, const char *id, const char *formula)
{
  fprintf(style->out, "  %-5s ", id);
  put_wrapped(style->out, formula, 8, style->width);
}

/* How many rules and statements speak of a word; with a style, they are listed. */
static int search(const cli_style *style, const char *word)
{
  int count = 0;
  for (int i = 0; i < ANY_RULE_COUNT; i++) {
    const spw_rule_info *const rule = any_rule(i);
    if (!rule_speaks_of(rule, word)) continue;
    count++;
    if (style) put_found(style, rule->id, rule->formula);
  }
  const spw_statement_info *statement;
  for (int i = 0; (statement = spw_statement_get(i)); i++) {
    if (!statement_speaks_of(statement, word)) continue;
    count++;
    if (style) put_found(style, statement->id, statement->formula);
  }
  return count;
}

/* ---- A word that names nothing ---------------------------------------------------------------- */

static bool is_near_rule(const char *word, const char *id)
{
  const size_t family = strcspn(id, ".");
  return edit_distance(word, id) == 1
         || (strcspn(word, ".") == family && strncmp(word, id, family) == 0);
}

/* c4 and C99, near C4: those of one topic. */
static bool is_near_statement(const char *word, const char *id)
{
  return toupper((unsigned char)word[0]) == id[0] && isdigit((unsigned char)word[1]);
}

/* A slip of the finger, or a part of the name. */
static bool is_near_word(const char *word, const char *name)
{
  return strlen(word) >= 3 && (strstr(name, word) || edit_distance(word, name) <= 2);
}

/* Adds a name to a list, once. */
static void add_name(cli_text *list, const char *name)
{
  if (!has_word(list->bytes, name)) add_format(list, "%s%s", list->size ? ", " : "", name);
}

static void add_near_words(cli_text *near, const char *word, const char *words)
{
  for (const char *at = words; *at; at = next_word(at)) {
    char name[32];
    snprintf(name, sizeof name, "%.*s", word_length(at), at);
    if (is_near_word(word, name)) add_name(near, name);
  }
}

/* Ids and operations that may be meant. */
static cli_text near_names(const char *word)
{
  cli_text near = new_text();
  for (int i = 0; i < ANY_RULE_COUNT; i++) {
    const char *id = any_rule(i)->id;
    if (is_near_rule(word, id)) add_name(&near, id);
  }
  const spw_statement_info *statement;
  for (int i = 0; (statement = spw_statement_get(i)); i++) {
    if (is_near_statement(word, statement->id)) add_name(&near, statement->id);
    add_near_words(&near, word, statement->topic);
    add_near_words(&near, word, statement->operations);
  }
  return near;
}

static int nothing_named(const char *word)
{
  cli_text near = near_names(word);
  const int code =
      near.size ? usage_error("explain", "there is no rule or operation %.40s; near it: %s", word, near.bytes)
                : usage_error("explain", "there is no rule or operation %.40s; 'spw list rules' and "
                              "'spw list semantics' print them all", word);
  free(near.bytes);
  return code;
}

static void put_search(const cli_style *style, const char *word)
{
  char *safe = escape_text(word);
  cli_text text = new_text(), near = near_names(word);
  add_format(&text, "No rule or operation is called %s%s%s. These speak of it; `spw explain ID` says more:", safe,
             near.size ? "; near it: " : "", near.bytes);
  put_wrapped(style->out, text.bytes, 0, style->width);
  free(safe);
  free(near.bytes);
  free(text.bytes);
  search(style, word);
}

/* What a word gives: a rule, statements, or what speaks of it; false: nothing does, or its form is that of an id. */
static bool is_known(const char *word)
{
  const bool is_word = isalpha((unsigned char)word[0]) && isalpha((unsigned char)word[1]) && strlen(word) >= 3;
  return find_rule(word) || count_statements(word) || (is_word && search(NULL, word));
}

/* ---- The command ----------------------------------------------------------------------------- */

static bool take(void *context, int option, const char *argument)
{
  (void)option; /* there is one */
  if (parse_colour(argument, context)) return true;
  usage_error("explain", "--color is always, never or auto, not %s", argument);
  return false;
}

static int run_explain(int argc, char **argv)
{
  colour_mode colour = COLOUR_AUTO;
  int code = EXIT_USAGE;
  const int first = take_options(&explain_command, argc, argv, take, &colour, &code);
  if (first < 0) return code;
  if (first == argc)
    return usage_error("explain", "a rule or an operation is needed, such as 5.3 or convert; "
                       "'spw list rules' and 'spw list semantics' print them");
  for (int i = first; i < argc; i++)
    if (!is_known(argv[i])) return nothing_named(argv[i]);
  const cli_style style = stdout_style(colour);
  for (int i = first; i < argc; i++) {
    if (i > first) putchar('\n');
    const spw_rule_info *const rule = find_rule(argv[i]);
    if (rule)
      put_rule(&style, rule);
    else if (count_statements(argv[i]))
      put_statements(&style, argv[i]);
    else
      put_search(&style, argv[i]);
  }
  return finish_output(EXIT_VALID);
}

const cli_command explain_command = {
    .name = "explain",
    .summary = "say what a rule or an operation means, and why",
    .synopsis = "[OPTION...] RULE|STATEMENT|OPERATION|WORD...",
    .description =
        "Prints what a rule says, what goes wrong without it, how to mend a violation, and what PyTorch and SciPy say "
        "about one. RULE is an id such as 5.3; `spw list rules` prints them all.\n\nOf an operation, prints the statements "
        "that say what it gives, why, and where PyTorch and SciPy differ. STATEMENT is an id such as C4, OPERATION a name "
        "such as convert, to_dense or coalesce; `spw list semantics` prints them all. Statements about operations that are "
        "not built say what these will give.\n\nFor any other WORD, lists the rules and statements whose texts contain it.",
    .options = (const cli_option[]){COLOUR_OPTION, {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){{EXIT_VALID, "all is explained"},
                              {EXIT_USAGE, "there is no such rule, statement or operation, or the "
                               "command line is wrong"},
                              {EXIT_INTERNAL, "the output cannot be written"},
                              {0, NULL}},
    .examples = (const cli_example[]){{"spw explain 5.3", "what rule 5.3 is about"},
                                      {"spw explain convert", "what conversions give"},
                                      {"spw explain unsorted", "which rules and statements speak of that"},
                                      {NULL, NULL}},
    .run = run_explain};
