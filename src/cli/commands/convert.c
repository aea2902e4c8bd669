/* SPDX-License-Identifier: Apache-2.0 */
/* spw convert */
#include "../conversion/conversion.h"
#include "../conversion/semi.h"
#include "../report/report.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>

typedef struct convert_options {
  spw_conversion wanted;
  semi_wanted semi;
  bool keeps_layout; /* without --to */
  bool certify;
  const char *output;
  bool explain;      /* only */
  int level;         /* of an .npz file, or -1 */
  bool is_asked;     /* for anything that the tensor may not be already */
  input_options input;
} convert_options;

typedef struct convert_run {
  convert_options options;
  check_request request;
  size_t memory;
  cli_output output;
  spw_file_format format;
  cli_style style;
  cli_progress progress;
  int64_t tensors;
  cli_text result; /* what is to be written, of the tensors so far */
  int code;
} convert_run;

/* The rows of the options. */
enum { OUTPUT, TO, BLOCKSIZE, BATCH_DIMS, DENSE_DIMS, INDEX, DUPLICATES, PRUNE, CANONICALIZE, CERTIFY, BITS, ORDER, PRUNE_24,
      EXPLAIN, LEVEL, MEMBERS, LIMITS };

/* ---- Options --------------------------------------------------------------------------------- */

static bool take_layout(convert_options *options, const char *name)
{
  const int layout = spw_layout_from_name(name);
  options->semi.asked = strcmp(name, "semi") == 0;
  if (options->semi.asked) return true;
  if (layout < 0) {
    usage_error("convert", "--to is coo, csr, csc, bsr, bsc, dense or semi, not %s", name);
    return false;
  }
  options->wanted.layout = (spw_layout)layout;
  options->keeps_layout = false;
  return true;
}

/* A number from 1 on, and behind it; 0 when there is none. */
static int64_t take_number(const char **text)
{
  int64_t number = 0;
  for (; **text >= '0' && **text <= '9'; ++*text)
    if (__builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, **text - '0', &number)) return 0;
  return number;
}

static bool take_blocks(spw_conversion *wanted, const char *argument)
{
  const char *at = argument;
  wanted->block_rows = take_number(&at);
  const bool has_sign = *at == 'x';
  at += has_sign;
  wanted->block_columns = take_number(&at);
  if (has_sign && !*at && wanted->block_rows && wanted->block_columns) return true;
  usage_error("convert", "--blocksize is two numbers from 1 on, as 2x3, not %s", argument);
  return false;
}

static bool take_dims(const char *option, int64_t *dims, const char *argument)
{
  const char *at = argument;
  *dims = take_number(&at);
  if (!*at && (*dims > 0 || strspn(argument, "0") == 1)) return true;
  usage_error("convert", "--%s is a number from 0 on, not %s", option, argument);
  return false;
}

static bool take_index(spw_conversion *wanted, const char *argument)
{
  wanted->index_dtype = spw_dtype_from_name(argument);
  if (wanted->index_dtype == SPW_INT32 || wanted->index_dtype == SPW_INT64) return true;
  usage_error("convert", "--index is int32 or int64, not %s", argument);
  return false;
}

static bool take_level(int *level, const char *argument)
{
  const bool is_one = argument[0] >= '0' && argument[0] <= '9' && !argument[1];
  if (!is_one) usage_error("convert", "--level is a number from 0 to 9, not %s", argument);
  *level = is_one ? argument[0] - '0' : -1;
  return is_one;
}

static bool take_order(semi_wanted *semi, const char *name)
{
  const int order = spw_semi_order_from_name(name);
  if (order < 0) {
    usage_error("convert", "--order is plain, cutlass, marlin or sm90-1 to sm90-4, not %s", name);
    return false;
  }
  semi->order = (spw_semi_order)order;
  return true;
}

static bool take_pruning(semi_wanted *semi, const char *name)
{
  semi->prune = true;
  semi->tiles = strcmp(name, "tiles") == 0;
  if (semi->tiles || strcmp(name, "largest") == 0) return true;
  usage_error("convert", "--prune-24 is largest or tiles, not %s", name);
  return false;
}

static bool take(void *context, int option, const char *argument)
{
  convert_options *options = context;
  spw_conversion *wanted = &options->wanted;
  if (option >= LIMITS) return take_limit_option("convert", &options->input, option - LIMITS, argument);
  if (option == OUTPUT) return options->output = argument, true;
  if (option == MEMBERS) return take_members_option("convert", &options->input, argument);
  if (option == LEVEL) return take_level(&options->level, argument);
  options->is_asked = true;
  switch (option) {
  case TO: return take_layout(options, argument);
  case BLOCKSIZE: return take_blocks(wanted, argument);
  case BATCH_DIMS: return take_dims("batch-dims", &wanted->batch_dims, argument);
  case DENSE_DIMS: return take_dims("dense-dims", &wanted->dense_dims, argument);
  case INDEX: return take_index(wanted, argument);
  case DUPLICATES: return take_duplicates_option("convert", &wanted->duplicates, argument);
  case PRUNE: wanted->prune = true; return true;
  case CERTIFY: options->certify = true; return true;
  case CANONICALIZE: wanted->canonicalize = true; return true;
  case ORDER: return take_order(&options->semi, argument);
  case PRUNE_24: return take_pruning(&options->semi, argument);
  case EXPLAIN: options->explain = true; return true;
  default: wanted->bits = options->semi.bits = true; return true;
  }
}

/* ---- Problems -------------------------------------------------------------------------------- */

/* The last word is the worst: 0, 1 invalid, 2 impossible, 3 unreadable, 70. */
static void fail(convert_run *run, int code)
{
  if (code > run->code) run->code = code;
}

static int refuse(convert_run *run, const cli_input *input, const cli_problem *problem)
{
  progress_clear(&run->progress);
  put_problem_line("convert", input, problem);
  return strcmp(problem->kind, "internal") == 0 ? EXIT_INTERNAL : EXIT_USAGE;
}

static int report(convert_run *run, const cli_judgement *judgement)
{
  progress_clear(&run->progress);
  put_human(&run->style, judgement);
  return judgement->verdict == VERDICT_MALFORMED ? EXIT_UNREADABLE : EXIT_INVALID;
}

/* ---- One tensor ------------------------------------------------------------------------------ */

/* Where another layout may be all that it takes, and would be held. */
static const char *format_hint(spw_file_format format, const spw_tensor *tensor)
{
  const bool is_matrix = count_dimensions(tensor) == 2, is_dense = tensor->layout == SPW_DENSE;
  if (format == SPW_FORMAT_MTX) return is_matrix && tensor->layout != SPW_COO ? "; try --to=coo" : "";
  if (tensor->values.array.dtype == SPW_BFLOAT16) return "; a file .spw.json holds it";
  if (format == SPW_FORMAT_NPY && !is_dense) return "; try --to=dense";
  if ((format != SPW_FORMAT_NPZ && format != SPW_FORMAT_SAFETENSORS) || !is_dense) return "";
  return is_matrix ? "; try --to=csr, or a file .npy" : "; try a file .npy";
}

static bool refuse_format(const convert_run *run, const cli_judgement *judgement, const spw_tensor *tensor,
                          const spw_error *error, cli_problem *problem)
{
  cli_text text = new_text();
  add_format(&text, "%s cannot hold %s", short_name(run->output.path), spw_layout_name(tensor->layout));
  if (judgement->size_known) add_text(&text, " ");
  if (judgement->size_known) add_sizes(&text, judgement->ndim, judgement->size);
  add_format(&text, ": %s%s%s%s", error->where, error->where[0] ? ": " : "", error->message,
             format_hint(run->format, tensor));
  return set_reason(problem, &text);
}

/* A tensor that is written as it stands may repeat a few bytes as often as its strides say. JSON has strides, too: it takes the
 * storages, which the fill of a file may make as long. */
static bool may_write(const convert_run *run, const cli_input *input, cli_problem *problem)
{
  enum { WIDEST = 16 };
  const bool as_stored = run->format == SPW_FORMAT_JSON || run->format == SPW_FORMAT_JSONL;
  const int64_t count = as_stored ? count_stored(input->tensor) : count_elements(input->tensor);
  if (!as_stored && (uint64_t)count > run->memory / WIDEST)
    return set_problem(problem, "limit", "its arrays have %lld elements, which may take more than the limit of %zu bytes; "
                       "--max-memory=N changes the limit", (long long)count, run->memory);
  return may_spend(input, &run->request, "writing", count, problem);
}

/* Why a result is not certified: what was asked for changes the meaning, or the file does; else it is our fault. */
static bool refuse_to_certify(const spw_tensor *tensor, const spw_conversion *wanted, const spw_tensor *written,
                              cli_problem *problem)
{
  const spw_dtype here = tensor->values.array.dtype, there = written->values.array.dtype;
  if (here != there)
    return set_problem(problem, "impossible", "it is not certified: its values are %s, and in the file %s", spw_dtype_name(here),
                       spw_dtype_name(there));
  if (wanted->prune || (tensor->layout == SPW_DENSE && !wanted->bits))
    return set_problem(problem, "impossible", "it is not certified: some position has other bits, as 0 for a -0.0 that is left "
                       "out%s", wanted->prune ? "" : " (--bits keeps it)");
  return set_problem(problem, "internal", "it is not certified: some position has other bits");
}

/* What would be written, as a tensor again, in as much memory as a result may take. */
static spw_owned *read_again(const convert_run *run, const void *bytes, size_t size, cli_problem *problem)
{
  spw_owned *written = NULL;
  spw_error error = {.message = ""};
  const spw_status status = spw_read_bytes(run->format, bytes, size, run->memory, &written, &error);
  if (status == SPW_OK) return written;
  if (status == SPW_ENOMEM)
    set_problem(problem, "limit", "it is not certified: to read again what would be written takes more than the limit of %zu "
                "bytes (%s); --max-memory=N changes the limit", run->memory, error.message);
  else
    set_problem(problem, "internal", "it is not certified: what would be written cannot be read: %s: %s", error.where,
                error.message[0] ? error.message : spw_status_string(status));
  return NULL;
}

static bool compare(const convert_run *run, const spw_tensor *tensor, const spw_conversion *wanted, const spw_tensor *written,
                    cli_problem *problem)
{
  const unsigned added = is_blocked(wanted->layout) ? SPW_ZEROS_ADDED : 0, dropped = wanted->prune ? SPW_ZEROS_DROPPED : 0;
  const spw_zeros zeros = (spw_zeros)(added | dropped);
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  bool same = false;
  spw_status status = spw_certify(tensor, written, zeros, &same, &refusal);
  const bool lines = wanted->canonicalize && status == SPW_EINVALID && refusal.other == 0;
  const bool unordered = lines || status == SPW_EUNSUPPORTED;
  if (unordered)
    status = certify_combined(tensor, written, zeros, wanted->duplicates, wanted->canonicalize, run->memory, &same);
  if (status == SPW_OK) return same || refuse_to_certify(tensor, wanted, written, problem);
  if (status == SPW_EUNSUPPORTED)
    return set_problem(problem, "impossible", "it cannot be certified: %s", lines ? UNCERTIFIABLE_LINES : UNCERTIFIABLE);
  if (status == SPW_ENOMEM)
    return set_problem(problem, "limit", "it is not certified: to sort it for that takes more memory than there is, or than the "
                       "limit of %zu bytes; --max-memory=N changes the limit", run->memory);
  if (unordered) return set_problem(problem, "internal", "it is not certified: nor is what its elements come to");
  const spw_rule_info *rule = spw_rule_get(refusal.violation.rule);
  return set_problem(problem, "internal", "it is not certified: what would be written is not valid: %s",
                     status == SPW_EINVALID && rule ? rule->id : spw_status_string(status));
}

/* Does what would be written mean what the tensor means? Blocks have zeros where nothing was specified, and what is pruned is
 * specified no more. */
static bool certify(const convert_run *run, const cli_judgement *judgement, const spw_conversion *wanted, const void *bytes,
                    size_t size, cli_problem *problem)
{
  const spw_tensor *const tensor = judgement->input->tensor;
  const int64_t places = 1 + count_dimensions(tensor) / FEW_DIMENSIONS;
  if (!may_spend(judgement->input, &run->request, "reading again", (int64_t)size, problem)) return false;
  spw_owned *written = read_again(run, bytes, size, problem);
  if (!written) return false;
  const int64_t elements = add_counts(count_elements(tensor), count_elements(spw_owned_tensor(written)));
  const bool ok = may_spend(judgement->input, &run->request, "certifying", multiply_counts(elements, SORTED_TOO * places),
                            problem) &&
                  compare(run, tensor, wanted, spw_owned_tensor(written), problem);
  spw_owned_free(written);
  return ok;
}

/* Adds the file's bytes to those of the tensors before it. */
static bool add_file(convert_run *run, const cli_judgement *judgement, const spw_tensor *tensor, const spw_conversion *wanted,
                     cli_problem *problem)
{
  spw_error error;
  void *bytes;
  size_t size;
  const int level = run->options.level;
  const spw_status status = level < 0 ? format_tensor(run->format, tensor, &bytes, &size, &error)
                                      : spw_write_npz_at_level(tensor, level, &bytes, &size, &error);
  if (status == SPW_EUNSUPPORTED) return refuse_format(run, judgement, tensor, &error, problem);
  if (status != SPW_OK)
    return set_problem(problem, kind_of_unformatted(status), "it cannot be written: %s", error.message);
  bool ok = size <= run->memory && run->result.size <= run->memory - size;
  if (!ok)
    set_problem(problem, "limit", "written down it takes %zu bytes, and what comes before it %zu, more than the limit of %zu; "
                "--max-memory=%zu is enough for both", size, run->result.size, run->memory, run->result.size + size);
  else if (run->options.certify)
    ok = certify(run, judgement, wanted, bytes, size, problem);
  if (ok) add_bytes(&run->result, bytes, size);
  free(bytes);
  return ok;
}

/* ---- A 2:4 matrix ---------------------------------------------------------------------------- */

static bool add_semi_file(convert_run *run, const spw_semi *semi, cli_problem *problem)
{
  spw_error error = {.message = ""};
  void *bytes;
  size_t size;
  const bool safetensors = run->format == SPW_FORMAT_SAFETENSORS;
  if (!safetensors && run->format != SPW_FORMAT_JSON && run->format != SPW_FORMAT_JSONL)
    return set_problem(problem, "impossible", "%s cannot hold a 2:4 matrix; a file .spw.json or .safetensors holds it",
                       short_name(run->output.path));
  const spw_status status = safetensors ? spw_write_semi_safetensors(semi, &bytes, &size, &error)
                                        : spw_write_semi_json(semi, &bytes, &size, &error);
  if (status != SPW_OK) return set_problem(problem, "impossible", "it cannot be written: %s", error.message);
  const bool ok = size <= run->memory && run->result.size <= run->memory - size;
  if (ok)
    add_bytes(&run->result, bytes, size);
  else
    set_problem(problem, "limit", "written down it takes more than the limit of %zu bytes; --max-memory=N changes the limit",
                run->memory);
  free(bytes);
  return ok;
}

/* A tensor or a 2:4 matrix to a 2:4 matrix. */
static bool convert_to_semi(convert_run *run, const cli_judgement *judgement, cli_problem *problem)
{
  const semi_wanted *const wanted = &run->options.semi;
  const spw_semi *semi = NULL;
  spw_owned *const owned = judgement->semi ? semi_in_order(judgement, wanted, run->memory, &semi, problem)
                                           : semi_from_tensor(judgement, wanted, run->memory, &semi, problem);
  const bool ok = owned && add_semi_file(run, semi, problem);
  spw_owned_free(owned);
  return ok;
}

/* On standard output, at once. Only the conversion itself knows whether its steps succeed, as batches may turn out unequal. */
static bool put_plan(convert_run *run, const cli_judgement *judgement, const spw_conversion *wanted, cli_problem *problem)
{
  cli_text text = new_text();
  const bool ok = explain_conversion(judgement, wanted, &run->request, &text, problem);
  progress_clear(&run->progress);
  if (ok) fputs(text.bytes, stdout);
  free(text.bytes);
  spw_owned *const result = ok ? convert_tensor(judgement, wanted, &run->request, run->memory, problem) : NULL;
  if (result) spw_owned_free(result);
  return result;
}

static bool convert(convert_run *run, const cli_judgement *judgement, cli_problem *problem)
{
  const spw_tensor *tensor = judgement->input->tensor;
  spw_conversion wanted = run->options.wanted;
  if (!run->options.is_asked)
    return may_write(run, judgement->input, problem) && add_file(run, judgement, tensor, &wanted, problem);
  if (run->options.keeps_layout) wanted.layout = tensor->layout;
  if (run->options.explain) return put_plan(run, judgement, &wanted, problem);
  spw_owned *result = convert_tensor(judgement, &wanted, &run->request, run->memory, problem);
  if (!result) return false;
  const bool ok = add_file(run, judgement, spw_owned_tensor(result), &wanted, problem);
  spw_owned_free(result);
  return ok;
}

/* A 2:4 matrix to a tensor: a dense array at once, another layout by way of CSR. */
static bool convert_from_semi(convert_run *run, const cli_judgement *judgement, cli_problem *problem)
{
  const spw_conversion *const wanted = &run->options.wanted;
  if (!run->options.is_asked) return add_semi_file(run, judgement->semi, problem);
  if (run->options.keeps_layout) return set_problem(problem, "impossible", "of a 2:4 matrix, --to says the layout of the result");
  spw_owned *const owned = tensor_from_semi(judgement, wanted->layout == SPW_DENSE, wanted->index_dtype, run->memory, problem);
  if (!owned) return false;
  cli_input input = *judgement->input;
  cli_judgement own;
  const check_request request = run->request;
  input.semi = NULL;
  input.problem.kind = NULL;
  input.tensor = spw_owned_tensor(owned);
  const bool ok = judge(&input, &request, &own) && convert(run, &own, problem);
  spw_owned_free(owned);
  return ok;
}

static bool convert_any(convert_run *run, const cli_judgement *judgement, cli_problem *problem)
{
  if (run->options.semi.asked) return convert_to_semi(run, judgement, problem);
  return judgement->semi ? convert_from_semi(run, judgement, problem) : convert(run, judgement, problem);
}

static bool is_index_type(spw_dtype dtype)
{
  return dtype == SPW_INT32 || dtype == SPW_INT64;
}

/* Pointers of another type than the indices, as SciPy writes them. */
static bool has_mixed_indices(const spw_tensor *t)
{
  const spw_dtype compressed = t->compressed.array.dtype, plain = t->plain.array.dtype;
  return is_compressed(t->layout) && compressed != plain && is_index_type(compressed) && is_index_type(plain);
}

/* The narrower ones of mixed indices as int64; false after *problem. *widened is to be freed. */
static bool widen_indices(const convert_run *run, cli_input *input, spw_tensor *t, int64_t **widened)
{
  spw_index_array *const narrow = t->compressed.array.dtype == SPW_INT32 ? &t->compressed : &t->plain;
  const int64_t length = narrow->array.length;
  if (!may_spend(input, &run->request, "converting", length, &input->problem)) return false;
  if ((uint64_t)length > run->memory / sizeof **widened)
    return set_problem(&input->problem, "limit", "its %lld indices of type int64 take more than the limit of %zu bytes; "
                       "--max-memory=N changes the limit", (long long)length, run->memory);
  *widened = allocate((size_t)length, sizeof **widened);
  for (int64_t i = 0; i < length; i++) (*widened)[i] = narrow->i32[i];
  narrow->array.dtype = SPW_INT64;
  narrow->i64 = *widened;
  narrow->i32 = NULL;
  return true;
}

/* What the options mend before the rules are asked: with --index, types of indices that differ or are declared otherwise; with
 * --canonicalize, the claim of COO to be coalesced, and the order of rows. */
static spw_level mend(const convert_run *run, cli_input *input, spw_tensor *mended, int64_t **widened)
{
  const spw_conversion *const wanted = &run->options.wanted;
  if (!input->tensor) return SPW_CANONICAL;
  *mended = *input->tensor;
  if (wanted->index_dtype) mended->index_dtype = SPW_DTYPE_NONE;
  if (wanted->canonicalize && mended->layout == SPW_COO) mended->coalesced = SPW_CLAIM_NONE;
  const bool done = !wanted->index_dtype || !has_mixed_indices(mended) || widen_indices(run, input, mended, widened);
  input->tensor = done ? mended : NULL;
  return wanted->canonicalize && is_compressed(mended->layout) ? SPW_STRUCTURE : SPW_CANONICAL;
}

static void convert_one(convert_run *run, const cli_input *input)
{
  cli_judgement judgement;
  cli_problem problem;
  cli_input own = *input;
  spw_tensor mended;
  int64_t *widened = NULL;
  run->request.level = mend(run, &own, &mended, &widened);
  if (!judge(&own, &run->request, &judgement))
    fail(run, EXIT_INTERNAL);
  else if (judgement.verdict != VERDICT_VALID)
    fail(run, report(run, &judgement));
  else if (!convert_any(run, &judgement, &problem))
    fail(run, refuse(run, input, &problem));
  free(widened);
}

static void refuse_second(convert_run *run, const cli_input *input)
{
  cli_problem problem;
  set_problem(&problem, "impossible", "%s holds one tensor, and there are more; a file of one tensor a line is named "
              ".spw.jsonl", short_name(run->output.path));
  fail(run, refuse(run, input, &problem));
}

static void convert_input(void *context, const cli_input *input)
{
  convert_run *run = context;
  const bool has_room = ++run->tensors == 1 || run->format == SPW_FORMAT_JSONL || run->options.explain;
  if (has_room) convert_one(run, input);
  if (!has_room && run->tensors == 2) refuse_second(run, input);
  progress_draw(&run->progress, run->tensors, input->done);
}

/* ---- The command ----------------------------------------------------------------------------- */

static int check_request_of(convert_run *run)
{
  const convert_options *options = &run->options;
  const char *misfit = options->keeps_layout ? NULL : misfit_of(&options->wanted, options->wanted.layout);
  const bool certified = options->certify || options->explain;
  if (options->semi.asked && certified) return usage_error("convert", "--to=semi takes no --certify and no --explain-plan");
  if (options->level >= 0 && run->format != SPW_FORMAT_NPZ) return usage_error("convert", "--level is for .npz files");
  if (!options->semi.asked && options->semi.prune) return usage_error("convert", "--prune-24 is for --to=semi");
  if (misfit) return usage_error("convert", "%s", misfit);
  if (options->explain) return -1;
  return run->format == SPW_FORMAT_UNKNOWN ? format_error("convert", run->output.path) : -1;
}

static int convert_file(convert_run *run, const file_list *inputs)
{
  const convert_options *options = &run->options;
  const bool writes = !options->explain;
  if (writes) run->format = output_format(run->output.path);
  run->request.max_work = options->input.max_work;
  run->request.reads_values = true;
  run->request.takes_semi = true;
  run->memory = memory_limit(options->input.max_memory);
  int code = check_request_of(run);
  if (code < 0 && writes) code = claim_outputs("convert", &run->output, 1, inputs);
  if (code >= 0) return code;
  run->style = stderr_style(COLOUR_AUTO);
  run->progress = progress_begin();
  run->result = new_text();
  visit_files(inputs, options->input.max_bytes, convert_input, NULL, run);
  progress_clear(&run->progress);
  if (run->code == EXIT_VALID && writes) run->code = write_output("convert", &run->output, &run->result);
  free(run->result.bytes);
  return run->code;
}

static int run_convert(int argc, char **argv)
{
  convert_run run = {.options = {.wanted = {.batch_dims = -1, .dense_dims = -1}, .keeps_layout = true, .level = -1}};
  file_list inputs = {0};
  int code = EXIT_USAGE;
  const int first = take_options(&convert_command, argc, argv, take, &run.options, &code);
  if (first < 0) return code;
  const bool explains = run.options.explain;
  const int files = run.options.output || explains ? 1 : 2;
  if (explains && (argc - first != 1 || run.options.output))
    return usage_error("convert", "one file is needed: --explain-plan reads it, and writes none");
  if (argc - first != files)
    return usage_error("convert", files == 1 ? "with -o one file is needed: what is read"
                                             : "two files are needed: what is read, and what is written");
  if (!explains) run.output.path = run.options.output ? run.options.output : argv[first + 1];
  list_files(&inputs, argv[first], false);
  inputs.members = given_members(&run.options.input);
  code = convert_file(&run, &inputs);
  free(run.options.input.names);
  free_file_list(&inputs);
  return code;
}

const cli_command convert_command = {
    .name = "convert",
    .summary = "write a tensor in another layout or format",
    .synopsis = "[OPTION...] IN OUT\n[OPTION...] -o OUT IN",
    .description =
        "Writes the tensors of IN to OUT, in the layout that --to names. The result has the same size, the same specified "
        "positions and the same bits of values; explicit zeros stay. It is canonical: sorted, without duplicates. Without "
        "options only the file format changes, and arrays stay as they are.\n\nIN has one of the formats that `spw list "
        "formats` names. The ending of OUT chooses the format that is written; .mtx.gz can only be read. A .spw.jsonl file "
        "is converted line by line. IN may be -, standard input. OUT may be -, standard output: JSON, one tensor per line. "
        "If a tensor cannot be converted, OUT is not written at all. Messages go to standard error.\n\nBatch dimensions of "
        "csr, csc, bsr and bsc become leading sparse dimensions of coo, and back. Going back, all batches need the same "
        "number of elements, or of blocks; with --prune, of those that are left.",
    .options =
        (const cli_option[]){
            [OUTPUT] = {'o', "output", "FILE", "what is written, in place of OUT"},
            [TO] = {0, "to", "LAYOUT", "coo, csr, csc, bsr, bsc, dense or semi (default: as it is)"},
            [BLOCKSIZE] = {0, "blocksize", "RxC",
                           "rows and columns of a block, for bsr and bsc (default: as they are)"},
            [BATCH_DIMS] = {0, "batch-dims", "B",
                            "leading dimensions of a coo or dense tensor that become batches (default: "
                            "all but two sparse ones)"},
            [DENSE_DIMS] = {0, "dense-dims", "K",
                            "last dimensions of a dense tensor that stay dense (default: 0)"},
            [INDEX] = {0, "index", "TYPE", "int32 or int64 (default: as it is, int64 from dense); also accepts indices of "
                                           "two types, which break rules 1.1 and 1.2"},
            [DUPLICATES] = DUPLICATES_OPTION,
            [PRUNE] = {0, "prune", NULL, "leave out elements that are 0, and blocks of zeros"},
            [CANONICALIZE] = {0, "canonicalize", NULL,
                              "accept unsorted rows and duplicates, which break rule 5.6, and a false claim to be "
                              "coalesced (6.7); sort and combine them"},
            [CERTIFY] = {0, "certify", NULL,
                         "read the result again, and keep it only if proved code says that it means the same"},
            [BITS] = {0, "bits", NULL, "from dense: also store an element such as -0.0, which has a bit set"},
            [ORDER] = {0, "order", "ORDER", "of the metadata of semi: plain (default), cutlass, marlin, or sm90-1 to sm90-4"},
            [PRUNE_24] = {0, "prune-24", "RULE",
                          "for semi: keep the largest two of every four elements (largest), or of each 4 x 4 tile at most two in "
                          "each row and column (tiles); of elements of four bytes, one of two"},
            [EXPLAIN] = {0, "explain-plan", NULL, "without OUT: print the steps of the conversion, and why these; the exit "
                                                  "status says whether they succeed"},
            [LEVEL] = {0, "level", "N", "of an .npz file: 0 stores its members as they are, and 1 to 9 deflate them (default: 6, "
                                        "or 0 where readers would refuse that)"},
            [MEMBERS] = MEMBERS_OPTION,
            [LIMITS] = LIMIT_OPTIONS,
            MEMORY_OPTION,
            {0, NULL, NULL, NULL}},
    .statuses =
        (const exit_status[]){
            {EXIT_VALID, "OUT is written, or the plan printed"},
            {EXIT_INVALID, "a tensor is invalid: what it violates is printed as `spw check` does"},
            {EXIT_USAGE, "a tensor cannot become what is asked or is not certified, OUT cannot hold it or it takes too much "
                         "memory or work; or the command line is wrong"},
            {EXIT_UNREADABLE, "some file is unreadable, malformed or too much work; of several codes the highest counts"},
            STATUS_INTERNAL,
            {0, NULL}},
    .examples =
        (const cli_example[]){
            {"spw convert --to=csr matrix.mtx matrix.npz", "a Matrix Market file for SciPy"},
            {"spw convert --to=bsr --blocksize=2x2 matrix.npz blocks.spw.json", "blocks of two by two"},
            {"spw convert --to=coo --duplicates=error - - <in.spw.json", "sorted, and no element twice"},
            {"spw convert --explain-plan --to=csc matrix.npz", "the steps from csr to csc"},
            {NULL, NULL}},
    .run = run_convert};
