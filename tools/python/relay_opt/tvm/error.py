# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TVM's errors."""

from ..errors import Error as TVMError
from ..errors import ExprError, ParseError, PassError, PipelineError, VerifyError

DiagnosticError = TVMError
InternalError = TVMError
OpError = TVMError
OpAttributeInvalid = TVMError
OpNotImplemented = TVMError
