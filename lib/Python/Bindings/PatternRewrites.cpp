//===- PatternRewrites.cpp - Rewriting by patterns ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's rewrite() and partition() on expressions, and its MergeComposite with a
// pattern table of Python. The matches of a pass are found first; Python is
// called afterwards, while other threads may use the library.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "PassObjects.h"
#include "Patterns.h"
#include "relay/Transforms/Fusion/MergeComposite.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

using namespace relay;
using namespace relay::python;

namespace {

/// A DFPatternCallback.
struct RewriteCallback {
  PatternProgram Program;
  nb::object Function;
  bool RequireType, Once;
  bool IsRetired = false;
};

using GroupsByRoot = llvm::DenseMap<const Expr *, const NodeGroup *>;

} // namespace

static GroupsByRoot listByRoot(ArrayRef<NodeGroup> Groups) {
  GroupsByRoot ByRoot;
  for (const NodeGroup &G : Groups)
    ByRoot[G.Root] = &G;
  return ByRoot;
}

static nb::object toObject(const Expr *E) {
  return nb::cast(Expr::Ref(const_cast<Expr *>(E)));
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static Expr::Ref callBack(const RewriteCallback &Callback, const NodeGroup &G,
                          const Expr &Post, const ExprRebuilder &Rebuilder) {
  MatchBindings Bindings;
  for (auto [Node, Old] : G.Bindings) {
    const Expr *New = Old == G.Root ? &Post : Rebuilder.lookup(Old);
    // The body of a closure outside of the expression is as it was.
    Bindings.Items.push_back({Node, const_cast<Expr *>(New ? New : Old)});
  }
  nb::object Result = Callback.Function(toObject(G.Root), toObject(&Post),
                                        nb::cast(std::move(Bindings)));
  if (!nb::isinstance<Expr>(Result))
    throw nb::type_error("a callback returns an expression");
  return nb::cast<Expr *>(Result);
}

/// Callbacks that make an expression grow to more than this number of values,
/// and to this multiple of its size, are in conflict.
static constexpr size_t MaxSize = 1 << 17, MaxGrowth = 64;

/// Makes one pass of \p Callback over \p E. \p FirstSize is the number of
/// values in the first pass; 0 in that.
static Expr::Ref rewriteOnce(const RewriteCallback &Callback,
                             const Expr::Ref &E, ModuleObject *Mod,
                             size_t &FirstSize) {
  if (!Callback.RequireType && !mayMatchIn(Callback.Program, *E))
    return E;
  std::vector<NodeGroup> Groups;
  size_t Size;
  {
    Work W;
    PatternSearch Search(W, Callback.Program, *E, Mod, Callback.RequireType);
    Size = Search.getNumValues();
    if (!FirstSize)
      FirstSize = Size;
    if (Size > std::max(MaxSize, MaxGrowth * FirstSize))
      W.raise(ErrorKind::Limit, "the callbacks make the expression grow "
                                "without limit");
    Groups = Search.findGroups();
  }
  if (Groups.empty())
    return E;
  GroupsByRoot ByRoot = listByRoot(Groups);
  ExprRebuilder Rebuilder(Size);
  return Rebuilder.run(*E, [&](const Expr &Node, const Expr &Copy) {
    const NodeGroup *G = ByRoot.lookup(&Node);
    return G ? callBack(Callback, *G, Copy, Rebuilder) : Expr::Ref();
  });
}

static std::vector<RewriteCallback> toCallbacks(nb::handle List) {
  Work W;
  std::vector<RewriteCallback> Callbacks;
  for (nb::handle Item : List) {
    nb::tuple Parts = nb::cast<nb::tuple>(Item);
    Callbacks.push_back({compilePattern(W, toPattern(Parts[0])),
                         nb::object(Parts[1]), nb::cast<bool>(Parts[2]),
                         nb::cast<bool>(Parts[3])});
  }
  return Callbacks;
}

/// The number of passes at which TVM gives up.
static constexpr unsigned MaxPasses = 100;

static Expr::Ref rewriteExpr(nb::handle List, Expr::Ref E, nb::handle Mod) {
  std::vector<RewriteCallback> Callbacks = toCallbacks(List);
  ModuleObject *TheMod = nullptr;
  if (!Mod.is_none() && !nb::try_cast(Mod, TheMod))
    throw nb::type_error("mod is an IRModule or None");
  unsigned NumPasses = 0;
  size_t FirstSize = 0;
  Expr::Ref Last;
  do {
    Last = E;
    for (RewriteCallback &Callback : Callbacks) {
      if (Callback.IsRetired)
        continue;
      ++NumPasses;
      Expr::Ref Before = E;
      E = rewriteOnce(Callback, Before, TheMod, FirstSize);
      if (Callback.Once && !areStructurallyEqual(*Before, *E))
        Callback.IsRetired = true;
    }
  } while (NumPasses < MaxPasses && !areStructurallyEqual(*Last, *E));
  if (NumPasses >= MaxPasses) {
    Work W;
    W.raise(ErrorKind::Limit, "observed 100 rewrite passes; the callbacks may "
                              "be in conflict");
  }
  return E;
}

//===----------------------------------------------------------------------===//
// Partitioning
//===----------------------------------------------------------------------===//

/// Returns the text of PartitionedFromPattern for \p Node.
static std::string getLabel(const Expr &Node) {
  switch (Node.getKind()) {
  case ExprKind::Call: {
    auto *TheOp = dyn_cast<python::Op>(cast<Call>(Node).getCallee().get());
    return TheOp ? (TheOp->Info.Name + "_").str() : "Call_";
  }
  case ExprKind::Tuple:
    return "Tuple_";
  case ExprKind::TupleGetItem:
    return "TupleGetItem" +
           std::to_string(cast<python::TupleGetItem>(Node).Index) + "_";
  case ExprKind::Function:
    return "Function";
  case ExprKind::Let:
    return "Let_";
  case ExprKind::If:
    return "If_";
  case ExprKind::Match:
    return "Match_";
  default:
    return "";
  }
}

/// Returns the call of a new function that replaces the match \p G.
static Expr::Ref makePartition(const NodeGroup &G, nb::handle Attributes,
                               const ExprRebuilder &Rebuilder) {
  std::vector<Expr::Ref> FunctionParts, CallParts(1);
  ExprRebuilder Body;
  for (auto [I, Param] : llvm::enumerate(G.Params)) {
    std::string Name =
        "FunctionVar_" + std::to_string(G.Number) + "_" + std::to_string(I);
    FunctionParts.push_back(new Var(intern(toPython(Name)), nullptr));
    Body.replace(*Param, FunctionParts.back());
    const Expr *New = Rebuilder.lookup(Param);
    CallParts.push_back(const_cast<Expr *>(New ? New : Param));
  }
  FunctionParts.push_back(Body.run(
      *G.Root, [](const Expr &, const Expr &) { return Expr::Ref(); }));
  std::string Label;
  for (const Expr *Node : G.Nodes)
    Label += getLabel(*Node);
  nb::dict Entries;
  Entries["PartitionedFromPattern"] = toPython(Label);
  if (!Attributes.is_none())
    Entries.update(nb::cast<nb::dict>(Attributes));
  CallParts[0] =
      new FunctionExpr(std::move(FunctionParts), /*ResultAnnotation=*/nullptr,
                       {}, makeFunctionAttrs(Entries));
  return new Call(std::move(CallParts), nullptr);
}

/// Returns true if \p G can become a function: it is no function itself, and no
/// parameter is a variable that a `let` in it binds.
static bool canBePartition(const NodeGroup &G) {
  if (isa<FunctionExpr>(G.Root))
    return false;
  llvm::SmallPtrSet<const Expr *, 8> Params(G.Params.begin(), G.Params.end());
  return llvm::none_of(G.Nodes, [&](const Expr *Node) {
    return isa<Let>(Node) && Params.count(Node->getChild(0).get());
  });
}

static Expr::Ref partitionExpr(nb::handle P, Expr::Ref E, nb::handle Attributes,
                               nb::handle Check) {
  const Pattern &ThePattern = toPattern(P);
  std::optional<PatternProgram> Program;
  std::vector<NodeGroup> Groups;
  {
    Work W;
    Program.emplace(compilePattern(W, ThePattern));
    Groups = PatternSearch(W, *Program, *E).findGroups();
  }
  if (Groups.empty())
    return E;
  GroupsByRoot ByRoot = listByRoot(Groups);
  ExprRebuilder Rebuilder;
  return Rebuilder.run(*E, [&](const Expr &Node, const Expr &) {
    const NodeGroup *G = ByRoot.lookup(&Node);
    if (!G || !canBePartition(*G) ||
        !(Check.is_none() || nb::cast<bool>(nb::bool_(Check(toObject(&Node))))))
      return Expr::Ref();
    return makePartition(*G, Attributes, Rebuilder);
  });
}

//===----------------------------------------------------------------------===//
// Composites
//===----------------------------------------------------------------------===//

namespace {

/// The expression of the function whose matches are being checked. It is read
/// again when the function has changed.
class CheckedFunction {
public:
  nb::object getNode(Operation *Root);

private:
  unsigned Run = 0;
  const Function *F = nullptr;
  uint64_t Version = 0;
  nb::ref<FunctionExpr> Node;
  ExprMap Map;
};

} // namespace

nb::object CheckedFunction::getNode(Operation *Root) {
  Function &Of = *Root->getFunction();
  unsigned CurrentRun = getPassRunNumber();
  if (Run != CurrentRun || F != &Of || Version != Of.getVersion()) {
    Node = readFunction(Of, Engine::get().getNodes());
    Map = ExprMap(relay::ExprRef::getBody(Of.getBody()), *Node->getBody(),
                  Of.getNumValues());
    Run = CurrentRun;
    F = &Of;
    Version = Of.getVersion();
  }
  return toObject(Map.lookup(relay::ExprRef::getDefinition(Root)));
}

static std::unique_ptr<Pass> makeMergeComposite(nb::handle Table) {
  std::vector<CompositePattern> Entries;
  auto Checked = std::make_shared<CheckedFunction>();
  for (nb::handle Item : Table) {
    nb::tuple Parts = nb::cast<nb::tuple>(Item);
    std::function<bool(Operation *)> Check;
    if (nb::object Function(Parts[2]); !Function.is_none())
      Check = [Checked, Held = share(std::move(Function))](Operation *Root) {
        bool Accepts = false;
        callPython([&] {
          Accepts = nb::cast<bool>(nb::bool_((*Held)(Checked->getNode(Root))));
        });
        return Accepts;
      };
    Entries.emplace_back(nb::cast<std::string>(Parts[0]), toPattern(Parts[1]),
                         std::move(Check));
  }
  return createMergeCompositePass(std::move(Entries));
}

namespace {

class MergeCompositeObject : public PassObject {
public:
  explicit MergeCompositeObject(nb::handle Table)
      : PassObject(makeMergeComposite(Table)) {}
};

} // namespace

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

void relay::python::bindPatternRewrites(nb::module_ &M) {
  M.def("pattern_rewrite", rewriteExpr, nb::arg("callbacks"), nb::arg("expr"),
        nb::arg("mod").none());
  M.def("pattern_partition", partitionExpr, nb::arg("pattern"), nb::arg("expr"),
        nb::arg("attrs").none(), nb::arg("check").none());
  nb::class_<MergeCompositeObject, PassObject>(M, "MergeCompositeBase")
      .def(nb::init<nb::handle>(), nb::arg("table"));
}
