# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.adt."""

from ..._relay_opt import MatchPattern as Pattern
from ...expr import Clause, Constructor, Match, PatternConstructor, PatternTuple, PatternVar, PatternWildcard
