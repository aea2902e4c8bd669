# SPDX-License-Identifier: Apache-2.0
"""The rules as the checker itself lists them: `spw list rules --json`."""
import json
import subprocess
from functools import lru_cache

from judging.control import find

PHASES = ("shape", "structure", "canonical")


@lru_cache(maxsize=None)
def phases():
    """From the id of a rule to its phase, in the order of the list."""
    done = subprocess.run([find(), "list", "rules", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    found = {line["rule"]: line["phase"] for line in map(json.loads, done.stdout.splitlines())}
    if not found or set(found.values()) - set(PHASES):
        raise RuntimeError(f"spw list rules: phases {sorted(set(found.values()))}")
    return found


def phase(rule):
    return phases()[rule]


def is_rule(text):
    return isinstance(text, str) and text in phases()


def first_phase(rules):
    """Those of the first phase in which one is violated: later ones are hidden."""
    rules = list(rules)
    first = min((PHASES.index(phase(rule)) for rule in rules), default=0)
    return {rule for rule in rules if PHASES.index(phase(rule)) == first}
