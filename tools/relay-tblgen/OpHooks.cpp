//===- OpHooks.cpp - -gen-op-hooks ----------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes X.h.inc of X.td, which binds hooks to operators. It declares a class
// for each kind and the functions; to be included after what their types name.
// One .cpp defines RELAY_DEFINE_OP_HOOKS before and has the classes of the
// operators in sight: there the functions are bound.
//
//===----------------------------------------------------------------------===//

#include "HookRecord.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace relay::tblgen;

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

static void emitKind(const HookKindRecord &Kind, raw_ostream &OS) {
  constexpr const char *Declaration = R"(
/// What a hook of kind {0} is.
using {0}Fn = {1};
/// The kind of hook, for OpHooks<{0}>.
struct {0} {{
  using Fn = {0}Fn;
  static const OpHookKind Kind;
};
)";
  OS << formatv(Declaration, Kind.getName(), Kind.getSignature());
}

static void emitFunctions(const HookFile &File, raw_ostream &OS) {
  StringSet<> Known;
  for (const HookRecord &Hook : File.getHooks())
    if (Known.insert(Hook.getFunction()).second)
      OS << formatv("{0}Fn {1};\n", Hook.getKind(), Hook.getFunction());
}

static void emitDeclarations(const HookFile &File, raw_ostream &OS) {
  std::string Guard = ("RELAY_OP_HOOKS_" + File.getStem()).str();
  OS << formatv("\n#ifndef {0}\n#define {0}\n\n"
                "#include \"relay/IR/OpHooks.h\"\n\n"
                "namespace relay {{\n",
                Guard);
  for (const HookKindRecord &Kind : File.getKinds())
    emitKind(Kind, OS);
  OS << '\n';
  emitFunctions(File, OS);
  if (!File.getForeignHooks().empty())
    OS << formatv("\n/// Binds hooks to operators as {0}.td says.\n"
                  "void register{0}(Context &Ctx);\n",
                  File.getStem());
  OS << formatv("\n} // namespace relay\n\n#endif // {0}\n", Guard);
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

static void emitHooksOf(const HookFile &File, const HookKindRecord &Kind,
                        raw_ostream &OS) {
  std::vector<HookRecord> Hooks = File.getHooksOf(Kind);
  OS << formatv("\nstatic void bind{0}Hooks(OpHookTable &{1}) {{\n",
                Kind.getName(), Hooks.empty() ? "" : "Table");
  for (const HookRecord &Hook : Hooks)
    OS << formatv("  Table.bind({0}::getInfo(), "
                  "reinterpret_cast<AnyHookFn>(&{1}));\n",
                  Hook.getOpClass(), Hook.getFunction());
  OS << formatv("}\nconst OpHookKind {0}::Kind = {{\"{0}\", "
                "&bind{0}Hooks};\n",
                Kind.getName());
}

static void emitRegistration(const HookFile &File, raw_ostream &OS) {
  std::vector<HookRecord> Hooks = File.getForeignHooks();
  if (Hooks.empty())
    return;
  OS << formatv("\nvoid register{0}(Context &Ctx) {{\n", File.getStem());
  for (const HookRecord &Hook : Hooks)
    OS << formatv("  bindOpHook<{0}>(Ctx, {1}::getInfo(), &{2});\n",
                  Hook.getKind(), Hook.getOpClass(), Hook.getFunction());
  OS << "}\n";
}

static void emitDefinitions(const HookFile &File, raw_ostream &OS) {
  OS << "\n#ifdef RELAY_DEFINE_OP_HOOKS\n#undef RELAY_DEFINE_OP_HOOKS\n\n"
        "namespace relay {\n";
  for (const HookKindRecord &Kind : File.getKinds())
    emitHooksOf(File, Kind, OS);
  emitRegistration(File, OS);
  OS << "\n} // namespace relay\n\n#endif // RELAY_DEFINE_OP_HOOKS\n";
}

static void emitOpHooks(RecordKeeper &Records, raw_ostream &OS) {
  HookFile File(Records);
  emitSourceFileHeader("Hooks of operators", OS, Records);
  emitDeclarations(File, OS);
  emitDefinitions(File, OS);
}

static TableGen::Emitter::Opt
    GenOpHooks("gen-op-hooks", emitOpHooks,
               "Declare hooks of operators and bind them");
