/* SPDX-License-Identifier: Apache-2.0 */
/* spw info */
#include "../report/report.h"
#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE = 15 }; /* columns before the text */

/* What is asked, and what has come of it. */
typedef struct info_run {
  check_request request;
  bool json;
  int64_t shown;
  int code;
} info_run;

static int64_t dense_dims(const spw_tensor *tensor)
{
  const int64_t dims = numbers_of(tensor).dense_dims;
  return dims > 0 ? dims : 0;
}

static const int64_t *dense_shape(const spw_tensor *tensor)
{
  return tensor->values.array.shape + (tensor->values.array.ndim - dense_dims(tensor));
}

static bool is_dense(const spw_tensor *tensor)
{
  return tensor->layout == SPW_DENSE;
}

/* Null for a member that the layout does not have. */
static const spw_array *shown_member(const spw_tensor *tensor, int member)
{
  const bool is_coo = tensor->layout == SPW_COO;
  if (is_coo && member == SPW_MEMBER_COMPRESSED) return NULL;
  if (is_dense(tensor) && member != SPW_MEMBER_VALUES) return NULL;
  return member_array(tensor, (spw_member)member);
}

static double storage_bytes(const spw_tensor *tensor)
{
  double bytes = 0;
  for (int m = SPW_MEMBER_COMPRESSED; m <= SPW_MEMBER_VALUES; m++) {
    const spw_array *array = shown_member(tensor, m);
    if (array) bytes += (double)array->length * (double)spw_dtype_size(array->dtype);
  }
  return bytes;
}

static double product(int64_t count, const int64_t *factors)
{
  double result = 1;
  for (int64_t i = 0; i < count; i++) result *= (double)factors[i];
  return result;
}

/* Specified elements as a part of all; -1 when unknown, when there are none at all, and when they are too many for doubles, as an
 * invalid tensor may say. */
static double density(const cli_judgement *j)
{
  const spw_tensor *t = j->input->tensor;
  if (!j->size_known || j->report.nse < 0 || j->report.batches < 0) return -1;
  const spw_numbers n = numbers_of(t);
  double specified = (double)j->report.nse * (double)j->report.batches;
  specified *= (double)n.block_rows * (double)n.block_columns;
  specified *= product(dense_dims(t), dense_shape(t));
  const double all = product(j->ndim, j->size);
  const double part = all > 0 && specified >= 0 ? specified / all : -1;
  return isfinite(100 * part) ? part : -1;
}

/* ---- For people ------------------------------------------------------------------------------ */

static void put_title(const char *title)
{
  printf("  %-*s", TITLE - 2, title);
}

static void add_tuple(cli_text *text, int64_t count, const int64_t *numbers)
{
  add_text(text, "(");
  for (int64_t i = 0; i < count; i++)
    add_format(text, i ? ", %lld" : "%lld", (long long)numbers[i]);
  add_text(text, ")");
}

static void put_member(const spw_tensor *tensor, spw_member member, const spw_array *array)
{
  cli_text text = new_text();
  add_format(&text, "%s, shape ", spw_dtype_name(array->dtype));
  add_tuple(&text, array->ndim, array->shape);
  add_text(&text, ", strides ");
  add_tuple(&text, array->ndim, array->strides);
  add_format(&text, ", offset %lld, storage %lld", (long long)array->offset,
             (long long)array->length);
  put_title(spw_member_torch_name(tensor->layout, member));
  put_wrapped(stdout, text.bytes, TITLE, stdout_style(COLOUR_NEVER).width);
  free(text.bytes);
}

static void put_sizes(const char *title, int64_t ndim, const int64_t *sizes, const char *note)
{
  cli_text text = new_text();
  add_sizes(&text, ndim, sizes);
  add_text(&text, note);
  put_title(title);
  put_wrapped(stdout, text.bytes, TITLE, stdout_style(COLOUR_NEVER).width);
  free(text.bytes);
}

static void put_size(const cli_judgement *j)
{
  if (j->size_known) {
    put_sizes("size", j->ndim, j->size, j->input->tensor->has_size ? "" : " (inferred)");
    return;
  }
  put_title("size");
  puts("unknown");
}

static void put_dimensions(const cli_judgement *j)
{
  const spw_tensor *t = j->input->tensor;
  put_title("nse");
  if (j->report.nse >= 0)
    printf("%lld%s\n", (long long)j->report.nse, batch_dims(t) ? " in each batch" : "");
  else
    puts("unknown");
  if (batch_dims(t)) put_sizes("batches", batch_dims(t), t->compressed.array.shape, "");
  if (dense_dims(t)) put_sizes("dense", dense_dims(t), dense_shape(t), "");
  const spw_numbers n = numbers_of(t);
  if (is_blocked(t->layout) && n.dense_dims >= 0) {
    put_title("blocks");
    printf("%lldx%lld\n", (long long)n.block_rows, (long long)n.block_columns);
  }
}

static void put_validity(const cli_judgement *j)
{
  int violated = 0;
  put_title("valid");
  for (int i = 0; i < ANY_RULE_COUNT; i++) {
    if (state_of_rule(j, i) != SPW_VIOLATED) continue;
    printf("%s%s", violated++ ? ", " : "no, violates ", any_rule(i)->id);
  }
  puts(violated ? "" : "yes");
}

static void put_density(const cli_judgement *j)
{
  put_title("density");
  if (density(j) >= 0)
    printf("%.4g %%\n", 100 * density(j));
  else
    puts("unknown");
}

/* The size that was inferred stands in for one that is not there. */
static spw_status bytes_of(const cli_judgement *j, spw_bytes *bytes)
{
  spw_tensor t = *j->input->tensor;
  if (j->size_known && !is_dense(&t)) {
    t.has_size = true;
    t.ndim = j->ndim;
    t.size = j->size;
  }
  return spw_nbytes(&t, bytes);
}

/* What the elements take, wherever in their storages they lie. */
static void put_bytes(const cli_judgement *j)
{
  spw_bytes b;
  if (bytes_of(j, &b) != SPW_OK) return;
  put_title("bytes");
  printf("%lld", (long long)b.total);
  if (!is_dense(j->input->tensor) && b.dense > 0)
    printf(", %.4g times the dense array's %lld", (double)b.total / (double)b.dense, (long long)b.dense);
  putchar('\n');
}

static json_t *bytes_json(const cli_judgement *j)
{
  spw_bytes b;
  if (bytes_of(j, &b) != SPW_OK) return json_null();
  return json_pack("{s:I, s:I, s:I, s:o}", "indices", (json_int_t)b.indices, "values", (json_int_t)b.values, "total",
                   (json_int_t)b.total, "dense", b.dense < 0 ? json_null() : json_integer(b.dense));
}

static void put_semi_array(const char *name, const spw_array *array)
{
  cli_text text = new_text();
  add_format(&text, "%s, shape ", spw_semi_dtype_name(array->dtype));
  add_tuple(&text, array->ndim, array->shape);
  add_text(&text, ", strides ");
  add_tuple(&text, array->ndim, array->strides);
  add_format(&text, ", offset %lld, storage %lld", (long long)array->offset, (long long)array->length);
  put_title(name);
  put_wrapped(stdout, text.bytes, TITLE, stdout_style(COLOUR_NEVER).width);
  free(text.bytes);
}

static void put_semi(const cli_judgement *j)
{
  const spw_semi *const s = j->semi;
  const int64_t size[2] = {s->rows, s->columns};
  put_title("layout");
  puts("semi");
  put_title("order");
  puts(spw_semi_order_name(s->order));
  put_sizes("size", 2, size, "");
  put_semi_array("packed", &s->packed.array);
  put_semi_array("metadata", &s->metadata.array);
  put_validity(j);
}

static void put_info(const cli_judgement *j)
{
  const spw_tensor *t = j->input->tensor;
  char *file = escape_text(j->input->file);
  fputs(file, stdout);
  free(file);
  char *const place = place_in_file(j->input), *const escaped = escape_text(place);
  fputs(escaped, stdout);
  free(place);
  free(escaped);
  putchar('\n');
  if (j->semi) {
    put_semi(j);
    return;
  }
  put_title("layout");
  puts(spw_layout_name(t->layout));
  put_size(j);
  if (!is_dense(t)) put_dimensions(j);
  if (!is_dense(t)) put_density(j);
  for (int m = SPW_MEMBER_COMPRESSED; m <= SPW_MEMBER_VALUES; m++)
    if (shown_member(t, m)) put_member(t, (spw_member)m, shown_member(t, m));
  put_title("storage");
  printf("%.0f bytes\n", storage_bytes(t));
  put_bytes(j);
  put_validity(j);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *member_json(const spw_array *array)
{
  json_t *value = json_object();
  json_object_set_new(value, "dtype", json_text(spw_dtype_name(array->dtype)));
  json_object_set_new(value, "shape", json_numbers(array->ndim, array->shape));
  json_object_set_new(value, "strides", json_numbers(array->ndim, array->strides));
  json_object_set_new(value, "offset", json_integer(array->offset));
  json_object_set_new(value, "length", json_integer(array->length));
  return value;
}

static json_t *members_json(const spw_tensor *tensor)
{
  json_t *members = json_object();
  for (int m = SPW_MEMBER_COMPRESSED; m <= SPW_MEMBER_VALUES; m++)
    if (shown_member(tensor, m))
      json_object_set_new(members, spw_member_name(tensor->layout, (spw_member)m),
                          member_json(shown_member(tensor, m)));
  return members;
}

static json_t *blocks_json(const spw_tensor *tensor)
{
  const spw_numbers n = numbers_of(tensor);
  if (!is_blocked(tensor->layout) || n.dense_dims < 0) return json_null();
  const int64_t blocks[] = {n.block_rows, n.block_columns};
  return json_numbers(2, blocks);
}

/* Of a dense array, what only sparse tensors have is null. */
static void add_tensor(json_t *line, const cli_judgement *j)
{
  const spw_tensor *t = j->input->tensor;
  const char *index_dtype = spw_dtype_name(t->plain.array.dtype);
  json_object_set_new(line, "layout", json_text(spw_layout_name(t->layout)));
  json_object_set_new(line, "size", j->size_known ? json_numbers(j->ndim, j->size) : json_null());
  json_object_set_new(line, "size_inferred", json_boolean(j->size_known && !t->has_size));
  json_object_set_new(line, "nse", j->report.nse < 0 ? json_null() : json_integer(j->report.nse));
  json_object_set_new(line, "batch", json_numbers(batch_dims(t), t->compressed.array.shape));
  json_object_set_new(line, "dense", json_numbers(dense_dims(t), dense_shape(t)));
  json_object_set_new(line, "block_size", blocks_json(t));
  json_object_set_new(line, "index_dtype", index_dtype ? json_text(index_dtype) : json_null());
  json_object_set_new(line, "dtype", json_text(spw_dtype_name(t->values.array.dtype)));
  json_object_set_new(line, "density", density(j) < 0 ? json_null() : json_real(density(j)));
  json_object_set_new(line, "members", members_json(t));
  json_object_set_new(line, "storage_bytes", json_integer((json_int_t)storage_bytes(t)));
  json_object_set_new(line, "bytes", bytes_json(j));
  json_object_set_new(line, "valid", json_boolean(j->verdict == VERDICT_VALID));
}

static json_t *semi_array_json(const spw_array *array)
{
  json_t *value = member_json(array);
  json_object_set_new(value, "dtype", json_text(spw_semi_dtype_name(array->dtype)));
  return value;
}

static void add_semi_json(json_t *line, const cli_judgement *j)
{
  const spw_semi *const s = j->semi;
  const int64_t size[2] = {s->rows, s->columns};
  json_object_set_new(line, "layout", json_text("semi"));
  json_object_set_new(line, "order", json_text(spw_semi_order_name(s->order)));
  json_object_set_new(line, "size", json_numbers(2, size));
  json_object_set_new(line, "dtype", json_text(spw_semi_dtype_name(s->packed.array.dtype)));
  json_object_set_new(line, "members", json_pack("{s:o, s:o}", "packed", semi_array_json(&s->packed.array), "metadata",
                                                 semi_array_json(&s->metadata.array)));
  json_object_set_new(line, "valid", json_boolean(j->verdict == VERDICT_VALID));
}

static void put_info_json(const cli_judgement *j)
{
  json_t *line = json_object();
  json_object_set_new(line, "file", json_text(j->input->file));
  json_object_set_new(line, "line", json_line_number(j->input->line));
  if (j->input->place) json_object_set_new(line, "path", json_text(j->input->place));
  if (j->semi)
    add_semi_json(line, j);
  else if (j->verdict != VERDICT_MALFORMED)
    add_tensor(line, j);
  json_object_set_new(line, "error", json_problem(&j->problem));
  put_json_line(line);
}

static void show_input(void *context, const cli_input *input)
{
  info_run *run = context;
  cli_judgement judgement;
  if (!judge(input, &run->request, &judgement)) {
    run->code = EXIT_INTERNAL;
    return;
  }
  const bool failed = judgement.verdict == VERDICT_MALFORMED;
  if (failed && run->code == EXIT_VALID) run->code = EXIT_UNREADABLE;
  if (run->json) {
    put_info_json(&judgement);
  } else if (failed) {
    put_problem_line("info", input, &judgement.problem);
  } else {
    if (run->shown++) putchar('\n');
    put_info(&judgement);
  }
  flush_output();
}

enum { JSON, MEMBERS, SHARED }; /* the rows of the options */

typedef struct info_options {
  info_run *run;
  input_options input;
} info_options;

static bool take(void *context, int option, const char *argument)
{
  info_options *options = context;
  if (option >= SHARED)
    return take_input_option("info", &options->input, option - SHARED, argument);
  if (option == MEMBERS) return take_members_option("info", &options->input, argument);
  options->run->json = true;
  return true;
}

static int run_info(int argc, char **argv)
{
  info_run run = {.request = {.level = SPW_CANONICAL, .takes_semi = true}};
  info_options options = {.run = &run};
  file_list list;
  int code = EXIT_USAGE;
  const int first = take_options(&info_command, argc, argv, take, &options, &code);
  if (first < 0) return code;
  if (!take_files("info", argc, (const char *const *)argv, first, options.input.recursive, &list)) return EXIT_USAGE;
  run.request.max_work = options.input.max_work;
  list.members = given_members(&options.input);
  visit_files(&list, options.input.max_bytes, show_input, NULL, &run);
  free(options.input.names);
  free_file_list(&list);
  return finish_output(run.code);
}

const cli_command info_command = {
    .name = "info",
    .summary = "describe tensors: layout, size, types and storage",
    .synopsis = "[OPTION...] FILE...",
    .description =
        "Describes each tensor: layout, size, number of specified elements, types, members "
        "and storage, and whether it is valid. An invalid tensor can be described; `spw "
        "check` is the judge. A dense array can be described too.",
    .options =
        (const cli_option[]){[JSON] = {0, "json", NULL, "print one line of JSON for each tensor"},
                             [MEMBERS] = MEMBERS_OPTION,
                             [SHARED] = INPUT_OPTIONS,
                             {0, NULL, NULL, NULL}},
    .statuses = (const exit_status[]){{EXIT_VALID, "every tensor is described"},
                                      STATUS_USAGE,
                                      STATUS_UNREADABLE,
                                      STATUS_INTERNAL,
                                      {0, NULL}},
    .examples = (const cli_example[]){{"spw info matrix.npz", "what is in a file"}, {NULL, NULL}},
    .run = run_info};
