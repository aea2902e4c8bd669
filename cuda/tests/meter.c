/* SPDX-License-Identifier: Apache-2.0 */
/* meter: what the kernels of a check ask of memory. Compiled with -fsanitize=thread and linked without its
 * library: the functions that clang then calls before each access are here, and write down kernel,
 * place, warp, lane and address. What the lanes of a warp access in one place for the same time is one
 * request. For each tensor and place prints a line: tensor, kernel, program counter, g (global) or s
 * (shared), what, size, requests, lanes, sectors of 32 bytes, the least sectors that hold the bytes, and
 * for shared memory how many turns the banks need. Pairing by occurrence is approximate behind a
 * divergence; there are no caches.
 *
 * A load of 16 bytes goes a way that does not see what the same launch wrote: that stops the program.
 * `meter --wrong` runs a kernel that does it. */
#define _GNU_SOURCE
#include "../convert/on_host.h"
#include "../host/state.h"
#include "meter_wrong.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NSE = 1 << 15, BLOCKS = 2, THREADS = 128, OCCURRENCES = 1 << 22, MOST_PIECES = 32 * 4 };

typedef enum what { LOAD, STORE, ATOMIC } what;
static const char *const what_names[] = {"load", "store", "atomic"};

typedef struct access {
  const char *kernel;
  uintptr_t place, at;
  uint32_t thread, occurrence; /* thread of the grid */
  uint8_t size, what, shared;
} access;

static access *accesses;
static size_t count, room;

/* ---- Recording ------------------------------------------------------------------------------- */

static uint32_t occurrence_of(uint32_t thread, uintptr_t place)
{
  static struct slot {
    uintptr_t place;
    uint32_t thread, count;
    const char *kernel;
  } *slots;
  if (!slots) slots = calloc(OCCURRENCES, sizeof *slots);
  if (!slots) abort();
  for (size_t h = (place * 31 + thread * 2654435761u) % OCCURRENCES;; h = (h + 1) % OCCURRENCES) {
    struct slot *const s = &slots[h];
    if (!s->place) *s = (struct slot){place, thread, 0, spw_engine.kernel->name};
    if (s->place == place && s->thread == thread && s->kernel == spw_engine.kernel->name)
      return s->count++;
  }
}

static bool lies_in(uintptr_t at, const void *memory, size_t bytes)
{
  return at >= (uintptr_t)memory && at < (uintptr_t)memory + bytes;
}

/* The shared array of this block at an address, and its beginning. */
static bool is_shared(const block *b, uintptr_t at, uintptr_t *from)
{
  for (unsigned s = 0; s < b->shared_count; s++)
    if (b->shared[s].in_use && lies_in(at, b->shared[s].bytes, b->shared[s].size)) {
      *from = (uintptr_t)b->shared[s].bytes;
      return true;
    }
  return false;
}

/* What are registers, constant memory or the engine's own on the host is no request of the kernel. */
static bool is_memory(const thread *t, uintptr_t at)
{
  if (t->fiber && lies_in(at, t->fiber->stack, SPW_FIBER_STACK)) return false;
  if (lies_in(at, spw_engine.arguments, spw_engine.kernel->arguments))
    return false;
  if (lies_in(at, &spw_engine, sizeof spw_engine) || lies_in(at, t, sizeof *t)) return false;
  if (lies_in(at, t->is.block, sizeof *t->is.block)) return false;
  return !lies_in(at, &spw_engine_self, sizeof spw_engine_self) &&
         !lies_in(at, &spw_engine_block_dim, sizeof spw_engine_block_dim) &&
         !lies_in(at, &spw_engine_grid_dim, sizeof spw_engine_grid_dim);
}

/* What this launch wrote, in pieces of 16 bytes. */
static uintptr_t written[1 << 18];
static const spw_engine_kernel *writer;

static uintptr_t *slot_of(uintptr_t piece)
{
  enum { SLOTS = sizeof written / sizeof *written };
  for (size_t h = piece * 0x9e3779b97f4a7c15u % SLOTS, tries = 0; tries < SLOTS; h = (h + 1) % SLOTS, tries++)
    if (written[h] == piece || written[h] == 0) return &written[h];
  abort();
}

static bool was_written(uintptr_t piece)
{
  if (writer != spw_engine.kernel) memset(written, 0, sizeof written);
  writer = spw_engine.kernel;
  return *slot_of(piece) == piece;
}

static void remember(uintptr_t piece)
{
  if (!was_written(piece)) *slot_of(piece) = piece;
}

static void note(const void *memory, unsigned size, what kind, void *place)
{
  if (!spw_engine_self || !spw_engine.kernel) return;
  const thread *const t = spw_current();
  uintptr_t at = (uintptr_t)memory, from = 0;
  if (!t->warp || !is_memory(t, at)) return;
  const bool shared = is_shared(t->warp->block, at, &from);
  if (!shared && kind != LOAD) remember(at / 16);
  if (!shared && kind == LOAD && size == 16 && was_written(at / 16))
    spw_engine_fault("16 bytes are loaded as read-only that this launch wrote", NULL);
  if (count == room) {
    room = room ? 2 * room : 1 << 16;
    accesses = realloc(accesses, room * sizeof *accesses);
    if (!accesses) abort();
  }
  const uint32_t number =
      (t->is.block->y * spw_engine_grid_dim.x + t->is.block->x) * SPW_ENGINE_BLOCK + t->is.number;
  accesses[count++] = (access){spw_engine.kernel->name, (uintptr_t)place, at - from, number,
                               occurrence_of(number, (uintptr_t)place), (uint8_t)size, kind, shared};
}

#define PLACE __builtin_return_address(0)
#define HOOK(name, size, kind) \
  void __tsan_##name##size(void *p); \
  void __tsan_##name##size(void *p) { note(p, size, kind, PLACE); }
#define HOOKS(size)            \
  HOOK(read, size, LOAD)       \
  HOOK(write, size, STORE)     \
  HOOK(unaligned_read, size, LOAD) \
  HOOK(unaligned_write, size, STORE) \
  HOOK(read_write, size, STORE)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

#define ATOMICS(bits)                                                                              \
  uint##bits##_t __tsan_atomic##bits##_load(const uint##bits##_t *p, int o);                       \
  uint##bits##_t __tsan_atomic##bits##_load(const uint##bits##_t *p, int o)                        \
  {                                                                                                \
    (void)o;                                                                                       \
    note(p, bits / 8, LOAD, PLACE);                                                                \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  void __tsan_atomic##bits##_store(uint##bits##_t *p, uint##bits##_t v, int o);                    \
  void __tsan_atomic##bits##_store(uint##bits##_t *p, uint##bits##_t v, int o)                     \
  {                                                                                                \
    (void)o;                                                                                       \
    note(p, bits / 8, STORE, PLACE);                                                               \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                \
  uint##bits##_t __tsan_atomic##bits##_fetch_add(uint##bits##_t *p, uint##bits##_t v, int o);      \
  uint##bits##_t __tsan_atomic##bits##_fetch_add(uint##bits##_t *p, uint##bits##_t v, int o)       \
  {                                                                                                \
    (void)o;                                                                                       \
    note(p, bits / 8, ATOMIC, PLACE);                                                              \
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                \
  uint##bits##_t __tsan_atomic##bits##_fetch_or(uint##bits##_t *p, uint##bits##_t v, int o);       \
  uint##bits##_t __tsan_atomic##bits##_fetch_or(uint##bits##_t *p, uint##bits##_t v, int o)        \
  {                                                                                                \
    (void)o;                                                                                       \
    note(p, bits / 8, ATOMIC, PLACE);                                                              \
    return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);                                              \
  }                                                                                                \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(uint##bits##_t *p, uint##bits##_t e,   \
                                                            uint##bits##_t v, int a, int b);       \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(uint##bits##_t *p, uint##bits##_t e,   \
                                                            uint##bits##_t v, int a, int b)        \
  {                                                                                                \
    (void)a, (void)b;                                                                              \
    note(p, bits / 8, ATOMIC, PLACE);                                                              \
    __atomic_compare_exchange_n(p, &e, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);               \
    return e;                                                                                      \
  }
ATOMICS(32)
ATOMICS(64)

void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_entry(void *p);
void __tsan_func_entry(void *p) { (void)p; }
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
/* Linked with --wrap=memcpy: a load or a store of 16 bytes is a call of it. */
void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
  if (bytes == 16) note(from, 16, LOAD, PLACE), note(to, 16, STORE, PLACE);
  return __real_memcpy(to, from, bytes);
}

/* ---- Reporting ------------------------------------------------------------------------------- */

static int compare(const void *x, const void *y)
{
  const access *const a = x, *const b = y;
#define FIRST_BY(member) \
  if (a->member != b->member) return a->member < b->member ? -1 : 1
  const int by_name = strcmp(a->kernel, b->kernel);
  if (by_name) return by_name;
  FIRST_BY(place);
  if (a->thread / 32 != b->thread / 32) return a->thread / 32 < b->thread / 32 ? -1 : 1;
  FIRST_BY(occurrence);
  FIRST_BY(thread);
  return 0;
}

static int by_value(const void *x, const void *y)
{
  const uintptr_t a = *(const uintptr_t *)x, b = *(const uintptr_t *)y;
  return a < b ? -1 : a > b;
}

/* How many different pieces of `unit` bytes [first, last) touch; of shared memory also the most that are
 * in one bank. */
static unsigned pieces(const access *first, const access *last, unsigned unit, unsigned *turns)
{
  uintptr_t all[MOST_PIECES + 32];
  unsigned n = 0, different = 0, bank[32] = {0};
  for (; first < last; first++)
    for (uintptr_t u = first->at / unit; u <= (first->at + first->size - 1) / unit; u++)
      if (n < MOST_PIECES + 32) all[n++] = u;
  qsort(all, n, sizeof *all, by_value);
  *turns = 0;
  for (unsigned i = 0; i < n; i++) {
    if (i > 0 && all[i] == all[i - 1]) continue;
    different++;
    if (++bank[all[i] % 32] > *turns) *turns = bank[all[i] % 32];
  }
  return different;
}

/* Of the kernels with one of the parts in their name. */
static void report(const char *tensor, const char *const parts[], int n)
{
  qsort(accesses, count, sizeof *accesses, compare);
  for (size_t i = 0, end; i < count; i = end) {
    const access *const a = &accesses[i];
    uint64_t requests = 0, lanes = 0, sectors = 0, ideal = 0, turns = 0;
    unsigned unused;
    for (end = i; end < count && accesses[end].place == a->place &&
                  accesses[end].kernel == a->kernel;) {
      const access *const b = &accesses[end];
      unsigned worst;
      for (; end < count && accesses[end].place == a->place && accesses[end].kernel == a->kernel &&
             accesses[end].thread / 32 == b->thread / 32 &&
             accesses[end].occurrence == b->occurrence;
           end++)
        lanes++;
      const unsigned found = pieces(b, &accesses[end], a->shared ? 4 : 32, &worst);
      sectors += a->shared ? 0 : found;
      ideal += a->shared ? 0 : (4 * (uint64_t)pieces(b, &accesses[end], 4, &unused) + 31) / 32;
      turns += a->shared ? worst : 0;
      requests++;
    }
    int part = 0;
    while (part < n && !strstr(a->kernel, parts[part])) part++;
    if (part == n) continue;
    printf("%s %s %" PRIxPTR " %c %s %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
           tensor, a->kernel, a->place, a->shared ? 's' : 'g',
           what_names[a->what], a->size, requests, lanes, sectors, ideal, turns);
  }
  count = 0;
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static void put(bool wide, void *memory, int64_t at, int64_t value)
{
  if (wide) ((int64_t *)memory)[at] = value;
  else ((int32_t *)memory)[at] = (int32_t)value;
}

static void check(const char *name, const spw_tensor *t, bool valid)
{
  spw_violation first;
  const spw_status status = spw_first_violation_on_host(t, SPW_CANONICAL, BLOCKS, THREADS, 0, &first);
  if (status != SPW_OK || (first.rule == SPW_RULE_NONE) != valid) {
    fprintf(stderr, "meter: %s: status %d, rule %d\n", name, (int)status, (int)first.rule);
    exit(1);
  }
  report(name, (const char *const[]){"spw"}, 1);
}

static void point(spw_index_array *a, bool wide, const void *memory)
{
  a->array.dtype = wide ? SPW_INT64 : SPW_INT32;
  a->i32 = wide ? NULL : memory;
  a->i64 = wide ? memory : NULL;
}

typedef enum purpose { WRONG, VALID, TO_COO, TO_CSR, TO_CSC, TO_BSR, TO_DENSE, MENDED, PRUNED } purpose;

/* To a layout; made canonical or pruned, where that is the purpose. What its check does is no news. */
static void convert(const char *name, const spw_tensor *t, spw_layout layout, purpose what)
{
  static const char *const parts[] = {"spw_expand", "spw_compress_", "spw_gather", "spw_clear", "spw_scatter",
                                      "spw_mark",   "spw_scan",      "spw_settle", "spw_collect",
                                      "spw_key",    "_digits",       "spw_permute", "spw_unblock", "spw_block",
                                      "spw_number",  "spw_mark_firsts", "spw_choose", "spw_sum", "spw_pick", "spw_unfold"};
  const int64_t block = layout == SPW_BSR ? 4 : 0;
  const spw_conversion wanted = {.layout = layout, .block_rows = block, .block_columns = block, .batch_dims = -1,
                                 .dense_dims = -1, .prune = what == PRUNED, .canonicalize = what == MENDED};
  spw_convert_plan plan;
  spw_tensor result;
  spw_buffers b = {0};
  spw_status status = spw_convert_plan_make(t, &wanted, &plan, NULL);
  const spw_room *const room = &plan.room;
  if (status == SPW_OK) {
    void *const c = aligned_alloc(128, ((size_t)room->compressed * 8 + 128) / 128 * 128),
               *const p = aligned_alloc(128, ((size_t)room->plain * 8 + 128) / 128 * 128);
    b = (spw_buffers){malloc((size_t)room->dims * 8), c, p, c, p, aligned_alloc(128, (size_t)room->values * 8 + 128),
                      aligned_alloc(128, (room->work + 127) / 128 * 128), *room};
    status = spw_convert_on_host(t, &wanted, &b, BLOCKS, THREADS, 0, &result, NULL);
  }
  if (status != SPW_OK) {
    fprintf(stderr, "meter: %s: status %d\n", name, (int)status);
    exit(1);
  }
  report(name, parts, sizeof parts / sizeof *parts);
  free(b.dims), free(b.compressed_i32), free(b.plain_i32), free(b.values), free(b.work);
}

static void rows_of(int64_t n, const char *name, bool wide, int64_t length, bool sized, purpose what)
{
  const int64_t C = n / length, size[] = {C, 3 * length}, c_shape[] = {C + 1}, p_shape[] = {n}, one[] = {1};
  void *const c = aligned_alloc(128, (size_t)(n + 128) * 8), *const p = aligned_alloc(128, (size_t)n * 8);
  if (!c || !p) abort();
  for (int64_t i = 0; i <= C; i++) put(wide, c, i, i * length);
  for (int64_t k = 0; k < n; k++) put(wide, p, k, (what == MENDED ? length - 1 - k % length : k % length) * 3);
  if (what == WRONG) put(wide, p, n / 2 + 5, -1);
  spw_tensor t = {
      .layout = SPW_CSR, .has_size = sized, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE};
  t.compressed.array = (spw_array){SPW_INT32, 1, c_shape, one, 0, C + 1};
  t.plain.array = (spw_array){SPW_INT32, 1, p_shape, one, 0, n};
  t.values = (spw_value_array){{SPW_FLOAT32, 1, p_shape, one, 0, n}, p};
  point(&t.compressed, wide, c);
  point(&t.plain, wide, p);
  if (what == TO_COO) convert(name, &t, SPW_COO, what);
  else if (what == TO_CSC) convert(name, &t, SPW_CSC, what);
  else if (what == TO_BSR) convert(name, &t, SPW_BSR, what);
  else if (what > TO_DENSE) convert(name, &t, SPW_CSR, what);
  else check(name, &t, what == VALID);
  free(c);
  free(p);
}

static void rows(const char *name, bool wide, int64_t length, bool sized, purpose what)
{
  rows_of(NSE, name, wide, length, sized, what);
}

static void coordinates(const char *name, purpose what)
{
  const int64_t size[] = {NSE, 16}, shape[] = {2, NSE}, strides[] = {NSE, 1}, n[] = {NSE}, one[] = {1};
  void *const x = aligned_alloc(128, (size_t)NSE * 8);
  if (!x) abort();
  for (int64_t k = 0; k < NSE; k++) put(false, x, k, k / 16), put(false, x, NSE + k, k % 16);
  if (what == WRONG) put(false, x, NSE / 2 + 5, -1);
  spw_tensor t = {
      .layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_YES};
  t.plain.array = (spw_array){SPW_INT32, 2, shape, strides, 0, 2 * NSE};
  t.values = (spw_value_array){{SPW_FLOAT32, 1, n, one, 0, NSE}, x};
  point(&t.plain, false, x);
  if (what == TO_CSR) convert(name, &t, SPW_CSR, what);
  else if (what == TO_DENSE) convert(name, &t, SPW_DENSE, what);
  else check(name, &t, what == VALID);
  free(x);
}

/* Four blocks of 4 x 4 in each row of them. */
static void blocks(const char *name, spw_layout layout)
{
  const int64_t nse = NSE / 16, C = nse / 4, size[] = {4 * C, 64}, c_shape[] = {C + 1}, p_shape[] = {nse}, one[] = {1},
                shape[] = {nse, 4, 4}, strides[] = {16, 4, 1};
  void *const c = aligned_alloc(128, (size_t)(nse + 128) * 8), *const p = aligned_alloc(128, (size_t)nse * 8);
  float *const values = aligned_alloc(128, NSE * sizeof *values);
  if (!c || !p || !values) abort();
  for (int64_t i = 0; i <= C; i++) put(false, c, i, 4 * i);
  for (int64_t k = 0; k < nse; k++) put(false, p, k, k % 4 * 3);
  for (int64_t k = 0; k < NSE; k++) values[k] = 1;
  spw_tensor t = {.layout = SPW_BSR, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE};
  t.compressed.array = (spw_array){SPW_INT32, 1, c_shape, one, 0, C + 1};
  t.plain.array = (spw_array){SPW_INT32, 1, p_shape, one, 0, nse};
  t.values = (spw_value_array){{SPW_FLOAT32, 3, shape, strides, 0, NSE}, values};
  point(&t.compressed, false, c);
  point(&t.plain, false, p);
  convert(name, &t, layout, VALID);
  free(c), free(p), free(values);
}

/* One element in eight is stored. */
static void dense(const char *name, spw_layout layout)
{
  const int64_t shape[] = {NSE / 256, 256}, strides[] = {256, 1};
  float *const values = aligned_alloc(128, NSE * sizeof *values);
  if (!values) abort();
  for (int64_t k = 0; k < NSE; k++) values[k] = k * 5 % 8 == 0 ? 1 : 0;
  const spw_tensor t = {.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE,
                        .values = {{SPW_FLOAT32, 2, shape, strides, 0, NSE}, values}};
  convert(name, &t, layout, VALID);
  free(values);
}

int main(int argc, char **argv)
{
  if (argc > 1 && !strcmp(argv[1], "--wrong")) { /* must not come back */
    static uint64_t memory[4];
    return spw_engine_launch(meter_wrong, &(uint64_t *){memory + (uintptr_t)memory / 8 % 2}, (spw_dim3){1, 1, 1},
                             (spw_dim3){32, 1, 1}, 0, (spw_engine_schedule){.seed = 0});
  }
  printf("%d elements, %d warps\n", NSE, BLOCKS * THREADS / 32);
  rows("csr-i32-rows-of-16", false, 16, true, VALID);
  rows("csr-i64-rows-of-16", true, 16, true, VALID);
  rows_of(2 * NSE, "csr-i32-rows-of-16-twice", false, 16, true, VALID); /* what each element costs more */
  rows_of(2 * NSE, "csr-i64-rows-of-16-twice", true, 16, true, VALID);
  rows("csr-i32-one-a-row", false, 1, true, VALID);
  rows("csr-i32-inferred", false, 16, false, VALID);
  rows("csr-i32-wrong", false, 16, true, WRONG);
  coordinates("coo-i32", VALID);
  coordinates("coo-i32-wrong", WRONG);
  rows("csr-i32-to-coo", false, 16, true, TO_COO);
  rows("csr-i64-to-coo", true, 16, true, TO_COO);
  rows("csr-i32-one-a-row-to-coo", false, 1, true, TO_COO);
  rows("csr-i32-to-csc", false, 16, true, TO_CSC);
  rows("csr-i32-to-bsr", false, 16, true, TO_BSR);
  coordinates("coo-i32-to-csr", TO_CSR);
  coordinates("coo-i32-to-dense", TO_DENSE);
  dense("dense-f32-to-csr", SPW_CSR);
  dense("dense-f32-to-bsr", SPW_BSR);
  blocks("bsr-i32-to-csr", SPW_CSR);
  blocks("bsr-i32-to-dense", SPW_DENSE);
  rows("csr-i32-made-canonical", false, 16, true, MENDED);
  rows("csr-i32-pruned", false, 16, true, PRUNED); /* one in 16 is zero */
  blocks("bsr-i32-to-csc", SPW_CSC);
  spw_engine_release();
  free(accesses);
  return 0;
}
