/* SPDX-License-Identifier: Apache-2.0 */
/* spw explain and spw list on what operations mean. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "../../src/sparsewright.h"
#include "../support/command.h"

TestSuite(cli_semantics, .init = enter_directory, .fini = leave_directory);

static int count_statements(void)
{
  int count = 0;
  while (spw_statement_get(count)) count++;
  return count;
}

static bool has_word(const char *words, const char *word)
{
  char spaced_words[256], spaced_word[64];
  snprintf(spaced_words, sizeof spaced_words, " %s ", words);
  snprintf(spaced_word, sizeof spaced_word, " %s ", word);
  return strstr(spaced_words, spaced_word) != NULL;
}

/* A text as it is printed, with any blanks and line ends between its words. */
static bool shows(const char *shown, const char *text)
{
  char joined[1 << 16];
  size_t used = 0;
  for (const char *at = shown; *at && used + 2 < sizeof joined; at++) {
    const bool is_blank = *at == ' ' || *at == '\n';
    if (is_blank && used && joined[used - 1] == ' ') continue;
    joined[used++] = is_blank ? ' ' : *at;
  }
  joined[used] = 0;
  return strstr(joined, text) != NULL;
}

Test(cli_semantics, explains_a_statement)
{
  const spw_statement_info *statement;
  for (int i = 0; (statement = spw_statement_get(i)); i++) {
    char arguments[64], title[64], state[64];
    snprintf(arguments, sizeof arguments, "explain %s", statement->id);
    snprintf(title, sizeof title, "Statement %s   %s", statement->id, statement->topic);
    snprintf(state, sizeof state, " (%s)\n\n    ", statement->state);
    expect(arguments, 0, "out", title);
    const char *text = read_text("out");
    cr_assert(strncmp(text, title, strlen(title)) == 0 && !strstr(text + 1, "\nStatement "), "%s", text);
    cr_assert(strstr(text, state), "%s", text);
    cr_assert(longest_line(text) <= 80, "%s", text);
    cr_assert(strstr(text, "\nSays ") && shows(text, statement->prose), "%s", text);
    cr_assert(strstr(text, "\nWhy ") && shows(text, statement->why), "%s", text);
    cr_assert(shows(text, statement->formula) && shows(text, statement->torch) && shows(text, statement->scipy), "%s", text);
    cr_assert(!strstr(text, "\nSciPy ") == !*statement->scipy && !strstr(text, "\nPyTorch ") == !*statement->torch);
    cr_assert(!strstr(text, "\nDone by ") == !*statement->function && shows(text, statement->function));
  }
}

/* What `word` names, in the order of the table, once each. */
static void expect_explained(const char *word)
{
  char arguments[64];
  snprintf(arguments, sizeof arguments, "explain %s", word);
  expect(arguments, 0, "out", "Statement ");
  const char *at = read_text("out");
  const spw_statement_info *statement;
  for (int i = 0; (statement = spw_statement_get(i)); i++) {
    if (strcmp(statement->topic, word) != 0 && !has_word(statement->operations, word)) continue;
    char title[64];
    snprintf(title, sizeof title, "Statement %s ", statement->id);
    cr_assert(at && strncmp(at, title, strlen(title)) == 0, "%s: no %s at %s", word, title, at);
    at = strstr(at + 1, "\nStatement ");
    if (at) at++;
  }
  cr_assert(!at, "%s: too much: %s", word, at);
}

Test(cli_semantics, explains_topics_and_operations)
{
  const spw_statement_info *statement;
  char words[256];
  for (int i = 0; (statement = spw_statement_get(i)); i++) {
    if (i == 0 || statement->topic != spw_statement_get(i - 1)->topic) expect_explained(statement->topic);
    snprintf(words, sizeof words, "%s", statement->operations);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) expect_explained(word);
  }
  static const char *const promised[] = {"convert", "combine", "to_dense", "from_dense", "coalesce", "transpose"};
  for (size_t i = 0; i < sizeof promised / sizeof *promised; i++) expect_explained(promised[i]);
}

Test(cli_semantics, explains_rules_and_operations_together)
{
  expect("explain C8 5.3 prune", 0, "out", "\n\nRule 5.3 ");
  const char *text = read_text("out");
  cr_assert(strncmp(text, "Statement C8 ", 13) == 0 && strstr(text, "\n\nStatement C17 "), "%s", text);
}

Test(cli_semantics, words_that_name_nothing)
{
  expect("explain 5.3 C99", 2, "err", "there is no rule or operation C99; near it: C1, C2, ");
  cr_assert(!read_text("out")[0], "it explains before it refuses");
  expect("explain c4", 2, "err", "C4");
  cr_assert(!output_has("err", "M1"), "%s", read_text("err"));
  expect("explain converr", 2, "err", "near it: convert\n");
  expect("explain dense", 0, "out", "is called dense; near it: from_dense, to_dense. These speak");
  expect("explain C", 2, "err", "'spw list semantics' print them all");
  expect("explain SPW-C4", 2, "err", "there is no rule or operation SPW-C4");
  expect("explain ''", 2, "err", "there is no rule or operation ;");
  expect("explain ' '", 2, "err", "there is no rule or operation  ;");
  expect("explain 'coalesce transpose'", 2, "err", "there is no rule or operation coalesce transpose;");
}

/* How many lines begin with the id of the statement that is next; others are indented. */
static int lines_with_id(const char *text)
{
  int lines = 0;
  for (; text && *text; text = strchr(text, '\n'), text += text != NULL) {
    if (*text == ' ') continue;
    const spw_statement_info *statement = spw_statement_get(lines++);
    char start[64];
    cr_assert(statement, "more than the statements: %s", text);
    snprintf(start, sizeof start, "%-5s%-11s%-12s%.10s", statement->id, statement->topic, statement->state, statement->formula);
    cr_assert(strncmp(text, start, strlen(start)) == 0, "no %s at %s", start, text);
  }
  return lines;
}

Test(cli_semantics, lists_for_people)
{
  expect("list semantics", 0, "out", "C4   convert ");
  cr_assert(lines_with_id(read_text("out")) == count_statements());
  for (unsigned short width = 50; width <= 300; width += 50) {
    const char *text = on_terminal("\"$SPW_PROGRAM\" list semantics", width);
    cr_assert(longest_line(text) <= width && lines_with_id(text) == count_statements(), "%s", text);
  }
  expect("list semantics rules", 2, "err", "rules, semantics or formats");
}

static void expect_text(json_t *line, const char *key, const char *text)
{
  const char *given = json_string_value(json_object_get(line, key));
  cr_assert(given && strcmp(given, text) == 0, "%s: %s", key, given);
}

Test(cli_semantics, lists_for_programs)
{
  expect("list semantics --json", 0, "out", "\"statement\": \"C4\"");
  const char *text = read_text("out");
  const spw_statement_info *statement;
  for (int i = 0; (statement = spw_statement_get(i)); i++) {
    json_error_t error;
    json_t *line = json_loads(text, JSON_DISABLE_EOF_CHECK, &error);
    cr_assert(line, "%s", error.text);
    cr_assert(json_object_size(line) == 10);
    expect_text(line, "statement", statement->id);
    expect_text(line, "topic", statement->topic);
    expect_text(line, "state", statement->state);
    expect_text(line, "function", statement->function);
    expect_text(line, "formula", statement->formula);
    expect_text(line, "says", statement->prose);
    expect_text(line, "why", statement->why);
    expect_text(line, "pytorch", statement->torch);
    expect_text(line, "scipy", statement->scipy);
    char words[256] = "";
    size_t k;
    json_t *word;
    json_array_foreach(json_object_get(line, "operations"), k, word)
      snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", k ? " " : "", json_string_value(word));
    cr_assert_str_eq(words, statement->operations);
    json_decref(line);
    text = strchr(text, '\n') + 1;
  }
  cr_assert(!*text, "more than the statements: %s", text);
}
