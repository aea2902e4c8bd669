/* SPDX-License-Identifier: Apache-2.0 */
/* The stable sort of cells against the rank of each cell, which is counted. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/convert/indices/sort/sort_cells.h"
#include "../operands/specimen.h"

/* Cells beside those that are sorted must stay what they are. */
#define GUARD 8
static const spw_cell guard = {0x5555555555555555, 0xaaaaaaaaaaaaaaaa};

/* bits low .. high - 1 */
static uint64_t field(uint64_t key, int low, int high)
{
  if (low == high) return 0;
  return key << (64 - high) >> (64 - high) >> low;
}

typedef struct room {
  spw_cell *a, *b;
} room;

/* Room for n cells, with guards on both sides. */
static room make_room(int64_t n)
{
  const size_t all = (size_t)(n + 2 * GUARD);
  const room made = {malloc(all * sizeof(spw_cell)), malloc(all * sizeof(spw_cell))};
  cr_assert(made.a != NULL && made.b != NULL);
  for (size_t k = 0; k < all; k++) made.a[k] = made.b[k] = guard;
  return made;
}

static int is_guard(const spw_cell *cell)
{
  return cell->key == guard.key && cell->payload == guard.payload;
}

static void free_room(room old, int64_t n)
{
  for (int64_t k = 0; k < GUARD; k++) {
    cr_assert(is_guard(&old.a[k]) && is_guard(&old.a[GUARD + n + k]));
    cr_assert(is_guard(&old.b[k]) && is_guard(&old.b[GUARD + n + k]));
  }
  free(old.a);
  free(old.b);
}

/* Sorts n keys whose payload is their position; returns what is wrong with the result, or null. */
static const char *sorted_wrongly(const uint64_t *key, int64_t n, int low, int high)
{
  const room lists = make_room(n);
  spw_cell *const a = lists.a + GUARD, *const b = lists.b + GUARD;
  for (int64_t k = 0; k < n; k++) a[k] = (spw_cell){key[k], (uint64_t)k};
  const int where = spw_sort_cells(a, b, n, low, high);
  cr_assert(where == 0 || where == 1);
  const spw_cell *const out = where ? b : a;
  const char *wrong = NULL;
  uint8_t *const seen = calloc((size_t)n + 1, 1);
  for (int64_t q = 0; q < n && !wrong; q++) {
    const uint64_t from = out[q].payload;
    if (from >= (uint64_t)n || seen[from]) wrong = "not the cells that went in";
    else if (out[q].key != key[from]) wrong = "a key without its payload";
    else seen[from] = 1;
    if (wrong || q == 0) continue;
    const uint64_t before = field(out[q - 1].key, low, high), now = field(out[q].key, low, high);
    if (before > now) wrong = "not ascending";
    else if (before == now && out[q - 1].payload >= from) wrong = "not stable";
  }
  free(seen);
  free_room(lists, n);
  return wrong;
}

static void expect_sorted(const uint64_t *key, int64_t n, int low, int high)
{
  const char *const wrong = sorted_wrongly(key, n, low, high);
  cr_assert(wrong == NULL, "%lld cells by bits %d to %d: %s", (long long)n, low, high - 1, wrong);
}

/* Every list of up to 4 of these keys, by the bits between any two of these places. */
Test(sort_cells, all_small_lists)
{
  static const uint64_t keys[] = {0, 1, 0x80, 0x17f, 0x8000000000000000, UINT64_MAX};
  static const int places[] = {0, 1, 7, 8, 9, 16, 56, 63, 64};
  enum { KEYS = sizeof keys / sizeof keys[0], PLACES = sizeof places / sizeof places[0] };
  for (int64_t n = 0, all = 1; n <= 4; n++, all *= KEYS) {
    for (int64_t list = 0; list < all; list++) {
      uint64_t key[4] = {0};
      int64_t rest = list;
      for (int64_t k = 0; k < n; k++, rest /= KEYS) key[k] = keys[rest % KEYS];
      for (int l = 0; l < PLACES; l++) {
        for (int h = l; h < PLACES; h++) expect_sorted(key, n, places[l], places[h]);
      }
    }
  }
}

/* Every pair of places, for keys of which some bits are random, so that keys are equal in the rest. */
Test(sort_cells, any_bits)
{
  dice d = {17};
  enum { N = 70 };
  uint64_t key[N];
  for (int low = 0; low <= 64; low++) {
    for (int high = low; high <= 64; high++) {
      const uint64_t mask = roll(&d) & roll(&d), base = roll(&d);
      for (int64_t k = 0; k < N; k++) key[k] = base ^ (roll(&d) & mask);
      expect_sorted(key, roll_below(&d, N + 1), low, high);
    }
  }
}

/* Long lists: whole random keys, few different ones, ascending, descending, one digit that varies. */
Test(sort_cells, long_lists)
{
  enum { N = 100003 };
  dice d = {5};
  uint64_t *const key = malloc(N * sizeof *key);
  for (int form = 0; form < 5; form++) {
    const uint64_t base = roll(&d);
    for (uint64_t k = 0; k < N; k++) {
      const uint64_t r = roll(&d);
      key[k] = form == 0 ? r : form == 1 ? (r % 3) << 40 | r % 2 : form == 2 ? k << 30 : form == 3 ? ~k
                                                                                    : (base & ~(0xffull << 20)) | (r % 256) << 20;
    }
    expect_sorted(key, N, 0, 64);
    expect_sorted(key, N, 20, 47);
  }
  free(key);
}

/* Where no digit varies, nothing moves, and the result lies in a; one pass ends in b, two in a. */
Test(sort_cells, digits_that_do_not_vary)
{
  spw_cell a[3] = {{0x500, 7}, {0x500, 8}, {0x500, 9}}, b[3] = {guard, guard, guard};
  cr_assert(spw_sort_cells(a, b, 3, 0, 64) == 0);
  cr_assert(a[0].payload == 7 && a[1].payload == 8 && a[2].payload == 9);
  for (int k = 0; k < 3; k++) cr_assert(is_guard(&b[k]));
  a[0].key = 0x501;
  cr_assert(spw_sort_cells(a, b, 3, 0, 64) == 1);
  cr_assert(b[0].payload == 8 && b[1].payload == 9 && b[2].payload == 7 && b[2].key == 0x501);
  b[0].key = 0xff0000000000050f;
  cr_assert(spw_sort_cells(b, a, 3, 0, 64) == 0);
  cr_assert(b[0].payload == 9 && b[1].payload == 7 && b[2].payload == 8);
  cr_assert(spw_sort_cells(b, a, 3, 64, 64) == 0 && b[0].payload == 9);
}

/* The rank of a cell, counted: where it has to be. Payloads are no positions here. */
Test(sort_cells, every_cell_at_its_rank)
{
  enum { N = 300 };
  dice d = {99};
  for (int round = 0; round < 40; round++) {
    const int low = (int)roll_below(&d, 65), high = low + (int)roll_below(&d, 65 - low);
    const int64_t n = roll_below(&d, N + 1);
    const room lists = make_room(n);
    spw_cell in[N], *const a = lists.a + GUARD, *const b = lists.b + GUARD;
    const uint64_t mask = roll(&d) & roll(&d) & roll(&d);
    for (int64_t k = 0; k < n; k++) a[k] = in[k] = (spw_cell){roll(&d) & mask, roll(&d)};
    const spw_cell *const out = spw_sort_cells(a, b, n, low, high) ? b : a;
    for (int64_t k = 0; k < n; k++) {
      int64_t rank = 0;
      for (int64_t t = 0; t < n; t++) {
        const uint64_t other = field(in[t].key, low, high), mine = field(in[k].key, low, high);
        rank += other < mine || (other == mine && t < k);
      }
      cr_assert(out[rank].key == in[k].key && out[rank].payload == in[k].payload);
    }
    free_room(lists, n);
  }
}

Test(sort_cells, ascend)
{
  static const uint64_t keys[] = {0, 1, UINT64_MAX};
  int answers[3] = {0};
  for (int64_t n = 0, all = 1; n <= 4; n++, all *= 3) {
    for (int64_t list = 0; list < all; list++) {
      spw_cell a[4];
      int64_t rest = list;
      int expected = 2;
      for (int64_t k = 0; k < n; k++, rest /= 3) a[k] = (spw_cell){keys[rest % 3], roll(&(dice){(uint64_t)rest})};
      for (int64_t k = 0; k < n; k++) {
        for (int64_t m = 0; m < k; m++) {
          if (a[m].key > a[k].key) expected = 0;
          if (a[m].key == a[k].key && expected == 2) expected = 1;
        }
      }
      cr_assert(spw_cells_ascend(a, n) == expected);
      answers[expected]++;
    }
  }
  for (int i = 0; i < 3; i++) cr_assert(answers[i] > 5);
}
