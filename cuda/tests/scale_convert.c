/* SPDX-License-Identifier: Apache-2.0 */
/* scale_convert [ELEMENTS ...]: every conversion, as shipped, of tensors of about so many elements (10^6 and 10^7)
 * against spw_convert, bit for bit: copied, in a stream of the caller, in a captured graph that runs twice, from
 * two threads at a time. Exit code 0, 77 without a device, 1 at the first difference. */
#include "at_scale.h"
#include "converted.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int kernels_under_test_tile; /* a device has the shipped one */

/* ---- Ways to ask ------------------------------------------------------------------------------- */

int convert_room_under_test(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room, spw_refusal *refusal)
{
  return spw_cuda_convert_size(tensor, wanted, room, refusal);
}

static size_t width(spw_dtype dtype)
{
  return (size_t)spw_dtype_size(dtype);
}

static void *on_device(const void *host, int64_t length, size_t size)
{
  const size_t bytes = (size_t)length * size;
  void *memory = NULL;
  must((int)cudaMalloc(&memory, bytes ? bytes : 1), "cudaMalloc");
  if (host && bytes) must((int)cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

static void to_host(void *host, const void *memory, int64_t length, size_t size)
{
  if (length > 0) must((int)cudaMemcpy(host, memory, (size_t)length * size, cudaMemcpyDeviceToHost), "cudaMemcpy");
}

static void *move_indices(spw_index_array *x)
{
  const bool narrow = x->array.dtype == SPW_INT32;
  void *const memory = on_device(narrow ? (const void *)x->i32 : (const void *)x->i64, x->array.length, width(x->array.dtype));
  if (narrow) x->i32 = memory;
  else x->i64 = memory;
  return memory;
}

enum { INPUTS = 3, OUTPUTS = 3, WORK = INPUTS + OUTPUTS, ARRAYS };

static void free_all(void **m)
{
  for (int i = 0; i < ARRAYS; i++) must((int)cudaFree(m[i]), "cudaFree");
}

/* A tensor and buffers on the device in place of those on the host. */
static void move_there(spw_tensor *t, spw_buffers *b, void **m)
{
  const spw_room *const room = &b->room;
  const bool dense = t->layout == SPW_DENSE, narrow = room->index_dtype == SPW_INT32;
  if (!dense && t->layout != SPW_COO) m[0] = move_indices(&t->compressed);
  if (!dense) m[1] = move_indices(&t->plain);
  m[2] = on_device(t->values.data, t->values.array.length, width(t->values.array.dtype));
  t->values.data = m[2];
  /* What a conversion leaves alone is to look the same afterwards. */
  m[3] = on_device(narrow ? (void *)b->compressed_i32 : (void *)b->compressed_i64, room->compressed, narrow ? 4 : 8);
  m[4] = on_device(narrow ? (void *)b->plain_i32 : (void *)b->plain_i64, room->plain, narrow ? 4 : 8);
  m[5] = on_device(b->values, room->values, width(room->dtype));
  m[WORK] = on_device(NULL, (int64_t)room->work, 1);
  if (narrow) b->compressed_i32 = m[3], b->plain_i32 = m[4];
  else b->compressed_i64 = m[3], b->plain_i64 = m[4];
  b->values = m[5], b->work = m[WORK];
}

static void move_back(const spw_buffers *host, void *const *m)
{
  const spw_room *const room = &host->room;
  const bool narrow = room->index_dtype == SPW_INT32;
  to_host(narrow ? (void *)host->compressed_i32 : (void *)host->compressed_i64, m[3], room->compressed, narrow ? 4 : 8);
  to_host(narrow ? (void *)host->plain_i32 : (void *)host->plain_i64, m[4], room->plain, narrow ? 4 : 8);
  to_host(host->values, m[5], room->values, width(room->dtype));
}

/* Queued once, or captured and launched twice: a graph is to find its workspace as the first run left it. */
static void run(const spw_tensor *t, const spw_conversion *wanted, const spw_buffers *b, bool captured, spw_cuda_converted *told)
{
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  must((int)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  if (captured) must((int)cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
  must(spw_cuda_convert_start(t, wanted, b, stream, NULL), "spw_cuda_convert_start");
  must(spw_cuda_convert_fetch(b->work, told, stream), "spw_cuda_convert_fetch");
  if (captured) {
    must((int)cudaStreamEndCapture(stream, &graph), "capture");
    must((int)cudaGraphInstantiate(&ready, graph, 0), "cudaGraphInstantiate");
    must((int)cudaGraphDestroy(graph), "cudaGraphDestroy");
    for (int i = 0; i < 2; i++) must((int)cudaGraphLaunch(ready, stream), "cudaGraphLaunch");
  }
  must((int)cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  if (captured) must((int)cudaGraphExecDestroy(ready), "cudaGraphExecDestroy");
  must((int)cudaStreamDestroy(stream), "cudaStreamDestroy");
}

int convert_under_test(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, uint64_t way,
                       spw_tensor *result, spw_refusal *refusal)
{
  static _Thread_local unsigned ways;
  (void)way;
  if (++ways % 3 == 0) return spw_cuda_convert_copied(tensor, wanted, buffers, result, refusal);
  spw_cuda_converted *told = NULL; /* pinned */
  void *memory[ARRAYS] = {NULL};
  spw_tensor t = *tensor;
  spw_buffers there = *buffers;
  must((int)cudaMallocHost((void **)&told, sizeof *told), "cudaMallocHost");
  move_there(&t, &there, memory);
  run(&t, wanted, &there, ways % 3 == 1, told);
  move_back(buffers, memory);
  const int status = spw_cuda_convert_result(&t, wanted, &there, told, result, refusal);
  free_all(memory);
  must((int)cudaFreeHost(told), "cudaFreeHost");
  return status;
}

/* ---- Tensors ----------------------------------------------------------------------------------- */

typedef struct source {
  spw_dtype index;
  bool even;
  spw_tensor tensor;
  int64_t size[2], c_shape[1], p_shape[1], one[1];
  int64_t *c, *p;
  float *values;
} source;

static void *memory_of(int64_t n, size_t size)
{
  void *const memory = malloc((size_t)n * size);
  if (!memory) must(SPW_ENOMEM, "memory");
  return memory;
}

/* CSR of 64 columns with rows of 16 on average: of one length, or of any, some of them full. Some values are zeros of either
 * sign. */
static void make(source *s, int64_t elements, bool even, dice *d)
{
  const int64_t rows = (elements / 16 + 3) / 4 * 4;
  s->c = memory_of(rows + 1, sizeof *s->c);
  s->p = memory_of(rows * 64, sizeof *s->p);
  s->c[0] = 0;
  for (int64_t i = 0; i < rows; i++) {
    const int64_t kind = roll_below(d, 8), length = even || kind == 7 ? 16 : kind == 6 ? 64 : kind == 5 ? 32 : kind;
    const int64_t step = 64 / (length ? length : 1), first = roll_below(d, step);
    for (int64_t k = 0; k < length; k++) s->p[s->c[i] + k] = first + k * step;
    s->c[i + 1] = s->c[i] + length;
  }
  const int64_t nse = s->c[rows];
  s->values = memory_of(nse, sizeof *s->values);
  for (int64_t k = 0; k < nse; k++) {
    const int64_t eighths = roll_below(d, 4000) - 2000;
    s->values[k] = k % 37 == 0 ? 0.0f : k % 41 == 0 ? -0.0f : (float)eighths / 8;
  }
  s->size[0] = rows, s->size[1] = 64, s->c_shape[0] = rows + 1, s->p_shape[0] = nse, s->one[0] = 1;
  s->tensor = (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = s->size, .coalesced = SPW_CLAIM_NONE};
  s->tensor.compressed = (spw_index_array){{SPW_INT64, 1, s->c_shape, s->one, 0, rows + 1}, NULL, s->c, NULL};
  s->tensor.plain = (spw_index_array){{SPW_INT64, 1, s->p_shape, s->one, 0, nse}, NULL, s->p, NULL};
  s->tensor.values = (spw_value_array){{SPW_FLOAT32, 1, s->p_shape, s->one, 0, nse}, s->values};
}

/* COO in another order, in which a quarter of the elements lies where another does. */
static void disorder(spw_tensor *t)
{
  const int64_t n = t->values.array.length, step = 7919;
  const bool narrow = t->plain.array.dtype == SPW_INT32;
  const size_t size = narrow ? 4 : 8;
  const char *const from = narrow ? (const char *)t->plain.i32 : (const char *)t->plain.i64;
  char *const to = memory_of(2 * n, size);
  for (int64_t i = 0; i < 2; i++)
    for (int64_t k = 0; k < n; k++)
      memcpy(to + (size_t)(i * n + k) * size, from + (size_t)(i * n + k * step % n % (n - n / 4)) * size, size);
  if (narrow) t->plain.i32 = (const int32_t *)(const void *)to;
  else t->plain.i64 = (const int64_t *)(const void *)to;
  t->coalesced = SPW_CLAIM_NO;
}

/* ---- Comparisons ------------------------------------------------------------------------------- */

static const spw_layout layouts[] = {SPW_COO, SPW_CSR, SPW_CSC, SPW_BSR, SPW_BSC, SPW_DENSE};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static spw_conversion conversion_to(spw_layout layout, spw_dtype index, bool prune)
{
  const bool blocks = layout == SPW_BSR || layout == SPW_BSC;
  return (spw_conversion){.layout = layout, .block_rows = blocks ? 4 : 0, .block_columns = blocks ? 8 : 0, .batch_dims = -1,
                          .dense_dims = -1, .index_dtype = index, .prune = prune};
}

static void to_all(const spw_tensor *t, spw_dtype index, dice *d, converted_tally *count)
{
  for (int i = 0; i < LAYOUTS; i++) {
    if (t->layout == SPW_DENSE && layouts[i] == SPW_DENSE) continue;
    const spw_conversion wanted = conversion_to(layouts[i], index, roll_below(d, 2));
    if (!converted_alike(t, &wanted, d, 3, count)) exit(1);
  }
}

static int64_t get(const spw_index_array *x, int64_t at)
{
  return x->array.dtype == SPW_INT32 ? x->i32[at] : x->i64[at];
}

/* Coalesced COO, half of whose elements lie in the first half of its rows, with these halves as batches. */
static void in_batches(const spw_tensor *coo, dice *d, converted_tally *count)
{
  const int64_t n = coo->values.array.length, half = coo->size[0] / 2;
  const int64_t size[] = {2, half, coo->size[1]}, shape[] = {3, n}, strides[] = {n, 1};
  int64_t *const places = memory_of(3 * n, sizeof *places);
  for (int64_t k = 0; k < n; k++) {
    const int64_t row = get(&coo->plain, k);
    places[k] = row / half, places[n + k] = row % half, places[2 * n + k] = get(&coo->plain, n + k);
  }
  spw_tensor t = *coo;
  t.ndim = 3, t.size = size;
  t.plain = (spw_index_array){{SPW_INT64, 2, shape, strides, 0, 3 * n}, NULL, places, NULL};
  for (spw_layout layout = SPW_CSR; layout <= SPW_CSC; layout++) {
    spw_conversion wanted = conversion_to(layout, SPW_INT64, false);
    wanted.batch_dims = 1;
    if (!converted_alike(&t, &wanted, d, 3, count)) exit(1);
  }
  free(places);
}

/* The same elements in every layout, to all of them. */
static void from_all(const source *s, dice *d, converted_tally *count)
{
  for (int i = 0; i < LAYOUTS; i++) {
    const spw_conversion wanted = conversion_to(layouts[i], s->index, false);
    spw_owned *owned = NULL;
    must((int)spw_convert_new(&s->tensor, &wanted, SIZE_MAX, &owned, NULL), "spw_convert_new");
    to_all(spw_owned_tensor(owned), s->index, d, count);
    if (layouts[i] == SPW_COO && s->even) in_batches(spw_owned_tensor(owned), d, count);
    if (layouts[i] == SPW_COO) {
      spw_tensor other = *spw_owned_tensor(owned);
      disorder(&other);
      to_all(&other, s->index, d, count);
      free(other.plain.array.dtype == SPW_INT32 ? (void *)(uintptr_t)other.plain.i32 : (void *)(uintptr_t)other.plain.i64);
    }
    spw_owned_free(owned);
  }
}

typedef struct worker {
  int device;
  int64_t elements;
  bool even;
  spw_dtype index;
  converted_tally count;
} worker;

static void *in_thread(void *worker_)
{
  worker *const w = worker_;
  dice d = {(uint64_t)w->elements + w->even};
  source s = {.index = w->index, .even = w->even};
  must((int)cudaSetDevice(w->device), "cudaSetDevice");
  make(&s, w->elements, w->even, &d);
  from_all(&s, &d, &w->count);
  free(s.c), free(s.p), free(s.values);
  return NULL;
}

static uint64_t two_threads(int device, int64_t elements)
{
  pthread_t threads[2];
  worker workers[2] = {{.device = device, .elements = elements, .even = true, .index = SPW_INT32},
                       {.device = device, .elements = elements, .even = false, .index = SPW_INT64}};
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, in_thread, &workers[i])) must(SPW_ENOMEM, "a thread");
  uint64_t done = 0;
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    done += converted_done(&workers[i].count);
  }
  return done;
}

int main(int argc, char **argv)
{
  static const int64_t usual[] = {1000000, 10000000};
  int devices = 0;
  converted_most_offsets = converted_most_values = INT64_MAX;
  const uint64_t done = on_every_device(two_threads, argc, argv, usual, 2, &devices);
  printf("scale_convert: %" PRIu64 " conversions, each in three ways, on %d devices: no difference\n", done, devices);
  return done == 0;
}
