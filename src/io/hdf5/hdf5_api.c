/* SPDX-License-Identifier: Apache-2.0 */
/* Finds libhdf5. */
#define _GNU_SOURCE 1
#include "hdf5_api.h"
#include "../../owned/library.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"libhdf5_serial.so.103", "libhdf5.so.103",  "libhdf5.so.200",    "libhdf5.so.310",
                                    "libhdf5.so.320",
                                    "libhdf5_serial.so.310", "libhdf5.so.101", "libhdf5_serial.so", "libhdf5.so"};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static spw_hdf5 found;
static const spw_hdf5 *library, *other;
static bool sought;

static bool find_number(void *handle, const char *name, spw_hid *number)
{
  const spw_hid *at;
  if (!spw_library_find(handle, name, &at)) return false;
  *number = *at;
  return true;
}

static bool find_all(void *handle)
{
#define FIND(result, name, arguments) all = all && spw_library_find(handle, #name, &found.name);
#define FIND_NUMBER(name) all = all && find_number(handle, #name, &found.name);
  bool all = true;
  SPW_HDF5_FUNCTIONS(FIND)
  all = all && found.H5open() >= 0; /* which gives the numbers out */
  SPW_HDF5_NUMBERS(FIND_NUMBER)
  all = all && (spw_library_find(handle, "H5Lget_info2", &found.get_link_info) ||
                spw_library_find(handle, "H5Lget_info", &found.get_link_info));
  return all && found.H5get_libversion(&found.version[0], &found.version[1], &found.version[2]) >= 0;
}

static void look_for_it(void)
{
  sought = true;
  if (spw_library_load(names, sizeof names / sizeof *names, find_all)) library = &found;
}

static unsigned plugins_before;

const spw_hdf5 *spw_hdf5_take(void)
{
  pthread_mutex_lock(&mutex);
  if (!sought && !other) look_for_it();
  const spw_hdf5 *const l = other ? other : library;
  if (!l || l->H5PLget_loading_state(&plugins_before) < 0 || l->H5PLset_loading_state(0) < 0 || l->H5Eset_auto2(0, NULL,
                                                                                                                NULL) < 0) {
    pthread_mutex_unlock(&mutex);
    return NULL;
  }
  return l;
}

void spw_hdf5_let_go(const spw_hdf5 *l)
{
  l->H5PLset_loading_state(plugins_before);
  pthread_mutex_unlock(&mutex);
}

void spw_hdf5_replace(const spw_hdf5 *l)
{
  pthread_mutex_lock(&mutex);
  other = l;
  pthread_mutex_unlock(&mutex);
}

bool spw_hdf5_version(unsigned version[3])
{
  const spw_hdf5 *const l = spw_hdf5_take();
  if (!l) return false;
  memcpy(version, l->version, sizeof l->version);
  spw_hdf5_let_go(l);
  return true;
}
