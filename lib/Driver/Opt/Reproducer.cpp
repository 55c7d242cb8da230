//===- Reproducer.cpp - A run in one file ---------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Reproducer.h.
//
//===----------------------------------------------------------------------===//

#include "Reproducer.h"
#include "Flags/Files.h"
#include "Flags/Tool.h"
#include "relay/Pass/Pass.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

static constexpr StringRef Title = "// relay-opt reproducer 1\n";
static constexpr StringRef OptionPrefix = "// option: ";

//===----------------------------------------------------------------------===//
// Options as lines
//===----------------------------------------------------------------------===//

/// Characters that a line cannot hold, and the escape character, with their
/// escapes.
static constexpr std::pair<char, char> Escapes[] = {
    {'\n', 'n'}, {'\r', 'r'}, {'\\', '\\'}};

static std::string escape(StringRef Option) {
  std::string Line;
  for (char C : Option) {
    auto *Found = llvm::find_if(Escapes, [&](auto E) { return E.first == C; });
    if (Found == std::end(Escapes))
      Line += C;
    else
      (Line += '\\') += Found->second;
  }
  return Line;
}

static std::string unescape(StringRef Line) {
  std::string Option;
  while (!Line.empty()) {
    auto *Found = llvm::find_if(Escapes, [&](auto E) {
      return Line.starts_with(std::string{'\\', E.second});
    });
    bool IsEscape = Found != std::end(Escapes);
    Option += IsEscape ? Found->first : Line.front();
    Line = Line.drop_front(IsEscape ? 2 : 1);
  }
  return Option;
}

/// Removes the comments at the beginning of a reproducer from \p Text. \returns
/// the options in them; none, with \p Text unchanged, if there are no such
/// comments.
static std::optional<std::vector<std::string>> takeHeader(StringRef &Text) {
  if (!Text.consume_front(Title))
    return std::nullopt;
  for (int I = 0; I != 2; ++I) // the failure, and how to run the reproducer
    Text = Text.split('\n').second;
  std::vector<std::string> Options;
  while (Text.consume_front(OptionPrefix)) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    Options.push_back(unescape(Line.rtrim('\r')));
  }
  return Options;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Reproducer::Reproducer(StringRef Path, ArrayRef<std::string> Options)
    : Options(Options), Path(Path) {}

void Reproducer::setPipeline(StringRef Pipeline) {
  constexpr StringRef Prefix = "-passes=";
  for (std::string &Option : Options)
    if (StringRef(Option).starts_with(Prefix))
      Option = (Prefix + Pipeline).str();
}

/// Returns the rest of the header, after the description of the failure.
static std::string makeHeader(ArrayRef<std::string> Options, bool NeedsTrust) {
  StringRef Trust = NeedsTrust ? "-trust-reproducer " : "";
  std::string Header =
      ("\n// run: relay-opt -run-reproducer " + Trust + "FILE\n").str();
  for (StringRef Option : Options)
    Header += (OptionPrefix + escape(Option) + "\n").str();
  return Header;
}

/// Returns \p Path with the number of \p Part in its name from the second part
/// on. A device or a pipe is used for all parts.
static std::string getPartPath(StringRef Path, unsigned Part) {
  if (Part == 1 ||
      (llvm::sys::fs::exists(Path) && !llvm::sys::fs::is_regular_file(Path)))
    return Path.str();
  StringRef Extension = llvm::sys::path::extension(Path);
  return (Path.drop_back(Extension.size()) + "-" + Twine(Part) + Extension)
      .str();
}

void Reproducer::setInput(StringRef Text, unsigned Part) {
  if (Path.empty())
    return;
  (void)takeHeader(Text); // the header of the reproducer that is run
  FailedPass.clear();
  auto Next = std::make_unique<CrashText>();
  Next->Path = getPartPath(Path, Part);
  Next->Heading = (Title + "// ").str();
  Next->SaysEnding = true;
  Next->Text = makeHeader(Options, NeedsTrust) + Text.str();
  CrashHandler::set(CrashHandler::Reproducer, Next.get());
  Present = std::move(Next);
}

void Reproducer::registerCallbacks(PassInstrumentationCallbacks &PIC) {
  if (Path.empty())
    return;
  PIC.registerEndPassCallback([this](const PassRun &Run) {
    if (!Run.hasFailed())
      return;
    std::string Where =
        (Run.getName() + " on " + Run.getUnit().getName()).str();
    runInOrder([this, Where] {
      if (FailedPass.empty()) // enclosing groups fail after it
        FailedPass = Where;
    });
  });
}

LogicalResult Reproducer::write(StringRef Activity) {
  if (!Present)
    return success();
  Error E = writeOutput(Present->Path, [&](raw_ostream &OS) {
    OS << Title << "// failed in "
       << (FailedPass.empty() ? Activity : FailedPass) << Present->Text;
  });
  if (E)
    return reportToolError("relay-opt", std::move(E));
  llvm::errs() << "relay-opt: note: '" << Present->Path
               << "' has been written\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Expected<ReproducerFile> relay::readReproducer(StringRef Path) {
  auto Text = openInput(Path);
  if (!Text)
    return Text.takeError();
  StringRef Rest = (*Text)->getBuffer();
  if (auto Options = takeHeader(Rest))
    return ReproducerFile{Path.str(), std::move(*Options), std::move(*Text)};
  return llvm::createStringError(
      "'" + (Path == "-" ? "<stdin>" : Path) +
      "' is not a reproducer: it does not begin with '" + Title.rtrim() + "'");
}

bool relay::namesInputFile(const FlagUse &Use) {
  static constexpr StringLiteral Always[] = {
      "-load-pass-plugin", "-constants-file", "-op-facts", "-match-file"};
  StringRef Spelling = Use.Flag->getSpelling();
  if (Spelling == "-params")
    return *Use.Value != "random" && !Use.Value->starts_with("random:");
  return llvm::is_contained(Always, Spelling) && *Use.Value != "-";
}

bool relay::isOutputFlag(const FlagBase &Flag) {
  static constexpr StringLiteral Names[] = {"counterexample-directory",
                                            "crash-reproducer",
                                            "info-output-file",
                                            "ir-dump-directory",
                                            "o",
                                            "partition-report",
                                            "pass-report",
                                            "print-on-crash-path",
                                            "save-params",
                                            "stats-json",
                                            "time-trace",
                                            "time-trace-file"};
  return llvm::is_contained(Names, Flag.getName());
}

std::vector<std::string> relay::getReproducibleFlags(ArrayRef<FlagUse> Flags) {
  static constexpr StringLiteral Dropped[] = {"-o",
                                              "-crash-reproducer",
                                              "-run-reproducer",
                                              "-trust-reproducer",
                                              "-split-input-file",
                                              "-verify-diagnostics"};
  std::vector<std::string> Kept;
  for (const FlagUse &Use : Flags) {
    StringRef Spelling = Use.Flag->getSpelling();
    if (llvm::is_contained(Dropped, Spelling))
      continue;
    // The file may be run from another directory.
    if (namesInputFile(Use)) {
      llvm::SmallString<128> Path(*Use.Value);
      llvm::sys::fs::make_absolute(Path);
      Kept.push_back((Spelling + "=" + Path).str());
      continue;
    }
    Kept.push_back(Use.str());
  }
  return Kept;
}
