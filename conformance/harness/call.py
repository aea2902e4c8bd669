# SPDX-License-Identifier: Apache-2.0
"""What a call of `spw conform` asks for. Everything is read before anything is done, and all that is wrong is told at
once: options, the profile, the command, and the file of known cases."""
import argparse
import difflib
import os
import shlex
import sys
from types import SimpleNamespace

from harness import driver, profile_file, xfail

OWN = ("--adapter", "--profile", "--out", "--random", "--for", "--case")
UNITS = {"s": 1, "m": 60, "h": 3600}
DEFAULT_TIME = "1m"
# The driver's that are not for this command: it says what they are.
HIDDEN = ("--help", "-h", "--cases", "--report", "--peers", "--jobs", "-j", "--plain")
DEFAULT_OUT = "conform-results"


def read(arguments):
    """The call, and what is wrong with it."""
    own, of_driver, problems = {}, [], []
    known = {name: action for name, action in driver.parser()._option_string_actions.items() if name not in HIDDEN}
    words = iter(arguments)
    for word in words:
        name, given, value = word.partition("=")
        action = known.get(name)
        if name not in OWN and not action:
            problems.append(of_unknown(name, [*OWN, *known]))
            continue
        if action and action.nargs == 0:
            problems += [f"{name} takes no value"] * bool(given)
            of_driver.append(name)
            continue
        value = value if given else next(words, None)
        if value is None:
            problems.append(f"{name} needs a value")
        elif name in OWN:
            own[name[2:]] = value
        else:
            problems += problem_of_value(name, value, action.type)
            of_driver.append(f"{name}={value}")
    call = SimpleNamespace(out=own.get("out", DEFAULT_OUT), of_driver=of_driver, profile=None, case=own.get("case"), random=None)
    problems += problems_of_random(own, call)
    call.profile, found = profile_of(own.get("adapter"), own.get("profile"))
    return call, problems + found + problems_of_known(of_driver)


def problems_of_random(own, call):
    """call.random: the seed and how many seconds; call.case: a file of cases."""
    time = own.get("for", DEFAULT_TIME)
    if not (time[:-1].isdigit() and time[-1] in UNITS):
        yield f"--for: {time!r} is no time such as 30s, 10m or 1h"
    elif "random" in own and not own["random"].isdigit():
        yield f"--random: {own['random']!r} is no seed, a whole number"
    elif "random" in own:
        call.random = int(own["random"]), int(time[:-1]) * UNITS[time[-1]]
    if "for" in own and "random" not in own:
        yield "--for says how long --random asks, which is missing"
    if call.case and not os.path.isfile(call.case):
        yield f"--case: there is no file {call.case}"


def of_unknown(name, known):
    if not name.startswith("-"):
        return f"{name!r} is no option: nothing else is expected"
    near = difflib.get_close_matches(name, [option for option in known if option.startswith("--")], 1)
    return f"there is no option {name}" + (f": did you mean {near[0]}?" if near else "")


def problem_of_value(name, value, kind):
    try:
        if kind:
            kind(value)
    except ValueError:
        return [f"{name}: {value!r} is no {'number' if kind in (int, float) else 'value'}"]
    except argparse.ArgumentTypeError as error:
        return [f"{name}: {error}"]
    return []


def profile_of(command, path):
    """The profile of a file, or one without flags, with the adapter of the command line; and what is wrong."""
    profile, problems = {"library": "library", "must_be_right": True, "flags": {}}, []
    if path:
        try:
            profile = {**profile_file.read(path, "peers", needs_adapter=not command), "must_be_right": True}
            profile.pop("sanitized", None)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            problems.append(str(error))
    if command is None:
        return profile, problems + ["--adapter is missing, or a --profile that names one"] * (not path)
    try:
        return {**profile, "adapter": words_of(command)}, problems
    except ValueError as error:
        return profile, problems + [f"--adapter: {error}"]


def words_of(command):
    """The command's words; a program with a path is found from anywhere. ValueError says why it cannot be a command."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"{command}: {error}") from None
    if not words:
        raise ValueError("it needs a command")
    if os.path.exists(words[0]):
        words[0] = os.path.abspath(words[0])
        if words[0].endswith(".py") and not os.access(words[0], os.X_OK):
            words.insert(0, sys.executable)
    return words


def problems_of_known(of_driver):
    try:
        for word in of_driver:
            if word.startswith("--xfail="):
                xfail.read(word.partition("=")[2])
    except (OSError, ValueError) as error:
        return [str(error)]
    return []
