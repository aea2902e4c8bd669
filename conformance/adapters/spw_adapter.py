#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sparsewright: `spw check --json -` for a tensor, and for each operation the command that does it, from file to file. The
variable SPW names the program."""
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from judging import dense  # noqa: E402
from protocol import Rejected, Unsupported, answering, serve

SPW = os.path.abspath(os.environ.get("SPW", "build/spw"))
EXIT_CODES = {"valid": 0, "invalid": 1, "malformed": 3}
EXIT_IMPOSSIBLE = 2
ALL_DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32",
              "float64", "complex64", "complex128"]
LAYOUTS = ["coo", "csr", "csc", "bsr", "bsc"]
ALL = {"layouts": LAYOUTS, "dtypes": ALL_DTYPES}
OF_MATRICES = {**ALL, "lacks": ["coo-nd", "batched", "hybrid"]}
BY_BLOCKS = {**ALL, "lacks": ["cut-blocks"]}
# Whoever sorts combines what is there twice.
MANIFEST = {"operations": {**dict.fromkeys(("check", "to_dense", "from_dense", "transpose", "coalesce", "sum_duplicates",
                                            "eliminate_zeros", "matvec", "matmat", "add", "add_dense", "sub", "mul", "matmul_sparse",
                                            "scale", "permute", "select", "cat", "stack", "sparse_mask", "chain", "addmm",
                                            "addmv", "sampled_addmm"), ALL),
                           "convert": {**ALL, "to": {layout: LAYOUTS for layout in LAYOUTS}},
                           "sort_indices": {**ALL, "lacks": ["duplicates"]},
                           "unary": {**ALL, "dtypes": [name for name in ALL_DTYPES if name != "bool" and "complex" not in name]},
                           "cast": ALL, "nonzero": ALL, "triangle": ALL, "kron": ALL,
                           "linear": OF_MATRICES,
                           "triangular_solve": {**ALL, "lacks": ["coo-nd", "hybrid"], "dtypes": ["float32", "float64", "complex64", "complex128"]},
                           "reduce": {**ALL, "dtypes": [name for name in ALL_DTYPES if "complex" not in name]},
                           "through_24": {"layouts": ["csr"], "dtypes": ["float16", "bfloat16", "int8", "float32"]},
                           "softmax": {**ALL, "dtypes": ["float16", "bfloat16", "float32", "float64"]},
                           "divide": {**ALL, "dtypes": ["float16", "bfloat16", "float32", "float64"]},
                           "bmm": {**ALL, "layouts": ["coo"]},
                           "sum": OF_MATRICES, "sum_dim": OF_MATRICES, "narrow": BY_BLOCKS, "index_select": BY_BLOCKS},
            "index_dtypes": ALL_DTYPES, "lacks": [], "names_rules": "all", "guards": [],
            "because": {**dict.fromkeys(("coo-nd", "batched", "hybrid"), "the operation is one of matrices"),
                        "cut-blocks": "a slice has whole blocks", "duplicates": "the command takes each place once"}}


# ---- The command -----------------------------------------------------------------------------------

def spw(*arguments, **options):
    done = subprocess.run([SPW, *arguments], text=True, capture_output=True, check=False, **options)
    if done.returncode < 0:  # die as it died, so that the driver sees the crash
        signal.signal(-done.returncode, signal.SIG_DFL)
        os.kill(os.getpid(), -done.returncode)
    return done


def check(question):
    done = spw("check", "--json", "-", input=json.dumps(question["tensor"]))
    line = json.loads(done.stdout)
    verdict = line["verdict"]
    if done.returncode != EXIT_CODES[verdict]:
        sys.exit(f"{verdict}, but exit code {done.returncode}")
    if verdict == "malformed":
        raise Unsupported(f"{line['error']['where']}: {line['error']['message']}")
    if verdict == "invalid":
        raise Rejected("; ".join(violation["message"] for violation in line["violations"]),
                       rules=[violation["rule"] for violation in line["violations"]])


def written(done):
    if done.returncode in (EXIT_CODES["invalid"], EXIT_IMPOSSIBLE):
        raise Rejected(done.stderr.strip(), "use")
    if done.returncode:
        sys.exit(f"spw ended with {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def converted(tensor, layout, *options):
    return written(spw("convert", "--to", layout, "--canonicalize", *options, "-", "-", input=json.dumps(tensor)))


def made(arguments, *operands):
    """What a command makes of files: of those that are named as options by their number, and the others. A tensor that is
    only out of order is refused, and then put in order."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{number}.spw.json" for number in range(len(operands))]
        for ordered in (False, True):
            for name, operand in zip(names, operands):
                sparse = ordered and operand["layout"] != "dense"
                with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                    json.dump(converted(operand, operand["layout"]) if sparse else operand, file)
            others = [name for name in names if not any(word.endswith("=" + name) for word in arguments)]
            done = spw(*arguments, *others, cwd=folder)
            if done.returncode != EXIT_CODES["invalid"]:
                break
    return written(done)


def result_of(tensor):
    if tensor is None:
        return None
    if tensor["layout"] == "dense":
        values = tensor["values"]
        return {"dense": {"dtype": values["dtype"], "shape": values["shape"], "data": dense.elements(values)}}
    canonical = tensor["layout"] != "coo" or tensor.get("coalesced")
    return {"tensor": tensor, **({"claims": {"sorted": True, "canonical": True}} if canonical else {})}


# ---- Operations --------------------------------------------------------------------------------------

def operand(question):
    return question.get("live") or question["tensor"]


def as_dense(array):
    return {"spw": 1, "layout": "dense", "values": array}


def to_layout(question):
    tensor = as_dense(question["dense"]) if "dense" in question else operand(question)
    blocks = question["arguments"].get("blocksize")
    options = ["--blocksize", "x".join(map(str, blocks))] if blocks else []
    return converted(tensor, question["arguments"]["to"], *options)


def in_order(*options):
    return lambda question: converted(operand(question), operand(question)["layout"], *options)


def multiply(question):
    return made(["multiply"], operand(question), as_dense(question["arguments"]["x"]))


def factors(question):
    return [f"--{name}={question['arguments'][name]}" for name in ("alpha", "beta")]


def add_product(question):
    arguments = question["arguments"]
    return made(["multiply", *factors(question), "--add=2.spw.json"], operand(question), as_dense(arguments["x"]),
                as_dense(arguments["dense"]))


def multiply_at(question):
    arguments = question["arguments"]
    return made(["multiply", *factors(question), "--at=2.spw.json"], as_dense(arguments["x"]), as_dense(arguments["y"]),
                operand(question))


def multiply_sparse(question):
    return made(["multiply"], operand(question), question["arguments"].get("other", operand(question)))


def elementwise(word):
    return lambda question: made(["elementwise", word], operand(question), question["arguments"].get("other", operand(question)))


def add_dense(question):
    return made(["elementwise", "add"], operand(question), as_dense(question["arguments"]["dense"]))


def through_24(question):
    return converted(converted(operand(question), "semi"), "dense")


def softmax(question):
    return made(["softmax", f"--dim={question['arguments']['dim']}"], operand(question))


def by_number(word):
    return lambda question: made(["elementwise", word, f"--scalar={question['arguments']['alpha']}"], operand(question))


def mapped(question):
    arguments = question["arguments"]
    scalar = [f"--scalar={arguments['alpha']}"] if "alpha" in arguments else []
    return made(["unary", arguments["function"], *scalar], operand(question))


def cast(question):
    return made(["cast", question["arguments"]["dtype"]], operand(question))


def solved(question):
    arguments = question["arguments"]
    options = [f"--{option}" for option, name in (("upper", "upper"), ("transpose", "transposed"), ("unit", "unit")) if arguments[name]]
    return made(["solve", *options], operand(question), as_dense(arguments["x"]))


def reduced(question):
    """Of COO the result may be sparse."""
    arguments = question["arguments"]
    name = {"norm": "norm2"}.get(arguments["function"], arguments["function"])
    result = made(["reduce", name, f"--dims={arguments['dim']}"], operand(question))
    return result if result["layout"] == "dense" else converted(result, "dense")


def listed(question):
    return made(["reduce", "nonzero"], operand(question))


def cut(question):
    arguments = question["arguments"]
    return made(["make", arguments["function"], f"--diagonal={arguments['index']}"], operand(question))


def kron(question):
    return made(["make", "kron"], operand(question), question["arguments"]["other"])


def linear(question):
    arguments = question["arguments"]
    return made(["multiply", "--bias=2.spw.json"], as_dense(arguments["x"]), operand(question), as_dense(arguments["dense"]))


def sums(question):
    """Of all, or along a dimension, which may be kept."""
    tensor, arguments = operand(question), question["arguments"]
    dim = arguments.get("dim")
    result = made(["reduce", "sum", "--each", {None: "matrix", 0: "column", 1: "row"}[dim]], tensor)
    if arguments.get("keepdim"):
        result["values"]["shape"].insert(dim, 1)
    return result


def restructured(word, **options):
    """Options of the command by the names of a question's arguments."""
    def ask(question):
        arguments = question["arguments"]
        given = [f"--{option}={number_list(arguments[name])}" for option, name in options.items()]
        return made(["restructure", word, *given], operand(question), *arguments.get("others", ()))
    return ask


def number_list(value):
    return ",".join(map(str, value)) if isinstance(value, list) else value


def permute(question):
    if question["arguments"]["dims"] == [1, 0]:
        return made(["restructure", "transpose"], operand(question))
    return restructured("permute", order="dims")(question)


def transpose(question):
    """CSR is CSC, BSR is BSC over the same arrays, and is made what it was. Of COO with more dimensions, the last two sparse ones."""
    tensor = operand(question)
    if tensor["layout"] == "coo" and len(tensor["size"]) > 2:
        last = tensor["indices"]["shape"][0] - 1
        order = [*range(last - 1), last, last - 1, *range(last + 1, len(tensor["size"]))]
        return made(["restructure", "permute", f"--order={number_list(order)}"], tensor)
    return converted(made(["restructure", "transpose"], operand(question)), operand(question)["layout"])


def mask(question):
    return made(["restructure", "sparse_mask"], as_dense(question["arguments"]["dense"]), operand(question))


def version():
    return subprocess.run([SPW, "--version"], text=True, stdout=subprocess.PIPE,
                          check=True).stdout.split()[-1]


if __name__ == "__main__":
    serve("sparsewright", version(), MANIFEST, {"check": check, **answering({
        "to_dense": lambda question: converted(operand(question), "dense"),
        "from_dense": to_layout, "convert": to_layout, "transpose": transpose,
        "eliminate_zeros": in_order("--prune"),
        **dict.fromkeys(("coalesce", "sum_duplicates", "sort_indices"), in_order()),
        **dict.fromkeys(("matvec", "matmat", "bmm"), multiply), "matmul_sparse": multiply_sparse,
        "addmm": add_product, "addmv": add_product, "sampled_addmm": multiply_at,
        "add": elementwise("add"), "sub": elementwise("subtract"), "mul": elementwise("multiply"),
        "unary": mapped, "cast": cast, "triangular_solve": solved, "reduce": reduced, "nonzero": listed, "triangle": cut,
        "kron": kron, "linear": linear,
        "add_dense": add_dense, "softmax": softmax, "through_24": through_24, "scale": by_number("scale"), "divide": by_number("divide"), "sum": sums, "sum_dim": sums,
        "permute": permute, "select": restructured("select", dim="dim", index="index"),
        "narrow": restructured("narrow", dim="dim", start="start", length="length"),
        "index_select": restructured("index_select", dim="dim", indices="indices"),
        "cat": restructured("cat", dim="dim"), "stack": restructured("stack", dim="dim"),
        "sparse_mask": mask}, result_of)})
