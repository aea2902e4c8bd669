# SPDX-License-Identifier: Apache-2.0
"""A second look at invalid tensors that a library accepted and survived: the arrays that it was given
lie beside unreadable pages, but what it allocates itself does not. Where there is no build with a
sanitizer, the profile's `heap_check` has the questions asked again of the adapter under valgrind, which
sees every read and write outside a block of the heap, and what is freed twice. It also tells who garbled
an answer: the adapter, or a library that wrote over what the adapter had to say."""
import shutil
import time
from types import SimpleNamespace

from harness.child import Broken
from harness.library import GivenUp, Library, guards_of

SURVIVED, UNSAFE, GARBLED = "too lax (survived)", "too lax (heap check)", "protocol"
# Red zones as wide as most strides over a small array; the many small blocks of an interpreter pay for each.
COMMAND = ["valgrind", "-q", "--error-limit=no", "--undef-value-errors=no", "--leak-check=no",
           "--vgdb=no", "--redzone-size=1024", "--max-stackframe=8000000"]
# Freed memory stays apart, and what Python allocates is seen, too.
ENVIRONMENT = {"PYTHONMALLOC": "malloc", "ATEN_CPU_CAPABILITY": "default"}
SLOWER = 30  # times
START_LIMIT = 600  # seconds
LONGEST = 120  # seconds for the cases of one library: those beyond are said to be not checked


def look_again(profile, cases, results, log_path, options):
    """Changes the outcome of results that are unsafe; what was done, in words, or None."""
    suspects = [pair for pair in zip(cases, results) if pair[1]["outcome"] in (GARBLED, SURVIVED) and "tensor" in pair[0]]
    suspects.sort(key=lambda pair: pair[1]["outcome"] != GARBLED)
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


def in_words(suspects):
    garbled = sum(result["outcome"] == GARBLED for _, result in suspects)
    return f"{len(suspects) - garbled} survived" + f" and {garbled} answered with garbage" * bool(garbled)


def ask_all(library, suspects):
    said_of_them = in_words(suspects)
    try:
        noise = complaint(library, valid_twin(suspects[0][0]), "after")
    except Broken as error:
        noise = f"no answer, {error}"
    if noise:
        return f"{said_of_them}, not checked further: valgrind complains about a valid tensor: {noise}"
    begun, asked, unsafe, unanswered = time.monotonic(), 0, 0, 0
    for case, result in suspects:
        if time.monotonic() - begun > LONGEST:
            break
        asked += 1
        try:
            said = first_complaint(library, case, result)
        except Broken:
            unanswered += 1
            continue
        if said:
            unsafe += 1
            result["outcome"] = UNSAFE if result.get("verdict") == "accept" else "sanitizer"
            result["message"] = said
    return (f"heap check: {said_of_them}; {asked} asked again, {unsafe} of them unsafe"
            + f", {unanswered} without an answer" * bool(unanswered))


def first_complaint(library, case, result):
    """What garbled an answer may need one guard or the other: a stray value read leads to another stray write."""
    guards = guards_of(library.manifest) if result["outcome"] == GARBLED else ["after"]
    return next(filter(None, (complaint(library, case, guard) for guard in guards)), None)


def complaint(library, case, guard):
    """What valgrind says when the library uses the tensor, or None. Raises Broken where there is no answer."""
    try:
        library.ask_once(case, "use" if case["operation"] == "check" else case["operation"], guard)
    except Broken as error:
        if error.memory:
            return str(error)
        if error.outcome != GARBLED:
            raise
    return None


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
