# SPDX-License-Identifier: Apache-2.0
"""The provers' verdicts of the last full run, as one file: a line each, `hash prover verdict seconds`.

WP names a verdict by a hash of the goal. Only verdicts are kept, no proofs: replaying them is quick but
is not a proof, which is why `prove` without --cached never reads them."""
import os
import re

HEADER = "# Verdicts of proofs/prove --update, replayed by proofs/prove --cached. Provers: "


def prover_entries(why3_conf):
    with open(why3_conf, encoding="utf-8") as file:
        blocks = file.read().split("[prover]")[1:]
    return [dict(re.findall(r'^(\w+) = "?(.*?)"?$', block, re.M)) for block in blocks]


def pack(path, cache, why3_conf, keep):
    """Writes the verdicts of a cache directory; `keep` adds to those of the other units."""
    lines = {}
    if keep and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            lines = {line.split()[0]: line for line in file.read().splitlines() if not line.startswith("#")}
    for entry in os.listdir(cache):
        with open(os.path.join(cache, entry), encoding="utf-8") as file:
            v = dict(re.findall(r'"(\w+)": "?([^",}]*[^",} ])', file.read()))   # "time": 1. is not JSON
        key = entry.removesuffix(".json")
        lines[key] = "%s %s %s %s" % (key, v["prover"], v["verdict"], v.get("time", "0."))
    provers = [":".join(filter(None, [e["name"], e["version"], e["alternative"]])) for e in prover_entries(why3_conf)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEADER + " ".join(provers) + "\n" + "".join(lines[k] + "\n" for k in sorted(lines)))


def unpack(path, cache, tmp):
    """Fills a cache directory and returns a Why3 configuration with the same provers, which cannot run."""
    os.makedirs(cache, exist_ok=True)
    provers = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("#"):
                    provers = line.removeprefix(HEADER).split()
                    continue
                key, prover, verdict, seconds = line.split()
                with open(os.path.join(cache, key + ".json"), "w", encoding="utf-8") as entry:
                    entry.write('{ "prover": "%s", "verdict": "%s", "time": %s }\n' % (prover, verdict, seconds))
    conf = os.path.join(tmp, "why3.conf")
    entries = {"CVC5": ("cvc5n", "cvc4_17.drv"), "CVC5smoke": ("cvc5s", "cvc4_17.drv"), "Z3": ("z3n", "z3_471.drv")}
    with open(conf, "w", encoding="utf-8") as file:
        file.write('[main]\ndatadir = "/usr/share/why3"\nlibdir = "/usr/lib/ocaml/why3"\nmagic = 14\n')
        for name, version, other in [(p + ":").split(":")[:3] for p in provers]:
            shortcut, driver = entries[name + other]
            file.write('\n[prover]\nname = "%s"\nshortcut = "%s"\nversion = "%s"\nalternative = "%s"\n'
                       'driver = "/usr/share/why3/drivers/%s"\n'
                       'command = "false"\ncommand_steps = "false"\neditor = ""\nin_place = false\ninteractive = false\n'
                       % (name, shortcut, version, other, driver))
    return conf
