//===- OpHooks.cpp - -gen-op-hooks ----------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes X.h.inc for X.td, which binds hooks and facts to operators. It
// declares a class for each kind and the functions, and is included after the
// headers of the types that they name. One .cpp defines RELAY_DEFINE_OP_HOOKS
// first and includes the classes of the operators: the tables are defined
// there.
//
//===----------------------------------------------------------------------===//

#include "HookRecord.h"
#include "Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace relay::tblgen;

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Writes the predicates that decide whether the next entry is called.
static void emitTests(const HookKindRecord &Kind, raw_ostream &OS) {
  constexpr const char *Test = "  static bool {0}(const Result &Answer) {{\n"
                               "    return {1};\n"
                               "  }\n";
  std::string NoOpinion = Kind.getNoOpinionTest();
  std::string Failure = Kind.getFailureTest();
  OS << formatv("  static constexpr bool MayHaveNoOpinion = {0};\n",
                NoOpinion.empty() ? "false" : "true");
  if (NoOpinion.empty())
    return;
  OS << formatv(Test, "hasNoOpinion", NoOpinion);
  if (Failure.empty())
    OS << "  static bool hasFailed(const Result &) { return false; }\n";
  else
    OS << formatv(Test, "hasFailed", Failure);
}

static void emitHookKind(const HookKindRecord &Kind, raw_ostream &OS) {
  constexpr const char *Head = R"(
/// The type of the hooks of kind {0}.
using {0}Fn = {1};
/// The kind of hook, for OpHooks<{0}>.
struct {0} {{
  using Fn = {0}Fn;
  using Result = {2};
)";
  HookSignature Signature = Kind.getSignature();
  OS << formatv(Head, Kind.getName(), Signature.getType(/*WithData=*/false),
                Signature.getResultType());
  emitTests(Kind, OS);
  OS << "  static const OpHookKind Kind;\n};\n";
}

static void emitFactKind(const HookKindRecord &Kind, raw_ostream &OS) {
  if (!Kind.getEnumValues().empty()) {
    SmallVector<std::string> Enumerators;
    for (StringRef Value : Kind.getEnumValues())
      Enumerators.push_back(kebabToUpperCamel(Value));
    OS << formatv("\n/// The values of facts of kind {0}.\n"
                  "enum class {0}Value : uint8_t {{ {1} };",
                  Kind.getName(), join(Enumerators, ", "));
  }
  OS << formatv("\n/// The kind of fact, for OpFacts<{0}>.\n"
                "struct {0} {{\n"
                "  using Value = {1};\n"
                "  static const OpHookKind Kind;\n};\n",
                Kind.getName(), Kind.getValueType());
}

static void emitFunctions(const HookFile &File, raw_ostream &OS) {
  StringSet<> Known;
  for (const HookRecord &Hook : File.getHooks())
    if (!Hook.isFact() && Known.insert(Hook.getName()).second)
      OS << Hook.getSignature().getDeclaration(Hook.getName()) << ";\n";
}

/// Returns true if register<File>() has entries to register.
static bool hasRegistration(const HookFile &File) {
  return File.declaresFacts() || !File.getForeignKinds().empty();
}

static void emitDeclarations(const HookFile &File, raw_ostream &OS) {
  std::string Guard = ("RELAY_OP_HOOKS_" + File.getStem()).str();
  OS << formatv("\n#ifndef {0}\n#define {0}\n\n"
                "#include \"relay/IR/OpHooks.h\"\n\n"
                "namespace relay {{\n",
                Guard);
  for (const HookKindRecord &Kind : File.getKinds())
    Kind.isFact() ? emitFactKind(Kind, OS) : emitHookKind(Kind, OS);
  OS << '\n';
  emitFunctions(File, OS);
  if (hasRegistration(File))
    OS << formatv("\n/// Registers the kinds of facts that {0}.td declares, "
                  "and its entries of\n/// kinds of other files.\n"
                  "void register{0}(Context &Ctx);\n",
                  File.getStem());
  OS << formatv("\n} // namespace relay\n\n#endif // {0}\n", Guard);
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// Returns a closure that returns the C++ function of \p Hook: a thunk if the
/// entry has data.
static std::string getFunction(const HookRecord &Hook) {
  if (Hook.isFact())
    return "nullptr";
  std::string Function = ("&" + Hook.getName()).str();
  HookSignature Signature = Hook.getSignature();
  if (Signature.hasData()) {
    std::string Arguments = Signature.getForwardedNames();
    Function = formatv("+[]({0}) -> {1} {{ return {2}({3}{4}{5}); }",
                       Signature.getParameterList(), Signature.getResultType(),
                       Hook.getName(), Arguments, Arguments.empty() ? "" : ", ",
                       Hook.getData());
  }
  return "[] { return reinterpret_cast<AnyHookFn>(" + Function + "); }";
}

/// Writes the array \p Name of entries.
static void emitEntries(StringRef Name, ArrayRef<HookRecord> Hooks,
                        StringRef Stem, raw_ostream &OS) {
  constexpr const char *Entry = "    {{nullptr, &{0}::getInfo, {1}, {2}, {3},\n"
                                "     {4}, {5}{6}},\n";
  OS << formatv("\nstatic constexpr OpHookEntry {0}[] = {{\n", Name);
  std::string Source = quote((Stem + ".td").str());
  for (const HookRecord &Hook : Hooks) {
    std::string Value = Hook.getValueInitializer();
    OS << formatv(Entry, Hook.getOpClass(), quote(Hook.getKey()),
                  Hook.getLevel(), quote(Hook.getName()), Source,
                  getFunction(Hook), Value.empty() ? "" : ", " + Value);
  }
  OS << "};\n";
}

static void emitKind(const HookFile &File, const HookKindRecord &Kind,
                     raw_ostream &OS) {
  std::vector<HookRecord> Hooks = File.getHooksOf(Kind);
  std::string Entries = (Kind.getName() + "Entries").str();
  Hooks.empty() ? void(OS << '\n')
                : emitEntries(Entries, Hooks, File.getStem(), OS);
  std::string Values;
  for (StringRef Value :
       Kind.isFact() ? Kind.getEnumValues() : std::vector<StringRef>())
    Values += (Values.empty() ? "" : ", ") + quote(Value);
  if (!Values.empty())
    OS << formatv("static const StringRef {0}Names[] = {{{1}};\n",
                  Kind.getName(), Values);
  OS << formatv("const OpHookKind {0}::Kind = {{\"{0}\", {1}", Kind.getName(),
                Hooks.empty() ? "{}" : Entries);
  if (Kind.isFact())
    OS << formatv(", OpFactType::{0}", Kind.getFactType());
  if (!Values.empty())
    OS << formatv(", {0}Names", Kind.getName());
  OS << "};\n";
}

static void emitRegistration(const HookFile &File, raw_ostream &OS) {
  if (!hasRegistration(File))
    return;
  std::vector<StringRef> Foreign = File.getForeignKinds();
  for (StringRef Kind : Foreign)
    emitEntries(("Further" + Kind + "Entries").str(),
                File.getForeignHooks(Kind), File.getStem(), OS);
  OS << formatv("\nvoid register{0}(Context &Ctx) {{\n", File.getStem());
  for (const HookKindRecord &Kind : File.getKinds())
    if (Kind.isFact())
      OS << formatv("  Ctx.registerOpFactKind({0}::Kind);\n", Kind.getName());
  for (StringRef Kind : Foreign)
    OS << formatv("  Ctx.registerOpHooks({0}::Kind, Further{0}Entries);\n",
                  Kind);
  OS << "}\n";
}

static void emitDefinitions(const HookFile &File, raw_ostream &OS) {
  OS << "\n#ifdef RELAY_DEFINE_OP_HOOKS\n#undef RELAY_DEFINE_OP_HOOKS\n\n"
        "namespace relay {\n";
  for (const HookKindRecord &Kind : File.getKinds())
    emitKind(File, Kind, OS);
  emitRegistration(File, OS);
  OS << "\n} // namespace relay\n\n#endif // RELAY_DEFINE_OP_HOOKS\n";
}

static void emitOpHooks(RecordKeeper &Records, raw_ostream &OS) {
  HookFile File(Records);
  emitSourceFileHeader("Hooks and facts of operators", OS, Records);
  emitDeclarations(File, OS);
  emitDefinitions(File, OS);
}

static TableGen::Emitter::Opt
    GenOpHooks("gen-op-hooks", emitOpHooks,
               "Declare hooks and facts of operators and bind them");
