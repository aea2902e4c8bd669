/* SPDX-License-Identifier: Apache-2.0 */
/* spw eigen */
#include "../product/product.h"
#include "operands.h"

#include <math.h>
#include <stdlib.h>

enum { MATRIX, VALUES, VECTORS, FIRST_OPTIONAL, MOST = 5 };

typedef struct eigen_run {
  operand_run on;
  const char *weights, *right, *center; /* files; or null */
  double radius;
} eigen_run;

enum { WEIGHTS, RIGHT, CENTER, RADIUS, LIMITS }; /* the rows of the options */

static bool take_radius(eigen_run *run, const char *argument)
{
  if (parse_magnitude(argument, &run->radius)) return true;
  return usage_error("eigen", "--radius is a number, at least 0, not %s", argument), false;
}

static bool take(void *context, int option, const char *argument)
{
  eigen_run *run = context;
  if (option >= LIMITS) return take_limit_option("eigen", &run->on.input, option - LIMITS, argument);
  if (option == RADIUS) return take_radius(run, argument);
  const char **const files[] = {[WEIGHTS] = &run->weights, [RIGHT] = &run->right, [CENTER] = &run->center};
  *files[option] = argument;
  return true;
}

/* The first operand that is not as it has to be; -1: none. */
static int misfit(const operand_run *on)
{
  if (operand_of(on, MATRIX)->layout == SPW_DENSE) return MATRIX;
  for (int i = VALUES; i < MOST; i++) {
    const spw_tensor *const t = operand_of(on, (size_t)i);
    if (t && t->layout != SPW_DENSE) return i;
  }
  return -1;
}

static void judge_claims(void *context)
{
  eigen_run *run = context;
  operand_run *const on = &run->on;
  const spw_tensor *const more = operand_of(on, FIRST_OPTIONAL);
  const eigen_claim claim = {.a = operand_of(on, MATRIX), .values = operand_of(on, VALUES), .vectors = operand_of(on, VECTORS),
                             .weights = run->weights ? more : NULL, .right = run->right ? more : NULL,
                             .center = run->center ? operand_of(on, FIRST_OPTIONAL + 1) : NULL, .radius = run->radius};
  int64_t spent = 0;
  int operand = misfit(on);
  cli_input about = {.file = on->names[MATRIX], .spent = &spent, .bytes = on->bytes};
  cli_problem problem;
  cli_text text = new_text();
  judged verdict = NOT_JUDGED;
  if (operand >= 0)
    set_problem(&problem, "impossible", operand == MATRIX ? "the matrix has to be sparse" : "it has to be dense");
  else
    verdict = judge_eigen(&claim, &about, &on->request, on->memory, &text, &operand, &problem);
  if (operand >= 0 && (size_t)operand < on->files) about.file = on->names[operand];
  put_verdict(on, &about, on->names[VALUES], verdict, text.bytes, &problem);
  free(text.bytes);
}

static int run_eigen(int argc, char **argv)
{
  eigen_run run = {.on = operand_run_of("eigen", "verdict"), .radius = INFINITY};
  file_list inputs;
  int code = EXIT_USAGE;
  const int first = take_options(&eigen_command, argc, argv, take, &run, &code);
  if (first < 0) return code;
  if (argc - first != FIRST_OPTIONAL)
    return usage_error("eigen", "three files are needed: a matrix, values, and vectors");
  if (run.weights && run.right) return usage_error("eigen", "--weights is for eigenpairs, and --right for singular triples");
  if (run.center && !run.right) return usage_error("eigen", "--center is for singular triples: with --right");
  const char *const files[MOST] = {argv[first], argv[first + 1], argv[first + 2], run.right ? run.right : run.weights,
                                   run.center};
  const int count = FIRST_OPTIONAL + (files[FIRST_OPTIONAL] != NULL) + (run.center != NULL);
  if (!take_files("eigen", count, files, 0, false, &inputs)) return EXIT_USAGE;
  code = run_operands(&run.on, &inputs, judge_claims, &run);
  free_file_list(&inputs);
  return finish_output(code);
}

const cli_command eigen_command = {
    .name = "eigen",
    .summary = "judge eigenpairs and singular triples",
    .synopsis = "[OPTION...] A VALUES VECTORS\n--right=V [OPTION...] A VALUES LEFT",
    .description =
        "Judges what a solver claims of a sparse matrix A: that column i of VECTORS is an eigenvector of the Hermitian A, with "
        "number i of VALUES. With --right, column i of LEFT, that number and column i of V are a singular triple of A. Each "
        "residual is exact, and encloses an eigenvalue or a singular value (`spw explain V5`). No enclosure says whether that is "
        "the largest. VALUES, VECTORS, LEFT and V are dense.\n\nFiles have one of the formats that `spw list formats` names and "
        "hold one tensor.",
    .options =
        (const cli_option[]){
            [WEIGHTS] = {0, "weights", "FILE", "the diagonal of W in A x = value W x, dense, above 0 (default: ones)"},
            [RIGHT] = {0, "right", "FILE", "the right singular vectors"},
            [CENTER] = {0, "center", "FILE", "with --right: a row that is taken from every row of A first, such as its means"},
            [RADIUS] = {0, "radius", "NUMBER", "the largest radius that is right (default: any that certifies a value)"},
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){
            {EXIT_VALID, "a value is certified for every pair or triple, within the radius"},
            {EXIT_INVALID, "for some there is none; or an operand is invalid: what it violates is printed as `spw check` does"},
            {EXIT_USAGE, "these are no claims of this matrix, or judging takes too much memory or work; or the command line is "
                         "wrong"},
            STATUS_UNREADABLE,
            STATUS_INTERNAL,
            {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw eigen matrix.npz values.npy vectors.npy", "where are eigenvalues of the matrix?"},
            {"spw eigen --radius=1e-12 matrix.npz values.npy vectors.npy", "are these within 10^-12 of some?"},
            {"spw eigen --right=v.npy matrix.npz sigma.npy u.npy", "the same of singular values"},
            {NULL, NULL}},
    .run = run_eigen};
