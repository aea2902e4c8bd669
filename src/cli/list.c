/* SPDX-License-Identifier: Apache-2.0 */
/* spw list */
#include "cli.h"

#include <getopt.h>
#include <string.h>

static const char *const formats =
    "NAME          CONTENTS                         RECOGNISED BY\n"
    ".spw.json     any tensor, invalid ones too     first character {\n"
    ".spw.jsonl    the same, one tensor a line      name ends in .jsonl\n"
    ".npz          SciPy's save_npz: csr, csc,      first bytes PK\n"
    "              bsr, coo\n"
    ".mtx          Matrix Market: a 2-D COO matrix  first word %%MatrixMarket\n"
    ".mtx.gz       the same, compressed by gzip     first bytes 1f 8b\n";

static const char *layouts_name(unsigned layouts)
{
  const unsigned blocked = 1u << SPW_BSR | 1u << SPW_BSC;
  const unsigned compressed = blocked | 1u << SPW_CSR | 1u << SPW_CSC;
  if (layouts == compressed) return "compressed";
  if (layouts == blocked) return "bsr, bsc";
  if (layouts == 1u << SPW_COO) return "coo";
  return layouts == (compressed | 1u << SPW_COO) ? "all" : "some";
}

static int list_rules(void)
{
  enum { COLUMN = 28 };
  const int width = stdout_style(COLOUR_NEVER).width;
  static const char *const phases[] = {"", "shape", "structure", "canonical"};
  for (int i = 0; i < SPW_RULE_COUNT; i++) {
    const spw_rule_info *rule = spw_rule_get((spw_rule)i);
    printf("%-5s%-11s%-12s", rule->id, phases[rule->phase], layouts_name(rule->layouts));
    put_wrapped(stdout, rule->formula, COLUMN, width);
  }
  return finish_output(EXIT_VALID);
}

static int list_formats(void)
{
  fputs(formats, stdout);
  return finish_output(EXIT_VALID);
}

int command_list(int argc, char **argv)
{
  static const struct option table[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, ":h", table, NULL)) != -1;) {
    if (code == 'h') return print_help("list");
    return option_error("list", argv, code);
  }
  if (argc - optind == 1 && strcmp(argv[optind], "rules") == 0) return list_rules();
  if (argc - optind == 1 && strcmp(argv[optind], "formats") == 0) return list_formats();
  return usage_error("list", "say what to list: rules or formats");
}
