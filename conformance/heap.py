# SPDX-License-Identifier: Apache-2.0
"""A second look at invalid tensors that a library accepted and survived: the arrays that it was given
lie beside unreadable pages, but what it allocates itself does not. Where there is no build with a
sanitizer, the profile's `heap_check` has the questions asked again of the adapter under valgrind, which
sees every read and write outside a block of the heap, and what is freed twice. It also tells who garbled
an answer about an invalid tensor: the adapter, or a library that wrote over what the adapter had to say."""
import os
import shutil
import time
from types import SimpleNamespace

from child import Broken
from library import GivenUp, Library

SURVIVED, UNSAFE = "too lax (survived)", "too lax (heap check)"
COMMAND = ["valgrind", "-q", "--error-limit=no", "--undef-value-errors=no", "--leak-check=no",
           "--vgdb=no", "--redzone-size=4096", "--max-stackframe=8000000"]
# Freed memory stays apart, and what Python allocates is seen, too.
ENVIRONMENT = {"PYTHONMALLOC": "malloc", "ATEN_CPU_CAPABILITY": "default"}
SLOWER = 30  # times
START_LIMIT = 600  # seconds
LONGEST = 120  # seconds for the cases of one library: those beyond are said to be not checked


def look_again(profile, cases, results, log_path, options):
    """Changes the outcome of results that are unsafe; what was done, in words, or None."""
    suspects = [pair for pair in zip(cases, results) if is_garbled(pair[1])]
    suspects += [pair for pair in zip(cases, results) if pair[1]["outcome"] == SURVIVED]
    if profile.get("twin") or not suspects:
        return None
    if not profile.get("heap_check"):
        return f"{in_words(suspects)}, not checked further in this build"
    if not shutil.which("valgrind"):
        return f"{in_words(suspects)}, not checked further: there is no valgrind"
    library = Library({**profile, "adapter": COMMAND + profile["adapter"], "environment": {
        **profile.get("environment", {}), **ENVIRONMENT}}, log_path, SimpleNamespace(**{
            **vars(options), "memory": 4 * options.memory, "timeout": SLOWER * options.timeout,
            "start_timeout": max(START_LIMIT, options.start_timeout)}))
    try:
        library.start()
        return ask_all(library, suspects)
    except GivenUp as error:
        return f"{in_words(suspects)}, not checked further: under valgrind it {error}"
    finally:
        library.stop()


def is_garbled(result):
    """Did it break the protocol when it used an invalid tensor that it had accepted?"""
    return result["outcome"] == "protocol" and result.get("phase") == "use"


def in_words(suspects):
    garbled = sum(is_garbled(result) for _, result in suspects)
    return f"{len(suspects) - garbled} survived" + f" and {garbled} answered with garbage" * bool(garbled)


def ask_all(library, suspects):
    said_of_them = in_words(suspects)
    noise = complaint(library, valid_twin(suspects[0][0]))
    if noise:
        return f"{said_of_them}, not checked further: valgrind complains about a valid tensor: {noise}"
    begun, asked, unsafe = time.monotonic(), 0, 0
    for case, result in suspects:
        if time.monotonic() - begun > LONGEST:
            break
        asked += 1
        said = complaint(library, case)
        if said:
            unsafe += 1
            result["outcome"], result["message"] = UNSAFE, said
    return f"heap check: {said_of_them}; {asked} asked again, {unsafe} of them unsafe"


def valid_twin(case):
    """A tensor of the same layout and types without a fault, to see whether valgrind is silent."""
    tensor = case["tensor"]
    first = "indices" if tensor["layout"] == "coo" else "plain_indices"
    dtype = tensor[first]["dtype"]
    blocks = tensor["values"]["shape"][-2:] if tensor["layout"] in ("bsr", "bsc") else []
    shape = [1, *blocks] if min(blocks, default=1) > 0 else [1, 1, 1]
    count = max(1, shape[-1] * shape[-2]) if blocks else 1
    size = [part * 1 for part in (shape[1:] or [1, 1])]
    value = [1, 0] if tensor["values"]["dtype"].startswith("complex") else 1
    values = {"dtype": tensor["values"]["dtype"], "shape": shape, "data": [value] * count}
    twin = {"spw": 1, "layout": tensor["layout"], "size": size, "values": values}
    if tensor["layout"] == "coo":
        twin["indices"] = {"dtype": dtype, "shape": [2, 1], "data": [0, 0]}
    else:
        twin["compressed_indices"] = {"dtype": dtype, "shape": [2], "data": [0, 1]}
        twin["plain_indices"] = {"dtype": dtype, "shape": [1], "data": [0]}
    return {**case, "tensor": twin, "expect": {"verdict": "valid"}}


def complaint(library, case):
    """What valgrind says when the library uses the tensor, or None."""
    try:
        library.ask_once(case, "use", "after")
    except Broken as error:
        return str(error) if error.memory else None
    return None
