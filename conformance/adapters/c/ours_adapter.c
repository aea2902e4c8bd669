/* SPDX-License-Identifier: Apache-2.0 */
/* sparsewright's C API, the control: every rule that it names must be violated. Conversions, and what they
 * put in order, write to arrays that end where an unreadable page begins. */
#include "ours.h"

#include <stdlib.h>
#include <string.h>

/* ---- Operands -------------------------------------------------------------------------------- */

/* The tensor again with guarded storages. One too large to copy stays where it is. */
static const void *guarded(const spw_array *array, const void *data)
{
  const int64_t bytes = array->length * spw_dtype_size(array->dtype);
  return data && bytes <= LARGEST_COPY ? kit_guarded_copy(data, (size_t)bytes) : data;
}

static void guard_indices(spw_index_array *indices)
{
  indices->i32 = guarded(&indices->array, indices->i32);
  indices->i64 = guarded(&indices->array, indices->i64);
  indices->raw = guarded(&indices->array, indices->raw);
}

spw_tensor ours_guarded(const spw_tensor *read)
{
  spw_tensor tensor = *read;
  guard_indices(&tensor.compressed);
  guard_indices(&tensor.plain);
  tensor.values.data = guarded(&tensor.values.array, tensor.values.data);
  return tensor;
}

spw_tensor ours_operand(const kit_question *question)
{
  return question->live ? *(const spw_tensor *)question->live : ours_guarded(question->tensor);
}

bool ours_has_blocks(spw_layout layout)
{
  return layout == SPW_BSR || layout == SPW_BSC;
}

/* ---- Check ----------------------------------------------------------------------------------- */

static void judge_tensor(const spw_tensor *read, kit_answer *answer)
{
  const spw_tensor tensor = ours_guarded(read);
  spw_report report;
  const spw_status status = spw_check(&tensor, SPW_CANONICAL, &report);
  if (status) {
    kit_unsupported(answer, spw_status_string(status));
    return;
  }
  if (report.valid) {
    kit_accept(answer, KIT_VALIDATE);
    return;
  }
  const char *first = NULL;
  for (spw_rule rule = 0; rule < SPW_RULE_COUNT; rule++) {
    if (report.findings[rule].state != SPW_VIOLATED) continue;
    kit_rule(answer, spw_rule_get(rule)->id);
    if (!first) first = spw_rule_get(rule)->formula;
  }
  kit_reject(answer, KIT_VALIDATE, "%s", first);
}

static spw_status read_file(const kit_question *q, spw_owned **owned, spw_error *error)
{
  if (strcmp(q->format, "npz") == 0) return spw_read_npz(q->file, q->file_size, 0, owned, error);
  if (strcmp(q->format, "mtx") == 0) return spw_read_mtx(q->file, q->file_size, 0, owned, error);
  if (strcmp(q->format, "json") == 0) return spw_read_json(q->file, q->file_size, 0, owned, error);
  return SPW_EUNSUPPORTED;
}

/* An array file, whose elements the reader leaves in row-major order. */
static void judge_array(const spw_tensor *tensor, kit_answer *answer)
{
  const spw_array *const array = &tensor->values.array;
  kit_dense_result(answer, array->dtype, array->ndim, array->shape, tensor->values.data);
}

static void judge_file(const kit_question *q, kit_answer *answer)
{
  spw_owned *owned = NULL;
  spw_error error = {"", "no such format here"};
  const spw_status status = read_file(q, &owned, &error);
  if (status == SPW_EUNSUPPORTED && !*error.where)
    kit_unsupported(answer, error.message);
  else if (status)
    kit_reject(answer, KIT_CONSTRUCT, "%s: %s", error.where, error.message);
  else if (spw_owned_tensor(owned)->layout == SPW_DENSE && strcmp(q->format, "mtx") == 0)
    judge_array(spw_owned_tensor(owned), answer);
  else if (spw_owned_tensor(owned)->layout == SPW_DENSE)
    kit_reject(answer, KIT_CONSTRUCT, "a dense array is no sparse tensor");
  else
    judge_tensor(spw_owned_tensor(owned), answer);
  const bool sparse = !status && spw_owned_tensor(owned)->layout != SPW_DENSE;
  if (sparse && kit_is_accepted(answer)) kit_tensor_result(answer, spw_owned_tensor(owned));
  spw_owned_free(owned);
}

/* ---- Conversions ----------------------------------------------------------------------------- */

typedef spw_status sizer(const spw_tensor *, const spw_conversion *, spw_room *, spw_refusal *);
typedef spw_status converter(const spw_tensor *, const spw_conversion *, const spw_buffers *, spw_tensor *,
                             spw_refusal *);

/* Arrays without an element to spare, which hold no zeros: what is left unwritten shows. */
void *ours_buffer(int64_t count, int64_t size)
{
  const size_t bytes = (size_t)(count * size);
  return memset(kit_guarded(bytes), 0xa5, bytes);
}

spw_buffers ours_buffers(const spw_room *room)
{
  const bool wide = room->index_dtype == SPW_INT64;
  spw_buffers b = {.room = *room};
  b.dims = ours_buffer(room->dims, 8);
  b.compressed_i32 = wide ? NULL : ours_buffer(room->compressed, 4);
  b.plain_i32 = wide ? NULL : ours_buffer(room->plain, 4);
  b.compressed_i64 = wide ? ours_buffer(room->compressed, 8) : NULL;
  b.plain_i64 = wide ? ours_buffer(room->plain, 8) : NULL;
  b.values = ours_buffer(room->values, spw_dtype_size(room->dtype));
  b.work = ours_buffer((int64_t)(room->work + 15) / 16, 16);
  return b;
}

bool ours_is_large(const spw_room *room)
{
  return room->compressed > LARGEST_COPY || room->plain > LARGEST_COPY || room->values > LARGEST_COPY ||
         room->work > LARGEST_COPY || room->dims > LARGEST_COPY;
}

static spw_status convert_by(sizer *size, converter *convert, const spw_tensor *tensor, const spw_conversion *wanted,
                             spw_tensor *result, spw_refusal *refusal)
{
  spw_room room;
  const spw_status status = size(tensor, wanted, &room, refusal);
  if (status != SPW_OK) return status;
  if (ours_is_large(&room)) return SPW_ENOMEM;
  const spw_buffers buffers = ours_buffers(&room);
  return convert(tensor, wanted, &buffers, result, refusal);
}

/* A compressed tensor that is only out of order is refused, and then put in order as well. */
static spw_status convert(const spw_tensor *tensor, const spw_conversion *wanted, spw_tensor *result,
                          spw_refusal *refusal)
{
  const spw_status status = convert_by(spw_convert_size, spw_convert, tensor, wanted, result, refusal);
  if (status != SPW_EINVALID || refusal->violation.rule != SPW_RULE_5_6) return status;
  spw_conversion ordered = *wanted;
  ordered.canonicalize = true;
  return convert_by(spw_convert_size, spw_convert, tensor, &ordered, result, refusal);
}

spw_tensor ours_in_order(const spw_tensor *tensor)
{
  const spw_conversion same = {.layout = tensor->layout, .batch_dims = -1, .dense_dims = -1};
  spw_violation first;
  spw_refusal refusal;
  spw_tensor ordered;
  if (spw_first_violation(tensor, SPW_CANONICAL, &first) != SPW_OK || first.rule != SPW_RULE_5_6) return *tensor;
  return convert(tensor, &same, &ordered, &refusal) == SPW_OK ? ordered : *tensor;
}

void ours_refuse(const spw_refusal *r, kit_answer *answer)
{
  static const char *const names[] = {"none", "rule", "dimensions", "blocks", "index", "size", "batches", "duplicate",
                                      "dimension", "range", "operand", "pattern", "lost", "shapes", "types", "hybrid",
                                      "no size", "overlap", "layout", "work", "zero", "scalar", "value", "pivot"};
  if (r->obstacle == SPW_OBSTACLE_RULE) {
    kit_rule(answer, spw_rule_get(r->violation.rule)->id);
    kit_reject(answer, KIT_VALIDATE, "%s", spw_rule_get(r->violation.rule)->formula);
    return;
  }
  kit_reject(answer, KIT_USED, "%s: place %lld, other %lld, %lld and %lld", names[r->obstacle], (long long)r->place,
             (long long)r->other, (long long)r->lhs, (long long)r->rhs);
}

/* Its arrays stay where the library has written them until the question has been answered. */
void ours_answer_tensor(const spw_tensor *tensor, kit_answer *answer)
{
  if (kit_keeps(answer))
    kit_keep(answer, kit_guarded_copy(tensor, sizeof *tensor), NULL);
  else
    kit_tensor_result(answer, tensor);
}

void ours_answer_conversion(const spw_tensor *tensor, const spw_conversion *wanted, kit_answer *answer)
{
  spw_tensor result;
  spw_refusal refusal;
  const spw_status status = convert(tensor, wanted, &result, &refusal);
  if (status == SPW_EINVALID || status == SPW_ERANGE) {
    ours_refuse(&refusal, answer);
  } else if (status) {
    kit_unsupported(answer, spw_status_string(status));
  } else if (wanted->layout == SPW_DENSE) {
    const spw_array *const values = &result.values.array;
    kit_dense_result(answer, values->dtype, values->ndim, values->shape, result.values.data);
  } else {
    ours_answer_tensor(&result, answer);
    kit_claims(answer, "{\"sorted\": true, \"canonical\": true}");
  }
}

spw_tensor ours_dense(const kit_dense *dense)
{
  spw_tensor tensor = {.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE, .values = *dense->stored};
  tensor.values.data = guarded(&tensor.values.array, tensor.values.data);
  return tensor;
}

/* ---- Operations ------------------------------------------------------------------------------ */

/* What was accepted is converted as by one who need not judge it again. */
static void use(const spw_tensor *tensor, kit_answer *answer)
{
  const spw_conversion wanted = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  spw_tensor result;
  convert_by(spw_convert_size_unchecked, spw_convert_unchecked, tensor, &wanted, &result, NULL);
  kit_accept(answer, KIT_USED);
}

static void judge_conversion(const kit_question *q, kit_answer *answer)
{
  const spw_tensor tensor = q->tensor || q->live ? ours_operand(q) : ours_dense(&q->dense);
  spw_conversion wanted = {.layout = tensor.layout, .batch_dims = -1, .dense_dims = -1};
  if (q->operation == KIT_USE) {
    use(&tensor, answer);
    return;
  }
  if (q->operation == KIT_TO_DENSE) wanted.layout = SPW_DENSE;
  if (q->operation == KIT_CONVERT || q->operation == KIT_FROM_DENSE) {
    wanted.layout = q->to;
    wanted.block_rows = ours_has_blocks(q->to) && q->blocksize_count == 2 ? q->blocksize[0] : 0;
    wanted.block_columns = ours_has_blocks(q->to) && q->blocksize_count == 2 ? q->blocksize[1] : 0;
  }
  wanted.prune = q->operation == KIT_ELIMINATE_ZEROS;
  ours_answer_conversion(&tensor, &wanted, answer);
}

static void refuse_semi(spw_status status, const spw_semi_refusal *refusal, kit_answer *answer)
{
  char text[300];
  spw_semi_refusal_text(status, refusal, text, sizeof text);
  if (status == SPW_EINVALID || status == SPW_ERANGE)
    kit_reject(answer, KIT_USED, "%s", text);
  else
    kit_unsupported(answer, text);
}

/* Stored as a 2:4 matrix, and that as a dense array. */
static void judge_halves(const kit_question *q, kit_answer *answer)
{
  const spw_tensor tensor = ours_operand(q);
  const spw_semi_request wanted = {.order = SPW_SEMI_CUTLASS};
  spw_semi_refusal refusal = {.obstacle = SPW_SEMI_OBSTACLE_NONE};
  const spw_semi *semi = NULL;
  spw_owned *owned = NULL, *made = NULL;
  spw_status status = spw_semi_from_new(&tensor, &wanted, NULL, 0, &owned, &semi, &refusal);
  if (status == SPW_OK) status = spw_semi_to_dense_new(semi, 0, &made, &refusal);
  spw_owned_free(owned);
  if (status != SPW_OK) {
    refuse_semi(status, &refusal, answer);
    return;
  }
  const spw_value_array *const values = &spw_owned_tensor(made)->values;
  kit_dense_result(answer, values->array.dtype, values->array.ndim, values->array.shape, values->data);
}

static void judge(const kit_question *question, kit_answer *answer)
{
  if (question->operation == KIT_CHECK)
    judge_tensor(question->tensor, answer);
  else if (question->operation == KIT_READ)
    judge_file(question, answer);
  else if (question->operation == KIT_THROUGH_24)
    judge_halves(question, answer);
  else if (!ours_operate(question, answer))
    judge_conversion(question, answer);
}

/* ---- Manifest -------------------------------------------------------------------------------- */

#define ALL_DTYPES                                                                                 \
  "[\"bool\", \"uint8\", \"int8\", \"int16\", \"int32\", \"int64\", \"float16\", "                 \
  "\"bfloat16\", \"float32\", \"float64\", \"complex64\", \"complex128\"]"
#define ALL_LAYOUTS "[\"coo\", \"csr\", \"csc\", \"bsr\", \"bsc\"]"
#define OF_ALL      "\"layouts\": " ALL_LAYOUTS ", \"dtypes\": " ALL_DTYPES
#define ALL         "{" OF_ALL "}"
#define BUT(lacks)  "{" OF_ALL ", \"lacks\": [" lacks "]}"
#define OF_MATRICES BUT("\"coo-nd\", \"batched\", \"hybrid\"")
#define REALS                                                                                      \
  "{\"layouts\": " ALL_LAYOUTS ", \"dtypes\": [\"uint8\", \"int8\", \"int16\", \"int32\", \"int64\", \"float16\", "  \
  "\"bfloat16\", \"float32\", \"float64\"]}"
#define REDUCIBLE                                                                                  \
  "{\"layouts\": " ALL_LAYOUTS ", \"dtypes\": [\"bool\", \"uint8\", \"int8\", \"int16\", \"int32\", \"int64\", "          \
  "\"float16\", \"bfloat16\", \"float32\", \"float64\"]}"
#define OF_SYSTEMS                                                                                 \
  "{\"layouts\": " ALL_LAYOUTS ", \"dtypes\": [\"float32\", \"float64\", \"complex64\", \"complex128\"], "            \
  "\"lacks\": [\"coo-nd\", \"hybrid\"]}"
#define FLOATS      "{\"layouts\": " ALL_LAYOUTS ", \"dtypes\": [\"float16\", \"bfloat16\", \"float32\", \"float64\"]}"
#define TO_ALL                                                                                     \
  "{\"coo\": " ALL_LAYOUTS ", \"csr\": " ALL_LAYOUTS ", \"csc\": " ALL_LAYOUTS                     \
  ", \"bsr\": " ALL_LAYOUTS ", \"bsc\": " ALL_LAYOUTS "}"

/* With respect to each operand, and to the array of values. */
#define ALONE  "[\"tensor\", \"values\"]"
#define OTHER  "[\"tensor\", \"values\", \"other\"]"
#define FACTOR "[\"tensor\", \"values\", \"x\"]"
#define ADDED  "[\"tensor\", \"values\", \"x\", \"dense\"]"
#define GRADIENTS                                                                                  \
  "{\"layouts\": " ALL_LAYOUTS ", \"dtypes\": [\"float16\", \"bfloat16\", \"float32\", \"float64\", " \
  "\"complex64\", \"complex128\"], \"lacks\": [\"cut-blocks\"], \"of\": {\"softmax\": " ALONE ", "               \
  "\"to_dense\": " ALONE ", \"convert\": " ALONE ", \"coalesce\": " ALONE ", \"transpose\": " ALONE ", \"permute\": " ALONE \
  ", \"select\": " ALONE ", \"narrow\": " ALONE ", \"index_select\": " ALONE ", \"cat\": " ALONE ", \"stack\": " ALONE      \
  ", \"triangle\": " ALONE ", \"scale\": " ALONE ", \"divide\": " ALONE ", \"unary\": " ALONE ", \"sum\": " ALONE           \
  ", \"sum_dim\": " ALONE ", \"reduce\": " ALONE ", \"add\": " OTHER ", \"sub\": " OTHER ", \"mul\": " OTHER               \
  ", \"kron\": " OTHER ", \"matmul_sparse\": " OTHER ", \"matvec\": " FACTOR ", \"matmat\": " FACTOR ", \"bmm\": " FACTOR   \
  ", \"triangular_solve\": " FACTOR ", \"addmm\": " ADDED ", \"addmv\": " ADDED ", \"linear\": " ADDED                     \
  ", \"sampled_addmm\": [\"tensor\", \"values\", \"x\", \"y\"], \"sparse_mask\": [\"dense\"]"                              \
  ", \"add_dense\": [\"tensor\", \"values\", \"dense\"]}}"

/* Whoever sorts combines what is there twice. */
static const char manifest[] =
    "{\"operations\": {\"check\": " ALL ", \"use\": " ALL ", \"to_dense\": " ALL ", \"from_dense\": " ALL
    ", \"convert\": {" OF_ALL ", \"to\": " TO_ALL "}, \"transpose\": " ALL ", \"coalesce\": " ALL
    ", \"sum_duplicates\": " ALL ", \"sort_indices\": {" OF_ALL ", \"lacks\": [\"duplicates\"]}"
    ", \"eliminate_zeros\": " ALL ", \"matvec\": " ALL ", \"matmat\": " ALL ", \"addmm\": " ALL ", \"addmv\": " ALL
    ", \"sum\": " OF_MATRICES ", \"sum_dim\": " OF_MATRICES ", \"add\": " ALL ", \"add_dense\": " ALL
    ", \"sub\": " ALL ", \"mul\": " ALL ", \"scale\": " ALL ", \"divide\": " FLOATS ", \"matmul_sparse\": " ALL
    ", \"permute\": " ALL ", \"select\": " ALL ", \"narrow\": " BUT("\"cut-blocks\"") ", \"index_select\": " BUT("\"cut-blocks\"")
    ", \"cat\": " ALL ", \"stack\": " ALL ", \"sparse_mask\": " ALL ", \"sampled_addmm\": " ALL
    ", \"unary\": " REALS ", \"cast\": " ALL ", \"softmax\": " FLOATS
    ", \"triangular_solve\": " OF_SYSTEMS ", \"reduce\": " REDUCIBLE
    ", \"nonzero\": " ALL ", \"triangle\": " ALL ", \"kron\": " ALL ", \"linear\": " OF_MATRICES
    ", \"vjp\": " GRADIENTS
    ", \"through_24\": {\"layouts\": [\"csr\"], \"dtypes\": [\"float16\", \"bfloat16\", \"int8\", \"float32\"]}"
    ", \"chain\": " ALL ", \"bmm\": {\"layouts\": [\"coo\"], \"dtypes\": " ALL_DTYPES
    "}, \"read\": {\"formats\": [\"mtx\", \"npz\"], \"dtypes\": " ALL_DTYPES
    "}}, \"index_dtypes\": " ALL_DTYPES ", \"lacks\": [], \"names_rules\": \"all\", "
    "\"guards\": [\"after\", \"before\"]}";

int main(void)
{
  static const kit_library ours = {
      .name = "sparsewright", .version = SPW_VERSION, .judge = judge, .manifest = manifest};
  return kit_serve(&ours);
}
