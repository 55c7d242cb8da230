//===- Patterns.cpp - Dataflow patterns in Python -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates the nodes of patterns. relay_opt.patterns has the classes, which
// check their arguments.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Objects.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

using namespace relay;
using namespace relay::python;

const Pattern &relay::python::toPattern(nb::handle Object) {
  PatternObject *Self = nullptr;
  if (!nb::isinstance<PatternObject>(Object) || !nb::try_cast(Object, Self) ||
      !Self)
    throw nb::type_error("a pattern is expected");
  return Self->P;
}

static SmallVector<Pattern, 4> toPatterns(nb::handle List) {
  SmallVector<Pattern, 4> Patterns;
  for (nb::handle Object : List)
    Patterns.push_back(toPattern(Object));
  return Patterns;
}

//===----------------------------------------------------------------------===//
// Expressions in patterns
//===----------------------------------------------------------------------===//

namespace {

using PatternVariables = SmallVector<std::pair<Expr::Ref, const Value *>, 2>;

/// The IR of the expression of a pattern.
struct PatternExpression {
  PatternExpression() = default;
  PatternExpression(const PatternExpression &) = delete;
  ~PatternExpression();

  std::unique_ptr<Module> M;
  const Value *Result = nullptr;
  PatternVariables Variables;
};

} // namespace

/// The expressions of all patterns, by their results. Protected by the lock of
/// the interpreter.
static llvm::DenseMap<const Value *, PatternExpression *> &getExpressions() {
  static auto *Expressions =
      new llvm::DenseMap<const Value *, PatternExpression *>();
  return *Expressions;
}

PatternExpression::~PatternExpression() {
  if (Result)
    getExpressions().erase(Result);
  dispose(std::move(M));
}

ArrayRef<std::pair<Expr::Ref, const Value *>>
relay::python::getPatternVariables(const Value *PatternExpression) {
  auto It = getExpressions().find(PatternExpression);
  if (It == getExpressions().end())
    return {};
  return It->second->Variables;
}

Pattern relay::python::makeExprPattern(const Expr::Ref &E) {
  if (auto *TheOp = dyn_cast<python::Op>(E.get()))
    return Pattern::getOperator(TheOp->Info.Name);
  Work W;
  Context &Ctx = Engine::get().getContext();
  auto Owner = std::make_shared<PatternExpression>();
  Owner->M = std::make_unique<Module>(Ctx);
  SmallVector<const Var *, 2> FreeVars;
  llvm::Expected<Function *> F =
      writeExpression(*Owner->M, Ctx.intern("expr"), E, &FreeVars);
  if (!F)
    W.raise(ErrorKind::Value, F.takeError());
  for (auto [V, Param] : llvm::zip(FreeVars, (*F)->getParams()))
    Owner->Variables.push_back({const_cast<Var *>(V), Param});
  Owner->Result = (*F)->getBody().getResult();
  getExpressions()[Owner->Result] = Owner.get();
  return Pattern::getExpression(Owner->Result, Owner);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Lists nest as deeply as in \p A; toAttr() limits the depth.
static AttrLiteral toLiteral(Attr A) {
  switch (A.getKind()) {
  case Attr::Kind::Bool:
    return A.getBool();
  case Attr::Kind::Int:
    return AttrLiteral(A.getInt(), Dim(A).getNumberType());
  case Attr::Kind::Float:
    return AttrLiteral(A.getFloat(), DType::getFloat(64));
  case Attr::Kind::String:
    return A.getString();
  case Attr::Kind::Array: {
    AttrLiteral::List Elements;
    for (Attr Element : A.getArray())
      Elements.push_back(toLiteral(Element));
    return Elements;
  }
  default:
    throw nb::type_error("an attribute of a pattern is a bool, a number, a "
                         "string or a list of these");
  }
}

static std::vector<WantedAttr> toWanted(nb::dict Values) {
  std::vector<WantedAttr> Wanted;
  for (auto [Key, Value] : Values) {
    if (!nb::isinstance<nb::str>(Key))
      throw nb::type_error("the name of an attribute is a string");
    Wanted.push_back({nb::cast<std::string>(Key), toLiteral(toAttr(Value))});
  }
  return Wanted;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

static PatternObject makeCall(nb::handle Callee, nb::handle Args) {
  const Pattern &P = toPattern(Callee);
  return {Args.is_none() ? P(AnyNumber) : P.call(toPatterns(Args))};
}

static PatternObject makeFunction(nb::handle Params, nb::handle Body) {
  const Pattern &P = toPattern(Body);
  return {Params.is_none() ? isFn(AnyNumber, P) : isFn(toPatterns(Params), P)};
}

static PatternObject makeTuple(nb::handle Fields) {
  return {Fields.is_none() ? isTuple(AnyNumber) : isTuple(toPatterns(Fields))};
}

static PatternObject makeTyped(nb::handle Inner, nb::handle T) {
  const Pattern &P = toPattern(Inner);
  Type *Wanted = toType(T);
  if (!Wanted)
    throw nb::type_error("a type is expected");
  return {P.hasType(Wanted)};
}

static PatternObject makeShaped(nb::handle Inner, nb::handle Shape) {
  SmallVector<Dim, 4> Dims;
  for (nb::handle Size : Shape)
    Dims.push_back(toDim(Size));
  return {toPattern(Inner).hasShape(Dims)};
}

static void bindNodes(nb::module_ &M) {
  M.def("pattern_wildcard", [] { return PatternObject{wildcard()}; });
  M.def("pattern_constant", [] { return PatternObject{isConstant()}; });
  M.def("pattern_var",
        [](const std::string &Name) { return PatternObject{isVar(Name)}; });
  M.def("pattern_expr",
        [](Expr::Ref E) { return PatternObject{makeExprPattern(E)}; });
  M.def("pattern_call", makeCall, nb::arg("op"), nb::arg("args").none());
  M.def("pattern_function", makeFunction, nb::arg("params").none(),
        nb::arg("body"));
  M.def("pattern_tuple", makeTuple, nb::arg("fields").none());
  M.def(
      "pattern_tuple_get_item",
      [](nb::handle Tuple, std::optional<int64_t> Index) {
        return PatternObject{isTupleGetItem(toPattern(Tuple), Index)};
      },
      nb::arg("tuple_value"), nb::arg("index").none());
  M.def("pattern_if", [](nb::handle Cond, nb::handle True, nb::handle False) {
    return PatternObject{
        isIf(toPattern(Cond), toPattern(True), toPattern(False))};
  });
  M.def("pattern_let", [](nb::handle Var, nb::handle Value, nb::handle Body) {
    return PatternObject{
        isLet(toPattern(Var), toPattern(Value), toPattern(Body))};
  });
  M.def("pattern_alt", [](nb::handle L, nb::handle R) {
    return PatternObject{toPattern(L) | toPattern(R)};
  });
  M.def("pattern_type", makeTyped, nb::arg("pattern"), nb::arg("type").none());
  M.def("pattern_dtype", [](nb::handle Inner, nb::handle T) {
    return PatternObject{toPattern(Inner).hasDType(toDType(T))};
  });
  M.def("pattern_shape", makeShaped);
  M.def("pattern_attrs", [](nb::handle Inner, nb::dict Values) {
    return PatternObject{toPattern(Inner).hasAttrs(toWanted(Values))};
  });
  M.def("pattern_dominator",
        [](nb::handle Parent, nb::handle Path, nb::handle Child) {
          return PatternObject{
              toPattern(Child).dominates(toPattern(Parent), toPattern(Path))};
        });
  M.def("pattern_redirect", [](nb::handle Wildcard, nb::handle Target) {
    const Pattern &W = toPattern(Wildcard), &T = toPattern(Target);
    if (!W->is(PatternKind::Wildcard))
      throw nb::type_error("only a wildcard can be redirected");
    W.redirectTo(T);
  });
}

static bool matchPattern(nb::handle P, const Expr &E) {
  const Pattern &ThePattern = toPattern(P);
  Work W;
  PatternProgram Program = compilePattern(W, ThePattern);
  return PatternSearch(W, Program, E).match();
}

void relay::python::bindPatterns(nb::module_ &M) {
  nb::class_<PatternObject>(M, "PatternBase", "A node of a pattern.")
      .def(nb::init<const PatternObject &>());
  bindNodes(M);
  M.def("pattern_match", matchPattern, nb::arg("pattern"), nb::arg("expr"));
  bindPatternQueries(M);
  bindPatternRewrites(M);
}
