/* SPDX-License-Identifier: Apache-2.0 */
/* spw explain */
#include "cli.h"

#include <getopt.h>
#include <string.h>

enum { COLUMN = 10 };

static const char *phase_name(spw_level phase)
{
  static const char *const names[] = {"", "shape", "structure", "canonical"};
  return names[phase];
}

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
  fprintf(style->out, "   %s rule of", phase_name(rule->phase));
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

int command_explain(int argc, char **argv)
{
  enum { COLOUR = 256 };
  static const struct option table[] = {{"color", required_argument, NULL, COLOUR},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  colour_mode colour = COLOUR_AUTO;
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, ":h", table, NULL)) != -1;) {
    if (code == 'h') return print_help("explain");
    if (code != COLOUR) return option_error("explain", argv, code);
    if (!parse_colour(optarg, &colour))
      return usage_error("explain", "--color is always, never or auto, not %s", optarg);
  }
  if (optind == argc)
    return usage_error("explain", "a rule is needed, such as 5.3; 'spw list rules' prints them");
  for (int i = optind; i < argc; i++)
    if (find_rule(argv[i]) == SPW_RULE_NONE) return unknown_rule(argv[i]);
  const cli_style style = stdout_style(colour);
  for (int i = optind; i < argc; i++) {
    if (i > optind) putchar('\n');
    put_rule(&style, spw_rule_get(find_rule(argv[i])));
  }
  return finish_output(EXIT_VALID);
}
