/* SPDX-License-Identifier: Apache-2.0 */
#include "torch_objects.h"

#include <string.h>

/* ---- Types ----------------------------------------------------------------------------------- */

static const spw_torch_type types[] = {{"bool", "BoolStorage", SPW_BOOL, 1, 1},
                                       {"uint8", "ByteStorage", SPW_UINT8, 1, 1},
                                       {"int8", "CharStorage", SPW_INT8, 1, 1},
                                       {"int16", "ShortStorage", SPW_INT16, 2, 2},
                                       {"int32", "IntStorage", SPW_INT32, 4, 4},
                                       {"int64", "LongStorage", SPW_INT64, 8, 8},
                                       {"float16", "HalfStorage", SPW_FLOAT16, 2, 2},
                                       {"bfloat16", "BFloat16Storage", SPW_BFLOAT16, 2, 2},
                                       {"float32", "FloatStorage", SPW_FLOAT32, 4, 4},
                                       {"float64", "DoubleStorage", SPW_FLOAT64, 8, 8},
                                       {"complex64", "ComplexFloatStorage", SPW_COMPLEX64, 8, 4},
                                       {"complex128", "ComplexDoubleStorage", SPW_COMPLEX128, 16, 8},
                                       {"complex32", NULL, SPW_DTYPE_NONE, 4, 2},
                                       {"uint16", NULL, SPW_DTYPE_NONE, 2, 2},
                                       {"uint32", NULL, SPW_DTYPE_NONE, 4, 4},
                                       {"uint64", NULL, SPW_DTYPE_NONE, 8, 8},
                                       {"float8_e4m3fn", NULL, SPW_DTYPE_NONE, 1, 1},
                                       {"float8_e5m2", NULL, SPW_DTYPE_NONE, 1, 1},
                                       {"float8_e4m3fnuz", NULL, SPW_DTYPE_NONE, 1, 1},
                                       {"float8_e5m2fnuz", NULL, SPW_DTYPE_NONE, 1, 1}};

enum { TYPES = sizeof types / sizeof types[0], UNTYPED = 1 };

/* ---- Names ----------------------------------------------------------------------------------- */

/* Numbers of names: functions, then storage classes and dtypes by their type. */
typedef enum name {
  REBUILD_TENSOR_V2,
  REBUILD_TENSOR_V3,
  REBUILD_SPARSE,
  REBUILD_PARAMETER,
  REBUILD_FROM_TYPE,
  REBUILD_WRAPPER,
  GET_LAYOUT,
  MAKE_SIZE,
  MAKE_ORDERED_DICT,
  MAKE_DEVICE,
  CLASS_TENSOR,
  CLASS_PARAMETER,
  CLASS_SEMI_CUTLASS,
  CLASS_SEMI_CUSPARSELT,
  UNTYPED_STORAGE,
  FIRST_STORAGE,
  FIRST_DTYPE = FIRST_STORAGE + TYPES,
} name;

static const char *const names[] = {[REBUILD_TENSOR_V2] = "torch._utils._rebuild_tensor_v2",
                                    [REBUILD_TENSOR_V3] = "torch._utils._rebuild_tensor_v3",
                                    [REBUILD_SPARSE] = "torch._utils._rebuild_sparse_tensor",
                                    [REBUILD_PARAMETER] = "torch._utils._rebuild_parameter",
                                    [REBUILD_FROM_TYPE] = "torch._tensor._rebuild_from_type_v2",
                                    [REBUILD_WRAPPER] = "torch._utils._rebuild_wrapper_subclass",
                                    [GET_LAYOUT] = "torch.serialization._get_layout",
                                    [MAKE_SIZE] = "torch.Size",
                                    [MAKE_ORDERED_DICT] = "collections.OrderedDict",
                                    [MAKE_DEVICE] = "torch.device",
                                    [CLASS_TENSOR] = "torch.Tensor",
                                    [CLASS_PARAMETER] = "torch.nn.parameter.Parameter",
                                    [CLASS_SEMI_CUTLASS] = "torch.sparse.semi_structured.SparseSemiStructuredTensorCUTLASS",
                                    [CLASS_SEMI_CUSPARSELT] =
                                        "torch.sparse.semi_structured.SparseSemiStructuredTensorCUSPARSELT",
                                    [UNTYPED_STORAGE] = "torch.storage.UntypedStorage"};

static int find_name(const char *text)
{
  static const char module[] = "torch.";
  for (int i = 0; i < FIRST_STORAGE; i++)
    if (strcmp(text, names[i]) == 0) return i;
  if (strncmp(text, module, sizeof module - 1) != 0) return -1;
  text += sizeof module - 1;
  for (int i = 0; i < TYPES; i++) {
    if (types[i].storage && strcmp(text, types[i].storage) == 0) return FIRST_STORAGE + i;
    if (strcmp(text, types[i].name) == 0) return FIRST_DTYPE + i;
  }
  return -1;
}

static spw_status take_name(void *context, const char *text, spw_pickle_value *value)
{
  spw_torch_host *const host = context;
  value->number = find_name(text);
  if (value->number >= 0) return SPW_OK;
  return spw_fail(SPW_EUNSUPPORTED, host->error, "",
                  "it names %.160s, which is not read: only tensors, and dicts, lists and numbers around them, are", text);
}

static bool is_name(const spw_pickle_value *value, int number)
{
  return value->kind == SPW_PICKLE_NAME && value->number == number;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static spw_status malformed(spw_torch_host *host, const char *message)
{
  return spw_fail(SPW_EFORMAT, host->error, "", "%s", message);
}

static spw_status unsupported(spw_torch_host *host, const char *message)
{
  return spw_fail(SPW_EUNSUPPORTED, host->error, "", "%s", message);
}

static spw_status no_memory(spw_torch_host *host)
{
  return spw_fail(SPW_ENOMEM, host->error, "", "the pickle needs more than the memory limit");
}

spw_torch_kind spw_torch_kind_of(const spw_pickle_value *value)
{
  return value->kind == SPW_PICKLE_OBJECT ? ((const spw_torch_object *)value->object)->kind : SPW_TORCH_OTHER;
}

static void *new_object(spw_torch_host *host, size_t size, spw_torch_kind kind, spw_pickle_value *value)
{
  spw_torch_object *const object = spw_owned_alloc(host->owned, 1, size);
  if (object) object->kind = kind;
  *value = (spw_pickle_value){.kind = SPW_PICKLE_OBJECT, .object = object};
  return object;
}

/* A tuple of integers, or a torch.Size, which is one. */
typedef struct integers {
  int64_t count;
  const int64_t *at;
} integers;

typedef struct size_object {
  spw_torch_object object;
  integers entries;
} size_object;

typedef struct layout_object {
  spw_torch_object object;
  spw_layout layout; /* SPW_DENSE: torch.strided */
} layout_object;

static spw_status take_integers(spw_torch_host *host, const spw_pickle_value *value, const char *what, integers *out)
{
  if (spw_torch_kind_of(value) == SPW_TORCH_SIZE) {
    *out = ((const size_object *)value->object)->entries;
    return SPW_OK;
  }
  if (value->kind != SPW_PICKLE_TUPLE || value->node->count > SPW_TORCH_DIMS)
    return spw_fail(SPW_EFORMAT, host->error, "", "the %s of a tensor is no tuple of at most %d integers", what,
                    SPW_TORCH_DIMS);
  int64_t *const at = spw_owned_alloc(host->owned, value->node->count, sizeof *at);
  if (!at) return no_memory(host);
  for (size_t i = 0; i < value->node->count; i++) {
    if (value->node->items[i].kind != SPW_PICKLE_INTEGER)
      return spw_fail(SPW_EFORMAT, host->error, "", "the %s of a tensor has an entry that is no integer of 64 bits", what);
    at[i] = value->node->items[i].number;
  }
  *out = (integers){(int64_t)value->node->count, at};
  return SPW_OK;
}

/* ---- Storages -------------------------------------------------------------------------------- */

static spw_status storage_of_id(spw_torch_host *host, const spw_pickle_value *id, spw_torch_storage *storage)
{
  const spw_pickle_value *const at = id->kind == SPW_PICKLE_TUPLE ? id->node->items : NULL;
  if (!at || id->node->count != host->id_length || !spw_pickle_is_text(&at[0], "storage") || at[1].kind != SPW_PICKLE_NAME ||
      at[2].kind != SPW_PICKLE_TEXT || at[3].kind != SPW_PICKLE_TEXT || at[4].kind != SPW_PICKLE_INTEGER || at[4].number < 0)
    return malformed(host, "a storage is not named as torch.save names it");
  if (host->id_length > 5 && at[5].kind != SPW_PICKLE_NONE) return unsupported(host, "a storage that is part of another one");
  const int64_t named = at[1].number;
  if (named < UNTYPED_STORAGE || named >= FIRST_DTYPE) return malformed(host, "a storage of a class that is none of storages");
  storage->untyped = named == UNTYPED_STORAGE;
  host->untyped = host->untyped || storage->untyped;
  storage->type = &types[storage->untyped ? UNTYPED : named - FIRST_STORAGE];
  storage->key = at[2].text;
  storage->key_length = at[2].length;
  storage->count = at[4].number;
  return SPW_OK;
}

static bool same_storage(const spw_torch_storage *a, const spw_torch_storage *b)
{
  return a->type == b->type && a->untyped == b->untyped && a->count == b->count;
}

static spw_status take_persistent(void *context, const spw_pickle_value *id, spw_pickle_value *value)
{
  spw_torch_host *const host = context;
  spw_torch_storage *const storage = new_object(host, sizeof *storage, SPW_TORCH_STORAGE, value);
  if (!storage) return no_memory(host);
  spw_status status = storage_of_id(host, id, storage);
  spw_torch_storage *known = NULL;
  if (status == SPW_OK) status = host->place(host->context, storage, &known);
  if (status != SPW_OK || !known) return status;
  if (!same_storage(known, storage)) return malformed(host, "one storage is named twice, with another type or length");
  value->object = known;
  return SPW_OK;
}

/* ---- Tensors --------------------------------------------------------------------------------- */

/* Of what has been looked at once, nobody may change the contents. */
static bool is_no_hook(const spw_pickle_value *value)
{
  if (value->kind != SPW_PICKLE_DICT || !value->node->ordered || value->node->count > 0) return false;
  value->node->frozen = true;
  return true;
}

/* {"conj": True, "neg": False}; either may be missing. */
static spw_status take_bits(spw_torch_host *host, const spw_pickle_value *value, spw_torch_tensor *tensor)
{
  enum { MOST = 4 }; /* two keys, two values */
  if (value->kind != SPW_PICKLE_DICT || value->node->count > MOST)
    return malformed(host, "the metadata of a tensor is no dict of two bits");
  for (size_t i = 0; i < value->node->count; i += 2) {
    const spw_pickle_value *const key = &value->node->items[i], *const bit = key + 1;
    const bool conj = spw_pickle_is_text(key, "conj"), neg = spw_pickle_is_text(key, "neg");
    if (bit->kind != SPW_PICKLE_TRUTH || !(conj || neg))
      return unsupported(host, "metadata of a tensor other than conj and neg");
    if (conj) tensor->conjugated = bit->number;
    if (neg) tensor->negated = bit->number;
  }
  return SPW_OK;
}

/* Sets the extent, where the tensor lies in `count` elements. */
static bool lies_within(spw_torch_tensor *t, int64_t count)
{
  int64_t last = 0;
  for (int64_t d = 0; d < t->ndim; d++)
    if (t->shape[d] == 0) return true;
  for (int64_t d = 0; d < t->ndim; d++) {
    int64_t way;
    if (__builtin_mul_overflow(t->shape[d] - 1, t->strides[d], &way) || __builtin_add_overflow(last, way, &last)) return false;
  }
  if (last >= count - t->offset) return false; /* neither is negative; of an offset behind the storage nothing is left */
  t->extent = last + 1;
  return true;
}

static spw_status take_view(spw_torch_host *host, const spw_pickle_value *at, spw_torch_tensor *t)
{
  integers shape, strides;
  if (spw_torch_kind_of(&at[0]) != SPW_TORCH_STORAGE) return malformed(host, "a tensor without a storage");
  if (at[1].kind != SPW_PICKLE_INTEGER || at[1].number < 0)
    return malformed(host, "the offset of a tensor in its storage is no natural number");
  if (at[4].kind != SPW_PICKLE_TRUTH) return malformed(host, "requires_grad of a tensor is no bool");
  if (!is_no_hook(&at[5])) return unsupported(host, "a tensor with hooks");
  spw_status status = take_integers(host, &at[2], "size", &shape);
  if (status == SPW_OK) status = take_integers(host, &at[3], "stride", &strides);
  if (status != SPW_OK) return status;
  if (shape.count != strides.count) return malformed(host, "a tensor has another number of strides than dimensions");
  for (int64_t d = 0; d < shape.count; d++)
    if (shape.at[d] < 0 || strides.at[d] < 0) return malformed(host, "a size or stride of a tensor is negative");
  t->storage = at[0].object;
  t->type = t->storage->type;
  t->offset = at[1].number;
  t->ndim = shape.count;
  t->shape = shape.at;
  t->strides = strides.at;
  return SPW_OK;
}

/* The third version names a type, and its storage is one of bytes. */
static spw_status take_type(spw_torch_host *host, const spw_pickle_value *named, spw_torch_tensor *t)
{
  if (named->kind != SPW_PICKLE_NAME || named->number < FIRST_DTYPE) return malformed(host, "the type of a tensor is none");
  t->type = &types[named->number - FIRST_DTYPE];
  return t->storage->untyped ? SPW_OK : malformed(host, "a tensor that names a type, in a storage that has one");
}

static spw_status rebuild_tensor(spw_torch_host *host, bool typed, const spw_pickle_node *arguments, spw_pickle_value *value)
{
  const size_t least = typed ? 7 : 6;
  if (arguments->count != least && arguments->count != least + 1)
    return malformed(host, "a tensor is made of another number of parts than torch.save writes");
  spw_torch_tensor *const t = new_object(host, sizeof *t, SPW_TORCH_TENSOR, value);
  if (!t) return no_memory(host);
  spw_status status = take_view(host, arguments->items, t);
  if (status == SPW_OK && typed) status = take_type(host, &arguments->items[6], t);
  if (status == SPW_OK && arguments->count > least) status = take_bits(host, &arguments->items[least], t);
  if (status != SPW_OK) return status;
  if (!typed && t->storage->untyped) return malformed(host, "a tensor without a type, in a storage without one");
  const int64_t count = t->storage->untyped ? t->storage->count / t->type->size : t->storage->count;
  if (lies_within(t, count)) return SPW_OK;
  return spw_fail(SPW_EFORMAT, host->error, "", "a tensor at offset %lld reaches beyond its storage of %lld elements",
                  (long long)t->offset, (long long)count);
}

/* ---- Sparse tensors -------------------------------------------------------------------------- */

static spw_status take_part(spw_torch_host *host, const spw_pickle_value *value, const spw_torch_tensor **part)
{
  if (spw_torch_kind_of(value) != SPW_TORCH_TENSOR) return malformed(host, "a part of a sparse tensor is no tensor");
  *part = value->object;
  if ((*part)->conjugated || (*part)->negated)
    return unsupported(host, "a sparse tensor whose parts are conjugated or negated views");
  return SPW_OK;
}

static spw_status take_claim(spw_torch_host *host, const spw_pickle_value *value, spw_claim *claim)
{
  if (value->kind != SPW_PICKLE_TRUTH) return malformed(host, "whether a sparse tensor is coalesced is no bool");
  *claim = value->number ? SPW_CLAIM_YES : SPW_CLAIM_NO;
  return SPW_OK;
}

static spw_status rebuild_sparse(spw_torch_host *host, const spw_pickle_node *arguments, spw_pickle_value *value)
{
  if (arguments->count != 2 || spw_torch_kind_of(&arguments->items[0]) != SPW_TORCH_LAYOUT ||
      arguments->items[1].kind != SPW_PICKLE_TUPLE)
    return malformed(host, "a sparse tensor is not made of a layout and its parts");
  const spw_layout layout = ((const layout_object *)arguments->items[0].object)->layout;
  const spw_pickle_node *const parts = arguments->items[1].node;
  const bool coo = layout == SPW_COO;
  const size_t arrays = coo ? 2 : 3;
  if (layout == SPW_DENSE || parts->count < arrays + 1 || parts->count > 4)
    return malformed(host, "a sparse tensor has another number of parts than its layout");
  spw_torch_sparse *const s = new_object(host, sizeof *s, SPW_TORCH_SPARSE, value);
  if (!s) return no_memory(host);
  s->layout = layout;
  s->coalesced = SPW_CLAIM_NONE;
  integers size;
  spw_status status = coo ? SPW_OK : take_part(host, &parts->items[0], &s->compressed);
  if (status == SPW_OK) status = take_part(host, &parts->items[arrays - 2], &s->plain);
  if (status == SPW_OK) status = take_part(host, &parts->items[arrays - 1], &s->values);
  if (status == SPW_OK) status = take_integers(host, &parts->items[arrays], "size", &size);
  if (status == SPW_OK && coo && parts->count == 4) status = take_claim(host, &parts->items[3], &s->coalesced);
  if (status != SPW_OK) return status;
  host->sparse++;
  s->ndim = size.count;
  s->size = size.at;
  return SPW_OK;
}

/* ---- Other calls ----------------------------------------------------------------------------- */

static spw_status get_layout(spw_torch_host *host, const spw_pickle_node *arguments, spw_pickle_value *value)
{
  static const char *const layouts[] = {"torch.sparse_coo", "torch.sparse_csr", "torch.sparse_csc",
                                        "torch.sparse_bsr", "torch.sparse_bsc", "torch.strided"};
  for (int i = 0; arguments->count == 1 && i < (int)(sizeof layouts / sizeof layouts[0]); i++) {
    if (!spw_pickle_is_text(&arguments->items[0], layouts[i])) continue;
    layout_object *const object = new_object(host, sizeof *object, SPW_TORCH_LAYOUT, value);
    if (!object) return no_memory(host);
    object->layout = (spw_layout)i;
    return SPW_OK;
  }
  return unsupported(host,
                     "a layout that is none of torch.strided, sparse_coo, sparse_csr, sparse_csc, sparse_bsr and sparse_bsc");
}

static spw_status make_size(spw_torch_host *host, const spw_pickle_node *arguments, spw_pickle_value *value)
{
  if (arguments->count != 1) return malformed(host, "a torch.Size of several arguments");
  size_object *const object = new_object(host, sizeof *object, SPW_TORCH_SIZE, value);
  return object ? take_integers(host, &arguments->items[0], "size", &object->entries) : no_memory(host);
}

static spw_status make_ordered_dict(spw_torch_host *host, const spw_pickle_node *arguments, spw_pickle_value *value)
{
  if (arguments->count != 0) return unsupported(host, "an OrderedDict that is made with arguments");
  *value = (spw_pickle_value){.kind = SPW_PICKLE_DICT, .node = spw_pickle_new_node(host->owned)};
  if (!value->node) return no_memory(host);
  value->node->ordered = true;
  return SPW_OK;
}

static bool is_tensor(const spw_pickle_value *value)
{
  const spw_torch_kind kind = spw_torch_kind_of(value);
  return kind == SPW_TORCH_TENSOR || kind == SPW_TORCH_SPARSE || kind == SPW_TORCH_SEMI;
}

static spw_status rebuild_parameter(spw_torch_host *host, const spw_pickle_node *arguments, spw_pickle_value *value)
{
  if (arguments->count != 3 || !is_tensor(&arguments->items[0]) || arguments->items[1].kind != SPW_PICKLE_TRUTH ||
      !is_no_hook(&arguments->items[2]))
    return malformed(host, "a parameter is not made of one tensor and a bool, without hooks");
  *value = arguments->items[0];
  return SPW_OK;
}

/* torch sets each attribute on the tensor, where it may stand in for a hook or a method. */
static bool has_no_attributes(const spw_pickle_value *state)
{
  if (state->kind == SPW_PICKLE_NONE) return true;
  if (state->kind != SPW_PICKLE_DICT || state->node->count > 0) return false;
  state->node->frozen = true;
  return true;
}

/* A name, and perhaps a number. */
static spw_status make_device(spw_torch_host *host, const spw_pickle_node *arguments, spw_pickle_value *value)
{
  const spw_pickle_value *const at = arguments->items;
  if (arguments->count < 1 || arguments->count > 2 || at[0].kind != SPW_PICKLE_TEXT ||
      (arguments->count == 2 && at[1].kind != SPW_PICKLE_INTEGER))
    return malformed(host, "a device is not made of a name and a number");
  return new_object(host, sizeof(spw_torch_object), SPW_TORCH_OTHER, value) ? SPW_OK : no_memory(host);
}

static spw_status call_function(spw_torch_host *host, int64_t function, const spw_pickle_node *arguments,
                                spw_pickle_value *value);

/* ---- 2:4 matrices ---------------------------------------------------------------------------- */

/* What a dict has under a key; null if there is none. */
static const spw_pickle_value *item_of(const spw_pickle_value *dict, const char *key)
{
  for (size_t i = 0; dict->kind == SPW_PICKLE_DICT && i + 1 < dict->node->count; i += 2)
    if (spw_pickle_is_text(&dict->node->items[i], key)) return &dict->node->items[i + 1];
  return NULL;
}

static bool is_none(const spw_pickle_value *value)
{
  return value->kind == SPW_PICKLE_NONE;
}

/* Has it these keys, and no other, and each once? */
static bool has_keys(const spw_pickle_value *dict, size_t count, const char *const *keys)
{
  if (dict->kind != SPW_PICKLE_DICT || dict->node->count != 2 * count) return false;
  for (size_t i = 0; i < count; i++)
    if (!item_of(dict, keys[i])) return false;
  dict->node->frozen = true;
  return true;
}

/* The attributes of the class, and its tensors. Others might stand in for methods. */
static spw_status take_members(spw_torch_host *host, const spw_pickle_value *state, spw_torch_semi *s)
{
  static const char *const attributes[] = {"fuse_transpose_cusparselt", "alg_id_cusparselt"};
  static const char *const tensors[] = {"packed", "meta", "packed_t", "meta_t", "compressed_swizzled_bitmask"};
  if (state->kind != SPW_PICKLE_TUPLE || state->node->count != 2 || !has_keys(&state->node->items[0], 2, attributes) ||
      !has_keys(&state->node->items[1], 5, tensors))
    return unsupported(host, "a 2:4 matrix with other members than PyTorch 2.15 gives it");
  const spw_pickle_value *const members = &state->node->items[1], *const packed = item_of(members, "packed");
  const spw_pickle_value *const meta = item_of(members, "meta");
  for (size_t i = 2; i < 5; i++)
    if (!is_none(item_of(members, tensors[i]))) return unsupported(host, "a 2:4 matrix that is kept by columns, too");
  if (is_none(packed) || is_none(meta)) return malformed(host, "a 2:4 matrix without packed or meta");
  const spw_status status = take_part(host, packed, &s->packed);
  return status ? status : take_part(host, meta, &s->meta);
}

/* (class, type, size, ...), and the state. */
static spw_status rebuild_semi(spw_torch_host *host, const spw_pickle_node *arguments, const spw_pickle_value *state,
                               spw_pickle_value *value)
{
  integers size;
  if (arguments->count != 8 || !is_name(&arguments->items[0], CLASS_SEMI_CUTLASS))
    return malformed(host, "a 2:4 matrix is not made as torch.save makes it");
  spw_torch_semi *const s = new_object(host, sizeof *s, SPW_TORCH_SEMI, value);
  if (!s) return no_memory(host);
  spw_status status = take_members(host, state, s);
  if (!status) status = take_integers(host, &arguments->items[2], "size", &size);
  if (!status && size.count != 2) status = malformed(host, "a 2:4 matrix has two dimensions");
  if (status) return status;
  host->sparse++;
  s->rows = size.at[0];
  s->columns = size.at[1];
  return SPW_OK;
}

/* (function, class, its arguments, attributes): a tensor with attributes. */
static spw_status rebuild_from_type(spw_torch_host *host, const spw_pickle_node *arguments, spw_pickle_value *value)
{
  const spw_pickle_value *const at = arguments->items;
  if (arguments->count == 4 && is_name(&at[1], CLASS_SEMI_CUSPARSELT))
    return unsupported(host, "a 2:4 matrix of cuSPARSELt, whose order in memory its vendor does not say");
  if (arguments->count == 4 && is_name(&at[0], REBUILD_WRAPPER) && at[2].kind == SPW_PICKLE_TUPLE)
    return rebuild_semi(host, at[2].node, &at[3], value);
  if (arguments->count != 4 || at[0].kind != SPW_PICKLE_NAME || at[0].number > REBUILD_PARAMETER ||
      at[2].kind != SPW_PICKLE_TUPLE)
    return malformed(host, "a tensor with attributes is not made as torch.save makes it");
  if (!is_name(&at[1], CLASS_TENSOR) && !is_name(&at[1], CLASS_PARAMETER))
    return malformed(host, "a tensor of a class that is none of tensors");
  if (!has_no_attributes(&at[3])) return unsupported(host, "a tensor with attributes");
  return call_function(host, at[0].number, at[2].node, value);
}

static spw_status call_function(spw_torch_host *host, int64_t function, const spw_pickle_node *arguments,
                                spw_pickle_value *value)
{
  switch (function) {
  case REBUILD_TENSOR_V2:
    return rebuild_tensor(host, false, arguments, value);
  case REBUILD_TENSOR_V3:
    return rebuild_tensor(host, true, arguments, value);
  case REBUILD_SPARSE:
    return rebuild_sparse(host, arguments, value);
  case REBUILD_PARAMETER:
    return rebuild_parameter(host, arguments, value);
  case GET_LAYOUT:
    return get_layout(host, arguments, value);
  case MAKE_SIZE:
    return make_size(host, arguments, value);
  case MAKE_ORDERED_DICT:
    return make_ordered_dict(host, arguments, value);
  case MAKE_DEVICE:
    return make_device(host, arguments, value);
  default:
    return malformed(host, "a call of a class that is only named in such files");
  }
}

static spw_status take_call(void *context, const spw_pickle_value *callable, const spw_pickle_value *arguments,
                            spw_pickle_value *value)
{
  if (callable->number == REBUILD_FROM_TYPE) return rebuild_from_type(context, arguments->node, value);
  return call_function(context, callable->number, arguments->node, value);
}

spw_pickle_host spw_torch_reader(spw_torch_host *host, const char *file)
{
  return (spw_pickle_host){.context = host,
                           .owned = host->owned,
                           .error = host->error,
                           .file = file,
                           .name = take_name,
                           .call = take_call,
                           .persistent = take_persistent};
}
