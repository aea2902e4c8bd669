/* SPDX-License-Identifier: Apache-2.0
   cvc5cli SECONDS FILE.smt2: the libraries in the cvc5 wheel of PyPI as the command line solver that Why3 expects.

   The limit is CPU time, not wall-clock time, so that a busy machine does not turn a provable goal into a timeout.
   In C, because a solver that starts in a quarter of the time matters for five thousand calls. The wheel has no
   headers: what is used of cvc5's C interface is declared here. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

typedef struct Terms Terms;
typedef struct Solver Solver;
typedef struct Symbols Symbols;
typedef struct Parser Parser;
typedef struct Command Command;
enum { SMT_LIB_2_6 = 0 };
Terms *cvc5_term_manager_new(void);
Solver *cvc5_new(Terms *);
const char *cvc5_get_version(const Solver *);
Symbols *cvc5_symbol_manager_new(Terms *);
Parser *cvc5_parser_new(Solver *, Symbols *);
void cvc5_parser_set_file_input(Parser *, int language, const char *path);
Command *cvc5_parser_next_command(Parser *, const char **error);
const char *cvc5_cmd_invoke(Command *, Solver *, Symbols *);

static void stop(int signal) {
    static const char said[] = "cvc5 interrupted by timeout.\n";
    (void)signal;
    _exit(write(STDOUT_FILENO, said, sizeof said - 1) < 0);
}

/* Calls `stop` after so much CPU time. */
static void limit(double seconds) {
    const struct itimerval once = {.it_value = {.tv_sec = (time_t)seconds,
                                                .tv_usec = (suseconds_t)(1e6 * (seconds - (double)(time_t)seconds))}};
    signal(SIGPROF, stop);
    setitimer(ITIMER_PROF, &once, NULL);
}

int main(int count, char **arguments) {
    const char *error = NULL;
    Terms *terms = cvc5_term_manager_new();
    Solver *solver = cvc5_new(terms);
    if (count == 2 && strcmp(arguments[1], "--version") == 0) return puts(cvc5_get_version(solver)) < 0;
    const double seconds = count == 3 ? strtod(arguments[1], NULL) : 0;
    if (!(seconds > 0)) {
        fputs("usage: cvc5cli SECONDS FILE.smt2\n", stderr);
        return 2;
    }
    limit(seconds);
    Symbols *symbols = cvc5_symbol_manager_new(terms);
    Parser *parser = cvc5_parser_new(solver, symbols);
    cvc5_parser_set_file_input(parser, SMT_LIB_2_6, arguments[2]);
    for (Command *next; (next = cvc5_parser_next_command(parser, &error)) != NULL && error == NULL; fflush(stdout))
        fputs(cvc5_cmd_invoke(next, solver, symbols), stdout);
    if (error != NULL) {
        fprintf(stderr, "cvc5cli: %s: %s\n", arguments[2], error);
        _exit(1);
    }
    _exit(0);                            /* the solver's tidying takes time and says nothing */
}
