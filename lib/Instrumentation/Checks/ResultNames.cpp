//===- ResultNames.cpp - Names of the values of a result ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the values that a name denotes, and suggests names. See ResultNames.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Checks/ResultNames.h"
#include "relay/IR/Context.h"
#include "relay/IR/Walk.h"
#include "relay/Text/Print/Printer.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

ResultNames::ResultNames(Module &M) : M(M) {
  for (Function &F : M.functions())
    if (const Value *Result = F.getBody().getResult()) {
      Names[Result] = ("@" + F.getName()).str();
      Values[Names[Result]] = Result;
    }
  visitPrintedNames(M, [&](const Value &V, StringRef Name) {
    Names[&V] = ("%" + Name).str();
    Values[Names[&V]] = &V;
  });
}

StringRef ResultNames::lookup(const Value &V) const {
  auto Found = Names.find(&V);
  return Found == Names.end() ? StringRef() : StringRef(Found->second);
}

std::string ResultNames::getName(const Operation &Op) const {
  for (const Operation *Each = &Op; Each; Each = Each->getParentOp())
    if (StringRef Name = lookup(*Each); !Name.empty())
      return ((Each == &Op ? "" : "result of ") + Name).str();
  return "result";
}

/// Returns `; did you mean '%x'?`, or for a number the last one.
std::string ResultNames::suggest(StringRef Name) const {
  auto IsNumber = [](StringRef Each) {
    return Each.size() > 1 && llvm::all_of(Each.drop_front(), llvm::isDigit);
  };
  SmallVector<StringRef> Known;
  llvm::copy_if(Values.keys(), std::back_inserter(Known),
                [&](StringRef Each) { return !IsNumber(Each); });
  size_t NumNumbers = Values.size() - Known.size();
  if (IsNumber(Name))
    return NumNumbers
               ? "; the last number is %" + std::to_string(NumNumbers - 1)
               : "; it has no numbers";
  llvm::sort(Known);
  return getSuggestion(Name, Known);
}

/// Returns a suggestion for \p Layer: a layer with a similar name, or layers
/// whose names begin with it.
static std::string suggestLayer(StringRef Layer, ArrayRef<StringRef> Known) {
  if (Known.empty())
    return "; no operation has a layer";
  if (std::string Near = getSuggestion(Layer, Known); !Near.empty())
    return Near;
  SmallVector<StringRef> Longer;
  llvm::copy_if(Known, std::back_inserter(Longer),
                [&](StringRef Each) { return Each.starts_with(Layer); });
  if (Longer.empty())
    return "";
  return "; " + std::to_string(Longer.size()) +
         " layers begin with it, such as '" + Longer.front().str() + "'";
}

/// Visits operations with a line of their own, which excludes constants and
/// names of functions. Returns true if there was any.
bool ResultNames::forEachOfLayer(
    StringRef Layer, function_ref<void(const Value &, StringRef)> Visit) const {
  const LocationTable &Locations = M.getContext().getLocations();
  bool Found = false;
  auto VisitOp = [&](Operation *Op) {
    if (Op->is(OpCode::Constant) || Op->is(OpCode::GlobalRef) ||
        Op->is(OpCode::OpRef) || Op->is(OpCode::ConstructorRef) ||
        !Locations.hasLayer(Op->getLoc(),
                            [&](StringRef Name) { return Name == Layer; }))
      return;
    Found = true;
    Visit(*Op, getName(*Op));
  };
  for (Function &F : M.functions())
    walk(F, VisitOp);
  return Found;
}

std::string
ResultNames::forEach(StringRef Name,
                     function_ref<void(const Value &, StringRef)> Visit) const {
  StringRef Layer = Name;
  if (Layer.consume_front("layer:")) {
    if (forEachOfLayer(Layer, Visit))
      return "";
    return ("the result has no operation of layer '" + Layer + "'" +
            suggestLayer(Layer, M.getContext().getLocations().getAllLayers()))
        .str();
  }
  if (const Value *V = Values.lookup(Name)) {
    Visit(*V, Name);
    return "";
  }
  return ("the result has no binding '" + Name + "'" + suggest(Name)).str();
}
