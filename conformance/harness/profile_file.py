# SPDX-License-Identifier: Apache-2.0
"""Reads profiles/LIBRARY.json. What is wrong with one is said with file and line."""
import json
import os
import re

from harness.library import command_of
from judging.oracle import PRECISIONS, USUAL
from schemas.vocabulary import EXCUSES, FLAGS, OPERATIONS

READINGS = ("accept", "reject", "either")
INDEX_DTYPES = ("kept", "free", "int32", "int64")
REQUIRED = {"library"}
DEFAULTS = {"must_be_right": False, "flags": {}}
OPTIONAL = {*DEFAULTS, "adapter", "index_dtype", "versions", "sources", "reproduction", "environment", "uses",
            "sanitized", "seconds", "heap_check", "released", "precision", "full_gradients"}
LIKE = "like"
# With this flag no zero that a library adds or drops is wrong any more.
WAIVES_THE_PATTERN = "explicit-zeros"
LANGUAGES = ("python", "c", "c++")
NAME = re.compile(r"\w[\w.+-]{0,79}", re.ASCII)
DATE = re.compile(r"\b20\d\d-\d\d(-\d\d)?$")


def read(path, peers, needs_adapter=True):
    """ValueError names all that is wrong. Without the need the command may come from elsewhere."""
    profile, text = load(path)
    found = list(problems(profile)) or problems_of_need(profile, needs_adapter)
    if found:
        raise ValueError("\n".join(f"{path}:{line_of(text, word)}: {problem}" for word, problem in found))
    profile = {**DEFAULTS, **profile}
    return {**profile, "adapter": command_of(profile, path, peers)} if "adapter" in profile else profile


def load(path):
    """A profile and its text. What it does not say itself, the file says that it is like."""
    profile, text = of_json(path)
    if not isinstance(profile, dict) or LIKE not in profile:
        return profile, text
    like = profile.pop(LIKE)
    try:
        shared, _ = of_json(os.path.join(os.path.dirname(path), str(like)))
    except OSError as error:
        raise ValueError(f"{path}:{line_of(text, LIKE)}: {LIKE} is another file, from here: {error}") from None
    return {**shared, **profile}, text


def of_json(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        return json.loads(text), text
    except ValueError as error:
        raise ValueError(f"{path}:{getattr(error, 'lineno', 1)}: not JSON: {error}") from None


def sanitized(path, peers):
    """The same library with the adapter that is built with a sanitizer, or nothing."""
    profile, _ = load(path)
    if not profile.get("sanitized"):
        return []
    twin = {**DEFAULTS, **profile, "adapter": profile["sanitized"]}
    return [{**twin, "adapter": command_of(twin, path, peers), "twin": "-asan"}]


def line_of(text, word):
    """The line where a key stands, else the first."""
    found = re.search(rf'"{re.escape(word)}"\s*:', text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def problems(profile):
    """What is wrong, each with the key it is about."""
    if not isinstance(profile, dict):
        yield "", "a profile is an object"
        return
    for key in sorted(REQUIRED - set(profile)):
        yield "", f"{key} is missing"
    for key in sorted(set(profile) - REQUIRED - OPTIONAL):
        yield key, f"unknown key {key}"
    name = profile.get("library", "library")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        yield "library", "library is a name of letters, digits and . _ + -, of which files are called"
    adapter = profile.get("adapter", [""])
    if not isinstance(adapter, list) or not adapter or not all(isinstance(word, str) for word in adapter):
        yield "adapter", "adapter is a list of words"
    if not isinstance(profile.get("must_be_right", False), bool):
        yield "must_be_right", "must_be_right is true or false"
    if not isinstance(profile.get("flags", {}), dict):
        yield "flags", "flags is an object"
        return
    if not isinstance(profile.get("heap_check", False), bool):
        yield "heap_check", "heap_check is true or false"
    seconds = profile.get("seconds", 1)
    if isinstance(seconds, bool) or not isinstance(seconds, int) or seconds < 1:
        yield "seconds", "seconds is a whole number, at least 1"
    for flag, reading in profile.get("flags", {}).items():
        if flag not in FLAGS:
            yield flag, f"unknown flag {flag}"
        if reading not in READINGS:
            yield flag, f"flag {flag} is read {reading!r}, not {', '.join(READINGS)}"
    if profile.get("flags", {}).get(WAIVES_THE_PATTERN) and WAIVES_THE_PATTERN not in profile.get("sources", {}):
        yield WAIVES_THE_PATTERN, f"flag {WAIVES_THE_PATTERN} needs a source: where is it promised that zeros come and go?"
    released = profile.get("released", {})
    if not isinstance(released, dict) or not all(isinstance(said, str) and DATE.search(said) for said in released.values()):
        yield "released", "released is an object: for each version words that end with a date, such as 2026-09 or 2026-09-12"
    for flag in profile.get("uses", []):
        if flag not in EXCUSES:
            yield "uses", f"uses: {flag} is no flag that excuses a rule"
    if profile.get("index_dtype", "kept") not in INDEX_DTYPES:
        yield "index_dtype", f"index_dtype is {', '.join(INDEX_DTYPES)}"
    yield from problems_of_precision(profile.get("precision", {}))
    full = profile.get("full_gradients", [])
    if not isinstance(full, list) or not {str(name).partition("/")[0] for name in full} <= set(OPERATIONS):
        yield "full_gradients", "full_gradients is a list of operations, or of operation/layout"
    for flag in profile.get("sources", {}):
        if flag not in profile.get("flags", {}) and flag not in ("index_dtype", "precision", "full_gradients"):
            yield "sources", f"a source for {flag}, which is no flag of this profile"
    recipe = profile.get("reproduction")
    if recipe is not None and (recipe.get("language") not in LANGUAGES
                               or set(recipe) - {"language", "head", "body"}):
        yield "reproduction", "reproduction has language (python, c, c++), head and body"


def problems_of_need(profile, needs_adapter):
    if needs_adapter and "adapter" not in profile:
        return [("", "adapter is missing")]
    return []


def problems_of_precision(said):
    """In which precision sums are accumulated, by type, or by operation/type."""
    for key, name in said.items():
        operation, _, dtype = key.rpartition("/")
        if dtype not in USUAL or operation not in ("", *OPERATIONS):
            yield key, f"precision of {key}, which is no type of floats, or operation/type"
        if name not in PRECISIONS:
            yield key, f"precision {name!r} is none of {', '.join(PRECISIONS)}"
