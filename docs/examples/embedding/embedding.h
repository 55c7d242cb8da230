//===- embedding.h - What the files of the example share --------*- C++ -*-===//

#ifndef EMBEDDING_H
#define EMBEDDING_H

#include "relay/Pass/Pass.h"

/// nn.relu(nn.relu(x)) is nn.relu(x).
std::unique_ptr<relay::FunctionPass> createFoldDoubleReluPass();
/// What the pass is called in pipelines and reports.
extern const relay::PassInfo FoldDoubleReluInfo;

#endif // EMBEDDING_H
