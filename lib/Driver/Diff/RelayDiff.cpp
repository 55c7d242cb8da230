//===- RelayDiff.cpp - relay-diff as a function ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads both sides into one Context, types them, compares them
// (StructuralEqual.h) and prints the first difference in both texts. A side
// that cannot be typed is compared as written, like in TVM.
//
//===----------------------------------------------------------------------===//

#include "relay/Driver/Diff/RelayDiff.h"
#include "Flags/Completion.h"
#include "Flags/ConstantsFile.h"
#include "Flags/Files.h"
#include "Flags/Signals.h"
#include "Flags/Tool.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/Verifier.h"
#include "relay/IR/Walk.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Text/Print/OperationPrinter.h"
#include "llvm/Support/WithColor.h"

using namespace relay;

static constexpr const char DiffNotes[] = R"(
One of the files may be -, standard input. What differs first is written to
standard output, with its place in both files.

Exit status: 0 if they are equal, 1 if not, 2 for any error.
)";

static constexpr ToolInfo DiffTool = {
    "relay-diff", "compares Relay text structurally",
    "relay-diff [options] <file|-> <file|->", DiffNotes, /*FailureStatus=*/2};

namespace {

struct RelayDiffFlags : FlagGroup {
  explicit RelayDiffFlags(FlagSet &Flags)
      : FlagGroup(Flags, "Comparison"), General(Flags), Completion(Flags),
        Limits(Flags) {}

  ToolFlags General;
  CompletionFlags Completion;
  LimitFlags Limits;
  std::string Left, Right;
  Flag<double> Tolerance{
      *this, "-rtol",
      "Relative tolerance for elements of float constants (default 1e-5)",
      flag::Init{1e-5}, flag::ValueName{"ratio"}};
  Flag<bool> AllowUnregisteredOps{*this, "-allow-unregistered-ops",
                                  "Allow undeclared operators"};
  Flag<bool> AllowUndefinedGlobals{
      *this, "-allow-undefined-globals",
      "Allow calls of undefined functions and names of undefined types"};
  Flag<bool> OpaqueConstants{
      *this, "-opaque-constants",
      "Compare constants without their data by index and type"};
  Flag<std::string> ConstantsFile{*this, "-constants-file",
                                  "Read elided constants from this file",
                                  flag::ValueName{"file"}};
  Flag<std::string> TextVersion{*this, "-text-version",
                                "Read both files as text of this TVM release, "
                                "0.6 to 0.19 (default: as each file says)",
                                flag::ValueName{"0.N"}};
  ListFlag<std::string> Plugins{*this, "-load-pass-plugin",
                                "Load the operators of this plugin",
                                flag::ValueName{"library"}};
};

/// One of the two inputs.
struct Side {
  std::unique_ptr<Module> M;
  StringRef Name; ///< name of the text
};

class RelayDiff {
public:
  RelayDiff(const RelayDiffFlags &Flags, Session &S, Context &Ctx)
      : Flags(Flags), S(S), Ctx(Ctx), Constants(*Flags.ConstantsFile) {}

  /// Runs the comparison and returns the exit status.
  int run();

private:
  LogicalResult read(StringRef Path, Side &Into);
  void infer(Module &M, StringRef Path);
  void show(const Difference &D, raw_ostream &OS) const;
  void showPlace(const Side &Of, const Value *V, const Function *F,
                 raw_ostream &OS) const;

  const RelayDiffFlags &Flags;
  Session &S;
  Context &Ctx;
  ConstantsFile Constants;
  Side Left, Right;
  uint64_t InputSize = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Removes the types that inference found before it failed.
static void forgetTypes(Module &M) {
  M.setTyped(false);
  for (Function &F : M.functions())
    walkBlocks(F.getBody(), [](Block &B) {
      for (BlockArgument *Arg : B.getArguments())
        Arg->setTypeRaw(Arg->getAnnotation());
      for (Operation &Op : B)
        Op.setTypeRaw(nullptr);
    });
}

void RelayDiff::infer(Module &M, StringRef Path) {
  std::string First;
  Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
    if (First.empty() && D.Kind == Severity::Error)
      First = D.Message;
    return true;
  });
  LogicalResult Result = inferTypes(M);
  Ctx.getDiagnostics().popHandler();
  if (succeeded(Result))
    return;
  llvm::WithColor::warning(llvm::errs(), DiffTool.Name)
      << Path << " is compared without types: " << First << '\n';
  forgetTypes(M);
}

LogicalResult RelayDiff::read(StringRef Path, Side &Into) {
  CrashActivity Activity("reading");
  auto Input = openInput(Path);
  if (!Input)
    return reportToolError(DiffTool.Name, Input.takeError());
  InputSize += (*Input)->getBufferSize();
  limitMemoryFor(InputSize, Flags.Limits);
  Into.Name = (*Input)->getBufferIdentifier();
  ReadOptions O;
  O.Infer = false; // done by infer()
  O.Verify = false;
  O.QuietUpgrades = true;
  O.Release = parseRelease(*Flags.TextVersion).value_or(0);
  O.AllowUnregisteredOps = Flags.AllowUnregisteredOps;
  O.AllowUndefinedGlobals = Flags.AllowUndefinedGlobals;
  O.OpaqueConstants = Flags.OpaqueConstants;
  if (Constants.isGiven())
    O.LookupConstant = [&](StringRef Hash) {
      return Constants.lookup(Ctx, Hash);
    };
  Into.M = S.read(std::move(*Input), Ctx, O);
  if (!Into.M)
    return failure();
  infer(*Into.M, Path);
  return verify(*Into.M, Flags.AllowUndefinedGlobals);
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// Returns the text from \p Start to the end of the line, at most as long as a
/// line of a screen. A text ends in a null character.
static StringRef getExcerpt(const char *Start) {
  constexpr size_t Longest = 100;
  return StringRef(Start, strnlen(Start, Longest)).take_until([](char C) {
    return C == '\n';
  });
}

static Location getLoc(const Value *V, const Function *F) {
  if (!V)
    return F ? F->getLoc() : Location();
  if (const Operation *Op = V->getDefiningOp())
    return Op->getLoc();
  return cast<BlockArgument>(V)->getLoc();
}

/// Prints `file:line:column: @function: text` with the original text of the
/// file.
void RelayDiff::showPlace(const Side &Of, const Value *V, const Function *F,
                          raw_ostream &OS) const {
  const DiagnosticEngine &Diags = Ctx.getDiagnostics();
  Location Loc = getLoc(V, F);
  const char *Text = Diags.getSMLoc(Loc).getPointer();
  OS << Of.Name << ':';
  if (Text) {
    auto [Line, Column] = Diags.getLineAndColumn(Loc);
    OS << Line << ':' << Column << ':';
  }
  if (F)
    OS << " @" << F->getName() << ':';
  if (Text)
    OS << ' ' << getExcerpt(Text);
  else if (const auto *Op = dyn_cast_or_null<Operation>(V))
    printOperation(*Op, OS << ' ');
  else if (const auto *Arg = dyn_cast_or_null<BlockArgument>(V))
    OS << " %" << Arg->getName();
  OS << '\n';
}

void RelayDiff::show(const Difference &D, raw_ostream &OS) const {
  // Types may be as large as the texts permit.
  OS << StringRef(D.Reason).take_front(1 << 16) << '\n';
  if (!D.LeftFunction && !D.RightFunction)
    return;
  showPlace(Left, D.Left, D.LeftFunction, OS);
  showPlace(Right, D.Right, D.RightFunction, OS);
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

int RelayDiff::run() {
  // Both are read, so that errors of both are reported.
  bool Failed = failed(read(Flags.Left, Left));
  Failed |= failed(read(Flags.Right, Right));
  if (Failed)
    return 2;
  EqualOptions O;
  O.RelativeTolerance = Flags.Tolerance;
  O.AttributeTolerance = 1e-9;
  O.MatchLiftedNames = true;
  O.ResultVirtualDevices = false;
  Difference D;
  if (isStructurallyEqual(*Left.M, *Right.M, O, &D))
    return 0;
  llvm::Error E = writeOutput("-", [&](raw_ostream &OS) { show(D, OS); });
  return failed(reportToolError(DiffTool.Name, std::move(E))) ? 2 : 1;
}

/// Sets the operands; returns an error if they or the values of flags are
/// invalid.
static llvm::Error finishFlags(ArrayRef<StringRef> Operands,
                               RelayDiffFlags &Flags) {
  if (Operands.size() > 2)
    return llvm::createStringError("unexpected operand '" + Operands[2] + "'");
  if (Operands.size() < 2)
    return llvm::createStringError("missing operand: two files, one of which "
                                   "may be - for standard input");
  if (Operands[0] == "-" && Operands[1] == "-")
    return llvm::createStringError(
        "only one of the files can be standard input");
  if (!(Flags.Tolerance >= 0))
    return llvm::createStringError(
        "option -rtol: expects a number of at least 0");
  Flags.Left = Operands[0].str();
  Flags.Right = Operands[1].str();
  return llvm::Error::success();
}

/// Parses the command line and loads plugins into \p S. Returns the exit status
/// if there is nothing to compare.
static std::optional<int>
parseDiffCommandLine(int Argc, char **Argv, RelayDiffFlags &Flags, Session &S) {
  FlagSet &All = S.getFlags();
  llvm::BumpPtrAllocator Texts;
  auto Arguments = expandArguments(Argc, Argv, Texts);
  if (!Arguments) {
    (void)reportToolError(DiffTool.Name, Arguments.takeError());
    return 2;
  }
  if (failed(reportToolError(
          DiffTool.Name, loadPlugins(S, All.read(*Arguments), Flags.Plugins))))
    return 2;
  ParsedCommandLine Line = All.read(*Arguments);
  if (std::optional<int> Status = Flags.General.apply(Line, DiffTool))
    return Status;
  if (std::optional<int> Status =
          Flags.Completion.apply(DiffTool.Name, DiffTool.FailureStatus))
    return Status;
  if (failed(reportToolError(DiffTool.Name, finishFlags(Line.Operands, Flags))))
    return 2;
  if (failed(
          reportToolError(DiffTool.Name, checkTextVersion(Flags.TextVersion))))
    return 2;
  return std::nullopt;
}

int relay::relayDiffMain(int Argc, char **Argv,
                         void (*RegisterOps)(Context &)) {
  CrashHandler::install(DiffTool.Name, /*Status=*/2);
  installSignalHandlers();
  installFatalErrorHandler(DiffTool.Name, /*Status=*/2);
  limitMemory(RunLimits::DefaultMemory);
  Session S(DiffTool.Name, llvm::errs(), llvm::errs());
  RelayDiffFlags Flags(S.getFlags());
  Extension OpsOfProgram;
  OpsOfProgram.RegisterOps = RegisterOps;
  S.add(OpsOfProgram);
  if (std::optional<int> Status = parseDiffCommandLine(Argc, Argv, Flags, S))
    return *Status;
  if (failed(reportToolError(DiffTool.Name, S.initialize())))
    return 2;
  S.setLimits(Flags.Limits.get());
  // Context and modules are not destroyed at exit.
  Context *Ctx = S.createContext().release();
  return (new RelayDiff(Flags, S, *Ctx))->run();
}
