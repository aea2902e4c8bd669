# SPDX-License-Identifier: Apache-2.0
"""Objects of other libraries as (layout, size, compressed, plain, values, coalesced).

What takes a look at a module finds it in sys.modules: what the caller has not imported, nothing here is of."""
import sys

from ._tensor import Tensor


def adapt(x):
    if isinstance(x, Tensor):
        return (x.layout, x.size, x.compressed, x.plain, x.values, x.coalesced)
    family = type(x).__module__.split(".")[0]
    take = _FAMILIES.get(family)
    found = take(x) if take else None
    if found is None:
        raise TypeError("%s.%s is no sparse tensor that sparsewright knows" % (type(x).__module__, type(x).__qualname__))
    return found


def _scipy(x):
    """COO has an array for each dimension: they are copied into one."""
    import numpy
    form = getattr(x, "format", None)
    if form == "coo":
        return ("coo", tuple(x.shape), None, numpy.stack([numpy.asarray(c) for c in x.coords]) if len(x.coords) else
                numpy.empty((0, x.data.shape[0]), "int64"), x.data, None)
    if form in ("csr", "csc") and len(x.shape) == 1:
        return ("csr", (1, *x.shape), x.indptr, x.indices, x.data, None)
    raise TypeError("SciPy's %s is no layout of sparsewright's: use .tocsr() or .tocoo()" % form)


def _numpy(x):
    if isinstance(x, sys.modules["numpy"].ndarray):
        return ("dense", tuple(x.shape), None, None, x, None)
    return None


def _jax(x):
    """BCOO is (elements, dimensions), BCSR like CSR; dense and batch dimensions are torch's."""
    name = type(x).__name__
    if name == "BCOO" and x.n_batch == 0:
        import numpy
        return ("coo", tuple(x.shape), None, numpy.asarray(x.indices).T, numpy.asarray(x.data), None)
    if name == "BCSR":
        import numpy
        return ("csr", tuple(x.shape), numpy.asarray(x.indptr), numpy.asarray(x.indices), numpy.asarray(x.data), None)
    if name == "BCOO":
        raise TypeError("a BCOO with batch dimensions is no COO of sparsewright's: use update_layout(n_batch=0)")
    return None


def _pyarrow(x):
    name = type(x).__name__
    if name == "SparseCOOTensor":
        data, coords = x.to_numpy()
        return ("coo", tuple(x.shape), None, coords.T, data.reshape(-1), True if x.has_canonical_format else None)
    if name in ("SparseCSRMatrix", "SparseCSCMatrix"):
        data, indptr, indices = x.to_numpy()
        return (name[6:9].lower(), tuple(x.shape), indptr.reshape(-1), indices.reshape(-1), data.reshape(-1), None)
    return None


def _pydata(x):
    name = type(x).__name__
    if name == "COO":
        return ("coo", tuple(x.shape), None, x.coords, x.data, None)
    if name == "GCXS" and len(x.shape) == 2:
        layout = "csr" if tuple(x.compressed_axes) == (0,) else "csc"
        return (layout, tuple(x.shape), x.indptr, x.indices, x.data, None)
    return None


def _attribute(attributes, *names):
    for name in names:
        if name in attributes:
            return attributes[name]
    return None


def _h5(x):
    """A group with data, indices and indptr, as anndata and 10x Genomics write them: its arrays are read."""
    if not all(hasattr(x, name) for name in ("attrs", "keys")) or not {"data", "indices", "indptr"} <= set(x.keys()):
        return None
    kind = _attribute(x.attrs, "encoding-type", "h5sparse_format") or "csc_matrix"
    kind = (kind.decode() if isinstance(kind, bytes) else str(kind))[:3]
    size = _attribute(x.attrs, "shape", "h5sparse_shape")
    if size is None and "shape" in x:
        size = x["shape"][...]
    indptr, indices = x["indptr"][...], x["indices"][...]
    if indptr.dtype != indices.dtype:       # pointers of 64 bits beside indices of 32
        indices = indices.astype("int64")
        indptr = indptr.astype("int64")
    return (kind, None if size is None else tuple(int(n) for n in size), indptr, indices, x["data"][...], None)


def _anndata(x):
    return _h5(x.group) if hasattr(x, "group") else None


_FAMILIES = {"scipy": _scipy, "numpy": _numpy, "jax": _jax, "jaxlib": _jax, "pyarrow": _pyarrow, "sparse": _pydata, "h5py": _h5,
             "zarr": _h5, "anndata": _anndata}
