# SPDX-License-Identifier: Apache-2.0
from typing import Any, Callable, Literal, TypeVar

from . import Duplicates, Layout, Level, Out

Precision = Literal["float64", "float32", "float32-ftz", "tf32", "bfloat16-in", "float16", "bfloat16"]
Object = TypeVar("Object")

class Difference:
    kind: Literal["size", "type", "value"]
    position: tuple[int, ...]
    a: Any
    b: Any

class Judgement:
    verdict: str
    fault: str
    numbers: int
    exact: int
    bounded: int
    special: int
    undecided: int
    wrong: int
    absent: int
    extra: int
    place: tuple[int, int, int, int]
    found: Any
    sum: Any
    bound: float
    ratio: float
    def __bool__(self) -> bool: ...

def difference(a: Any, b: Any, *, as_dense: bool = False, duplicates: Duplicates = "sum", limit: int = 0) -> Difference | None: ...
def assert_same(a: Any, b: Any, *, as_dense: bool = False, duplicates: Duplicates = "sum") -> None: ...
def assert_valid(x: Object, level: Level = "canonical") -> Object: ...
def is_sparse(x: Any) -> bool: ...
def checked(function: Callable[..., Any] | None = None, *, level: Level = "canonical") -> Callable[..., Any]: ...
def check_all(x: Object, level: Level = "canonical") -> Object: ...
def judge_product(y: Any, a: Any, x: Any, *, precision: Precision | None = None, limit: int = 0) -> Judgement: ...
def assert_product(y: Any, a: Any, x: Any, *, precision: Precision | None = None) -> Judgement: ...
def tensors(layout: Layout | None = None, *, dtype: str = "float64", index: str | None = None, sizes: tuple[int, int] | None = None,
            batch_dims: int | None = None, dense_dims: int | None = None, out: Out = None) -> Any: ...
def broken_tensors(layout: Layout | None = None, *, rule: str | None = None, dtype: str = "float64", index: str | None = None,
                   sizes: tuple[int, int] | None = None, batch_dims: int | None = None, dense_dims: int | None = None) -> Any: ...
