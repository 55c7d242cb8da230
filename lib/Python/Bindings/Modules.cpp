//===- Modules.cpp - Modules in Python ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading, printing and comparing modules and expressions. relay_opt.module
// defines the methods that do not use the IR.
//
//===----------------------------------------------------------------------===//

#include "ModuleObject.h"
#include "Objects.h"
#include "relay/Analysis/OpCounts.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/Text/Json/Json.h"
#include <nanobind/stl/string.h>

using namespace relay;
using namespace relay::python;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Returns the bytes of \p Object, which is text or bytes. Surrogate escapes
/// become the bytes that they encode. Raises TypeError.
static std::string toBytes(nb::handle Object) {
  nb::object Bytes = nb::borrow(Object);
  if (nb::isinstance<nb::str>(Object))
    Bytes = Object.attr("encode")("utf-8", "surrogateescape");
  if (!nb::isinstance<nb::bytes>(Bytes))
    throw nb::type_error("the text of a module is a str or bytes");
  auto Data = nb::borrow<nb::bytes>(Bytes);
  return std::string(Data.c_str(), Data.size());
}

static nb::ref<ModuleObject> readModule(nb::handle Source,
                                        const std::string &Name, bool Infer,
                                        bool OpaqueConstants) {
  std::string Text = toBytes(Source);
  Work W;
  Engine &E = Engine::get();
  ReadOptions Options;
  Options.Infer = Infer;
  Options.OpaqueConstants = OpaqueConstants;
  std::unique_ptr<Module> M;
  {
    nb::gil_scoped_release Release;
    M = E.getSession().read(llvm::MemoryBuffer::getMemBufferCopy(Text, Name),
                            E.getContext(), Options);
  }
  if (!M)
    W.raise(ErrorKind::Parse, "the text is not valid", Name);
  return new ModuleObject(std::move(M));
}

/// Returns the expression of a text that holds one instead of definitions;
/// otherwise the module.
static nb::object readExpression(nb::handle Text, const std::string &Name) {
  nb::ref<ModuleObject> Read = readModule(Text, Name, false, false);
  Work W;
  Module &M = Read->getIR(W);
  if (!M.isExpression())
    return nb::cast(Read);
  Function &Main = *M.lookupFunction("main");
  SharedNodes &Nodes = Engine::get().getNodes();
  if (Main.getForm() == Function::Form::FnExpression)
    return nb::cast(ExprRef(readFunction(Main, Nodes).get()));
  return nb::cast(readBody(Main, Nodes));
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string print(Module &M, const PrintOptions &Options) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  nb::gil_scoped_release Release;
  printModule(M, OS, Options);
  return Text;
}

static std::string printText(ModuleObject &Self, bool Metadata, bool Frame,
                             bool Spans, nb::object Elide) {
  Work W;
  PrintOptions Options;
  Options.Metadata = Metadata;
  Options.Frame = Frame;
  Options.Spans = Spans;
  if (!Elide.is_none())
    Options.ElideConstantsLargerThan = nb::cast<uint64_t>(Elide);
  Module &M = Self.getIR(W);
  Options.Types = M.isTyped();
  return print(M, Options);
}

/// Returns a module, to be printed, whose only function is \p E.
static std::unique_ptr<Module> wrap(Work &W, const ExprRef &E) {
  auto M = std::make_unique<Module>(Engine::get().getContext());
  StringRef Name = M->getContext().intern("main");
  llvm::Expected<Function *> F = writeForPrinting(*M, Name, E);
  if (!F)
    W.raise(ErrorKind::Value, F.takeError());
  return M;
}

static std::string printExpr(ExprRef Self, bool Metadata, bool Frame) {
  Work W;
  PrintOptions Options;
  Options.Metadata = Metadata;
  Options.Frame = Frame;
  return print(*wrap(W, Self), Options);
}

static std::string printJsonText(ModuleObject &Self) {
  Work W;
  Module &M = Self.getIR(W);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  nb::gil_scoped_release Release;
  printJson(M, OS);
  return Text;
}

static std::string printExprJson(ExprRef Self) {
  Work W;
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printJson(*wrap(W, Self), OS);
  return Text;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// TVM's structural equality.
static EqualOptions getEqualOptions() {
  EqualOptions Options;
  Options.AttributeTolerance = 1e-9;
  Options.ResultVirtualDevices = false;
  return Options;
}

static nb::object toResult(bool IsEqual, const Difference &D) {
  return IsEqual ? nb::none() : nb::object(toPython(D.Reason));
}

static nb::object compareModules(ModuleObject &L, ModuleObject &R) {
  Work W;
  Difference D;
  bool IsEqual =
      isStructurallyEqual(L.getIR(W), R.getIR(W), getEqualOptions(), &D);
  return toResult(IsEqual, D);
}

/// Returns None if both are equal, or the reason. Free variables equal
/// themselves or, if \p MapFreeVars is set, those at the same place.
static nb::object compareExprs(ExprRef L, ExprRef R, bool MapFreeVars) {
  Work W;
  Context &Ctx = Engine::get().getContext();
  Module ML(Ctx), MR(Ctx);
  SmallVector<const Var *, 4> FreeL, FreeR;
  llvm::Expected<Function *> FL =
      writeExpression(ML, Ctx.intern("main"), L, &FreeL);
  if (!FL)
    W.raise(ErrorKind::Value, FL.takeError());
  llvm::Expected<Function *> FR =
      writeExpression(MR, Ctx.intern("main"), R, &FreeR);
  if (!FR)
    W.raise(ErrorKind::Value, FR.takeError());
  if (!MapFreeVars && FreeL != FreeR)
    return nb::str("different free variables");
  Difference D;
  return toResult(isStructurallyEqual(**FL, **FR, getEqualOptions(), &D), D);
}

/// Returns \p E with the variables that are keys of \p Binds replaced. Raises
/// ExprError if a `let` binds one.
static ExprRef bindVars(ExprRef E, nb::dict Binds) {
  llvm::DenseMap<const Expr *, ExprRef> Values;
  for (auto [Key, Value] : Binds) {
    if (!nb::isinstance<Var>(Key) || !nb::isinstance<Expr>(Value))
      throw nb::type_error("bind() maps variables to expressions");
    Values[nb::cast<Var *>(Key)] = nb::cast<Expr *>(Value);
  }
  visitPostOrder(E, [&](const ExprRef &Node) {
    auto *TheLet = dyn_cast<Let>(Node.get());
    if (!TheLet || !Values.count(TheLet->getChild(0).get()))
      return;
    StringRef Name = cast<Var>(TheLet->getChild(0).get())->Name;
    Work().raise(ErrorKind::Value,
                 ("variable `" + Name + "` is bound by a `let`").str());
  });
  return substitute(E, Values);
}

static uint64_t hashObject(nb::handle Object) {
  Work W;
  if (nb::isinstance<ModuleObject>(Object))
    return getStructuralHash(nb::cast<ModuleObject &>(Object).getIR(W));
  Module M(Engine::get().getContext());
  llvm::Expected<Function *> F = writeExpression(
      M, M.getContext().intern("main"), nb::cast<Expr *>(Object));
  if (!F)
    W.raise(ErrorKind::Value, F.takeError());
  return getStructuralHash(**F);
}

/// Returns the free variables of \p E in the order of their first use.
static nb::list getFreeVars(ExprRef E) {
  Work W;
  Module M(Engine::get().getContext());
  SmallVector<const Var *, 4> Free;
  llvm::Expected<Function *> F =
      writeExpression(M, M.getContext().intern("main"), E, &Free);
  if (!F)
    W.raise(ErrorKind::Value, F.takeError());
  nb::list Vars;
  for (const Var *V : Free)
    Vars.append(nb::cast(ExprRef(const_cast<Var *>(V))));
  return Vars;
}

//===----------------------------------------------------------------------===//
// The class
//===----------------------------------------------------------------------===//

/// Returns the name that \p Key, a GlobalVar or a text, has.
static StringRef toGlobalName(nb::handle Key) {
  if (nb::isinstance<GlobalVar>(Key))
    return nb::cast<GlobalVar *>(Key)->Name;
  return intern(nb::str(Key));
}

/// Constructs a module at \p Self. Raises before construction if an argument
/// is wrong.
static void initModule(ModuleObject *Self, nb::handle Functions,
                       nb::handle TypeDefs, nb::handle Attributes) {
  EngineLock Lock;
  std::vector<std::pair<StringRef, nb::ref<FunctionExpr>>> Members;
  if (!Functions.is_none())
    for (auto [Key, Value] : nb::cast<nb::dict>(Functions)) {
      if (!nb::isinstance<FunctionExpr>(Value))
        throw nb::type_error("a module holds functions");
      Members.push_back({toGlobalName(Key), nb::cast<FunctionExpr *>(Value)});
    }
  if (!TypeDefs.is_none() && nb::len(TypeDefs))
    throw nb::type_error("a module gets its type definitions from text");
  const Attrs *A = nullptr;
  if (!Attributes.is_none())
    A = makeFunctionAttrs(nb::cast<nb::dict>(Attributes));
  new (Self) ModuleObject();
  for (auto &[Name, F] : Members)
    Self->set(Name, std::move(F));
  if (A)
    Self->setAttributes(A);
}

static nb::list getNames(const ModuleObject &Self) {
  nb::list Names;
  for (StringRef Name : Self.getNames())
    Names.append(toPython(Name));
  return Names;
}

static nb::list getTypeDefs(ModuleObject &Self) {
  Work W;
  nb::list All;
  for (const TypeDef &D : Self.getIR(W).typeDefs()) {
    nb::list Constructors;
    for (const auto &C : D.Constructors)
      Constructors.append(Engine::get().getNodes().getConstructor(C->Name));
    All.append(nb::make_tuple(toPython(D.Name), Constructors));
  }
  return All;
}

/// Returns how often each operator is called, by name.
static nb::dict countOps(ModuleObject &Self) {
  Work W;
  OpCounts Sum;
  for (Function &F : Self.getIR(W).functions())
    Sum += OpCounts(F);
  nb::dict Counts;
  for (auto [Info, Count] : Sum.getOperators())
    Counts[toPython(Info->Name)] = Count;
  return Counts;
}

/// Adds `type Name[Params] { Constructors }`.
static void addTypeDef(ModuleObject &Self, nb::handle Name, nb::handle Params,
                       nb::handle Constructors) {
  Work W;
  auto D = std::make_unique<TypeDef>();
  D->Name = intern(Name);
  for (TypeVarType *Var : toTypeVars(Params))
    D->TypeParams.push_back(Var);
  std::vector<std::unique_ptr<relay::Constructor>> New;
  for (nb::handle C : Constructors) {
    nb::object ConsName = C[0], Fields = C[1];
    New.push_back(std::make_unique<relay::Constructor>());
    New.back()->Name = intern(ConsName);
    for (Type *T : toTypes(Fields))
      New.back()->Fields.push_back(T);
  }
  Self.detach();
  Module &M = Self.getIR(W);
  Self.noteChange();
  if (M.lookupTypeDef(D->Name))
    throw nb::value_error("the module has this type already");
  TypeDef *Added = M.addTypeDef(std::move(D));
  for (std::unique_ptr<relay::Constructor> &C : New)
    M.addConstructor(*Added, std::move(C));
}

/// Adds the types of \p Other that \p Self does not have.
static void importTypes(ModuleObject &Self, ModuleObject &Other) {
  Work W;
  Self.detach();
  Module &M = Self.getIR(W);
  Self.noteChange();
  for (const TypeDef &D : Other.getIR(W).typeDefs())
    if (!M.lookupTypeDef(D.Name))
      M.addTypeDef(cloneTypeDef(D));
}

void relay::python::bindModules(nb::module_ &M) {
  nb::class_<ModuleObject>(M, "IRModule",
                           "Global functions and type definitions.",
                           nb::intrusive_ptr<ModuleObject>(
                               [](ModuleObject *Self, PyObject *P) noexcept {
                                 Self->set_self_py(P);
                               }),
                           nb::is_weak_referenceable())
      .def("__init__", initModule, nb::arg("functions").none() = nb::none(),
           nb::arg("type_definitions").none() = nb::none(),
           nb::arg("attrs").none() = nb::none())
      .def("_names", getNames)
      .def("_contains",
           [](const ModuleObject &Self, nb::handle Name) {
             return Self.contains(intern(Name));
           })
      .def("_lookup",
           [](ModuleObject &Self, nb::handle Name) -> nb::object {
             EngineLock Lock;
             nb::ref<FunctionExpr> F = Self.lookup(intern(Name));
             return F ? nb::cast(F) : nb::none();
           })
      .def("_set",
           [](ModuleObject &Self, nb::handle Name, nb::ref<FunctionExpr> F) {
             EngineLock Lock;
             Self.set(intern(Name), std::move(F));
           })
      .def("_remove",
           [](ModuleObject &Self, nb::handle Name) {
             EngineLock Lock;
             Self.remove(intern(Name));
           })
      .def("_assign",
           [](ModuleObject &Self, ModuleObject &Other) {
             Work W;
             Self.reset(Other.getIR(W).clone());
           })
      .def("_infer_types",
           [](ModuleObject &Self) {
             Work W;
             Self.getTypedIR(W);
           })
      .def("_copy",
           [](ModuleObject &Self) {
             Work W;
             Self.getIR(W);
             return Self.copy();
           })
      .def("_num_operations",
           [](ModuleObject &Self) {
             Work W;
             return Self.getIR(W).getNumOperations();
           })
      .def("op_counts", countOps,
           "Returns how often each operator is called, by name.")
      .def_prop_ro("_version", &ModuleObject::getVersion)
      .def("_print", printText, nb::arg("metadata"), nb::arg("frame"),
           nb::arg("spans"), nb::arg("elide").none())
      .def("_json", printJsonText)
      .def("_type_defs", getTypeDefs)
      .def("_add_type_def", addTypeDef)
      .def("_import_types", importTypes)
      .def_prop_rw(
          "_attrs",
          [](const ModuleObject &Self) {
            return fromDictAttrs(Self.getAttributes());
          },
          [](ModuleObject &Self, nb::dict Entries) {
            EngineLock Lock;
            Self.detach();
            Self.setAttributes(makeFunctionAttrs(Entries));
          });
  M.def("free_vars", getFreeVars);
  M.def("bind", bindVars);
  M.def("structural_hash", hashObject);
  M.def("global_var", [](nb::handle Name) {
    EngineLock Lock;
    return Engine::get().getNodes().getGlobalVar(intern(Name));
  });
  M.def("read_module", readModule, nb::arg("text"), nb::arg("name"),
        nb::arg("infer") = true, nb::arg("opaque_constants") = false);
  M.def("read_expression", readExpression);
  M.def("print_expr", printExpr);
  M.def("expr_json", printExprJson);
  M.def("compare_modules", compareModules);
  M.def("compare_exprs", compareExprs);
}
