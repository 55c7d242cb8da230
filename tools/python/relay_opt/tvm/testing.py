# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers of tests."""


def assert_allclose(actual, desired, rtol: float = 1e-7, atol: float = 1e-7) -> None:
    """Fails if the arrays differ by more than the tolerances."""
    import numpy

    numpy.testing.assert_allclose(numpy.asarray(actual), numpy.asarray(desired), rtol=rtol, atol=atol, verbose=True)


def main() -> None:
    """Runs the tests of the calling file with pytest."""
    import sys

    import pytest

    frame = sys._getframe(1)
    sys.exit(pytest.main([frame.f_globals["__file__"], *sys.argv[1:]]))
