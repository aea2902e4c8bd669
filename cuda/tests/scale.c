/* SPDX-License-Identifier: Apache-2.0 */
/* scale [ELEMENTS ...]: the shipped kernels on tensors of so many elements (10^6, 10^7 and 10^8), valid and
 * wrong at chosen places, against the checker: waited for, in streams of the caller, in a captured graph
 * that is launched again after the data has changed, from two threads at a time, on every device. Exit code 0,
 * 77 without a device, 1 at the first difference. */
#include "at_scale.h"
#include "same_violation.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tensor, and its index arrays on the device. `name` says what it is. */
typedef struct subject {
  const char *name;
  spw_tensor on_host, on_device;
  int64_t size[2], c_shape[1], p_shape[2], p_strides[2], v_shape[1], one[1];
  void *host[2], *device[2]; /* compressed, plain */
  uint64_t compared;
} subject;

/* ---- Tensors --------------------------------------------------------------------------------- */

static void put(subject *s, int which, int64_t at, int64_t value)
{
  if (s->on_host.plain.array.dtype == SPW_INT32) ((int32_t *)s->host[which])[at] = (int32_t)value;
  else ((int64_t *)s->host[which])[at] = value;
}

static int64_t get(const subject *s, int which, int64_t at)
{
  return s->on_host.plain.array.dtype == SPW_INT32 ? ((int32_t *)s->host[which])[at]
                                                   : ((int64_t *)s->host[which])[at];
}

static size_t width(const subject *s)
{
  return s->on_host.plain.array.dtype == SPW_INT32 ? sizeof(int32_t) : sizeof(int64_t);
}

static void point(spw_index_array *a, const void *memory)
{
  if (a->array.dtype == SPW_INT32) a->i32 = memory;
  else a->i64 = memory;
}

static void allocate(subject *s, int which, spw_dtype dtype, int64_t length)
{
  spw_index_array *const a = which ? &s->on_host.plain : &s->on_host.compressed;
  a->array.dtype = dtype;
  a->array.length = length;
  const size_t bytes = (size_t)length * (dtype == SPW_INT32 ? sizeof(int32_t) : sizeof(int64_t));
  s->host[which] = malloc(bytes);
  if (!s->host[which]) must(SPW_ENOMEM, "memory");
  must((int)cudaMalloc(&s->device[which], bytes), "cudaMalloc");
  point(a, s->host[which]);
}

static void upload(subject *s)
{
  s->on_device = s->on_host;
  for (int which = 0; which < 2; which++) {
    spw_index_array *const a = which ? &s->on_device.plain : &s->on_device.compressed;
    if (!s->host[which]) continue;
    must((int)cudaMemcpy(s->device[which], s->host[which], (size_t)a->array.length * width(s),
                         cudaMemcpyHostToDevice), "cudaMemcpy");
    point(a, s->device[which]);
  }
}

/* CSR with rows of `length` elements. */
static void make_rows(subject *s, spw_dtype dtype, int64_t nse, int64_t length)
{
  memset(s, 0, sizeof *s);
  const int64_t rows = nse / length;
  nse = rows * length;
  s->name = length == 1 ? "one a row" : "rows";
  s->size[0] = rows, s->size[1] = 4 * length, s->one[0] = 1;
  s->c_shape[0] = rows + 1, s->p_shape[0] = s->v_shape[0] = nse;
  s->on_host = (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = s->size,
                            .coalesced = SPW_CLAIM_NONE};
  s->on_host.compressed.array = (spw_array){dtype, 1, s->c_shape, s->one, 0, rows + 1};
  s->on_host.plain.array = (spw_array){dtype, 1, s->p_shape, s->one, 0, nse};
  s->on_host.values = (spw_value_array){{SPW_INT8, 1, s->v_shape, s->one, 0, nse}, s};
  allocate(s, 0, dtype, rows + 1);
  allocate(s, 1, dtype, nse);
  for (int64_t i = 0; i <= rows; i++) put(s, 0, i, i * length);
  for (int64_t k = 0; k < nse; k++) put(s, 1, k, 3 * (k % length) + k / length % 2);
  upload(s);
}

/* COO of two dimensions, coalesced. */
static void make_coordinates(subject *s, spw_dtype dtype, int64_t nse)
{
  memset(s, 0, sizeof *s);
  s->name = "coordinates";
  s->size[0] = nse / 16 + 1, s->size[1] = 16, s->one[0] = 1;
  s->p_shape[0] = 2, s->p_shape[1] = nse, s->v_shape[0] = nse;
  s->p_strides[0] = nse, s->p_strides[1] = 1;
  s->on_host = (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = 2, .size = s->size,
                            .coalesced = SPW_CLAIM_YES};
  s->on_host.plain.array = (spw_array){dtype, 2, s->p_shape, s->p_strides, 0, 2 * nse};
  s->on_host.values = (spw_value_array){{SPW_INT8, 1, s->v_shape, s->one, 0, nse}, s};
  allocate(s, 1, dtype, 2 * nse);
  for (int64_t k = 0; k < nse; k++) put(s, 1, k, k / 16), put(s, 1, nse + k, k % 16);
  upload(s);
}

static void give_back(subject *s)
{
  for (int which = 0; which < 2; which++) {
    free(s->host[which]);
    must((int)cudaFree(s->device[which]), "cudaFree");
  }
}

static void change(subject *s, int which, int64_t at, int64_t value)
{
  put(s, which, at, value);
  must((int)cudaMemcpy((char *)s->device[which] + (size_t)at * width(s),
                       (char *)s->host[which] + (size_t)at * width(s), width(s),
                       cudaMemcpyHostToDevice), "cudaMemcpy");
}

/* ---- Ways to ask ----------------------------------------------------------------------------- */

/* What a caller of the asynchronous functions owns. */
typedef struct caller {
  cudaStream_t stream;
  void *workspace;
  size_t bytes;
  spw_cuda_result *result; /* pinned */
  cudaGraphExec_t graph;   /* of this subject's check */
} caller;

static void queue_check(const subject *s, const caller *c)
{
  must(spw_cuda_check_start(&s->on_device, SPW_CANONICAL, c->workspace, c->bytes, c->stream),
       "spw_cuda_check_start");
  must(spw_cuda_check_fetch(c->workspace, c->result, c->stream), "spw_cuda_check_fetch");
}

static void begin(caller *c, const subject *s)
{
  cudaGraph_t graph;
  memset(c, 0, sizeof *c);
  must(spw_cuda_check_bytes(&s->on_device, SPW_CANONICAL, &c->bytes), "spw_cuda_check_bytes");
  must((int)cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking), "cudaStreamCreate");
  must((int)cudaMalloc(&c->workspace, c->bytes), "cudaMalloc");
  must((int)cudaMallocHost((void **)&c->result, sizeof *c->result), "cudaMallocHost");
  must((int)cudaStreamBeginCapture(c->stream, cudaStreamCaptureModeThreadLocal), "capture");
  queue_check(s, c);
  must((int)cudaStreamEndCapture(c->stream, &graph), "capture");
  must((int)cudaGraphInstantiate(&c->graph, graph, 0), "cudaGraphInstantiate");
  must((int)cudaGraphDestroy(graph), "cudaGraphDestroy");
}

static void end(caller *c)
{
  must((int)cudaGraphExecDestroy(c->graph), "cudaGraphExecDestroy");
  must((int)cudaFreeHost(c->result), "cudaFreeHost");
  must((int)cudaFree(c->workspace), "cudaFree");
  must((int)cudaStreamDestroy(c->stream), "cudaStreamDestroy");
}

typedef enum way { WAIT, STREAM, GRAPH, WAYS } way;
static const char *const way_names[] = {"waited for", "in a stream", "in a graph"};

static spw_violation ask(const subject *s, caller *c, way how)
{
  spw_violation first = {SPW_RULE_NONE, SPW_MEMBER_NONE, -9, -9, -9, -9};
  if (how == WAIT) {
    must(spw_cuda_first_violation(&s->on_device, SPW_CANONICAL, c->stream, &first), "check");
    return first;
  }
  memset(c->result, 0, sizeof *c->result);
  if (how == STREAM) queue_check(s, c);
  else must((int)cudaGraphLaunch(c->graph, c->stream), "cudaGraphLaunch");
  must((int)cudaStreamSynchronize(c->stream), "cudaStreamSynchronize");
  must(spw_cuda_check_result(&s->on_device, SPW_CANONICAL, c->result, &first), "check_result");
  return first;
}

/* ---- Comparisons ----------------------------------------------------------------------------- */

static void compare(subject *s, caller *c, int64_t at)
{
  spw_violation expected;
  must(spw_first_violation(&s->on_host, SPW_CANONICAL, &expected), "spw_first_violation");
  for (way how = WAIT; how < WAYS; how++) {
    const spw_violation found = ask(s, c, how);
    s->compared++;
    if (same_violation(expected, found)) continue;
    printf("scale: %s, int%zu, %" PRId64 " elements, changed at %" PRId64 ", %s: rule %d at %" PRId64
           " (%" PRId64 ", %" PRId64 "), not rule %d at %" PRId64 " (%" PRId64 ", %" PRId64 ")\n",
           s->name, 8 * width(s), s->v_shape[0], at, way_names[how], (int)found.rule, found.position,
           found.lhs, found.rhs, (int)expected.rule, expected.position, expected.lhs, expected.rhs);
    exit(1);
  }
}

/* Every kind of wrong number at every chosen place of one array. */
static void spoil(subject *s, caller *c, int which, int64_t length)
{
  const int64_t places[] = {0, 1, 255, 256, 511, 512, 513, length / 3, length / 2 + 1, length - 512,
                            length - 2, length - 1};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const int64_t at = places[i];
    if (at < 0 || at >= length) continue;
    const int64_t old = get(s, which, at), before = at > 0 ? get(s, which, at - 1) : old + 1;
    const int64_t wrong[] = {-1, INT32_MAX, before, old + 1};
    const size_t kind = i % (sizeof wrong / sizeof *wrong);
    for (size_t k = kind; k < kind + 2; k++) {
      change(s, which, at, wrong[k % (sizeof wrong / sizeof *wrong)]);
      compare(s, c, at);
    }
    change(s, which, at, old);
  }
  compare(s, c, -1);
}

static void *one_subject(void *subject_)
{
  subject *const s = subject_;
  caller c;
  begin(&c, s);
  compare(s, &c, -1);
  if (s->host[0]) spoil(s, &c, 0, s->on_host.compressed.array.length);
  spoil(s, &c, 1, s->on_host.plain.array.length);
  end(&c);
  return NULL;
}

typedef struct worker {
  int device;
  subject *s;
} worker;

static void *in_thread(void *worker_)
{
  const worker *const w = worker_;
  must((int)cudaSetDevice(w->device), "cudaSetDevice");
  return one_subject(w->s);
}

/* Two tensors at a time, each in a thread of its own. */
static uint64_t two_threads(int device, subject *a, subject *b)
{
  pthread_t threads[2];
  worker workers[] = {{device, a}, {device, b}};
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, in_thread, &workers[i])) must(SPW_ENOMEM, "a thread");
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  const uint64_t compared = a->compared + b->compared;
  give_back(a);
  give_back(b);
  return compared;
}

static uint64_t all_of(int device, int64_t elements)
{
  static const spw_dtype dtypes[] = {SPW_INT32, SPW_INT64};
  uint64_t compared = 0;
  for (int d = 0; d < 2; d++) {
    subject a, b;
    make_rows(&a, dtypes[d], elements, 16);
    make_rows(&b, dtypes[1 - d], elements, 1);
    compared += two_threads(device, &a, &b);
    make_coordinates(&a, dtypes[d], elements / 2);
    make_rows(&b, dtypes[d], elements / 7, 7);
    compared += two_threads(device, &a, &b);
  }
  return compared;
}

int main(int argc, char **argv)
{
  static const int64_t usual[] = {1000000, 10000000, 100000000};
  int devices = 0;
  const uint64_t compared = on_every_device(all_of, argc, argv, usual, 3, &devices);
  printf("scale: %" PRIu64 " comparisons on %d devices: no difference\n", compared, devices);
  return compared == 0;
}
