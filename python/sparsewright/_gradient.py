# SPDX-License-Identifier: Apache-2.0
"""Gradients of operations, and optimisers that take sparse gradients."""
from array import array

from . import _core
from ._tensor import Tensor


def _dense(x):
    """A plain buffer as a dense array; anything else is what it is."""
    return Tensor("dense", memoryview(x).shape, None, None, x) if isinstance(x, (array, bytes, bytearray, memoryview)) else x


def gradient(operation, operands, upstream, *, wrt=0, values=False, full=False, dim=None, keepdim=False, scalar=None, limit=0,
             out=None):
    """The upstream gradient times the Jacobian of an operation, with respect to one operand. That of a sparse operand is stored
    where the operand stores something, and nowhere else; that of a dense one is dense.

    operation   convert, permute (dim: the order), add, subtract, multiply, scale, divide, matmul, sampled_addmm, linear, kron,
                solve_lower, solve_upper, spsolve, mm_sum, mm_mean, mm_amax, mm_amin, sum, mean, mean_dense, amax, amin, max, min,
                norm0, norm1, norm2, norm_inf, softmax, log_softmax, or one of functions()
    operands    a tensor, or a tuple of them
    upstream    the gradient of the result: dense or sparse
    wrt         the number of the operand; of scale and divide, 1 is the scalar
    values      COO with duplicates: each copy has the derivative of its position. Otherwise each position is stored once
    full        matmul: at every position of the sparse operand, as a dense array
    dim         the dimensions that are reduced, of softmax one; None: all, of softmax the last one
    scalar      of scale, divide and pow; of add, subtract, matmul and sampled_addmm a factor
    limit, out  as of convert"""
    operands = operands if isinstance(operands, tuple) else (operands,)
    dims = dim if dim is None or not isinstance(dim, int) else (dim,)
    return Tensor(*_core._gradient(operation, tuple(map(_dense, operands + (upstream,))), wrt, values, full, dims, keepdim, scalar, limit)).to(out)


class _Optimiser:
    """An optimiser of one parameter, an array that is written to. step(gradient) takes COO."""

    _kind = ""

    def __init__(self, parameter, numbers, first=None, second=None, maximize=False, nesterov=False):
        self.parameter, self.steps = _dense(parameter), 0
        self._numbers, self._maximize, self._nesterov = tuple(map(float, numbers)), maximize, nesterov
        self.first, self.second, self.momentum = _dense(first), _dense(second), None

    def step(self, gradient):
        """Changes the parameter where the gradient, or the state, stores something. Refused if they do not fit."""
        self.steps, momentum = _core._optimise(self._kind, self.parameter, gradient, self.first, self.second, self.momentum, self.steps,
                                               self._maximize, self._nesterov, self._numbers)
        self.momentum = momentum and Tensor(*momentum)


def _like(parameter, value):
    """An array of that shape and type, full of one value."""
    if hasattr(parameter, "new_full"):
        return parameter.new_full(tuple(parameter.shape), value)
    view = memoryview(parameter)
    flat = memoryview(array(view.format, [value]) * (view.nbytes // view.itemsize))
    return flat.cast("B").cast(view.format, view.shape) if view.nbytes else flat


class SGD(_Optimiser):
    """Stochastic gradient descent, with momentum if it is not 0: a sparse buffer that moves its rows on in each step."""

    _kind = "sgd"

    def __init__(self, parameter, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False):
        super().__init__(parameter, (lr, momentum, dampening, 0, 0, 0, 0, weight_decay), maximize=maximize, nesterov=nesterov)


class SparseAdam(_Optimiser):
    """Adam whose moments change in the rows of the gradient only: `first` and `second`."""

    _kind = "sparse_adam"

    def __init__(self, parameter, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, *, maximize=False):
        super().__init__(parameter, (lr, 0, 0, betas[0], betas[1], eps, 0, 0), _like(parameter, 0), _like(parameter, 0),
                         maximize=maximize)


class Adagrad(_Optimiser):
    """Adagrad: `second` is the sum of squares."""

    _kind = "adagrad"

    def __init__(self, parameter, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, *, maximize=False):
        super().__init__(parameter, (lr, 0, 0, 0, 0, eps, lr_decay, weight_decay), second=_like(parameter, initial_accumulator_value),
                         maximize=maximize)
