# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets, by the text that the tools take."""

from .absent import absent


class Target(str):
    """A target: its name, and options as `llvm -mcpu=skylake`."""

    def __new__(cls, target, host=None):
        words = str(target).split()
        options = [word.lstrip("-") for word in words[1:]]
        return super().__new__(cls, ",".join(words[:1] + options))

    @property
    def kind(self) -> str:
        return self.split(",")[0]

    def __enter__(self):
        raise NotImplementedError("pass the target to PassContext(target=...)")

    def __exit__(self, *arguments) -> None: ...


def __getattr__(name: str):
    raise absent("tvm.target", name)
