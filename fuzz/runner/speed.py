# SPDX-License-Identifier: Apache-2.0
"""How many inputs a target runs in a second of processor time: alone, over its committed corpus again and
again, and under libFuzzer, which besides changes inputs and looks at the counters of coverage."""
import datetime
import json
import os
import re
import resource
import tempfile

import engines
from engines import Trouble, say

RESULT = os.path.join(engines.WORK, "speed.json")


def load():
    return engines.read_json(RESULT)


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def alone(kind, target, corpus, seconds):
    """Gives (executions a second, allocations an execution or None)."""
    code, text = engines.run([engines.program(f"alone-{kind}", target), str(seconds), corpus], 60 + 20 * seconds)
    line = re.search(r"^(\d+) executions of \d+ inputs in [\d.]+ s: (\d+)/s(?:, (\d+) allocations)?$", text, re.M)
    if code or not line:
        raise Trouble(f"{target} alone ({kind}) failed:\n{text[-2000:]}")
    return int(line[2]), None if line[3] is None else round(int(line[3]) / int(line[1]), 2)


def under_libfuzzer(kind, target, corpus, scratch, seconds):
    begun = processor_time()
    result = engines.libfuzzer(kind, target, 2 * seconds, corpus, os.path.join(scratch, "crashes"))
    if result["crashed"] or not result["executions"]:
        raise Trouble(f"{target} under libFuzzer ({kind}) failed:\n{result['log'][-2000:]}")
    return round(result["executions"] / (processor_time() - begun))


def measure(target, seconds):
    found = {"date": datetime.date.today().isoformat()}
    with tempfile.TemporaryDirectory() as scratch:
        corpus = os.path.join(scratch, "corpus")
        for kind in ("plain", "asan"):
            found["inputs"] = engines.unpack(target, corpus)
            if not found["inputs"]:
                raise Trouble(f"{target} has no committed corpus")
            found[kind], allocations = alone(kind, target, corpus, seconds)
            if allocations is not None:
                found["allocations"] = allocations
            found["libfuzzer-" + kind] = under_libfuzzer(kind, target, corpus, scratch, seconds)
    return found


def run(options):
    wanted = options.targets or engines.targets()
    results = load()
    say("executions in a second of processor time      alone, plain  ASan+UBSan  libFuzzer, plain  ASan+UBSan  allocations a run")
    for target in wanted:
        for kind in ("plain", "asan"):
            engines.build("alone-" + kind, [target], options.jobs)
            engines.build(kind, [target], options.jobs)
        r = results[target] = measure(target, options.time)
        with open(RESULT, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)
        say(f"{target:13} {r['inputs']:5} inputs of the corpus {r['plain']:16,} {r['asan']:11,} {r['libfuzzer-plain']:17,} "
            f"{r['libfuzzer-asan']:11,} {r['allocations']:18}")
    return 0
