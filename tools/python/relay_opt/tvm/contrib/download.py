# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Downloads of test data are no part of relay_opt."""


def download_testdata(url: str, relpath: str, module=None, overwrite: bool = False) -> str:
    """Raises: the package does not download."""
    raise NotImplementedError(f"relay_opt does not download; get {url} and pass its path instead")
