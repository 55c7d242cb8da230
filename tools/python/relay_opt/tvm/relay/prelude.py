# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists, options and trees, with the names of TVM's standard module.

The module's tensor arrays are missing.
"""

from __future__ import annotations

import functools
from typing import Any

from ...module import IRModule
from ...reading import parse
from ..absent import absent

_TEXT = """
type List[A] { Cons(A, List[A]), Nil }
type Option[A] { Some(A), None }
type Tree[A] { Rose(A, List[Tree[A]]) }

def @id[A](%value: A) -> A { %value }
def @compose[A, B, C](%outer: fn (B) -> C, %inner: fn (A) -> B) -> fn (A) -> C {
  fn (%value: A) -> C { %outer(%inner(%value)) }
}
def @flip[A, B, C](%call: fn (A, B) -> C) -> fn (B, A) -> C {
  fn (%second: B, %first: A) -> C { %call(%first, %second) }
}
def @iterate[A](%step: fn (A) -> A, %count: int32) -> fn (A) -> A {
  if (equal(%count, 0)) { @id } else { @compose(%step, @iterate(%step, subtract(%count, 1))) }
}

def @hd[A](%list: List[A]) -> A {
  match? (%list) { Cons(%first, _) => %first }
}
def @tl[A](%list: List[A]) -> List[A] {
  match? (%list) { Cons(_, %rest) => %rest }
}
def @nth[A](%list: List[A], %index: int32) -> A {
  if (equal(%index, 0)) { @hd(%list) } else { @nth(@tl(%list), subtract(%index, 1)) }
}
def @update[A](%list: List[A], %index: int32, %new: A) -> List[A] {
  if (equal(%index, 0)) {
    Cons(%new, @tl(%list))
  } else {
    Cons(@hd(%list), @update(@tl(%list), subtract(%index, 1), %new))
  }
}

def @foldl[A, B](%step: fn (A, B) -> A, %start: A, %list: List[B]) -> A {
  match (%list) {
    Cons(%first, %rest) => @foldl(%step, %step(%start, %first), %rest),
    Nil => %start
  }
}
def @foldr[A, B](%step: fn (A, B) -> B, %start: B, %list: List[A]) -> B {
  match (%list) {
    Cons(%first, %rest) => %step(%first, @foldr(%step, %start, %rest)),
    Nil => %start
  }
}
def @foldr1[A](%step: fn (A, A) -> A, %list: List[A]) -> A {
  match? (%list) {
    Cons(%only, Nil) => %only,
    Cons(%first, %rest) => %step(%first, @foldr1(%step, %rest))
  }
}
def @map[A, B](%call: fn (A) -> B, %list: List[A]) -> List[B] {
  match (%list) {
    Cons(%first, %rest) => Cons(%call(%first), @map(%call, %rest)),
    Nil => Nil
  }
}
def @filter[A](%keep: fn (A) -> bool, %list: List[A]) -> List[A] {
  match (%list) {
    Cons(%first, %rest) => {
      if (%keep(%first)) { Cons(%first, @filter(%keep, %rest)) } else { @filter(%keep, %rest) }
    },
    Nil => Nil
  }
}
def @concat[A](%front: List[A], %back: List[A]) -> List[A] {
  match (%front) {
    Cons(%first, %rest) => Cons(%first, @concat(%rest, %back)),
    Nil => %back
  }
}
def @rev[A](%list: List[A]) -> List[A] {
  @foldl(fn (%done: List[A], %next: A) -> List[A] { Cons(%next, %done) }, Nil, %list)
}
def @zip[A, B](%left: List[A], %right: List[B]) -> List[(A, B)] {
  match (%left) {
    Cons(%x, %xs) => {
      match (%right) { Cons(%y, %ys) => Cons((%x, %y), @zip(%xs, %ys)), Nil => Nil }
    },
    Nil => Nil
  }
}
def @length[A](%list: List[A]) -> int32 {
  @foldl(fn (%count: int32, %next: A) -> int32 { add(%count, 1) }, 0, %list)
}
def @sum(%list: List[int32]) -> int32 {
  @foldl(fn (%total: int32, %next: int32) -> int32 { add(%total, %next) }, 0, %list)
}
def @map_accuml[A, B, C](%step: fn (A, B) -> (A, C), %start: A, %list: List[B]) -> (A, List[C]) {
  let %add = fn (%done: (A, List[C]), %next: B) -> (A, List[C]) {
    let %here = %step(%done.0, %next);
    (%here.0, Cons(%here.1, %done.1))
  };
  @foldl(%add, (%start, Nil), %list)
}
def @map_accumr[A, B, C](%step: fn (A, B) -> (A, C), %start: A, %list: List[B]) -> (A, List[C]) {
  match (%list) {
    Cons(%first, %rest) => {
      let %after = @map_accumr(%step, %start, %rest);
      let %here = %step(%after.0, %first);
      (%here.0, Cons(%here.1, %after.1))
    },
    Nil => (%start, Nil)
  }
}
def @unfoldr[A, B](%step: fn (A) -> Option[(A, B)], %seed: A) -> List[B] {
  match (%step(%seed)) {
    Some(%next) => Cons(%next.1, @unfoldr(%step, %next.0)),
    None => Nil
  }
}
def @unfoldl[A, B](%step: fn (A) -> Option[(A, B)], %seed: A) -> List[B] {
  @rev(@unfoldr(%step, %seed))
}

def @tmap[A, B](%call: fn (A) -> B, %tree: Tree[A]) -> Tree[B] {
  match (%tree) {
    Rose(%root, %children) => {
      Rose(%call(%root), @map(fn (%child: Tree[A]) -> Tree[B] { @tmap(%call, %child) }, %children))
    }
  }
}
def @size[A](%tree: Tree[A]) -> int32 {
  match (%tree) {
    Rose(_, %children) => add(1, @sum(@map(fn (%child: Tree[A]) -> int32 { @size(%child) }, %children)))
  }
}
"""


@functools.lru_cache(maxsize=None)
def _read() -> IRModule:
    return parse(_TEXT, "prelude")


class Prelude:
    """Adds types and functions on them to a module; each function is a field."""

    def __init__(self, mod: IRModule | None = None):
        self.mod = IRModule() if mod is None else mod
        self.load_prelude()

    def load_prelude(self) -> None:
        """Adds what the module does not have."""
        standard = _read()
        self.mod._import_types(standard)
        for var in standard.get_global_vars():
            if var.name_hint not in self.mod:
                self.mod[var] = standard[var]
            setattr(self, var.name_hint, self.mod.get_global_var(var.name_hint))

    def get_type(self, canonical: str, dtype: str | None = None) -> Any:
        """Returns a type. Raises AttributeError for the types of tensor arrays."""
        self._check(canonical, dtype)
        return self.mod.get_type(canonical)[0]

    def get_ctor(self, ty_name: str, canonical: str, dtype: str | None = None) -> Any:
        """Returns a constructor. Raises AttributeError for those of tensor arrays."""
        self._check(canonical, dtype)
        return self.mod.get_constructor(ty_name, canonical)

    def get_global_var(self, canonical: str, dtype: str | None = None) -> Any:
        """Returns the variable of a function. Raises AttributeError for functions on tensor arrays."""
        self._check(canonical, dtype)
        return self.mod.get_global_var(canonical)

    @staticmethod
    def _check(canonical: str, dtype: str | None) -> None:
        if dtype is not None:
            raise absent("tvm.relay.prelude", f"{canonical} of {dtype}")


def __getattr__(name: str):
    raise absent("tvm.relay.prelude", name)
