/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors to files, in every format that the library writes. */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

/* The formats by the words of a caller. */
static const struct {
  const char *word;
  spw_file_format format;
} words[] = {{"json", SPW_FORMAT_JSON}, {"jsonl", SPW_FORMAT_JSONL}, {"npz", SPW_FORMAT_NPZ},
             {"npy", SPW_FORMAT_NPY},   {"mtx", SPW_FORMAT_MTX},     {"safetensors", SPW_FORMAT_SAFETENSORS},
             {"binsparse", SPW_FORMAT_HDF5}};

/* By the word, or, without one, by the ending of the name. */
static int take_format(const char *word, const char *name, spw_file_format *format)
{
  *format = word ? SPW_FORMAT_UNKNOWN : spw_file_format_to_write(name);
  for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
    if (strcmp(word, words[i].word) == 0) *format = words[i].format;
  if (*format != SPW_FORMAT_UNKNOWN) return 0;
  if (word)
    PyErr_Format(PyExc_ValueError, "format is json, jsonl, npz, npy, mtx, safetensors or binsparse, not '%s'", word);
  else
    PyErr_Format(PyExc_ValueError, "the name of '%s' says no format that can be written; format= does", name);
  return -1;
}

/* What a writer refuses, or the system. */
static PyObject *raise_unwritten(const char *name, spw_status status, const spw_error *error)
{
  char text[512];
  if (status == SPW_ENOMEM && !error->message[0]) return PyErr_NoMemory();
  spw_status_text(status, error, text, sizeof text);
  PyObject *const kind = status == SPW_EUNSUPPORTED ? refused_error() : status == SPW_EIO ? PyExc_OSError : PyExc_ValueError;
  return PyErr_Format(status == SPW_ENOMEM ? PyExc_MemoryError : kind, "%s: %s", name, text);
}

static spw_status write_tensor(const spw_tensor *tensor, const char *name, spw_file_format format, int level, spw_error *error)
{
  void *bytes;
  size_t size;
  spw_status status = level < 0 ? spw_write_bytes(format, tensor, &bytes, &size, error)
                                : spw_write_npz_at_level(tensor, level, &bytes, &size, error);
  if (status != SPW_OK) return status;
  status = spw_replace_file(name, bytes, size, NULL, error);
  free(bytes);
  return status;
}

static PyObject *write_object(PyObject *object, const char *name, spw_file_format format, int level)
{
  operand o;
  spw_error error = {{0}, {0}};
  spw_status status = SPW_OK;
  const int failed = operand_take(&o, object, true);
  if (!failed) {
    Py_BEGIN_ALLOW_THREADS status = write_tensor(&o.tensor, name, format, level, &error);
    Py_END_ALLOW_THREADS
  }
  operand_release(&o);
  if (failed) return NULL;
  if (status != SPW_OK) return raise_unwritten(name, status, &error);
  Py_RETURN_NONE;
}

PyObject *core_write(PyObject *module, PyObject *arguments)
{
  PyObject *path, *object;
  const char *word;
  char *name;
  int level;
  Py_ssize_t length;
  spw_file_format format;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O&Ozi", PyUnicode_FSConverter, &path, &object, &word, &level)) return NULL;
  PyObject *result = NULL;
  if (PyBytes_AsStringAndSize(path, &name, &length) == 0 && take_format(word, name, &format) == 0) {
    if (level >= 0 && format != SPW_FORMAT_NPZ)
      PyErr_SetString(PyExc_ValueError, "level is of .npz files");
    else
      result = write_object(object, name, format, level);
  }
  Py_DECREF(path);
  return result;
}
