//===- Completion.cpp - -print-bash-completion ----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Completion.h. The script looks at the text before the cursor itself,
// since bash breaks words at `=`, `<`, `(` and `;`.
//
//===----------------------------------------------------------------------===//

#include "Completion.h"
#include "relay/Pass/PassRegistry.h"
#include "relay/Support/Flags.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// The script
//===----------------------------------------------------------------------===//

static constexpr const char Head[] =
    R"(# Completion of relay-opt in bash: source <(relay-opt -print-bash-completion)
_relay_opt() {
)";

// `arg` is the argument before the cursor without quotes, `tail` the part of it
// that is completed by one of `words`.
static constexpr const char Argument[] = R"(
  local line=${COMP_LINE:0:COMP_POINT} arg value tail words
  [[ $line =~ ([^[:space:]\'\"]*([\'\"][^\'\"]*)?)$ ]]
  arg=${BASH_REMATCH[1]//[\'\"]/}
  value=${arg#*=} tail=${arg#*=}
  case $arg in
)";

static constexpr const char Pipeline[] = R"(  -passes=* | --passes=*)
    if [[ $value =~ ([a-z0-9-]+)\<([^\>]*)$ ]]; then
      tail=${BASH_REMATCH[2]##*;}
      case ${BASH_REMATCH[1]} in
)";

static constexpr const char PipelineEnd[] = R"(      esac
    else
      tail=${value##*[,(]} words=$elements
    fi ;;
)";

// What bash replaces is $2, a part of `arg` of which `tail` is the end.
static constexpr const char Foot[] = R"(  *=*) return ;;
  -*) tail=${arg/#--/-} words=$flags ;;
  *) return ;;
  esac

  local reply
  COMPREPLY=()
  for reply in $(compgen -W "$words" -- "$tail"); do
    [[ $reply == -*[^=] ]] && reply+=' '
    COMPREPLY+=("${2%"$tail"}$reply")
  done
}
complete -o nospace -o default -F _relay_opt relay-opt
)";

//===----------------------------------------------------------------------===//
// What stands in it
//===----------------------------------------------------------------------===//

static void printList(StringRef Name, ArrayRef<StringRef> Words,
                      raw_ostream &OS) {
  OS << "  local " << Name << "='" << llvm::join(Words, " ") << "'\n";
}

/// Writes the case of \p Flag, unless its value is a pipeline or a file.
static void printFlag(const FlagBase &Flag, raw_ostream &OS) {
  std::string Words;
  for (const FlagBase::Word &W : Flag.getWords())
    Words += (Words.empty() ? "words='" : " ") + W.Text.str();
  if (!Words.empty())
    Words += "'";
  else if (Flag.getValueName() == "pass,...")
    Words = "tail=${value##*,} words=$passes";
  else if (Flag.getValueName() == "key=value")
    Words = "words=$configs";
  else
    return;
  OS << "  -" << Flag.getName() << "=* | --" << Flag.getName() << "=*) "
     << Words << " ;;\n";
}

/// Writes the case of the options of \p Info.
static void printPassOptions(const PassInfo &Info, raw_ostream &OS) {
  if (Info.Options.empty())
    return;
  OS << "      " << Info.Argument << ") words='";
  llvm::interleave(
      Info.Options, OS,
      [&](const PassOptionInfo &Option) {
        bool IsFlag = Option.Kind == PassOptionKind::Bool &&
                      Option.Shape == PassOptionShape::Scalar;
        OS << Option.Name << (IsFlag ? "" : "=");
      },
      " ");
  OS << "' ;;\n";
}

/// What pipeline text can begin with, up to where it can be completed further.
static SmallVector<std::string, 0> getElements(const PassRegistry &Registry) {
  SmallVector<std::string, 0> Elements;
  for (StringRef Argument : Registry.getArguments())
    Elements.push_back(Argument.str());
  for (StringRef Argument : Registry.getGroupArguments())
    Elements.push_back((Argument + "(").str());
  for (StringRef Argument : Registry.getAnalysisPassArguments())
    Elements.push_back((Argument + "<").str());
  Elements.push_back((PassRegistry::ExtensionArgument + "<").str());
  return Elements;
}

void relay::printBashCompletion(const FlagSet &Flags,
                                const PassRegistry &Registry, raw_ostream &OS) {
  std::vector<const FlagBase *> Shown = Flags.getFlags();
  llvm::erase_if(Shown, [](const FlagBase *F) { return F->isHidden(); });
  SmallVector<std::string, 0> Names, Configs, Elements = getElements(Registry);
  for (const FlagBase *F : Shown)
    Names.push_back(F->getSpelling().str() + (F->needsValue() ? "=" : ""));
  for (StringRef Name : Registry.getConfigNames())
    Configs.push_back((Name + "=").str());

  OS << Head;
  printList("flags", SmallVector<StringRef, 0>(Names.begin(), Names.end()), OS);
  printList("passes", Registry.getArguments(), OS);
  printList("elements",
            SmallVector<StringRef, 0>(Elements.begin(), Elements.end()), OS);
  printList("points", Registry.getExtensionPointNames(), OS);
  printList("analyses", Registry.getAnalysisArguments(), OS);
  printList("configs",
            SmallVector<StringRef, 0>(Configs.begin(), Configs.end()), OS);
  OS << Argument << Pipeline;
  OS << "      " << llvm::join(Registry.getAnalysisPassArguments(), " | ")
     << ") words=$analyses ;;\n      " << PassRegistry::ExtensionArgument
     << ") words=$points ;;\n";
  for (StringRef Group : Registry.getGroupArguments())
    printPassOptions(Registry.lookupGroup(Group)->Info, OS);
  for (const PassInfo *Info : Registry.getPasses())
    printPassOptions(*Info, OS);
  OS << PipelineEnd;
  for (const FlagBase *F : Shown)
    printFlag(*F, OS);
  OS << Foot;
}
