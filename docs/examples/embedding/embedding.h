//===- embedding.h - Shared declarations of the example ---------*- C++ -*-===//

#ifndef EMBEDDING_H
#define EMBEDDING_H

#include "relay/Pass/Pass.h"

/// nn.relu(nn.relu(x)) is nn.relu(x).
std::unique_ptr<relay::FunctionPass> createFoldDoubleReluPass();
/// The name of the pass in pipelines and reports.
extern const relay::PassInfo FoldDoubleReluInfo;

#endif // EMBEDDING_H
