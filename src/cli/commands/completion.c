/* SPDX-License-Identifier: Apache-2.0 */
/* spw completion: what the tables of the commands say, as a script for a shell. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

static const char *const shells[] = {"bash", "zsh", NULL};

/* ---- Values of options ----------------------------------------------------------------------- */

static const struct {
  const char *option, *argument, *values;
} known_values[] = {
    {"to", "LAYOUT", "coo csr csc bsr bsc dense"}, {"index", "TYPE", "int32 int64"},
    {"duplicates", "HOW", "sum first last error"}, {"level", "LEVEL", "shape structure canonical"},
    {"color", "WHEN", "always never auto"},        {"each", "WHAT", "row column matrix"},
    {"precision", "NAME", NULL},
};

static void add_precisions(cli_text *text)
{
  const char *name;
  for (int p = SPW_PRECISION_NONE + 1; (name = spw_precision_name((spw_precision)p)); p++)
    add_format(text, "%s%s", text->size ? " " : "", name);
}

/* What the option may be, with blanks between, to free(); null: anything, as a number. */
static char *values_of(const cli_option *option)
{
  if (!option->argument) return NULL;
  for (size_t i = 0; i < sizeof known_values / sizeof *known_values; i++) {
    if (strcmp(option->name, known_values[i].option) != 0 || strcmp(option->argument, known_values[i].argument) != 0) continue;
    cli_text text = new_text();
    if (known_values[i].values) add_text(&text, known_values[i].values);
    else add_precisions(&text);
    return text.bytes;
  }
  return NULL;
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void put_bash_options(const cli_option *options)
{
  for (; options->name; options++) {
    if (options->letter) printf("-%c ", options->letter);
    printf("--%s%s ", options->name, options->argument ? "=" : "");
  }
  fputs("--help", stdout);
}

static void put_bash_words(const cli_command *command)
{
  for (const cli_command *const *at = the_program()->commands; command == &help_command && *at; at++) printf("%s ", (*at)->name);
  for (const char *const *word = command->words; word && *word; word++) printf("%s ", *word);
}

static void put_bash_values(const char *command, const cli_option *options)
{
  for (; options->name; options++) {
    char *const values = values_of(options);
    if (values) printf("  '%s --%s') values='%s' ;;\n", command, options->name, values);
    free(values);
  }
}

static void put_bash_command(const cli_command *command)
{
  printf("  %s)\n    options='", command->name);
  put_bash_options(command->options);
  fputs("'\n    words='", stdout);
  put_bash_words(command);
  fputs("' ;;\n", stdout);
}

/* Where nothing fits, bash goes on with the names of files. */
static void put_bash(void)
{
  fputs("# Completion of spw for bash, as `spw completion bash` prints it.\n"
        "_spw()\n"
        "{\n"
        "  local typed=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  local command='' operands=0 options words values='' assigned='' i\n"
        "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "    case ${COMP_WORDS[i - 1]}${COMP_WORDS[i]} in\n"
        "    =* | *= | \"${COMP_WORDS[i - 1]}-\"*) ;;\n"
        "    *) if [ -z \"$command\" ]; then command=${COMP_WORDS[i]}; else operands=$((operands + 1)); fi ;;\n"
        "    esac\n"
        "  done\n"
        "  case $command in\n"
        "  '')\n"
        "    options='", stdout);
  put_bash_options(the_program()->options);
  fputs("'\n    words='", stdout);
  for (const cli_command *const *at = the_program()->commands; *at; at++) printf("%s ", (*at)->name);
  fputs("' ;;\n", stdout);
  for (const cli_command *const *at = the_program()->commands; *at; at++) put_bash_command(*at);
  fputs("  *) return ;;\n"
        "  esac\n"
        "  if [ \"$typed\" = = ]; then\n"
        "    typed='' assigned=1\n"
        "  elif [ \"$before\" = = ]; then\n"
        "    before=${COMP_WORDS[COMP_CWORD - 2]} assigned=1\n"
        "  fi\n"
        "  case \"$command $before\" in\n", stdout);
  put_bash_values("", the_program()->options);
  for (const cli_command *const *at = the_program()->commands; *at; at++) put_bash_values((*at)->name, (*at)->options);
  fputs("  esac\n"
        "  COMPREPLY=()\n"
        "  if [ \"$values$assigned\" ]; then\n"
        "    COMPREPLY=($(compgen -W \"$values\" -- \"$typed\"))\n"
        "    return\n"
        "  fi\n"
        "  case $typed in\n"
        "  -*) COMPREPLY=($(compgen -W \"$options\" -- \"$typed\")) ;;\n"
        "  *) [ $operands -gt 0 ] || COMPREPLY=($(compgen -W \"$words\" -- \"$typed\")) ;;\n"
        "  esac\n"
        "  case ${COMPREPLY[0]-} in\n"
        "  *=) compopt -o nospace 2>/dev/null ;;\n"
        "  esac\n"
        "}\n"
        "complete -o default -F _spw spw\n", stdout);
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* Between single quotes, where brackets and colons separate. */
static void put_zsh_text(const char *text)
{
  for (; *text; text++) {
    if (strchr("[]:\\", *text)) putchar('\\');
    fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, stdout);
  }
}

static bool is_file(const char *argument)
{
  static const char *const files[] = {"FILE", "DIR", "C", "S", NULL};
  return place_among(files, argument) >= 0;
}

static void put_zsh_option(const cli_option *option)
{
  if (option->letter)
    printf(" '(-%c --%s)'{-%c,--%s%s}'[", option->letter, option->name, option->letter, option->name,
           option->argument ? "=" : "");
  else
    printf(" '--%s%s[", option->name, option->argument ? "=" : "");
  put_zsh_text(option->help);
  putchar(']');
  if (option->argument) putchar(':');
  if (option->argument) put_zsh_text(option->argument);
  char *const values = values_of(option);
  if (values) printf(":(%s)", values);
  else if (option->argument) fputs(is_file(option->argument) ? ":_files" : ": ", stdout);
  free(values);
  putchar('\'');
}

static void put_zsh_options(const cli_option *options)
{
  for (; options->name; options++) put_zsh_option(options);
  put_zsh_option(&(cli_option){'h', "help", NULL, "print this help"});
}

static void put_zsh_command(const cli_command *command)
{
  printf("    %s) _arguments", command->name);
  put_zsh_options(command->options);
  if (command->words || command == &help_command) {
    fputs(" '1:word:(", stdout);
    put_bash_words(command);
    fputs(")'", stdout);
  }
  fputs(" '*:file:_files' ;;\n", stdout);
}

static void put_zsh(void)
{
  fputs("#compdef spw\n"
        "# Completion of spw for zsh, as `spw completion zsh` prints it.\n"
        "_spw()\n"
        "{\n"
        "  local state\n"
        "  local -a spw_commands\n"
        "  spw_commands=(", stdout);
  for (const cli_command *const *at = the_program()->commands; *at; at++) {
    printf("'%s:", (*at)->name);
    put_zsh_text((*at)->summary);
    fputs("' ", stdout);
  }
  fputs(")\n"
        "  _arguments -C", stdout);
  put_zsh_options(the_program()->options);
  fputs(" '1: :->command' '*:: :->rest'\n"
        "  case $state in\n"
        "  command) _describe command spw_commands ;;\n"
        "  rest)\n"
        "    case $words[1] in\n", stdout);
  for (const cli_command *const *at = the_program()->commands; *at; at++) put_zsh_command(*at);
  fputs("    esac ;;\n"
        "  esac\n"
        "}\n"
        "_spw \"$@\"\n", stdout);
}

/* ---- The command ----------------------------------------------------------------------------- */

static int run_completion(int argc, char **argv)
{
  int code = EXIT_USAGE;
  const int first = take_options(&completion_command, argc, argv, NULL, NULL, &code);
  if (first < 0) return code;
  if (argc - first != 1) return usage_error("completion", "say for which shell: bash or zsh");
  const int shell = place_among(shells, argv[first]);
  if (shell < 0) return unknown_word(&completion_command, argv[first]);
  (shell == 0 ? put_bash : put_zsh)();
  return finish_output(EXIT_VALID);
}

const cli_command completion_command = {
    .name = "completion",
    .summary = "print a script for tab completion in bash or zsh",
    .synopsis = "bash|zsh",
    .description = "Prints a script that makes a shell complete commands, operations, options and their values at the tab key. "
                   "`make install` puts both where bash and zsh look for them.",
    .words = shells,
    .options = (const cli_option[]){{0, NULL, NULL, NULL}},
    .statuses = (const exit_status[]){{EXIT_VALID, "the script is printed"},
                                      STATUS_USAGE,
                                      {EXIT_INTERNAL, "the output cannot be written"},
                                      {0, NULL}},
    .examples = (const cli_example[]){{"eval \"$(spw completion bash)\"", "in this shell"}, {NULL, NULL}},
    .run = run_completion};
