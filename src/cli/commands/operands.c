/* SPDX-License-Identifier: Apache-2.0 */
#include "operands.h"
#include "../conversion/conversion.h"
#include "../conversion/semi.h"
#include "../product/product.h"

#include <stdlib.h>
#include <string.h>

operand_run operand_run_of(const char *command, const char *made)
{
  return (operand_run){.command = command,
                       .made = made,
                       .request = {.level = SPW_CANONICAL, .reads_values = true},
                       .output = {.option = "output"}};
}

void fail_operands(operand_run *run, int code)
{
  if (code > run->code) run->code = code;
}

void refuse_operands(operand_run *run, const cli_input *about, const cli_problem *problem)
{
  progress_clear(&run->progress);
  put_problem_line(run->command, about, problem);
  fail_operands(run, strcmp(problem->kind, "internal") == 0 ? EXIT_INTERNAL : EXIT_USAGE);
}

/* ---- Operands -------------------------------------------------------------------------------- */

/* The stored elements of a 2:4 matrix, as CSR. */
static void take_semi(operand_run *run, const cli_input *input, const cli_judgement *judgement)
{
  cli_problem problem;
  const spw_dtype dtype = judgement->semi->packed.array.dtype;
  if (spw_dtype_name(dtype))
    run->operands[run->file] = tensor_from_semi(judgement, false, SPW_DTYPE_NONE, run->memory, &problem);
  else
    set_problem(&problem, "impossible", "it has elements of type %s, which have no arithmetic", spw_semi_dtype_name(dtype));
  if (!run->operands[run->file]) refuse_operands(run, input, &problem);
}

static void take_operand(operand_run *run, const cli_input *input)
{
  cli_judgement judgement;
  if (!judge(input, &run->request, &judgement)) {
    fail_operands(run, EXIT_INTERNAL);
  } else if (judgement.verdict != VERDICT_VALID) {
    progress_clear(&run->progress);
    put_human(&run->style, &judgement);
    fail_operands(run, judgement.verdict == VERDICT_MALFORMED ? EXIT_UNREADABLE : EXIT_INVALID);
  } else if (judgement.semi) {
    take_semi(run, input, &judgement);
  } else {
    run->operands[run->file] = *input->owned;
    *input->owned = NULL;
  }
}

static void take_input(void *context, const cli_input *input)
{
  operand_run *run = context;
  cli_problem problem;
  if (++run->counts[run->file] == 1) {
    run->bytes += input->bytes;
    take_operand(run, input);
  } else if (run->counts[run->file] == 2) {
    set_problem(&problem, "impossible", "an operand is one tensor, and there are more");
    refuse_operands(run, input, &problem);
  }
}

static void begin_file(void *context, size_t file)
{
  ((operand_run *)context)->file = file;
}

/* ---- Types ----------------------------------------------------------------------------------- */

bool take_operand_dtype(operand_run *run, const char *argument)
{
  run->dtype = spw_dtype_from_name(argument);
  return run->dtype != SPW_DTYPE_NONE || (usage_error(run->command, "--dtype names a type as float64, not %s", argument), false);
}

static void cast_operands(operand_run *run)
{
  for (size_t i = 0; i < run->files && run->dtype != SPW_DTYPE_NONE; i++) {
    const spw_tensor *const t = operand_of(run, i);
    int64_t spent = 0;
    const cli_input about = {.file = run->names[i], .spent = &spent, .bytes = run->bytes};
    cli_problem problem;
    if (!t || t->values.array.dtype == run->dtype) continue;
    spw_owned *const made = cast_tensor(t, run->dtype, &about, &run->request, run->memory, &problem);
    if (!made) {
      refuse_operands(run, &about, &problem);
      return;
    }
    spw_owned_free(run->operands[i]);
    run->operands[i] = made;
  }
}

/* ---- The result ------------------------------------------------------------------------------ */

const spw_tensor *operand_of(const operand_run *run, size_t operand)
{
  return operand < run->files && run->operands[operand] ? spw_owned_tensor(run->operands[operand]) : NULL;
}

static void write_made(operand_run *run, const cli_input *about, const spw_tensor *made)
{
  spw_error error;
  cli_problem problem;
  void *bytes;
  size_t size;
  const spw_status status = format_tensor(run->format, made, &bytes, &size, &error);
  if (status == SPW_OK) {
    add_bytes(&run->result, bytes, size);
    free(bytes);
    return;
  }
  set_problem(&problem, kind_of_unformatted(status), "%s cannot hold the %s: %s%s%s", short_name(run->output.path), run->made,
              error.where, error.where[0] ? ": " : "", error.message);
  refuse_operands(run, about, &problem);
}

void take_made(operand_run *run, cli_input *about, spw_owned *made, int operand, const cli_problem *problem)
{
  if (operand > 0 && (size_t)operand < run->files) about->file = run->names[operand];
  if (made)
    write_made(run, about, spw_owned_tensor(made));
  else
    refuse_operands(run, about, problem);
  spw_owned_free(made);
}

/* ---- The run --------------------------------------------------------------------------------- */

static int run_files(operand_run *run, const file_list *inputs, void make(void *context), void *context)
{
  if (!run->output.path) run->output.path = "-";
  run->format = output_format(run->output.path);
  if (run->format == SPW_FORMAT_UNKNOWN) return format_error(run->command, run->output.path);
  const int code = claim_outputs(run->command, &run->output, 1, inputs);
  if (code >= 0) return code;
  run->request.max_work = run->input.max_work;
  run->memory = memory_limit(run->input.max_memory);
  run->style = stderr_style(COLOUR_AUTO);
  run->result = new_text();
  run->progress = progress_begin();
  visit_files(inputs, run->input.max_bytes, take_input, begin_file, run);
  if (run->code == EXIT_VALID) cast_operands(run);
  if (run->code == EXIT_VALID) make(context);
  progress_clear(&run->progress);
  if (run->code == EXIT_VALID && run->result.size > 0)
    run->code = write_output(run->command, &run->output, &run->result);
  free(run->result.bytes);
  return run->code;
}

int run_operands(operand_run *run, const file_list *inputs, void make(void *context), void *context)
{
  run->files = inputs->count;
  run->counts = allocate(run->files, sizeof *run->counts);
  run->operands = allocate(run->files, sizeof *run->operands);
  run->names = allocate(run->files, sizeof *run->names);
  for (size_t i = 0; i < run->files; i++) {
    run->counts[i] = 0;
    run->operands[i] = NULL;
    run->names[i] = inputs->files[i].path;
  }
  const int code = run_files(run, inputs, make, context);
  for (size_t i = 0; i < run->files; i++) spw_owned_free(run->operands[i]);
  free(run->counts);
  free(run->operands);
  free(run->names);
  return code;
}

void put_verdict(operand_run *run, const cli_input *about, const char *claim, judged verdict, const char *text,
                 const cli_problem *problem)
{
  if (verdict == NOT_JUDGED) {
    refuse_operands(run, about, problem);
    return;
  }
  if (verdict == JUDGED_WRONG || verdict == UNDECIDED) fail_operands(run, EXIT_INVALID);
  progress_clear(&run->progress);
  char *const safe = escape_text(claim);
  printf("%s: %s\n", safe, text);
  free(safe);
}
