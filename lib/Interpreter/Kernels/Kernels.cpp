//===- Kernels.cpp - Binds kernels to operators ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of the hooks of Kernels.td.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/Kernel.h"
#include "relay/Ops/Algebra.h"
#include "relay/Ops/Annotation.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Dyn.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Image.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/Memory.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/Pool.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Random.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Sort.h"
#include "relay/Ops/Sparse.h"
#include "relay/Ops/Tensor.h"
#include "relay/Ops/Vision.h"

// The table refers to the classes above.
#define RELAY_DEFINE_OP_HOOKS
#include "relay/Interpreter/Kernels/Kernels.h.inc"
