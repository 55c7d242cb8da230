# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Importers are no part of relay_opt: docs/Importing.md says how models come here."""

from ..absent import absent


def __getattr__(name: str):
    raise absent("tvm.relay.frontend", name)
