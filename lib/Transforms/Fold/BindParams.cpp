//===- BindParams.cpp - Make constants of parameters ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds the values that the pass context has for parameters of @main, as TVM's
// bind_params_by_name() does.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Pass/PassContext.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

/// The first operation of \p M that calls function \p Name or refers to it;
/// null if there is none.
static Operation *findUse(Module &M, StringRef Name) {
  Operation *Found = nullptr;
  walk(M, [&](Operation *Op) {
    if (getNamedGlobal(*Op) != Name)
      return WalkResult::advance();
    Found = Op;
    return WalkResult::interrupt();
  });
  return Found;
}

/// Makes parameter \p I of \p Main the constant \p Value.
static void bindParameter(Rewriter &R, Function &Main, unsigned I, Attr Value) {
  BlockArgument *Param = Main.getParams()[I];
  RELAY_DEBUG(Main.getContext(), 1) << "binds %" << Param->getName() << ", "
                                    << toString(Value.getConstant()->getType());
  R.setInsertionPointToStart(Main.getBody());
  R.setLoc(Param->getLoc());
  R.replaceAllUses(Param, R.create<ConstantOp>(Value));
  R.eraseArgument(Main.getBody(), I);
}

namespace {
class BindParams : public BindParamsBase<BindParams> {
public:
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &PC) override {
    Function *Main = M.lookupFunction("main");
    auto HasValue = [&](const BlockArgument *Param) {
      return bool(PC.getParameter(Param->getName()));
    };
    if (!Main)
      return preserved(false);
    if (llvm::none_of(Main->getParams(), HasValue)) {
      warnOfNoValues(*Main);
      return preserved(false);
    }
    if (Operation *Use = findUse(M, "main"))
      return PC.getContext().emitError(
          Use->getLoc(),
          "parameters of '@main' cannot be bound, since it is called");
    Rewriter R(*Main);
    // From the last on: few parameters move up.
    for (unsigned I = Main->getParams().size(); I-- != 0;) {
      StringRef Name = Main->getParams()[I]->getName();
      Attr Value = PC.getParameter(Name);
      if (!Value || !R.startRewrite("bind"))
        continue;
      bindParameter(R, *Main, I, Value);
      PC.dropParameter(Name);
      ++NumBound;
    }
    return preserved(R.getNumRewrites() != 0);
  }

private:
  /// Warns once, unless the pass has bound values before.
  void warnOfNoValues(const Function &Main) {
    if (NumBound.getValue() == 0 && !std::exchange(HasWarned, true))
      Main.getContext().getDiagnostics().emitWarning(
          Main.getLoc(), "'bind-params' has no values to bind; -params=FILE "
                         "and -params=random provide values");
  }

  bool HasWarned = false;
};
} // namespace

std::unique_ptr<Pass> relay::createBindParamsPass() {
  return std::make_unique<BindParams>();
}
