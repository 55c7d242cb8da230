//===- Completion.cpp - -complete and -print-completion -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Completion.h.
//
//===----------------------------------------------------------------------===//

#include "Completion.h"
#include "Tool.h"
#include "relay/Pass/PassRegistry.h"
#include "relay/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Scripts
//===----------------------------------------------------------------------===//

// Bash breaks words at `=`, `<`, `(` and `;`, so that the argument before the
// cursor, `arg`, is searched for in the line after removal of closed quotes;
// Bash replaces $2, its end. Unquoted text is quoted.
static constexpr const char BashScript[] =
    R"(# Completion of relay-opt in bash: source <(relay-opt -print-completion=bash)
_relay_opt() {
  local line=${COMP_LINE:0:COMP_POINT} arg quoted reply rest help before=
  COMPREPLY=()
  rest=$line
  while [[ $rest =~ ^([^\'\"]*)(\'[^\']*\'|\"[^\"]*\")(.*)$ ]]; do
    arg=${BASH_REMATCH[2]:1:-1}
    before+=${BASH_REMATCH[1]}${arg//[[:space:]\'\"]/_}
    rest=${BASH_REMATCH[3]}
  done
  [[ $before$rest =~ ([^[:space:]\'\"]*([\'\"][^\'\"]*)?)$ ]]
  quoted=${BASH_REMATCH[2]}
  arg=${BASH_REMATCH[1]//[\'\"\\]/}
  while IFS=$'\t' read -r reply help; do
    rest=${reply#"$arg"}
    [[ $rest && ! $quoted ]] && printf -v rest %q "$rest"
    [[ $reply == -* && $reply != *=* ]] && rest+=' '
    COMPREPLY+=("$2$rest")
  done < <("$1" "-complete=$line" 2>/dev/null)
}
complete -o nospace -o default -F _relay_opt relay-opt
)";

static constexpr const char ZshScript[] = R"(#compdef relay-opt
# Completion of relay-opt in zsh: source <(relay-opt -print-completion=zsh)
_relay_opt() {
  local -a flags flag_lines values value_lines
  local reply help
  while IFS=$'\t' read -r reply help; do
    if [[ $reply == -* && $reply != *=* ]]; then
      flags+=("$reply") flag_lines+=("$reply  -- $help")
    else
      values+=("$reply") value_lines+=("$reply  -- $help")
    fi
  done < <("${words[1]}" "-complete=$LBUFFER" 2>/dev/null)
  if (( $#flags + $#values )); then
    (( $#flags )) && compadd -l -d flag_lines -a flags
    (( $#values )) && compadd -l -S '' -d value_lines -a values
  else
    compset -P '*='
    _files
  fi
}
if [[ $funcstack[1] == _relay-opt ]]; then
  _relay_opt "$@"
else
  compdef _relay_opt relay-opt
fi
)";

static constexpr const char FishScript[] =
    R"(# Completion of relay-opt in fish: relay-opt -print-completion=fish | source
function __relay_opt_complete
    set -l command (commandline -opc)[1]
    $command "-complete="(commandline -cp | string collect) 2>/dev/null
end
complete -c relay-opt -a '(__relay_opt_complete)'
)";

static StringRef getScript(Shell S) {
  switch (S) {
  case Shell::Bash:
    return BashScript;
  case Shell::Zsh:
    return ZshScript;
  case Shell::Fish:
    return FishScript;
  }
  llvm_unreachable("unknown shell");
}

/// Writes \p Text with \p From replaced by \p To.
static std::string replaceAll(StringRef Text, StringRef From, StringRef To) {
  SmallVector<StringRef> Parts;
  Text.split(Parts, From);
  return llvm::join(Parts, To);
}

// The scripts name relay-opt, and their functions _relay_opt.
void relay::printCompletionScript(Shell S, StringRef Tool, raw_ostream &OS) {
  std::string Text = replaceAll(getScript(S), "relay-opt", Tool);
  OS << replaceAll(Text, "relay_opt", replaceAll(Tool, "-", "_"));
}

//===----------------------------------------------------------------------===//
// CompletionFlags
//===----------------------------------------------------------------------===//

void CompletionFlags::print(StringRef Tool, const PassRegistry &Registry,
                            raw_ostream &OS) const {
  if (Script.isGiven())
    printCompletionScript(*Script, Tool, OS);
  if (Line.isGiven())
    printCompletions(*Line, All, Registry, OS);
}

std::optional<int> CompletionFlags::apply(StringRef Tool,
                                          int FailureStatus) const {
  if (!areGiven())
    return std::nullopt;
  llvm::Error E = writeOutput(
      "-", [&](raw_ostream &OS) { print(Tool, PassRegistry(), OS); });
  return failed(reportToolError(Tool, std::move(E))) ? FailureStatus : 0;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

std::vector<std::string> relay::splitCommandLine(StringRef Line) {
  std::vector<std::string> Words(1);
  char Quote = 0;
  for (size_t I = 0; I != Line.size(); ++I) {
    char C = Line[I];
    if (C == '\\' && Quote != '\'' && I + 1 != Line.size())
      Words.back() += Line[++I];
    else if (C == Quote)
      Quote = 0;
    else if (!Quote && (C == '\'' || C == '"'))
      Quote = C;
    else if (Quote || !llvm::isSpace(C))
      Words.back() += C;
    else if (!Words.back().empty())
      Words.emplace_back();
  }
  if (Words.size() == 1) // the name of the program is incomplete
    return {""};
  Words.erase(Words.begin());
  return Words;
}

//===----------------------------------------------------------------------===//
// Completions
//===----------------------------------------------------------------------===//

namespace {

/// Finds completions of an argument, which consists of a fixed part, `Kept`,
/// and a part to complete.
class Completer {
public:
  Completer(const FlagSet &Flags, const PassRegistry &Registry, raw_ostream &OS)
      : Flags(Flags), Registry(Registry), OS(OS) {}

  const FlagBase *lookupFlag(StringRef Name) const;
  void completeArgument(StringRef Word);
  /// Completes \p Value, a value of \p Flag, after \p Before.
  void completeValue(const FlagBase &Flag, StringRef Before, StringRef Value);

private:
  /// Sets the text to complete to \p Text after \p Before.
  void start(StringRef Before, StringRef Text) {
    Kept = Before.str();
    Typed = Text;
  }
  /// Completes the part of \p Value after the last of \p Separators and
  /// following blanks.
  void startBehind(StringRef Separators, StringRef Before, StringRef Value) {
    size_t Start = Value.find_last_of(Separators) + 1; // npos is -1
    Start = std::min(Value.size(), Value.find_first_not_of(" \t\n", Start));
    start((Before + Value.take_front(Start)).str(), Value.drop_front(Start));
  }
  void offer(const Twine &Word, StringRef Help) {
    std::string Text = Word.str();
    if (!StringRef(Text).starts_with(Typed))
      return;
    OS << Kept << Text << '\t' << Help << '\n';
    HasOffered = true;
  }
  void offerFlags(StringRef Dashes);
  void offerSynonyms(StringRef Dashes);
  void offerPasses(StringRef Suffix);
  void offerNames(StringRef Suffix);
  void offerConfig();
  void offerElements();
  void offerOptions(ArrayRef<PassOptionInfo> Options);
  void completePipeline(StringRef Before, StringRef Text);
  void completeOptions(StringRef Element, StringRef Before, StringRef Text);

  const FlagSet &Flags;
  const PassRegistry &Registry;
  raw_ostream &OS;
  std::string Kept;
  StringRef Typed;
  bool HasOffered = false;
};

} // namespace

/// Returns the flag named \p Name, which may be a synonym; null if there is
/// none that takes a value.
const FlagBase *Completer::lookupFlag(StringRef Name) const {
  if (const FlagBase *Flag = Flags.lookup(Name))
    return Flag;
  for (const FlagSynonym &Synonym : Flags.getSynonyms())
    if (Synonym.Spelling.drop_front() == Name &&
        Synonym.How == FlagSynonym::Use::Accepted)
      return Flags.lookup(Synonym.Meaning.ltrim('-'));
  return nullptr;
}

/// Offers flags that begin with \p Dashes, one or two.
void Completer::offerFlags(StringRef Dashes) {
  for (const FlagBase *F : Flags.getFlags())
    if (!F->isHidden())
      offer(Dashes + F->getName() + (F->needsValue() ? "=" : ""), F->getHelp());
}

/// Offers accepted spellings of other programs likewise.
void Completer::offerSynonyms(StringRef Dashes) {
  for (const FlagSynonym &Synonym : Flags.getSynonyms()) {
    if (Synonym.How != FlagSynonym::Use::Accepted)
      continue;
    const FlagBase *F = lookupFlag(Synonym.Spelling.drop_front());
    offer(Dashes + Synonym.Spelling.drop_front() +
              (F && F->needsValue() ? "=" : ""),
          Synonym.Meaning.empty() ? "without effect" : Synonym.Meaning);
  }
}

void Completer::offerPasses(StringRef Suffix) {
  for (StringRef Argument : Registry.getArguments())
    offer(Argument + Suffix, Registry.lookupArgument(Argument)->Summary);
}

void Completer::offerNames(StringRef Suffix) {
  for (StringRef Name : Registry.getNames())
    offer(Name + Suffix, Registry.lookupName(Name)->Summary);
}

void Completer::offerConfig() {
  for (StringRef Name : Registry.getConfigNames())
    offer(Name + "=", Registry.lookupConfigOption(Name)->Description);
}

/// Offers the elements that pipeline text can begin with, up to the next point
/// of completion.
void Completer::offerElements() {
  offerPasses("");
  for (StringRef Argument : Registry.getGroupArguments())
    offer(Argument + "(", Registry.lookupGroup(Argument)->Info.Summary);
  for (StringRef Argument : Registry.getAnalysisPassArguments())
    offer(Argument + "<", "an analysis");
  offer(PassRegistry::ExtensionArgument + "<", "passes of plugins");
}

void Completer::offerOptions(ArrayRef<PassOptionInfo> Options) {
  for (const PassOptionInfo &Option : Options) {
    bool IsFlag = Option.Kind == PassOptionKind::Bool &&
                  Option.Shape == PassOptionShape::Scalar;
    offer(Option.Name + (IsFlag ? "" : "="), Option.Description);
  }
}

/// Completes \p Text, which follows `Element<`.
void Completer::completeOptions(StringRef Element, StringRef Before,
                                StringRef Text) {
  if (Registry.lookupAnalysisPass(Element)) {
    start(Before, Text);
    for (StringRef Name : Registry.getAnalysisArguments())
      offer(Name, "");
    return;
  }
  if (Element == PassRegistry::ExtensionArgument) {
    start(Before, Text);
    for (StringRef Name : Registry.getExtensionPointNames())
      offer(Name, Registry.lookupExtensionPoint(Name)->Description);
    return;
  }
  // The brackets may belong to the name: `default<O2>`.
  start(Before, Text);
  std::string Head = (Element + "<").str();
  for (StringRef Argument : Registry.getArguments())
    if (Argument.starts_with(Head))
      offer(Argument.drop_front(Head.size()),
            Registry.lookupArgument(Argument)->Summary);
  startBehind(";", Before, Text);
  if (const PassInfo *Info = Registry.lookupArgument(Element))
    offerOptions(Info->Options);
  else if (const GroupInfo *Group = Registry.lookupGroup(Element))
    offerOptions(Group->Info.Options);
}

void Completer::completePipeline(StringRef Before, StringRef Text) {
  size_t Open = Text.rfind('<');
  if (Open == StringRef::npos || Text.substr(Open).contains('>')) {
    startBehind(",(", Before, Text);
    offerElements();
    return;
  }
  StringRef Head = Text.take_front(Open);
  StringRef Element = Head.substr(Head.find_last_of(",(") + 1).trim();
  completeOptions(Element, (Before + Text.take_front(Open + 1)).str(),
                  Text.drop_front(Open + 1));
}

void Completer::completeValue(const FlagBase &Flag, StringRef Before,
                              StringRef Value) {
  StringRef Kind = Flag.getValueName();
  if (Kind == "pipeline")
    return completePipeline(Before, Value);
  if (Kind == "pass,...") {
    startBehind(",", Before, Value);
    return offerPasses("");
  }
  if (Kind == "file=level,...") {
    startBehind(",", Before, Value);
    return offerNames("=");
  }
  startBehind("", Before, Value);
  for (const FlagBase::Word &W : Flag.getWords())
    offer(W.Text, W.Help);
  if (Kind == "key=value")
    offerConfig();
  else if (Kind == "pass=skip,count")
    offerPasses("=");
}

void Completer::completeArgument(StringRef Word) {
  StringRef Dashes = Word.take_front(Word.starts_with("--") ? 2 : 1);
  auto [Name, Value] = Word.drop_front(Dashes.size()).split('=');
  if (Dashes.size() + Name.size() == Word.size()) {
    start("", Word);
    offerFlags(Dashes);
    if (!HasOffered)
      offerSynonyms(Dashes);
  } else if (const FlagBase *Flag = lookupFlag(Name)) {
    completeValue(*Flag, Word.drop_back(Value.size()), Value);
  }
}

void relay::printCompletions(StringRef Line, const FlagSet &Flags,
                             const PassRegistry &Registry, raw_ostream &OS) {
  std::vector<std::string> Words = splitCommandLine(Line);
  Completer C(Flags, Registry, OS);
  StringRef Word = Words.back();
  if (Word.starts_with("-"))
    return C.completeArgument(Word);
  if (Words.size() < 2)
    return;
  // The value of a flag may be a separate argument.
  StringRef Before = Words[Words.size() - 2];
  if (!Before.starts_with("-"))
    return;
  const FlagBase *Flag = C.lookupFlag(Before.ltrim('-'));
  if (Flag && Flag->needsValue())
    C.completeValue(*Flag, "", Word);
}
