# SPDX-License-Identifier: Apache-2.0
"""Safe ways into torch: `load` for files of strangers, `guard` in place of torch's own validation."""
import contextlib
import io
import math
import threading

from . import _core, _whole, check
from ._errors import FileError, InvalidTensor
from ._semi import _made as _of_parts
from ._tensor import Tensor


def load(path, *, level="canonical", max_bytes=None, limit=0, map_location=None):
    """torch.load(path, weights_only=True) of a file all of whose sparse tensors are valid.

    The file is opened once and read into memory. First sparsewright's reader, which executes nothing, reads it: FileError
    refuses archives that two readers may take differently, and pickles that name anything but tensors, dicts, lists, numbers
    and texts. Then every sparse tensor in it is checked up to `level`: InvalidTensor. Only then torch reads the same bytes.
    max_bytes  of the file, at most; None: as many as there are
    limit      bytes of memory for reading at most; 0: 64 MiB and 64 times the file"""
    data = _whole(path, max_bytes)

    def judge(place, members, is_semi):
        tensor = _of_parts(members) if is_semi else Tensor(*members)
        for part in () if is_semi else (tensor.compressed, tensor.plain, tensor.values):
            _refuse_repetition(place, part)
        report = check(tensor, level)
        if not report:
            error = InvalidTensor("%s: %s" % (place or "the tensor", "; ".join("%s: %s" % (v.rule, v.sentence) for v in report.violations)))
            error.report = report
            raise error
        return False    # it need not be kept
    _core._read_pt(data, judge, limit)
    import torch
    try:
        return torch.load(io.BytesIO(data), weights_only=True, map_location=map_location)
    except BaseException:
        _forget_unvalidated(torch)
        raise


_MOST_REPEATED = 1 << 20


def _refuse_repetition(place, part):
    """torch looks at each element of a shape, however few of them a file holds: of a few bytes it makes work without end."""
    if part is not None and math.prod(part.shape) > max(part.stored, _MOST_REPEATED):
        raise FileError("%s: %d elements are stored as %d" % (place or "the tensor", math.prod(part.shape), part.stored))


def _forget_unvalidated(torch):
    """Where torch.load raises, it keeps sparse tensors that it has not looked at, and looks at them the next time."""
    waiting = getattr(torch._utils, "_get_sparse_tensors_to_validate", None) or getattr(torch._utils, "_sparse_tensors_to_validate", None)
    waiting = waiting() if callable(waiting) else waiting
    if isinstance(waiting, list):
        waiting.clear()


_guarded = threading.Lock()
_depth = 0
_before = {}


def _validate_compressed(compressed, plain, values, size, layout):
    check(Tensor(str(layout).replace("torch.sparse_", ""), tuple(size), compressed, plain, values), "canonical").raise_if_invalid()


def _validate_coo(indices, values, size, is_coalesced=None):
    check(Tensor("coo", tuple(size), None, indices, values, is_coalesced), "canonical" if is_coalesced else "structure").raise_if_invalid()


def _replacements(torch):
    """name -> what is called instead; each takes torch's arguments and raises what torch does: ValueErrors are RuntimeErrors."""
    def compressed(compressed_indices, plain_indices, values, size, layout, check_pinning=None):
        with _as_torch_raises():
            _validate_compressed(compressed_indices, plain_indices, values, size, layout)

    def of(layout):
        return lambda compressed_indices, plain_indices, values, size, check_pinning=None: compressed(
            compressed_indices, plain_indices, values, size, layout)

    def coo(indices, values, size, is_coalesced=None, check_pinning=None):
        with _as_torch_raises():
            _validate_coo(indices, values, size, is_coalesced)
    names = {"_validate_sparse_compressed_tensor_args": compressed, "_validate_sparse_coo_tensor_args": coo}
    for layout in ("csr", "csc", "bsr", "bsc"):
        names["_validate_sparse_%s_tensor_args" % layout] = of(getattr(torch, "sparse_" + layout))
    return names


@contextlib.contextmanager
def _as_torch_raises():
    try:
        yield
    except InvalidTensor as error:
        raise RuntimeError(str(error)) from error


@contextlib.contextmanager
def guard():
    """Within this context torch's Python code validates sparse tensors, as torch.load does, by sparsewright's checker.

    It concerns the whole process, as torch's own switch does: several threads may be inside, and the last one that leaves puts
    everything back. What torch's C++ code validates by itself, as with check_invariants=True, is not reached."""
    global _depth
    import torch
    with _guarded:
        if _depth == 0:
            for name, instead in _replacements(torch).items():
                _before[name] = getattr(torch, name)
                setattr(torch, name, instead)
        _depth += 1
    try:
        yield
    finally:
        with _guarded:
            _depth -= 1
            if _depth == 0:
                for name, original in _before.items():
                    setattr(torch, name, original)
                _before.clear()
