/* SPDX-License-Identifier: Apache-2.0 */
/* spw explain */
#include "../terminal/terminal.h"
#include "../verdict/verdict.h"
#include "command.h"

#include <string.h>

enum { COLUMN = 10 };

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
static spw_rule find_rule(const char *word)
{
  return spw_rule_from_id(strncmp(word, "SPW-", 4) == 0 ? word + 4 : word);
}

static bool is_near(const char *word, const char *id)
{
  const size_t family = strcspn(id, ".");
  return edit_distance(word, id) == 1
         || (strcspn(word, ".") == family && strncmp(word, id, family) == 0);
}

static int unknown_rule(const char *word)
{
  char near[8 * SPW_RULE_COUNT] = "";
  size_t used = 0;
  for (int i = 0; i < SPW_RULE_COUNT; i++) {
    const char *id = spw_rule_get((spw_rule)i)->id;
    if (is_near(word, id))
      used += (size_t)snprintf(near + used, 8, "%s%.5s", used ? ", " : "", id);
  }
  if (!used)
    return usage_error("explain", "there is no rule %.40s; 'spw list rules' prints them all", word);
  return usage_error("explain", "there is no rule %.40s; near it: %s", word, near);
}

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
    return usage_error("explain", "a rule is needed, such as 5.3; 'spw list rules' prints them");
  for (int i = first; i < argc; i++)
    if (find_rule(argv[i]) == SPW_RULE_NONE) return unknown_rule(argv[i]);
  const cli_style style = stdout_style(colour);
  for (int i = first; i < argc; i++) {
    if (i > first) putchar('\n');
    put_rule(&style, spw_rule_get(find_rule(argv[i])));
  }
  return finish_output(EXIT_VALID);
}

const cli_command explain_command = {
    .name = "explain",
    .summary = "say what a rule says, why, and how to mend a violation",
    .synopsis = "[OPTION...] RULE...",
    .description =
        "Prints what a rule says, what goes wrong without it, how to mend a violation, and "
        "what PyTorch and SciPy say about one. RULE is an id such as 5.3; `spw list rules` "
        "prints them all.",
    .options = (const cli_option[]){COLOUR_OPTION, {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){{EXIT_VALID, "the rules are explained"},
                              {EXIT_USAGE, "there is no such rule, or the command line is wrong"},
                              {EXIT_INTERNAL, "the output cannot be written"},
                              {0, NULL}},
    .examples = (const cli_example[]){{"spw explain 5.3", "what rule 5.3 is about"}, {NULL, NULL}},
    .run = run_explain};
