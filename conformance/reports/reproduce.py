# SPDX-License-Identifier: Apache-2.0
"""The operands of a case as a piece of program, for reproductions without the suite."""
from math import prod

from judging.dense import row_major
from schemas.vocabulary import ARGUMENTS

C_TYPES = {"bool": "bool", "uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t",
           "int32": "int32_t", "int64": "int64_t", "float32": "float", "float64": "double",
           "complex64": "float _Complex", "complex128": "double _Complex"}
SHORT = {"compressed_indices": "compressed", "plain_indices": "plain", "indices": "indices",
         "values": "values"}


def program(recipe, case):
    """Head, operands and body."""
    body = body_of(recipe, case)
    if body is None:
        return None
    return "\n".join(part for part in (recipe.get("head", ""), operands(recipe["language"], case),
                                       body) if part) + "\n"


def body_of(recipe, case):
    layout = case.get("tensor", case.get("arguments", {"to": "file"})).get("layout")
    layout = layout or case.get("arguments", {}).get("to", "file")
    operation = case["operation"]
    of_checks = (f"*/{layout}", "*") if operation == "check" else ()
    for key in (f"{operation}/{layout}", f"{operation}/*", *of_checks):
        if key in recipe["body"]:
            return recipe["body"][key]
    return None


def operands(language, case):
    write = PythonWriter() if language == "python" else CWriter()
    lines = write.start(case)
    if "tensor" in case:
        lines += write.tensor(case["tensor"], "")
    if "dense" in case:
        lines += write.array("dense", case["dense"])
    for name, value in case.get("arguments", {}).items():
        kind = ARGUMENTS[name]
        if kind == "array":
            lines += write.array(name, value)
        elif kind in ("tensor", "tensors"):
            for k, tensor in enumerate(value if kind == "tensors" else [value]):
                lines += write.tensor(tensor, f"{name}{k or ''}_")
        else:
            lines += write.plain(name, value)
    if "file" in case:
        lines += write.plain("file", case["file"]["base64"])
    return "\n".join(lines)


class PythonWriter:
    def start(self, case):
        return ["import numpy as np", ""]

    def tensor(self, tensor, prefix):
        lines = [f"{prefix}layout = {tensor['layout']!r}"]
        size = tuple(tensor["size"]) if "size" in tensor else None
        lines.append(f"{prefix}size = {size}")
        for key in ("coalesced", "index_dtype", "dtype"):
            if key in tensor:
                lines.append(f"{prefix}{key} = {tensor[key]!r}")
        for key, short in SHORT.items():
            if key in tensor:
                lines += self.array(prefix + short, tensor[key])
        return lines

    def plain(self, name, value):
        return [f"{name} = {value!r}"]

    def array(self, name, member):
        dtype, note = member["dtype"], ""
        if dtype == "bfloat16":
            dtype, note = "float32", "  # as bfloat16"
        if "fill" in member:
            storage = f"np.full({member['length']}, {self.element(member['fill'])}, np.{dtype})"
        elif any(is_bits(value) for value in member["data"]):
            storage, note = self.with_bits(member, dtype), note
        else:
            elements = ", ".join(map(self.element, member["data"]))
            storage = f"np.array([{elements}], np.{'bool_' if dtype == 'bool' else dtype})"
        shape = tuple(member["shape"])
        if "strides" in member or "offset" in member or "fill" in member:
            strides = tuple(member.get("strides") or row_major(list(shape)))
            return [f"{name} = {storage}{note}",
                    f"{name} = np.lib.stride_tricks.as_strided({name}[{member.get('offset', 0)}:], {shape},",
                    f"    [step * {name}.itemsize for step in {strides}])"]
        if len(shape) != 1 or prod(shape) != len(member["data"]):
            storage += f"[:{prod(shape)}].reshape({shape})"
        return [f"{name} = {storage}{note}"]

    def with_bits(self, member, dtype):
        """One NaN in it has a payload: the bits of that one, the others by value."""
        lists = ", ".join(f"np.array([{value[5:] and '0x' + value[5:]}], np.{UNSIGNED[dtype]}).view(np.{dtype})[0]"
                          if is_bits(value) and len(value) == 5 + 2 * BYTES[dtype]
                          else "np.nan" if is_bits(value) else self.element(value)
                          for value in member["data"])
        return f"np.array([{lists}], np.{dtype})"

    def element(self, value):
        if isinstance(value, list):
            return f"complex({self.element(value[0])}, {self.element(value[1])})"
        if isinstance(value, str):
            return {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}.get(
                value, f"float.fromhex({value!r})" if "0x" in value else value)
        return repr(value)


UNSIGNED = {"float16": "uint16", "float32": "uint32", "float64": "uint64"}
BYTES = {"float16": 2, "float32": 4, "float64": 8}


def is_bits(value):
    return isinstance(value, str) and value.startswith("bits:")


class CWriter:
    def start(self, case):
        return ["#include <complex.h>" if "complex" in str(case.get("tensor", "")) else "",
                "#include <math.h>", "#include <stdbool.h>", "#include <stdint.h>", "#include <stdio.h>", ""]

    def tensor(self, tensor, prefix):
        lines = [f"/* {tensor['layout']} */"]
        size = tensor.get("size")
        if size is not None:
            lines.append(f"static const int64_t {prefix}size[] = {{{', '.join(map(str, size)) or 0}}};")
            if len(size) >= 2:
                lines.append(f"static const int64_t {prefix}rows = {size[-2]}, {prefix}cols = {size[-1]};")
        first = tensor.get("indices", tensor.get("plain_indices"))
        nse = first["shape"][-1] if first["shape"] else 0
        lines.append(f"static const int64_t {prefix}nse = {nse};")
        for key, short in SHORT.items():
            if key in tensor:
                lines += self.array(prefix + short, tensor[key])
        return lines

    def plain(self, name, value):
        if isinstance(value, list):
            return [f"static const int64_t {name}[] = {{{', '.join(map(str, value)) or 0}}};"]
        if isinstance(value, str):
            return [f'static const char {name}[] = "{value}";']
        kind = {bool: "bool", int: "int64_t"}.get(type(value), "double")
        return [f"static const {kind} {name} = {str(value).lower()};"]

    def array(self, name, member):
        kind, note = C_TYPES.get(member["dtype"], "float"), f"  /* shape {member['shape']}"
        for key in ("strides", "offset"):
            if key in member:
                note += f", {key} {member[key]}"
        note += " */" if member["dtype"] in C_TYPES else f", as {member['dtype']} */"
        if "fill" in member:
            count, data = member["length"], [member["fill"]]
            return [f"static {kind} {name}[{max(count, 1)}];{note}",
                    f"/* every element of it: {self.element(data[0])} */"]
        elements = ", ".join(map(self.element, member["data"]))
        return [f"static {kind} {name}[] = {{{elements or 0}}};{note}"]

    def element(self, value):
        if isinstance(value, list):
            return f"{self.element(value[0])} + {self.element(value[1])} * I"
        if isinstance(value, str):
            return {"nan": "NAN", "inf": "INFINITY", "-inf": "-INFINITY"}.get(
                value, "NAN" if is_bits(value) else value)
        if value == -(2**63):
            return "INT64_MIN"
        return str(int(value)) if isinstance(value, bool) else repr(value)
