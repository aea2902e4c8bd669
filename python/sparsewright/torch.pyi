# SPDX-License-Identifier: Apache-2.0
from contextlib import AbstractContextManager
from typing import Any

from . import Level

def load(path: str, *, level: Level = "canonical", max_bytes: int | None = None, limit: int = 0, map_location: Any = None) -> Any: ...
def guard() -> AbstractContextManager[None]: ...
