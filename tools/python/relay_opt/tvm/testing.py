# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers of tests. The processor is the only device."""

from .absent import absent
from .runtime import cpu
from .target import Target


def assert_allclose(actual, desired, rtol: float = 1e-7, atol: float = 1e-7) -> None:
    """Fails if the arrays differ by more than the tolerances."""
    import numpy

    numpy.testing.assert_allclose(numpy.asarray(actual), numpy.asarray(desired), rtol=rtol, atol=atol, verbose=True)


def enabled_targets() -> list:
    """Returns pairs of a target and its device."""
    return [(Target("llvm"), cpu(0))]


def device_enabled(target) -> bool:
    """Returns true if the target is that of the processor."""
    return Target(target).kind.name == "llvm"


def parameter(*values, ids=None, by_dict=None):
    """Returns a fixture of pytest that has each of the values; by_dict maps their ids to them."""
    import pytest

    if by_dict is not None:
        if values or ids:
            raise RuntimeError("by_dict excludes positional values and ids")
        ids, values = zip(*by_dict.items())

    @pytest.fixture(params=values, ids=ids)
    def value(request):
        return request.param

    return value


def uses_gpu(function):
    """Returns the test, which runs on the processor."""
    return function


def requires_llvm(function):
    """Returns the test: the interpreter evaluates for this target."""
    return function


def requires_gpu(function):
    """Skips the test."""
    import pytest

    return pytest.mark.skip(reason="relay_opt runs on the processor only")(function)


def main() -> None:
    """Runs the tests of the calling file with pytest."""
    import sys

    import pytest

    frame = sys._getframe(1)
    sys.exit(pytest.main([frame.f_globals["__file__"], *sys.argv[1:]]))


def __getattr__(name: str):
    raise absent("tvm.testing", name)
