/* SPDX-License-Identifier: Apache-2.0 */
/* Short JSON texts as trees: what is one, what is none, and what a tree says. */
#include "../../src/io/json/json_tree.h"

#include <criterion/criterion.h>
#include <string.h>

static spw_status parse(const char *text, spw_owned **owned, const spw_json **tree, spw_error *error)
{
  *owned = spw_owned_new(1 << 20);
  return spw_json_parse(*owned, text, strlen(text), "here", tree, error);
}

Test(json_tree, texts_that_are_none)
{
  static const char *const texts[] = {
      "", "{", "[", "}", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "[1 2]", "01", "1.", ".5", "1e", "-", "+1", "nul", "tru",
      "\"a", "\"\\", "\"\\x\"", "\"\n\"", "\"\\u12\"", "\"\\u0000\"", "\"\\udc00\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
      "1 1", "[1],", "\"\x80\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "{\"a\":1,\"a\":2}",
      "{\"a\":1,\"\\u0061\":2}", "'a'", "[,1]", "{,}", "\xef\xbb\xbf[]"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    spw_owned *owned;
    const spw_json *tree;
    spw_error error = {"", ""};
    cr_assert(parse(texts[i], &owned, &tree, &error) == SPW_EFORMAT, "%s", texts[i]);
    cr_assert(strncmp(error.where, "here byte ", 10) == 0 && error.message[0], "%s: %s", texts[i], error.where);
    spw_owned_free(owned);
  }
}

Test(json_tree, says_what_the_text_says)
{
  static const char text[] = " {\"b\" : [1, -2,0, 9223372036854775807, -9223372036854775808, 9223372036854775808,"
                             "1.5, 1E+3],"
                             "\"a\":{\"\":null},\"t\":true,\"f\":false,\"s\":\"\\\"\\\\\\/\\n\\u00e9"
                             "\\u20ac\\ud83d\\ude00\xc3\xa9\"} ";
  spw_owned *owned;
  const spw_json *tree;
  spw_error error = {"", ""};
  cr_assert(parse(text, &owned, &tree, &error) == SPW_OK, "%s: %s", error.where, error.message);
  const spw_json *const list = spw_json_member(tree, "b");
  static const int64_t numbers[] = {1, -2, 0, INT64_MAX, INT64_MIN};
  cr_assert(tree->count == 5 && tree->first == list && list->count == 8);
  for (size_t i = 0; i < 8; i++) {
    const spw_json *const item = spw_json_item(list, i);
    cr_assert_eq(item->kind, i < 5 ? SPW_JSON_INTEGER : SPW_JSON_NUMBER);
    cr_assert(i >= 5 || item->integer == numbers[i]);
  }
  cr_assert(!spw_json_item(list, 8) && !spw_json_item(tree, 0) && !spw_json_member(list, "b") && !spw_json_member(tree, "c"));
  cr_assert(spw_json_is(spw_json_member(spw_json_member(tree, "a"), ""), SPW_JSON_NULL));
  cr_assert(spw_json_is(spw_json_member(tree, "t"), SPW_JSON_TRUE) && spw_json_is(spw_json_member(tree, "f"), SPW_JSON_FALSE));
  cr_assert_str_eq(spw_json_text(spw_json_member(tree, "s")), "\"\\/\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xc3\xa9");
  cr_assert_null(spw_json_text(list));
  spw_owned_free(owned);
}

Test(json_tree, depth_and_memory_have_limits)
{
  char deep[140] = "";
  spw_owned *owned;
  const spw_json *tree;
  spw_error error = {"", ""};
  memset(deep, '[', 64);
  memset(deep + 64, ']', 64);
  cr_assert(parse(deep, &owned, &tree, &error) == SPW_OK, "%s", error.message);
  spw_owned_free(owned);
  memset(deep, '[', 65);
  memset(deep + 65, ']', 65);
  cr_assert(parse(deep, &owned, &tree, &error) == SPW_EFORMAT && strstr(error.message, "64 levels"));
  spw_owned_free(owned);
  owned = spw_owned_new(200);
  cr_assert(spw_json_parse(owned, "[1,2,3,4]", 9, "", &tree, &error) == SPW_ENOMEM);
  spw_owned_free(owned);
}
