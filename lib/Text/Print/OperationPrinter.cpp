//===- OperationPrinter.cpp - Single operations as text -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OperationPrinter.h. Names depend on the preceding text, so they are
// computed by printing the function to a null stream.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Print/OperationPrinter.h"
#include "PrinterImpl.h"

using namespace relay;

OperationPrinter::OperationPrinter(Function &F, PrintOptions Options)
    : F(F), Options(std::move(Options)),
      Impl(std::make_unique<Printer>(F.getContext(), Nowhere, this->Options)) {}

OperationPrinter::~OperationPrinter() = default;

void OperationPrinter::nameValues() {
  if (std::exchange(HasNames, true))
    return;
  Impl->printFunction(F);
  Impl->keepNames();
  NumVisited += F.getNumOperations();
}

void OperationPrinter::print(const Operation &Op, raw_ostream &OS) {
  assert(Op.getFunction() == &F && "operation of another function");
  if (!Impl->isNameless(Op))
    nameValues();
  NumVisited += 1 + Op.getNumOperands();
  Impl->redirect(OS);
  Impl->printOperation(const_cast<Operation &>(Op));
  Impl->finish();
  Impl->redirect(Nowhere);
}

std::string OperationPrinter::getText(const Operation &Op) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(Op, OS);
  return Text;
}

void OperationPrinter::notifyErased(Operation *Op) { Impl->forget(*Op); }

void relay::printOperation(const Operation &Op, raw_ostream &OS,
                           const PrintOptions &O) {
  if (Function *F = Op.getFunction())
    OperationPrinter(*F, O).print(Op, OS);
  else
    OS << Op.getName();
}
