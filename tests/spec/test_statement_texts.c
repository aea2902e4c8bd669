/* SPDX-License-Identifier: Apache-2.0 */
/* The table of statements: complete, well-formed, numbered, and what it calls built is there. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "../../src/sparsewright.h"

/* The function behind each statement that is built: this program is not linked without it. */
#define DEFINITION NULL
#define BUILT(function) (void (*)(void))function
#define NOT_BUILT NULL
#define SPW_TOPIC(letter, name, title)
#define SPW_STATEMENT(topic, number, state, operations, formula, prose, why, torch, scipy) state,
static void (*const functions[])(void) = {
#include "../../spec/semantics.def"
};
#undef SPW_TOPIC
#undef SPW_STATEMENT

enum { COUNT = sizeof functions / sizeof *functions };

static const struct { char letter; const char *name; } topics[] = {
#define SPW_TOPIC(letter, name, title) {#letter[0], #name},
#define SPW_STATEMENT(...)
#include "../../spec/semantics.def"
#undef SPW_TOPIC
#undef SPW_STATEMENT
};

enum { TOPICS = sizeof topics / sizeof *topics };

static const spw_statement_info *find(const char *id, size_t length)
{
  const spw_statement_info *statement;
  for (int i = 0; (statement = spw_statement_get(i)); i++)
    if (strlen(statement->id) == length && strncmp(statement->id, id, length) == 0) return statement;
  return NULL;
}

static const char *name_of_topic(char letter)
{
  for (int i = 0; i < TOPICS; i++)
    if (topics[i].letter == letter) return topics[i].name;
  return NULL;
}

static void check_text(const char *id, const char *text, bool may_be_empty)
{
  cr_assert(text, "%s", id);
  cr_expect(may_be_empty || *text, "%s lacks a text", id);
  for (const char *at = text; *at; at++)
    cr_expect(*at >= ' ' && *at <= '~', "%s: not printable ASCII in \"%s\"", id, text);
  cr_expect(!strstr(text, "  ") && (!*text || (*text != ' ' && text[strlen(text) - 1] != ' ')), "%s: blanks in \"%s\"", id, text);
}

Test(statement_texts, are_complete_lines_of_ascii)
{
  for (int i = 0; i < COUNT; i++) {
    const spw_statement_info *statement = spw_statement_get(i);
    cr_assert(statement && statement->id && statement->topic);
    check_text(statement->id, statement->operations, true);
    check_text(statement->id, statement->formula, false);
    check_text(statement->id, statement->prose, false);
    check_text(statement->id, statement->why, false);
    check_text(statement->id, statement->torch, true);
    check_text(statement->id, statement->scipy, true);
  }
  cr_expect(spw_statement_get(-1) == NULL && spw_statement_get(COUNT) == NULL);
}

/* Topic by topic, and from 1 on without a gap: who takes a statement away leaves one. */
Test(statement_texts, are_numbered_in_their_topics)
{
  int topic = 0, number = 0;
  for (int i = 0; i < COUNT; i++) {
    const spw_statement_info *statement = spw_statement_get(i);
    if (statement->id[0] != topics[topic].letter) topic++, number = 0;
    cr_assert(topic < TOPICS && statement->id[0] == topics[topic].letter, "%s", statement->id);
    cr_expect_str_eq(statement->topic, topics[topic].name);
    char id[16];
    snprintf(id, sizeof id, "%c%d", topics[topic].letter, ++number);
    cr_expect_str_eq(statement->id, id);
    cr_expect(spw_rule_from_id(id) == SPW_RULE_NONE, "%s is a rule, too", id);
  }
  cr_expect(topic == TOPICS - 1, "a topic has no statements");
}

/* A name may stand in several statements, but never twice in one, nor be a topic or an id. */
Test(statement_texts, name_operations)
{
  for (int i = 0; i < COUNT; i++) {
    const spw_statement_info *statement = spw_statement_get(i);
    char words[256];
    snprintf(words, sizeof words, "%s", statement->operations);
    for (char *word = strtok(words, " "), *before = NULL; word; before = word, word = strtok(NULL, " ")) {
      cr_expect(strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(word), "%s: %s", statement->id, word);
      cr_expect(!before || strcmp(before, word) < 0, "%s: %s is not behind %s", statement->id, word, before);
      for (int t = 0; t < TOPICS; t++) cr_expect(strcmp(word, topics[t].name) != 0, "%s: %s", statement->id, word);
    }
  }
}

/* What is built has the function that it names, which the linker has found; nothing else has one. */
Test(statement_texts, are_built_exactly_where_a_function_is)
{
  int built = 0;
  for (int i = 0; i < COUNT; i++) {
    const spw_statement_info *statement = spw_statement_get(i);
    const bool is_built = strcmp(statement->state, "built") == 0;
    cr_expect(is_built || strcmp(statement->state, "not built") == 0 || strcmp(statement->state, "definition") == 0, "%s",
              statement->state);
    cr_expect(is_built == (functions[i] != NULL), "%s", statement->id);
    cr_expect(is_built == (strncmp(statement->function, "spw_", 4) == 0), "%s: %s", statement->id, statement->function);
    cr_expect(is_built || !*statement->function, "%s: %s", statement->id, statement->function);
    built += is_built;
  }
  cr_expect(built > 0 && built < COUNT, "%d are built", built);
}

/* Every id in a text, of a statement or a rule, is one that there is. */
static int check_references(const char *id, const char *text)
{
  int references = 0;
  for (size_t length; *text; text += length) {
    length = strspn(text, " ,;:()=\"");
    if (length) continue;
    length = strcspn(text, " ,;:()=\"");
    size_t end = length;
    if (text[end - 1] == '.') end--;
    const size_t digits = strspn(text, "0123456789");
    const bool is_statement = end > 1 && name_of_topic(text[0]) && 1 + strspn(text + 1, "0123456789") == end;
    const bool is_rule = digits && text[digits] == '.' && digits + 1 < end
                         && digits + 1 + strspn(text + digits + 1, "0123456789") == end;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)end, text);
    if (is_statement) cr_expect(find(text, end), "%s speaks of %s", id, word);
    if (is_rule) cr_expect(spw_rule_from_id(word) != SPW_RULE_NONE, "%s speaks of %s", id, word);
    references += is_statement + is_rule;
  }
  return references;
}

Test(statement_texts, speak_of_ids_that_exist)
{
  int references = 0;
  for (int i = 0; i < COUNT; i++) {
    const spw_statement_info *statement = spw_statement_get(i);
    const char *const texts[] = {statement->formula, statement->prose, statement->why, statement->torch, statement->scipy};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) references += check_references(statement->id, texts[t]);
  }
  cr_expect(references >= 20, "only %d references were seen", references);
}
