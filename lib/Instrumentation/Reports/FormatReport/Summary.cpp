//===- Summary.cpp - Formats before and after a pipeline ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a FormatSummary of the state of a FormatTracker. Its lists are empty
// unless there are stray conversions, changes or remarks.
//
//===----------------------------------------------------------------------===//

#include "Reports/FormatReport/FormatSets.h"
#include "relay/IR/Context.h"
#include "relay/Instrumentation/Checks/ResultNames.h"
#include "relay/Instrumentation/Reports/FormatTracker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

using Form = FormatSummary::Form;
using Layer = FormatSummary::Layer;

static std::string getText(DType D) {
  return D.isVoid() ? std::string() : D.str();
}

/// Returns the text of a layout or a data type; empty for null.
static std::string getText(Attr Format) {
  if (!Format)
    return "";
  return Format.isDType() ? getText(Format.getDType())
                          : Format.getString().str();
}

std::string FormatTracker::getPositionText(Location Loc) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (Loc.isKnown())
    Ctx->getDiagnostics().printPosition(OS, Loc);
  return Text;
}

std::vector<std::string> FormatTracker::getLayers(Location Loc) const {
  SmallVector<StringRef, 2> Layers;
  Ctx->getLocations().getLayers(Loc, Layers);
  return {Layers.begin(), Layers.end()};
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static bool haveSameFormat(const OperationFormat &A, const OperationFormat &B) {
  return A.Info == B.Info && A.LayoutAttrs == B.LayoutAttrs &&
         A.Layout == B.Layout && A.OperandType == B.OperandType &&
         A.ResultType == B.ResultType;
}

static Form makeForm(const OperationFormat &Op) {
  Form F;
  F.Operator = Op.Info->Name.str();
  F.Layout = getText(Op.Layout);
  if (Op.LayoutAttrs)
    for (const auto &[Name, Value] : Op.LayoutAttrs.getDict())
      F.LayoutAttrs.push_back({Name.getString().str(), getText(Value)});
  F.OperandType = getText(Op.OperandType);
  F.ResultType = getText(Op.ResultType);
  return F;
}

/// Returns the different formats in \p Operations.
static std::vector<Form> makeForms(ArrayRef<OperationFormat> Operations) {
  constexpr size_t MaxForms = 16;
  SmallVector<OperationFormat, 4> Known;
  std::vector<Form> Forms;
  for (const OperationFormat &Op : Operations) {
    auto *Same = llvm::find_if(
        Known, [&](const OperationFormat &K) { return haveSameFormat(K, Op); });
    size_t Index = Same - Known.begin();
    if (Index == MaxForms)
      continue;
    if (Index == Known.size()) {
      Known.push_back(Op);
      Forms.push_back(makeForm(Op));
    }
    ++Forms[Index].Count;
  }
  return Forms;
}

Layer FormatTracker::makeLayer(ArrayRef<OperationFormat> Old,
                               ArrayRef<OperationFormat> New) const {
  const OperationFormat &First = Old.empty() ? New.front() : Old.front();
  Layer L;
  L.Position = getPositionText(First.Loc);
  L.Names = getLayers(First.Loc);
  L.Before = makeForms(Old);
  L.After = makeForms(New);
  if (auto Known = ChangedBy.find(First.Position); Known != ChangedBy.end())
    L.ChangedBy.assign(Known->second.begin(), Known->second.end());
  if (auto Known = Reasons.find(First.Position); Known != Reasons.end())
    L.Reasons = Known->second;
  return L;
}

template <typename T>
static std::string join(const SmallVector<T, 1> &Formats) {
  return llvm::join(
      llvm::map_range(Formats, [](const T &Each) { return getText(Each); }),
      ", ");
}

void FormatTracker::addLayers(FormatSummary &S,
                              ArrayRef<NamedFunction> Functions) const {
  std::vector<OperationFormat> Old = Before, New;
  for (const NamedFunction &F : Functions)
    llvm::append_range(New, F.State->Operations);
  sortByPosition(Old);
  sortByPosition(New);
  auto Add = [&](uint32_t Position, ArrayRef<OperationFormat> OldOps,
                 ArrayRef<OperationFormat> NewOps) {
    FormatSets From(OldOps), To(NewOps);
    if (From.Types.empty() && To.Types.empty())
      return;
    if (!From.Layouts.empty() && !To.Layouts.empty())
      ++S.Layouts[{join(From.Layouts), join(To.Layouts)}];
    if (!From.Types.empty() && !To.Types.empty())
      ++S.Types[{join(From.Types), join(To.Types)}];
    if (S.Layers.size() == FormatSummary::MaxLayers) {
      ++S.NumLayersOmitted;
      return;
    }
    S.Layers.push_back(makeLayer(OldOps, NewOps));
    S.Layers.back().HasNewLayout = Position && From.hasOtherLayout(To);
    S.Layers.back().HasNewType = Position && From.hasOtherType(To);
  };
  forEachPosition(Old, New, Add);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

FormatSummary::Conversion
FormatTracker::makeConversion(const NamedFunction &F, size_t Index,
                              const ResultNames *Names) const {
  const ConversionFormat &C = F.State->Conversions[Index];
  const Origin &From = F.State->Origins[Index];
  FormatSummary::Conversion Made;
  Made.Operator = C.Info->Name.str();
  Made.Function = F.Name.str();
  if (Names)
    Made.Name = Names->lookup(*C.Op).str();
  Made.Position = getPositionText(C.Loc);
  Made.Layers = getLayers(C.Loc);
  Made.Kind = C.Kind;
  Made.From = getText(C.From);
  Made.To = getText(C.To);
  Made.OperandType = C.OperandType ? toString(C.OperandType) : "";
  Made.ResultType = C.ResultType ? toString(C.ResultType) : "";
  Made.Axes = C.getAxes();
  Made.Bytes = C.getBytes();
  Made.Operand =
      C.OperandInfo ? C.OperandInfo->Name.str() : ("%" + C.Variable).str();
  Made.User = C.User ? C.User->Name.str() : "";
  Made.NumUsers = C.NumUsers;
  Made.Sweep = From.Sweep;
  Made.Rule = From.Rule.str();
  Made.Stray = C.Stray;
  Made.IsExact = C.IsExact;
  return Made;
}

void FormatTracker::addConversions(FormatSummary &S,
                                   ArrayRef<NamedFunction> Functions,
                                   const ResultNames *Names) const {
  S.Before = NumBefore;
  for (const NamedFunction &F : Functions) {
    size_t First = S.Conversions.size() + S.NumConversionsOmitted;
    for (auto [I, C] : llvm::enumerate(F.State->Conversions)) {
      S.After[unsigned(C.Kind)].add(C);
      if (C.Stray != ConversionFormat::StrayKind::None)
        S.Stray[unsigned(C.Kind)].add(C);
      if (S.Conversions.size() == FormatSummary::MaxConversions) {
        ++S.NumConversionsOmitted;
        continue;
      }
      S.Conversions.push_back(makeConversion(F, I, Names));
      S.Conversions.back().Other = First + C.Other;
    }
  }
}

FormatSummary
FormatTracker::summarize(ArrayRef<NamedFunction> Functions,
                         const ByConversion<ConversionChanges> &Changes,
                         const ResultNames *Names) const {
  FormatSummary S;
  addConversions(S, Functions, Names);
  bool HasStrays = llvm::any_of(
      S.Stray, [](const ConversionSum &Sum) { return Sum.Count != 0; });
  bool HasChanges = llvm::any_of(Changes, [](const ConversionChanges &C) {
    return C.Added.Count || C.Removed.Count || C.NumRetyped;
  });
  if (HasStrays || HasChanges || !ChangedBy.empty() || !Reasons.empty()) {
    addLayers(S, Functions);
    return S;
  }
  S.Conversions.clear();
  S.NumConversionsOmitted = 0;
  return S;
}
