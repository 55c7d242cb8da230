//===- Exprs.cpp - Expressions in Python ----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes of expressions, with TVM's names and fields, and arrays, which
// are the data of constants. relay_opt.expr adds the operators of Python.
//
//===----------------------------------------------------------------------===//

#include "Expr.h"
#include "Objects.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace relay;
using namespace relay::python;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

static ExprRef toExpr(nb::handle Object) {
  if (!nb::isinstance<Expr>(Object))
    throw nb::type_error("a Relay expression is expected");
  return nb::cast<Expr *>(Object);
}

static std::vector<ExprRef> toExprs(nb::handle List) {
  std::vector<ExprRef> Exprs;
  for (nb::handle Object : List)
    Exprs.push_back(toExpr(Object));
  return Exprs;
}

static std::vector<ExprRef> toVars(nb::handle List) {
  std::vector<ExprRef> Vars = toExprs(List);
  for (const ExprRef &V : Vars)
    if (!isa<Var>(V.get()))
      throw nb::type_error("a parameter is a Var");
  return Vars;
}

static nb::list fromExprs(ArrayRef<ExprRef> Exprs) {
  nb::list List;
  for (const ExprRef &E : Exprs)
    List.append(nb::cast(E));
  return List;
}

/// Sets the location of \p New to \p Object, a relay_opt.values.Span or None.
/// Raises TypeError.
template <typename ExprT>
static nb::ref<ExprT> withSpan(nb::ref<ExprT> New, nb::handle Object) {
  if (Object.is_none())
    return New;
  if (!nb::hasattr(Object, "source_name") || !nb::hasattr(Object, "line") ||
      !nb::hasattr(Object, "column"))
    throw nb::type_error("a span is a Span or None");
  std::string Source =
      nb::cast<std::string>(nb::str(Object.attr("source_name").attr("name")));
  EngineLock Lock;
  Span S{Source, nb::cast<int>(Object.attr("line")),
         nb::cast<int>(Object.attr("column"))};
  New->setLoc(getContext().getLocations().get(Location(), S));
  return New;
}

static nb::ref<Var> makeVar(nb::object Name, nb::handle Annotation,
                            nb::handle Span) {
  return withSpan(nb::ref<Var>(new Var(intern(Name), toType(Annotation))),
                  Span);
}

/// Converts \p Object, which is None, Attrs or a dict, to the attributes of a
/// call of \p Callee.
static const Attrs *toCallAttrs(const Expr &Callee, nb::handle Object) {
  if (nb::isinstance<AttrsObject>(Object))
    return nb::cast<AttrsObject>(Object).A;
  auto *TheOp = dyn_cast<python::Op>(&Callee);
  nb::dict Values;
  if (nb::isinstance<nb::dict>(Object))
    Values = nb::borrow<nb::dict>(Object);
  else if (!Object.is_none())
    throw nb::type_error("the attributes of a call are Attrs, a dict or None");
  if (TheOp && TheOp->Info.Attributes)
    return makeAttrs(TheOp->Info.Name, *TheOp->Info.Attributes, Values);
  return makeFunctionAttrs(Values);
}

static nb::ref<Call> makeCall(ExprRef Callee, nb::handle Args,
                              nb::handle Attributes, nb::handle TypeArgs,
                              nb::handle Span) {
  std::vector<ExprRef> Children = {Callee};
  for (ExprRef &Arg : toExprs(Args))
    Children.push_back(std::move(Arg));
  std::vector<Type *> Types;
  if (!TypeArgs.is_none())
    for (nb::handle T : TypeArgs)
      Types.push_back(toType(T));
  const Attrs *A = toCallAttrs(*Callee, Attributes);
  return withSpan(
      nb::ref<Call>(new Call(std::move(Children), A, std::move(Types))), Span);
}

static const OpInfo &lookupOp(StringRef Name) {
  const OpInfo *Info = getContext().lookupOp(Name);
  if (Info && Info->isOperator())
    return *Info;
  throw nb::value_error(("no operator is called '" + Name + "'").str().c_str());
}

/// The functions of operators: a call of \p Name.
static nb::ref<Call> makeOpCall(const std::string &Name, nb::handle Args,
                                nb::dict Attributes) {
  EngineLock Lock;
  const OpInfo &Info = lookupOp(Name);
  std::vector<ExprRef> Children = {Engine::get().getNodes().getOp(Info)};
  for (ExprRef &Arg : toExprs(Args))
    Children.push_back(std::move(Arg));
  if (!Info.takesOperands(Children.size() - 1))
    throw nb::type_error(("'" + Name + "' takes " +
                          std::to_string(Info.NumOperands) + " operands, not " +
                          std::to_string(Children.size() - 1))
                             .c_str());
  const Attrs *A = nullptr;
  if (Info.Attributes)
    A = makeAttrs(Info.Name, *Info.Attributes, Attributes);
  else if (Attributes.size())
    throw nb::type_error(("'" + Name + "' has no attributes").c_str());
  return new Call(std::move(Children), A);
}

/// Converts \p Object, which is None, Attrs or a dict, to the attributes of a
/// function.
static const Attrs *toFunctionAttrs(nb::handle Object) {
  if (Object.is_none())
    return nullptr;
  if (nb::isinstance<nb::dict>(Object))
    return makeFunctionAttrs(nb::borrow<nb::dict>(Object));
  if (nb::isinstance<AttrsObject>(Object) &&
      nb::cast<AttrsObject>(Object).A->isDict()) {
    const Attrs *A = nb::cast<AttrsObject>(Object).A;
    return A->getEntries().empty() ? nullptr : A;
  }
  throw nb::type_error("the attributes of a function are a dict, the "
                       "attributes of another function, or None");
}

static nb::ref<FunctionExpr>
makeFunction(nb::handle Params, ExprRef Body, nb::handle Result,
             nb::handle TypeParams, nb::handle Attributes, nb::handle Span) {
  std::vector<ExprRef> Children = toVars(Params);
  Children.push_back(std::move(Body));
  SmallVector<TypeVarType *, 2> Vars = toTypeVars(TypeParams);
  const Attrs *A = toFunctionAttrs(Attributes);
  return withSpan(nb::ref<FunctionExpr>(new FunctionExpr(
                      std::move(Children), toType(Result),
                      TypeParamList(ArrayRef<TypeVarType *>(Vars)), A)),
                  Span);
}

/// Returns \p Self with the fields that are not None in place of its own.
static nb::ref<FunctionExpr>
withFields(const FunctionExpr &Self, nb::handle Params, nb::handle Body,
           nb::handle Result, nb::handle TypeParams, nb::handle Attributes,
           nb::handle VirtualDevice, nb::handle Span) {
  std::vector<ExprRef> Children(Self.getParams());
  if (!Params.is_none())
    Children = toVars(Params);
  Children.push_back(Body.is_none() ? Self.getBody() : toExpr(Body));
  TypeParamList Vars = Self.TypeParams;
  if (!TypeParams.is_none())
    Vars = TypeParamList(ArrayRef<TypeVarType *>(toTypeVars(TypeParams)));
  Attr Device = Self.VirtualDevice;
  if (nb::isinstance<ObjectAttr>(VirtualDevice))
    Device = nb::cast<ObjectAttr &>(VirtualDevice).A.get();
  else if (!VirtualDevice.is_none())
    throw nb::type_error("a virtual device is an ObjectAttr or None");
  nb::ref<FunctionExpr> New = new FunctionExpr(
      std::move(Children),
      Result.is_none() ? Self.ResultAnnotation : toType(Result),
      std::move(Vars),
      Attributes.is_none() ? Self.Attributes : toFunctionAttrs(Attributes),
      Device);
  New->setLoc(Self.getLoc());
  return withSpan(std::move(New), Span);
}

static nb::ref<FunctionExpr> withAttrs(const FunctionExpr &Self,
                                       const Attrs *A) {
  ArrayRef<ExprRef> Children = Self.getChildren();
  auto *New = new FunctionExpr({Children.begin(), Children.end()},
                               Self.ResultAnnotation, Self.TypeParams, A,
                               Self.VirtualDevice);
  New->setCheckedType(Self.getCheckedType());
  New->setLoc(Self.getLoc());
  return New;
}

static nb::ref<FunctionExpr> withAttr(const FunctionExpr &Self, nb::object Key,
                                      nb::handle Value) {
  nb::dict Entries = fromDictAttrs(Self.Attributes);
  if (nb::isinstance<nb::dict>(Key))
    Entries.update(nb::borrow<nb::dict>(Key));
  else
    Entries[Key] = Value;
  return withAttrs(Self, makeFunctionAttrs(Entries));
}

static nb::ref<FunctionExpr> withoutAttr(const FunctionExpr &Self,
                                         nb::object Key) {
  nb::dict Entries = fromDictAttrs(Self.Attributes);
  if (Entries.contains(Key))
    nb::del(Entries[Key]);
  return withAttrs(Self, makeFunctionAttrs(Entries));
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static nb::object getCheckedType(const Expr &Self) {
  if (Type *T = Self.getCheckedType())
    return fromType(T);
  throw nb::value_error("the expression has no checked_type: it has not been "
                        "typed by InferType");
}

static nb::object getSpan(const Expr &Self) {
  ArrayRef<Span> Spans = getContext().getLocations().getSpans(Self.getLoc());
  if (Spans.empty())
    return nb::none();
  return nb::module_::import_("relay_opt.values")
      .attr("Span")(toPython(Spans[0].Source), Spans[0].Line, Spans[0].Column);
}

static nb::object fromAttrs(const Attrs *A) {
  return A ? nb::cast(AttrsObject{A}) : nb::none();
}

static void bindLeaves(nb::module_ &M) {
  nb::class_<Var, Expr>(M, "Var", "A local variable, equal only to itself.")
      .def(nb::new_(&makeVar), nb::arg("name_hint"),
           nb::arg("type_annotation").none() = nb::none(),
           nb::arg("span").none() = nb::none())
      .def_prop_ro("name_hint",
                   [](const Var &Self) { return toPython(Self.Name); })
      .def_prop_ro("type_annotation",
                   [](const Var &Self) { return fromType(Self.Annotation); });
  nb::class_<GlobalVar, Expr>(M, "GlobalVar", "A global function, by name.")
      .def(nb::new_([](nb::object Name, nb::handle) {
             return nb::ref<GlobalVar>(new GlobalVar(intern(Name)));
           }),
           nb::arg("name_hint"), nb::arg("type_annot").none() = nb::none())
      .def_prop_ro("name_hint",
                   [](const GlobalVar &Self) { return toPython(Self.Name); });
  nb::class_<python::Op, Expr>(M, "Op", "An operator.")
      .def_static("get",
                  [](const std::string &Name) {
                    EngineLock Lock;
                    return Engine::get().getNodes().getOp(lookupOp(Name));
                  })
      .def_prop_ro(
          "name",
          [](const python::Op &Self) { return toPython(Self.Info.Name); })
      .def_prop_ro("num_inputs",
                   [](const python::Op &Self) {
                     return Self.Info.hasTrait(OpTrait::Variadic)
                                ? -1
                                : Self.Info.NumOperands;
                   })
      .def_prop_ro("attrs_type_key",
                   [](const python::Op &Self) {
                     return nb::str(Self.Info.Attributes
                                        ? Self.Info.Attributes->TypeKey
                                        : "");
                   })
      .def_prop_ro("fusion_kind", [](const python::Op &Self) {
        return unsigned(Self.Info.Fusion);
      });
  nb::class_<python::Constructor, Expr>(M, "Constructor",
                                        "A constructor of a data type.")
      .def(nb::new_([](nb::object Name) {
             return nb::ref<python::Constructor>(
                 new python::Constructor(intern(Name)));
           }),
           nb::arg("name_hint"))
      .def_prop_ro("name_hint", [](const python::Constructor &Self) {
        return toPython(Self.Name);
      });
}

static void bindConstants(nb::module_ &M) {
  nb::class_<python::Constant, Expr>(M, "Constant", "A constant tensor.")
      .def(nb::new_([](const ArrayObject &Data, nb::handle Span) {
             return withSpan(
                 nb::ref<python::Constant>(new python::Constant(Data.Value)),
                 Span);
           }),
           nb::arg("data"), nb::arg("span").none() = nb::none())
      .def_prop_ro("_data", [](const python::Constant &Self) {
        return ArrayObject(Self.Value);
      });
}

static void bindCalls(nb::module_ &M) {
  nb::class_<Call, Expr>(M, "Call", "A call of an operator or a function.")
      .def(nb::new_(&makeCall), nb::arg("op"), nb::arg("args"),
           nb::arg("attrs").none() = nb::none(),
           nb::arg("type_args").none() = nb::none(),
           nb::arg("span").none() = nb::none())
      .def_prop_ro("op", [](const Call &Self) { return Self.getCallee(); })
      .def_prop_ro("args",
                   [](const Call &Self) { return fromExprs(Self.getArgs()); })
      .def_prop_ro("attrs",
                   [](const Call &Self) { return fromAttrs(Self.Attributes); })
      .def_prop_ro("type_args", [](const Call &Self) {
        nb::list List;
        for (Type *T : Self.TypeArgs)
          List.append(fromType(T));
        return List;
      });
  M.def("make_call", makeOpCall, nb::arg("name"), nb::arg("args"),
        nb::arg("attrs"));
  nb::class_<python::Tuple, Expr>(M, "Tuple", "A tuple of values.")
      .def(nb::new_([](nb::handle Fields, nb::handle Span) {
             return withSpan(
                 nb::ref<python::Tuple>(new python::Tuple(toExprs(Fields))),
                 Span);
           }),
           nb::arg("fields"), nb::arg("span").none() = nb::none())
      .def_prop_ro("fields", [](const python::Tuple &Self) {
        return fromExprs(Self.getChildren());
      });
  nb::class_<python::TupleGetItem, Expr>(M, "TupleGetItem",
                                         "A field of a tuple.")
      .def(nb::new_([](ExprRef Tuple, unsigned Index, nb::handle Span) {
             return withSpan(
                 nb::ref<python::TupleGetItem>(
                     new python::TupleGetItem(std::move(Tuple), Index)),
                 Span);
           }),
           nb::arg("tuple_value"), nb::arg("index"),
           nb::arg("span").none() = nb::none())
      .def_prop_ro(
          "tuple_value",
          [](const python::TupleGetItem &Self) { return Self.getChild(0); })
      .def_prop_ro("index",
                   [](const python::TupleGetItem &Self) { return Self.Index; });
}

template <typename RefT>
static nb::ref<RefT> makeRefExpr(std::vector<ExprRef> Operands,
                                 nb::handle Span) {
  return withSpan(nb::ref<RefT>(new RefT(std::move(Operands))), Span);
}

static void bindReferences(nb::module_ &M) {
  nb::class_<python::RefCreate, Expr>(M, "RefCreate")
      .def(nb::new_([](ExprRef Value, nb::handle Span) {
             return makeRefExpr<python::RefCreate>({Value}, Span);
           }),
           nb::arg("value"), nb::arg("span").none() = nb::none())
      .def_prop_ro("value", [](const python::RefCreate &Self) {
        return Self.getChild(0);
      });
  nb::class_<python::RefRead, Expr>(M, "RefRead")
      .def(nb::new_([](ExprRef Ref, nb::handle Span) {
             return makeRefExpr<python::RefRead>({Ref}, Span);
           }),
           nb::arg("ref"), nb::arg("span").none() = nb::none())
      .def_prop_ro(
          "ref", [](const python::RefRead &Self) { return Self.getChild(0); });
  nb::class_<python::RefWrite, Expr>(M, "RefWrite")
      .def(nb::new_([](ExprRef Ref, ExprRef Value, nb::handle Span) {
             return makeRefExpr<python::RefWrite>({Ref, Value}, Span);
           }),
           nb::arg("ref"), nb::arg("value"),
           nb::arg("span").none() = nb::none())
      .def_prop_ro(
          "ref", [](const python::RefWrite &Self) { return Self.getChild(0); })
      .def_prop_ro("value", [](const python::RefWrite &Self) {
        return Self.getChild(1);
      });
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

static MatchPatternExpr::Ref toMatchPattern(nb::handle Object) {
  if (!nb::isinstance<MatchPatternExpr>(Object))
    throw nb::type_error("a pattern of a `match` is expected");
  return nb::cast<MatchPatternExpr *>(Object);
}

static void bindMatch(nb::module_ &M) {
  using Pattern = MatchPatternExpr;
  auto Make = [](Pattern::Kind K, ExprRef Target, nb::handle Children) {
    std::vector<Pattern::Ref> Patterns;
    if (!Children.is_none())
      for (nb::handle Child : Children)
        Patterns.push_back(toMatchPattern(Child));
    // Functions over patterns may recurse.
    for (const Pattern::Ref &Child : Patterns)
      if (Child->Depth >= 1000)
        throw nb::value_error("the pattern is nested more than 1000 levels "
                              "deep");
    return Pattern::Ref(new Pattern(K, std::move(Target), std::move(Patterns)));
  };
  nb::class_<Pattern>(
      M, "MatchPattern", "The pattern of a clause.",
      nb::intrusive_ptr<Pattern>([](Pattern *Self, PyObject *Object) noexcept {
        Self->set_self_py(Object);
      }))
      .def_prop_ro("kind", [](const Pattern &Self) { return int(Self.K); })
      .def_prop_ro("target",
                   [](const Pattern &Self) -> nb::object {
                     return Self.Target ? nb::cast(Self.Target) : nb::none();
                   })
      .def_prop_ro("patterns", [](const Pattern &Self) {
        nb::list List;
        for (const Pattern::Ref &Child : Self.Children)
          List.append(nb::cast(Child));
        return List;
      });
  M.def("match_wildcard",
        [Make] { return Make(Pattern::Kind::Wildcard, {}, nb::none()); });
  M.def("match_var", [Make](nb::ref<Var> Target) {
    return Make(Pattern::Kind::Var, ExprRef(Target.get()), nb::none());
  });
  M.def("match_constructor", [Make](nb::ref<python::Constructor> Target,
                                    nb::handle Children) {
    return Make(Pattern::Kind::Constructor, ExprRef(Target.get()), Children);
  });
  M.def("match_tuple", [Make](nb::handle Children) {
    return Make(Pattern::Kind::Tuple, {}, Children);
  });
  nb::class_<Match, Expr>(M, "Match", "A choice by the form of a value.")
      .def(nb::new_([](ExprRef Data, nb::handle Clauses, bool IsComplete) {
             std::vector<Pattern::Ref> Patterns;
             std::vector<ExprRef> Children = {std::move(Data)};
             for (nb::handle Clause : Clauses) {
               Patterns.push_back(toMatchPattern(Clause.attr("lhs")));
               Children.push_back(toExpr(Clause.attr("rhs")));
             }
             return nb::ref<Match>(new Match(std::move(Children),
                                             std::move(Patterns), IsComplete));
           }),
           nb::arg("data"), nb::arg("clauses"), nb::arg("complete") = true)
      .def_prop_ro("data", [](const Match &Self) { return Self.getChild(0); })
      .def_prop_ro("patterns",
                   [](const Match &Self) {
                     nb::list List;
                     for (const Pattern::Ref &P : Self.Patterns)
                       List.append(nb::cast(P));
                     return List;
                   })
      .def_prop_ro("results",
                   [](const Match &Self) {
                     return fromExprs(Self.getChildren().drop_front());
                   })
      .def_prop_ro("complete",
                   [](const Match &Self) { return Self.IsComplete; });
}

static void bindScopes(nb::module_ &M) {
  nb::class_<Let, Expr>(M, "Let", "A binding of a variable.")
      .def(nb::new_([](nb::ref<Var> Variable, ExprRef Value, ExprRef Body,
                       nb::handle Span) {
             return withSpan(
                 nb::ref<Let>(new Let(ExprRef(Variable.get()), std::move(Value),
                                      std::move(Body))),
                 Span);
           }),
           nb::arg("variable"), nb::arg("value"), nb::arg("body"),
           nb::arg("span").none() = nb::none())
      .def_prop_ro("var", [](const Let &Self) { return Self.getChild(0); })
      .def_prop_ro("value", [](const Let &Self) { return Self.getChild(1); })
      .def_prop_ro("body", [](const Let &Self) { return Self.getChild(2); });
  nb::class_<python::If, Expr>(M, "If", "A choice between two expressions.")
      .def(nb::new_([](ExprRef Condition, ExprRef True, ExprRef False,
                       nb::handle Span) {
             return withSpan(
                 nb::ref<python::If>(new python::If(
                     std::move(Condition), std::move(True), std::move(False))),
                 Span);
           }),
           nb::arg("cond"), nb::arg("true_branch"), nb::arg("false_branch"),
           nb::arg("span").none() = nb::none())
      .def_prop_ro("cond",
                   [](const python::If &Self) { return Self.getChild(0); })
      .def_prop_ro("true_branch",
                   [](const python::If &Self) { return Self.getChild(1); })
      .def_prop_ro("false_branch",
                   [](const python::If &Self) { return Self.getChild(2); });
  nb::class_<FunctionExpr, Expr>(M, "Function", "A function, global or not.")
      .def(nb::new_(&makeFunction), nb::arg("params"), nb::arg("body"),
           nb::arg("ret_type").none() = nb::none(),
           nb::arg("type_params").none() = nb::none(),
           nb::arg("attrs").none() = nb::none(),
           nb::arg("span").none() = nb::none())
      .def_prop_ro(
          "params",
          [](const FunctionExpr &Self) { return fromExprs(Self.getParams()); })
      .def_prop_ro("body",
                   [](const FunctionExpr &Self) { return Self.getBody(); })
      .def_prop_ro("ret_type",
                   [](const FunctionExpr &Self) {
                     return fromType(Self.ResultAnnotation);
                   })
      .def_prop_ro("type_params",
                   [](const FunctionExpr &Self) {
                     nb::list List;
                     for (TypeVarType *V : Self.TypeParams)
                       List.append(fromType(V));
                     return List;
                   })
      .def_prop_ro("attrs",
                   [](const FunctionExpr &Self) {
                     return AttrsObject{Self.Attributes
                                            ? Self.Attributes
                                            : Engine::get().getNoAttrs()};
                   })
      .def("_with_fields", withFields, nb::arg("params").none(),
           nb::arg("body").none(), nb::arg("ret_type").none(),
           nb::arg("type_params").none(), nb::arg("attrs").none(),
           nb::arg("virtual_device").none(), nb::arg("span").none())
      .def("with_attr", withAttr, nb::arg("attr_key_or_dict"),
           nb::arg("attr_value").none() = nb::none())
      .def("without_attr", withoutAttr, nb::arg("attr_key"));
  bindMatch(M);
}

void relay::python::bindExprs(nb::module_ &M) {
  nb::class_<Expr>(
      M, "Expr", "A Relay expression.",
      nb::intrusive_ptr<Expr>([](Expr *Self, PyObject *Object) noexcept {
        Self->set_self_py(Object);
      }))
      .def_prop_ro("checked_type", getCheckedType)
      .def_prop_ro(
          "_checked_type_",
          [](const Expr &Self) { return fromType(Self.getCheckedType()); })
      .def_prop_ro("span", getSpan)
      .def_prop_ro(
          "children",
          [](const Expr &Self) { return fromExprs(Self.getChildren()); })
      .def(
          "same_as", [](const Expr &L, const Expr &R) { return &L == &R; },
          nb::arg("other"));
  bindLeaves(M);
  bindConstants(M);
  bindCalls(M);
  bindReferences(M);
  bindScopes(M);
  M.def("post_order_visit", [](ExprRef Root, nb::callable Visit) {
    visitPostOrder(Root, [&](const ExprRef &Node) { Visit(Node); });
  });
}
