# SPDX-License-Identifier: Apache-2.0
from typing import Any, Literal, Sequence

__version__: str
Level = Literal["shape", "structure", "canonical"]
Layout = Literal["coo", "csr", "csc", "bsr", "bsc", "dense"]
Duplicates = Literal["sum", "first", "last", "error"]
Out = Literal["numpy", "scipy", "torch"] | None

class InvalidTensor(ValueError):
    report: Report | None

class Refused(ValueError): ...
class FileError(ValueError): ...

class Violation:
    rule: str
    array: str | None
    batch: int
    position: int
    lhs: int
    rhs: int
    count: int
    sentence: str

class Report:
    layout: str
    violations: tuple[Violation, ...]
    def __bool__(self) -> bool: ...
    def raise_if_invalid(self) -> Report: ...

class Tensor:
    layout: Layout
    size: tuple[int, ...] | None
    compressed: Any
    plain: Any
    values: Any
    coalesced: bool | None
    def __init__(self, layout: Layout, size: Sequence[int] | None, compressed: Any, plain: Any, values: Any,
                 coalesced: bool | None = None) -> None: ...
    @property
    def dtype(self) -> str: ...
    def to(self, out: Out) -> Any: ...
    def __matmul__(self, other: Any) -> Tensor: ...
    def __rmatmul__(self, other: Any) -> Tensor: ...

class Rule:
    id: str
    formula: str
    prose: str
    why: str
    fix: str

def check(x: Any, level: Level = "canonical") -> Report: ...
def explain(id: str) -> Rule: ...
def read(path: str, *, max_bytes: int | None = None, limit: int = 0) -> dict[str, Tensor]: ...
def convert(x: Any, layout: Layout, *, blocksize: tuple[int, int] | None = None, batch_dims: int = -1, dense_dims: int = -1,
            index: Literal["int32", "int64"] | None = None, duplicates: Duplicates = "sum", prune: bool = False, bits: bool = False,
            canonicalize: bool = False, limit: int = 0, out: Out = None) -> Any: ...
def multiply(a: Any, b: Any, *, limit: int = 0, out: Out = None) -> Any: ...
def elementwise(kind: Literal["add", "subtract", "multiply"], a: Any, b: Any, *, duplicates: Duplicates = "sum", limit: int = 0,
                out: Out = None) -> Any: ...
def reduce(kind: Literal["sum", "mean", "mean_dense", "amax", "amin", "max", "min", "any", "all"], x: Any, *,
           each: Literal["row", "column", "matrix"] | None = None, dims: Sequence[int] | Literal["all"] | None = None,
           keepdim: bool = False, sparse: bool = False, dtype: str | None = None, limit: int = 0, out: Out = None) -> Any: ...
def coo(indices: Any, values: Any, size: Sequence[int] | None = None, *, coalesced: bool | None = None) -> Tensor: ...
def csr(crow: Any, col: Any, values: Any, size: Sequence[int] | None = None) -> Tensor: ...
def csc(ccol: Any, row: Any, values: Any, size: Sequence[int] | None = None) -> Tensor: ...
def bsr(crow: Any, col: Any, values: Any, size: Sequence[int] | None = None) -> Tensor: ...
def bsc(ccol: Any, row: Any, values: Any, size: Sequence[int] | None = None) -> Tensor: ...
