/* SPDX-License-Identifier: Apache-2.0 */
/* spw solve */
#include "../product/product.h"
#include "operands.h"

#include <math.h>
#include <stdlib.h>

typedef struct solve_run {
  operand_run on;
  spw_triangle wanted;
  bool shaped;       /* an option is given that says which triangle it is */
  const char *claim; /* the file that is said to be the solution */
  bool has_omega;
  bool general;      /* A is any square matrix: --general, --omega */
  double omega;
} solve_run;

enum { OUTPUT, GENERAL, UPPER, TRANSPOSE, ADJOINT, UNIT, RIGHT, JUDGE, OMEGA, DTYPE, LIMITS }; /* the rows of the options */

static bool take_omega(solve_run *run, const char *argument)
{
  run->has_omega = run->general = true;
  if (parse_magnitude(argument, &run->omega) && isfinite(run->omega)) return true;
  return usage_error("solve", "--omega is a number, at least 0, not %s", argument), false;
}

static bool take(void *context, int option, const char *argument)
{
  solve_run *run = context;
  bool *const flags[] = {[UPPER] = &run->wanted.upper, [TRANSPOSE] = &run->wanted.transpose, [ADJOINT] = &run->wanted.adjoint,
                         [UNIT] = &run->wanted.unit, [RIGHT] = &run->wanted.right};
  if (option >= LIMITS) return take_limit_option("solve", &run->on.input, option - LIMITS, argument);
  if (option == OUTPUT) return run->on.output.path = argument, true;
  if (option == GENERAL) return run->general = true;
  if (option == JUDGE) return run->claim = argument, true;
  if (option == OMEGA) return take_omega(run, argument);
  if (option == DTYPE) return take_operand_dtype(&run->on, argument);
  run->shaped = true;
  return *flags[option] = true;
}

static void judge_claim(solve_run *run, cli_input *about)
{
  operand_run *const on = &run->on;
  const spw_solution_claim claim = {.a = operand_of(on, 0), .b = operand_of(on, 1), .x = operand_of(on, 2),
                                    .triangle = run->general ? NULL : &run->wanted, .omega = run->omega};
  int operand = 0;
  cli_problem problem;
  cli_text text = new_text();
  const judged verdict = judge_solution(&claim, about, &on->request, on->memory, &text, &operand, &problem);
  if (operand >= 0 && operand <= 2) about->file = on->names[operand];
  put_verdict(on, about, run->claim, verdict, text.bytes, &problem);
  free(text.bytes);
}

static void solve(void *context)
{
  solve_run *run = context;
  operand_run *const on = &run->on;
  const spw_tensor *const a = operand_of(on, 0), *const b = operand_of(on, 1), *const x = operand_of(on, 2);
  int64_t spent = 0;
  int operand = a->layout == SPW_DENSE ? 0 : b->layout != SPW_DENSE ? 1 : 2;
  cli_input about = {.file = on->names[0], .spent = &spent, .bytes = on->bytes};
  cli_problem problem;
  if (operand < 2 || (x && x->layout != SPW_DENSE)) {
    set_problem(&problem, "impossible", operand == 0 ? "the matrix has to be sparse" : "it has to be dense");
    take_made(on, &about, NULL, operand, &problem);
  } else if (run->claim) {
    judge_claim(run, &about);
  } else {
    const spw_triangle *const wanted = run->general ? NULL : &run->wanted;
    spw_owned *const made = solve_tensors(a, b, wanted, &about, &on->request, on->memory, &operand, &problem);
    take_made(on, &about, made, operand, &problem);
  }
}

/* A usage error, or EXIT_VALID. */
static int judge_options(const solve_run *run)
{
  if (run->wanted.transpose && run->wanted.adjoint)
    return usage_error("solve", "only one of --transpose and --adjoint is possible");
  if (run->has_omega && !run->claim) return usage_error("solve", "--omega is for --judge");
  if (run->claim && run->general && !run->has_omega)
    return usage_error("solve", "to judge a solution of any square matrix, --omega has to say which error is allowed");
  if (run->general && run->shaped)
    return usage_error("solve", "--general and --omega are for any square matrix, and go with no option of triangles");
  if (run->claim && run->on.output.path)
    return usage_error("solve", "--judge writes no solution, and --output says where one goes");
  return EXIT_VALID;
}

static int run_solve(int argc, char **argv)
{
  solve_run run = {.on = operand_run_of("solve", "solution")};
  file_list inputs;
  int code = EXIT_USAGE;
  const int first = take_options(&solve_command, argc, argv, take, &run, &code);
  if (first < 0) return code;
  const int operands = argc - first;
  if (operands != 2 && (operands != 3 || run.claim))
    return usage_error("solve", "two files are needed: a matrix and a right side");
  if (operands == 3 && !take_bare_output("solve", &run.on.output, argv[first + 2])) return EXIT_USAGE;
  if (judge_options(&run) != EXIT_VALID) return EXIT_USAGE;
  const char *const files[] = {argv[first], argv[first + 1], run.claim};
  if (!take_files("solve", run.claim ? 3 : 2, files, 0, false, &inputs)) return EXIT_USAGE;
  code = run_operands(&run.on, &inputs, solve, &run);
  free_file_list(&inputs);
  return run.claim ? finish_output(code) : code;
}

const cli_command solve_command = {
    .name = "solve",
    .summary = "solve systems of equations, and judge solutions",
    .synopsis = "[OPTION...] A B [OUT]\n--general [OPTION...] A B [OUT]\n[OPTION...] --judge=X A B\n--judge=X --omega=NUMBER A B",
    .description =
        "Solves A X = B by substitution. A is a sparse square matrix, or a batch of them, of which one triangle is read; B is a "
        "dense vector or matrix. Each operation is rounded once, in an order that no layout changes (`spw explain V1`). A "
        "diagonal element that is not stored, or is 0, is refused.\n\nWith --general, A is any square matrix. KLU (the package "
        "libklu1 of Debian 12) has to be installed. The solution is refined and judged: its backward error is at most four units "
        "of the last place (`spw explain V3`).\n\n--judge writes nothing. It judges every number of a file "
        "that is said to be the solution by its exact residual (`spw explain V2`). With --omega, A is any square matrix, and "
        "each residual may be that part of the sum of magnitudes of its terms (`spw explain V4`).\n\nFiles have one of the "
        "formats that `spw list formats` names and hold one tensor.",
    .options =
        (const cli_option[]){
            [OUTPUT] = OUTPUT_OPTION,
            [GENERAL] = {0, "general", NULL, "A is any square matrix, and not a triangle of one"},
            [UPPER] = {0, "upper", NULL, "read the upper triangle of A (default: the lower one)"},
            [TRANSPOSE] = {0, "transpose", NULL, "solve with A transposed"},
            [ADJOINT] = {0, "adjoint", NULL, "solve with A transposed and conjugated"},
            [UNIT] = {0, "unit", NULL, "take the diagonal to be 1, and do not read it"},
            [RIGHT] = {0, "right", NULL, "solve X A = B"},
            [JUDGE] = {0, "judge", "FILE", "the file to judge: the solution X, dense"},
            [OMEGA] = {0, "omega", "NUMBER", "with --judge: the largest backward error that is allowed, as 1e-15"},
            [DTYPE] = OPERAND_DTYPE_OPTION,
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){
            {EXIT_VALID, "the solution is written, or what is judged is right"},
            {EXIT_INVALID, "what is judged is wrong, or may be; or an operand is invalid: what it violates is printed as "
                           "`spw check` does"},
            {EXIT_USAGE, "there is no such solution, or it takes too much memory or work; or the command line is wrong"},
            STATUS_UNREADABLE,
            STATUS_INTERNAL,
            {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw solve triangle.npz b.npy", "the solution as JSON, on standard output"},
            {"spw solve --upper --unit -o x.npy u.npz b.npy", "with a diagonal of ones"},
            {"spw solve --general -o x.npy matrix.npz b.npy", "of any square matrix, if KLU is installed"},
            {"spw solve --judge=theirs.npy triangle.npz b.npy", "is another library's solution right?"},
            {"spw solve --judge=x.npy --omega=1e-15 matrix.npz b.npy", "the same of any square matrix"},
            {NULL, NULL}},
    .run = run_solve};
