#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PyTorch: the constructors with check_invariants=True, its own validator of every invariant. For
use they are called without, which is their default."""
import os
import warnings

import torch
from torch.sparse import _semi_structured_conversions as halves

from numpy_arrays import DTYPES, array_member, is_small, layout_of, storage_of
from protocol import answering, asking, attempt, serve, spelled, with_again, with_spellings

COMPRESSED = {"csr": torch.sparse_csr, "csc": torch.sparse_csc, "bsr": torch.sparse_bsr,
              "bsc": torch.sparse_bsc}
LAYOUTS = {"coo": torch.sparse_coo, **COMPRESSED}
NAMES = {layout: name for name, layout in LAYOUTS.items()}
MEMBERS = {"csr": ("crow_indices", "col_indices"), "csc": ("ccol_indices", "row_indices"),
           "bsr": ("crow_indices", "col_indices"), "bsc": ("ccol_indices", "row_indices")}
VALUES = [*DTYPES, "bfloat16"]
ALL = {"layouts": list(LAYOUTS), "dtypes": VALUES}
# Asked of every layout and type: what PyTorch does not have, it says itself (REFUSES).
OPERATIONS = {
    **dict.fromkeys(("check", "use", "to_dense", "from_dense", "sum", "cast", "scale", "matvec", "matmat", "add", "add_dense",
                     "sum_dim", "sum_dims", "add_scaled", "sub", "mul", "matmul_sparse", "sparse_mask", "sampled_addmm", "addmm", "addmv", "divide",
                     "permute", "select", "narrow", "index_select", "cat", "stack", "unary"), ALL),
    "transpose": {**ALL, "lacks": ["hybrid"]},
    # Blocks cannot be resolved into elements, nor be changed.
    "convert": {**ALL, "to": {"coo": list(COMPRESSED), "csr": ["coo", "csc", "bsr", "bsc"],
                              "csc": ["coo", "csr", "bsr", "bsc"], "bsr": ["coo", "bsc"],
                              "bsc": ["coo", "bsr"]}},
    "softmax": {**ALL, "layouts": ["coo"], "dtypes": ["float32", "float64"]},
    "through_24": {"layouts": ["csr"], "dtypes": ["float16", "bfloat16", "int8", "float32"]},
    "triangular_solve": {"layouts": ["csr"], "dtypes": ["float32", "float64"]},
    "linear": {"layouts": ["coo", "csr", "csc"], "dtypes": ["float32", "float64", "complex64", "complex128"]},
    "chain": {**ALL, "layouts": ["coo", "csr", "csc"]},
    **dict.fromkeys(("bmm", "coalesce"), {**ALL, "layouts": ["coo"]}),
}
# A gradient is not asked of what does not work at all.
FORWARD = "the operation itself is refused"
# Its words where it does not have an operation, a layout or a type.
REFUSES = ["not implemented for", "Could not run", "not supported", "unsupported", "is not implemented", "only supports",
           "doesn't support", "does not support", "cannot be converted", "must be a matrix", "must be a vector", "Expected matrix",
           "matrix expected", "tensors do not have is_contiguous", "tensors do not have strides", "no view exists",
           "expected sparse compressed (non-block) tensor layout", "Expected result Tensor to be of format CSR",
           "Expected result to have sparse csr layout", "Expected self to be a floating-point or complex tensor",
           "only compressed sparse format supported", FORWARD]
# The dtype argument of the constructors asks for a conversion, it declares nothing. COO converts
# indices of any type to int64, by its manual; floats are too far from being indices to ask about.
INDICES = ["uint8", "int8", "int16", "int32", "int64"]
# Ways to write an operation, besides the operator: of two tensors, or of one and a number or a dense array.
SPELLED = {
    **{(name, way): function for name, method in (("add", "add"), ("sub", "sub"), ("mul", "mul"), ("scale", "mul"), ("divide", "div"),
                                                  ("matvec", "mv"), ("matmat", "mm"), ("matmul_sparse", "mm"))
       for way, function in {"function": lambda a, b, m=method: getattr(torch, m)(a, b),
                             "method": lambda a, b, m=method: getattr(a, m)(b),
                             "in-place": lambda a, b, m=method: getattr(a, m + "_")(b)}.items()
       if way != "in-place" or method not in ("mv", "mm")},
    **{(name, "out"): lambda a, b, m=method: getattr(torch, m)(a, b, out=torch.zeros(a.shape, dtype=a.dtype, layout=a.layout))
       for name, method in (("add", "add"), ("sub", "sub"), ("mul", "mul"), ("scale", "mul"), ("divide", "div"))},
    ("matvec", "out"): lambda a, x: torch.mv(a, x, out=torch.empty(a.shape[0], dtype=a.dtype)),
    ("matmat", "out"): lambda a, x: torch.mm(a, x, out=torch.empty(a.shape[0], x.shape[1], dtype=a.dtype)),
    ("matmul_sparse", "out"): lambda a, b: torch.mm(a, b, out=torch.zeros(a.shape[0], b.shape[1], dtype=a.dtype, layout=a.layout)),
    ("add", "reversed"): lambda a, b: b + a, ("sub", "reversed"): lambda a, b: -(b - a), ("mul", "reversed"): lambda a, b: b * a,
    ("scale", "reversed"): lambda a, alpha: alpha * a,
    ("matvec", "reversed"): lambda a, x: x @ a.transpose(0, 1), ("matmat", "reversed"): lambda a, x: (x.T @ a.transpose(0, 1)).T}
OPERATIONS = with_again(with_spellings(OPERATIONS, SPELLED))
MANIFEST = {"operations": OPERATIONS, "index_dtypes": INDICES, "names_rules": "none",
            "lacks": ["declared", "negative-shape", "negative-stride", "out-of-storage"],
            "guards": ["after", "before"], "refuses": REFUSES,
            "because": {"declared": "the type that its constructors take asks for a conversion", "negative-stride": "it has no negative strides",
                        "negative-shape": "it makes no array with a negative size", "out-of-storage": "it makes no array that leaves its storage",
                        "transpose/hybrid": "two dimensions of a hybrid tensor can be transposed in several ways: permute asks for them"}}


def torch_array(member, guard):
    storage = torch.from_numpy(storage_of(member, guard))
    if member["dtype"] == "bfloat16":
        storage = storage.view(torch.bfloat16)
    return storage.as_strided(*layout_of(member))


def member_of(array):
    if array.dtype != torch.bfloat16:
        return array_member(array.resolve_conj().resolve_neg().numpy())
    bits = array.contiguous().view(torch.int16).flatten().tolist()
    data = [number if number == number else f"bits:{n & 0xffff:04x}"
            for number, n in zip(array.flatten().tolist(), bits)]
    return {"dtype": "bfloat16", "shape": list(array.shape), "data": data}


def constructor_of(tensor, guard, check):
    """The call, its arrays made beforehand: what goes wrong there is not the library's."""
    names = ("indices",) if tensor["layout"] == "coo" else ("compressed_indices", "plain_indices")
    arguments = [torch_array(tensor[name], guard) for name in (*names, "values")]
    if "size" in tensor:
        arguments.append(tuple(tensor["size"]))
    if tensor["layout"] == "coo":
        claim = {"is_coalesced": tensor["coalesced"]} if "coalesced" in tensor else {}
        return lambda: torch.sparse_coo_tensor(*arguments, check_invariants=check, **claim)
    return lambda: torch.sparse_compressed_tensor(
        *arguments, layout=COMPRESSED[tensor["layout"]], check_invariants=check)


def construct(question, check=False, tensor=None):
    if tensor is None and "live" in question:
        return question["live"]
    constructor = constructor_of(tensor or question["tensor"], question.get("guard", "after"), check)
    with asking("construct"):
        return constructor()


def check(question):
    construct(question, check=True)


def use(question):
    tensor = construct(question)
    size, dtype = tensor.shape, tensor.dtype
    actions = []
    if is_small(size):
        actions.append(tensor.to_dense)
    if is_small(size[:1]) and is_small(size[-1:]):
        actions += [lambda: tensor @ torch.ones(size[-1], dtype=dtype),
                    lambda: tensor @ torch.ones(size[-1], 2, dtype=dtype)]
    attempt(*actions)


def sparse_dims(tensor):
    """The first of the two that are rows and columns."""
    return tensor.dim() - 2 - tensor.dense_dim()


def blocksize(question):
    blocks = question["arguments"].get("blocksize")
    return {"blocksize": tuple(blocks)} if blocks else {}


def operation(function):
    """Of the tensor and the question; what the library raises is its rejection."""
    def ask(question):
        tensor = construct(question)
        with asking("use"):
            return function(tensor, question)
    return ask


def from_dense(question):
    dense = torch_array(question["dense"], question.get("guard", "after"))
    with asking("use"):
        return dense.to_sparse(layout=LAYOUTS[question["arguments"]["to"]], **blocksize(question))


def convert(tensor, question):
    return tensor.to_sparse(layout=LAYOUTS[question["arguments"]["to"]], **blocksize(question))


def transpose(tensor, _):
    first = sparse_dims(tensor)
    return tensor.transpose(first, first + 1)


def times(question):
    x = torch_array(question["arguments"]["x"], question.get("guard", "after"))
    return operation(lambda tensor, _: spelled(question, lambda a, b: a @ b, SPELLED)(tensor, x))(question)


def times_batches(question):
    x = torch_array(question["arguments"]["x"], question.get("guard", "after"))
    return operation(lambda tensor, _: torch.bmm(tensor, x))(question)


def add(question):
    tensor = construct(question)
    other = question["arguments"].get("other")
    other = construct(question, tensor=other) if other else tensor
    with asking("use"):
        return spelled(question, lambda a, b: a + b, SPELLED)(tensor, other)


def add_dense(question):
    """PyTorch adds a sparse tensor to a dense one, and not the other way round."""
    dense = torch_array(question["arguments"]["dense"], question.get("guard", "after"))
    return operation(lambda tensor, _: dense + tensor)(question)


def sum_dim(tensor, question):
    """CSR can only keep the dimension."""
    given = question["arguments"]
    if given.get("keepdim"):
        return torch.sum(tensor, given["dim"], keepdim=True)
    if tensor.layout == torch.sparse_coo:
        return torch.sum(tensor, given["dim"])
    return torch.sum(tensor, given["dim"], keepdim=True).to_dense().squeeze(given["dim"])


def sum_dims(tensor, given):
    dtype = {"dtype": getattr(torch, given["dtype"])} if "dtype" in given else {}
    return torch.sum(tensor, given["dims"], keepdim=given.get("keepdim", False), **dtype)


def spoil(result):
    """Overwrites a result that is a new object."""
    (result if result.layout == torch.strided else result._values() if result.layout == torch.sparse_coo else result.values()).fill_(1)


def of_two(function):
    def ask(question):
        tensor, given = construct(question), question["arguments"]
        other = construct(question, tensor=given["other"]) if "other" in given else tensor
        with asking("use"):
            return spelled(question, function, SPELLED)(tensor, other)
    return ask


def by_number(function):
    return operation(lambda tensor, question: spelled(question, function, SPELLED)(tensor, question["arguments"]["alpha"]))


def of_one(function):
    """Of the tensor and the arguments."""
    return operation(lambda tensor, question: function(tensor, question["arguments"]))


def fused(function):
    """beta * dense + alpha * (tensor @ x)"""
    def ask(question):
        tensor, given = construct(question), question["arguments"]
        x, c = (torch_array(given[name], question.get("guard", "after")) for name in ("x", "dense"))
        with asking("use"):
            return function(c, tensor, x, beta=given["beta"], alpha=given["alpha"])
    return ask


def sparse_mask(question):
    mask = construct(question)
    dense = torch_array(question["arguments"]["dense"], question.get("guard", "after"))
    with asking("use"):
        return dense.sparse_mask(mask)


def sampled_addmm(question):
    tensor, given = construct(question), question["arguments"]
    x, y = (torch_array(given[name], question.get("guard", "after")) for name in ("x", "y"))
    with asking("use"):
        return torch.sparse.sampled_addmm(tensor, x, y, beta=given["beta"], alpha=given["alpha"])


def mapped(tensor, given):
    name, alpha = given["function"], given.get("alpha")
    if name == "pow":
        return torch.pow(tensor, alpha)
    if name.startswith("div_"):
        return torch.div(tensor, alpha, rounding_mode=name[len("div_"):])
    return getattr(torch, name)(tensor)


def joined(function):
    def ask(question):
        tensors = [construct(question), *(construct(question, tensor=other)
                                          for other in question["arguments"]["others"])]
        with asking("use"):
            return function(tensors, question["arguments"]["dim"])
    return ask


def result_of(tensor):
    """The members as they are: nothing is coalesced here."""
    if tensor.layout == torch.strided:
        return {"dense": member_of(tensor)}
    file = {"spw": 1, "layout": NAMES[tensor.layout], "size": list(tensor.shape)}
    if tensor.layout == torch.sparse_coo:
        file.update(indices=member_of(tensor._indices()), values=member_of(tensor._values()))
        return {"tensor": file, "claims": {"coalesced": tensor.is_coalesced()}}
    compressed, plain = MEMBERS[file["layout"]]
    file.update(compressed_indices=member_of(getattr(tensor, compressed)()),
                plain_indices=member_of(getattr(tensor, plain)()),
                values=member_of(tensor.values()))
    return {"tensor": file}


def triangular_solve(question):
    tensor, arguments = construct(question), question["arguments"]
    x = torch_array(arguments["x"], question.get("guard", "after"))
    with asking("use"):
        return torch.triangular_solve(x, tensor, upper=arguments["upper"], transpose=arguments["transposed"],
                                      unitriangular=arguments["unit"])[0]


def linear(question):
    tensor, guard = construct(question), question.get("guard", "after")
    x, bias = (torch_array(question["arguments"][name], guard) for name in ("x", "dense"))
    with asking("use"):
        return torch.nn.functional.linear(x, tensor, bias)


# ---- Gradients ------------------------------------------------------------------------------------

OF_ONE = {"to_dense": lambda t, _: t.to_dense(), "coalesce": lambda t, _: t.coalesce(), "scale": lambda t, given: t * given["alpha"],
          "divide": lambda t, given: t / given["alpha"], "permute": lambda t, given: t.permute(given["dims"]),
          "select": lambda t, given: t.select(given["dim"], given["index"]),
          "narrow": lambda t, given: t.narrow_copy(given["dim"], given["start"], given["length"]),
          "index_select": lambda t, given: t.index_select(given["dim"], torch.tensor(given["indices"], dtype=torch.int64)),
          "unary": lambda t, given: mapped(t, given), "transpose": lambda t, _: t.transpose(sparse_dims(t), sparse_dims(t) + 1),
          "sum": lambda t, _: torch.sparse.sum(t) if t.layout == torch.sparse_coo else t.sum(),
          "convert": lambda t, given: t.to_sparse(layout=LAYOUTS[given["to"]], **(
              {"blocksize": tuple(given["blocksize"])} if "blocksize" in given else {})),
          "sum_dim": lambda t, given: torch.sparse.sum(t, given["dim"]) if t.layout == torch.sparse_coo else torch.sum(
              t, given["dim"], keepdim=True),
          "reduce": lambda t, given: getattr(torch, given["function"])(t, given["dim"]),
          "softmax": lambda t, given: torch.sparse.softmax(t, given["dim"])}
# The manual says of torch.sparse.mm of two sparse matrices that backward is not supported.
OF_TWO = {"add": ("other", lambda t, b: t + b), "sub": ("other", lambda t, b: t - b), "mul": ("other", lambda t, b: t * b),
          "add_dense": ("dense", lambda t, b: b + t), "matvec": ("x", torch.mv),
          "sparse_mask": ("dense", lambda t, b: b.sparse_mask(t)), "matmat": ("x", torch.sparse.mm), "bmm": ("x", torch.bmm)}
OF_MORE = {"addmm": lambda t, given: torch.sparse.addmm(given["dense"], t, given["x"], beta=given["beta"], alpha=given["alpha"]),
           "addmv": lambda t, given: torch.addmv(given["dense"], t, given["x"], beta=given["beta"], alpha=given["alpha"]),
           "linear": lambda t, given: torch.nn.functional.linear(given["x"], t, given["dense"]),
           "sampled_addmm": lambda t, given: torch.sparse.sampled_addmm(t, given["x"], given["y"], beta=given["beta"], alpha=given["alpha"]),
           "triangular_solve": lambda t, given: torch.triangular_solve(given["x"], t, upper=given["upper"], transpose=given["transposed"],
                                                                       unitriangular=given["unit"])[0],
           "cat": lambda t, given: torch.cat([t, *given["others"]], given["dim"]),
           "stack": lambda t, given: torch.stack([t, *given["others"]], given["dim"])}
OPERATIONS["vjp"] = {**ALL, "dtypes": ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"], "of": {
    **dict.fromkeys(OF_ONE, ["tensor", "values"]), **{name: ["tensor", "values", second] for name, (second, _) in OF_TWO.items()},
    "sparse_mask": ["dense"], **dict.fromkeys(("addmm", "addmv", "linear"), ["tensor", "values", "x", "dense"]),
    "sampled_addmm": ["tensor", "values", "x", "y"], "triangular_solve": ["tensor", "values", "x"],
    **dict.fromkeys(("cat", "stack"), ["tensor", "values"])}}


def operands_of(question):
    """The tensor, the arguments as the library's, and what is differentiated."""
    of, wrt, guard = question["arguments"]["of"], question["arguments"]["wrt"], question.get("guard", "after")
    given, file = dict(of["arguments"]), question["tensor"]
    for name in ("x", "y", "dense"):
        if name in given:
            given[name] = torch_array(given[name], guard)
    for name in ("other", "others"):
        if name in given:
            files = given[name] if name == "others" else [given[name]]
            made = [construct(question, tensor=one) for one in files]
            given[name] = made if name == "others" else made[0]
    if wrt != "values":
        tensor = construct(question)
        leaf = tensor if wrt == "tensor" else given[wrt]
        return tensor, given, leaf.requires_grad_()
    values = torch_array(file["values"], guard).requires_grad_()
    names = ("indices",) if file["layout"] == "coo" else ("compressed_indices", "plain_indices")
    arrays = [torch_array(file[name], guard) for name in names]
    with asking("construct"):
        if file["layout"] == "coo":
            claim = {"is_coalesced": file["coalesced"]} if "coalesced" in file else {}
            return torch.sparse_coo_tensor(*arrays, values, tuple(file["size"]), **claim), given, values
        return torch.sparse_compressed_tensor(*arrays, values, tuple(file["size"]), layout=COMPRESSED[file["layout"]]), given, values


def forward(tensor, of, given):
    """What does not work without gradients either is asked elsewhere."""
    try:
        if of["operation"] in OF_TWO:
            second, function = OF_TWO[of["operation"]]
            return function(tensor, given[second])
        return {**OF_ONE, **OF_MORE}[of["operation"]](tensor, given)
    except Exception as error:
        raise RuntimeError(f"{FORWARD}: {error}") from None


def vjp(question):
    """A sparse result is made dense, as a program would before it computes a loss."""
    of, upstream = question["arguments"]["of"], question["arguments"].get("upstream")
    upstream = torch_array(upstream, "after") if upstream else construct(question, tensor=question["arguments"]["upstream_sparse"])
    tensor, given, leaf = operands_of(question)
    with asking("use"):
        out = forward(tensor, of, given)
        if not out.requires_grad:
            raise NotImplementedError("the result is not supported by autograd: it does not require a gradient")
        # CSR can only keep a dimension, and COO cannot.
        shape = upstream.to_dense().reshape(out.shape)
        return torch.autograd.grad(out.to_dense(), leaf, shape)[0].detach()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    serve("torch", torch.__version__, MANIFEST,
          {"check": check, "use": use, **answering({
               "to_dense": operation(lambda t, _: t.to_dense()),
           "from_dense": from_dense, "convert": operation(convert),
           "transpose": operation(transpose), "matvec": times, "matmat": times,
           "sum": operation(lambda t, _: t.sum()), "sum_dim": operation(sum_dim), "add": add,
           "sum_dims": of_one(sum_dims), "add_dense": add_dense,
           "add_scaled": lambda question: of_two(lambda a, b: torch.add(a, b, alpha=question["arguments"]["alpha"]))(question),
           "sub": of_two(lambda a, b: a - b),
           "mul": of_two(lambda a, b: a * b), "matmul_sparse": of_two(torch.sparse.mm),
           "scale": by_number(lambda a, alpha: a * alpha),
           "divide": by_number(lambda a, alpha: a / alpha),
           "addmm": fused(torch.addmm), "addmv": fused(torch.addmv),
           "permute": of_one(lambda a, given: a.permute(given["dims"])),
           "select": of_one(lambda a, given: a.select(given["dim"], given["index"])),
           "narrow": of_one(lambda a, given: a.narrow_copy(given["dim"], given["start"], given["length"])),
           "index_select": of_one(lambda a, given: a.index_select(
               given["dim"], torch.tensor(given["indices"], dtype=torch.int64))),
           "unary": of_one(mapped), "cast": of_one(lambda a, given: a.to(getattr(torch, given["dtype"]))), "bmm": times_batches,
           "through_24": of_one(lambda a, given: halves.sparse_semi_structured_to_dense_cutlass(
               *halves.sparse_semi_structured_from_dense_cutlass(a.to_dense()))),
           "softmax": of_one(lambda a, given: torch.sparse.softmax(a, given["dim"])),
           "vjp": vjp, "triangular_solve": triangular_solve, "linear": linear, "sparse_mask": sparse_mask, "sampled_addmm": sampled_addmm, "cat": joined(torch.cat), "stack": joined(torch.stack),
           "coalesce": of_one(lambda a, given: a.coalesce())}, result_of, construct, spoil)})
