//===- Descriptions.cpp - -print-ops=NAME and -print-passes=NAME ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Descriptions.h.
//
//===----------------------------------------------------------------------===//

#include "Descriptions.h"
#include "Listings.h"
#include "relay/Analysis/DataflowGraph.h"
#include "relay/IR/Context.h"
#include "relay/Pass/PassContext.h"
#include "relay/Pass/PassRegistry.h"
#include "relay/Support/Diagnostics.h"
#include "relay/Text/Parse/AttrValues.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace relay;
using llvm::Error;

/// Writes \p Text after an empty line, unless it is empty.
static void printParagraph(StringRef Text, raw_ostream &OS) {
  if (!Text.empty())
    OS << '\n' << Text << '\n';
}

static void printRow(StringRef Name, const Twine &Text, raw_ostream &OS) {
  OS << llvm::formatv("  {0,-28} {1}\n", Name, Text.str());
}

/// Calls \p Describe with each of \p Names, with empty lines between the texts.
static Error describeEach(StringRef Names, raw_ostream &OS,
                          function_ref<Error(StringRef Name)> Describe) {
  StringRef Separator = "";
  for (StringRef Name : llvm::split(Names, ',')) {
    OS << Separator;
    if (Error E = Describe(Name.trim()))
      return E;
    Separator = "\n";
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Prints a call of \p Op: `nn.dropout(%data, ...)`.
static void printCall(const OpInfo &Op, raw_ostream &OS) {
  llvm::ListSeparator Comma;
  OS << Op.Name << '(';
  for (StringRef Name : Op.OperandNames)
    OS << Comma << '%' << Name;
  if (Op.hasTrait(OpTrait::Variadic))
    OS << ", ...";
  bool HasOptional = false;
  for (const AttrField &Field :
       Op.Attributes ? Op.Attributes->Fields : ArrayRef<AttrField>()) {
    if (Field.isRequired() && Field.MirroredOperand < 0)
      OS << Comma << Field.Name << "=...";
    else
      HasOptional = true;
  }
  if (HasOptional)
    OS << Comma << "...";
  OS << ")\n";
}

static void printOperands(const OpInfo &Op, raw_ostream &OS) {
  if (!Op.Doc || Op.OperandNames.empty())
    return;
  OS << "\nOperands:\n";
  for (auto [Name, Text] : llvm::zip(Op.OperandNames, Op.Doc->Operands))
    printRow(Name, Text, OS);
}

/// Returns `a list of integers or None; default None`.
static std::string getFieldText(const AttrField &Field, const OpInfo &Op) {
  StringRef Kind = describe(Field.Kind), OrNone = " or None";
  std::string Text = Kind.str();
  if (Field.Nullable && !Kind.ends_with(OrNone))
    Text += OrNone;
  if (Field.MirroredOperand >= 0)
    return Text + "; repeats the operand " +
           Op.OperandNames[Field.MirroredOperand].str();
  return Text + (Field.isRequired()
                     ? "; required"
                     : ("; default " + StringRef(Field.Default)).str());
}

static void printFields(const OpInfo &Op, raw_ostream &OS) {
  if (!Op.Attributes || Op.Attributes->Fields.empty())
    return;
  OS << "\nAttributes, " << Op.Attributes->TypeKey << ":\n";
  for (const AttrField &Field : Op.Attributes->Fields)
    printRow(Field.Name, getFieldText(Field, Op), OS);
}

/// Prints facts of \p Op under the target of \p PC.
static void printFacts(const OpInfo &Op, const PassContext &PC,
                       raw_ostream &OS) {
  FusionKind Kind = getFusionKind(Op, PC.getContext(), PC.getTargetKeys());
  OS << "\nFusion kind: " << getFusionKindName(Kind) << '\n';
  if (StringRef Traits = Op.Doc->Traits; !Traits.empty())
    OS << "Traits: " << Traits << '\n';
}

static void describeOp(const OpInfo &Op, const PassContext &PC,
                       raw_ostream &OS) {
  printCall(Op, OS);
  if (Op.Doc) {
    printParagraph(Op.Doc->Summary, OS);
    printParagraph(Op.Doc->Description, OS);
  }
  printOperands(Op, OS);
  printFields(Op, OS);
  if (Op.Doc)
    printFacts(Op, PC, OS);
}

Error relay::describeOps(StringRef Names, const PassContext &PC,
                         raw_ostream &OS) {
  const Context &Ctx = PC.getContext();
  return describeEach(Names, OS, [&](StringRef Name) -> Error {
    SmallVector<StringRef> Known = Ctx.getOperatorNames();
    if (!llvm::is_contained(Known, Name))
      return llvm::createStringError("option -print-ops: unknown operator '" +
                                     Name + "'" + getSuggestion(Name, Known));
    describeOp(*Ctx.lookupOp(Name), PC, OS);
    return Error::success();
  });
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

static StringRef getKindText(const PassInfo &Info) {
  if (Info.IsGroup)
    return "a group of passes";
  return Info.Unit == PassUnit::Module ? "a module pass" : "a function pass";
}

/// Prints `FuseOps, a function pass; opt level 0; requires InferType`.
static void printPassFacts(const PassInfo &Info, raw_ostream &OS) {
  OS << '\n'
     << Info.Name << ", " << getKindText(Info) << "; opt level "
     << Info.OptLevel;
  if (Info.IsRequired)
    OS << "; never skipped";
  if (!Info.Requires.empty())
    OS << "; requires " << llvm::join(Info.Requires, ", ");
  OS << '\n';
}

/// Describes what -verify-semantics demands of the results.
static void printTolerance(const PassInfo &Info, raw_ostream &OS) {
  const PassTolerance &T = Info.Tolerance;
  if (Info.IsGroup)
    return;
  OS << "Results under -verify-semantics: ";
  if (!T.NotCompared.empty())
    OS << "not compared, since " << T.NotCompared << '\n';
  else if (T.isExact())
    OS << "equal\n";
  else if (T.Steps)
    OS << "integers in place of floats within " << T.Steps
       << (T.Steps == 1 ? " step" : " steps") << " of quantization\n";
  else
    OS << (T.ChangesFloatTypes    ? "finite floats of any type"
           : T.KeepsSpecialValues ? "floats"
                                  : "finite floats")
       << llvm::format(" within %g (relative) and %g (absolute)\n", T.Relative,
                       T.Absolute);
}

static void describePass(const PassInfo &Info, const PassRegistry &Registry,
                         raw_ostream &OS) {
  OS << Info.Argument << ": " << Info.Summary << '\n';
  printPassFacts(Info, OS);
  printTolerance(Info, OS);
  printParagraph(Info.Description, OS);
  if (const PipelineInfo *Pipeline = Registry.lookupPipeline(Info.Argument))
    OS << "\nPasses:\n  " << Pipeline->Text << '\n';
  if (!Info.Options.empty())
    OS << "\nOptions:\n";
  for (const PassOptionInfo &Option : Info.Options)
    printRow(Option.Name, Option.Description + getOptionFacts(Option), OS);
  if (!Info.Statistics.empty())
    OS << "\nStatistics:\n";
  for (const PassStatisticInfo &Statistic : Info.Statistics)
    printRow(Statistic.Name, Statistic.Description, OS);
  if (!Info.Remarks.empty())
    OS << "\nRemarks: " << llvm::join(Info.Remarks, ", ") << '\n';
}

static Error makeUnknownPass(StringRef Name, const PassRegistry &Registry) {
  constexpr StringLiteral Unknown = "option -print-passes: unknown pass '";
  if (Registry.isReferenceName(Name))
    return llvm::createStringError(Unknown + Name +
                                   "': " + Registry.getAbsenceReason(Name));
  SmallVector<StringRef> Known = Registry.getArguments();
  Known.append(Registry.getGroupArguments());
  Known.append(Registry.getNames());
  return llvm::createStringError(Unknown + Name + "'" +
                                 getSuggestion(Name, Known));
}

Error relay::describePasses(StringRef Names, const PassRegistry &Registry,
                            raw_ostream &OS) {
  return describeEach(Names, OS, [&](StringRef Name) -> Error {
    const PassInfo *Info = Registry.findPass(Name);
    if (!Info)
      return makeUnknownPass(Name, Registry);
    describePass(*Info, Registry, OS);
    return Error::success();
  });
}
