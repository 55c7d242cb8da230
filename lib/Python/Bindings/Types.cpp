//===- Types.cpp - Relay types in Python ----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classes of Relay's types, with TVM's names and fields. Types are equal if
// they are structurally equal.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "relay/IR/StructuralEqual.h"
#include <nanobind/stl/string.h>

using namespace relay;
using namespace relay::python;

using TensorTypeObject = TypeObjectOf<TensorType>;
using TupleTypeObject = TypeObjectOf<TupleType>;
using FuncTypeObject = TypeObjectOf<FuncType>;
using RefTypeObject = TypeObjectOf<RefType>;
using TypeVarObject = TypeObjectOf<TypeVarType>;
using TypeCallObject = TypeObjectOf<TypeCall>;
using IncompleteTypeObject = TypeObjectOf<IncompleteType>;

namespace {
/// The name of a type definition.
struct GlobalTypeVarObject {
  std::string Name;
};
} // namespace

template <typename ObjectT> static nb::object makeObject(Type *T) {
  ObjectT Object;
  Object.T = T;
  return nb::cast(std::move(Object));
}

nb::object relay::python::fromType(Type *T) {
  if (!T)
    return nb::none();
  if (T->hasTypeVar()) {
    EngineLock Lock;
    Engine::get().keepTypeVars(T);
  }
  switch (T->getKind()) {
  case Type::Kind::Tensor:
    return makeObject<TensorTypeObject>(T);
  case Type::Kind::Tuple:
    return makeObject<TupleTypeObject>(T);
  case Type::Kind::Func:
    return makeObject<FuncTypeObject>(T);
  case Type::Kind::Ref:
    return makeObject<RefTypeObject>(T);
  case Type::Kind::Var:
    return makeObject<TypeVarObject>(T);
  case Type::Kind::Call:
    return makeObject<TypeCallObject>(T);
  case Type::Kind::Incomplete:
    return makeObject<IncompleteTypeObject>(T);
  }
  llvm_unreachable("unknown kind of type");
}

Type *relay::python::toType(nb::handle Object) {
  if (Object.is_none())
    return nullptr;
  if (nb::isinstance<TypeObject>(Object))
    return nb::cast<TypeObject &>(Object).T;
  if (nb::isinstance<GlobalTypeVarObject>(Object)) {
    EngineLock Lock;
    return getContext().getTypeCall(
        getContext().intern(nb::cast<GlobalTypeVarObject &>(Object).Name), {});
  }
  std::string Class =
      nb::cast<std::string>(nb::str(Object.type().attr("__name__")));
  throw nb::type_error(("a " + Class + " is not a Relay type").c_str());
}

SmallVector<Type *, 4> relay::python::toTypes(nb::handle List) {
  SmallVector<Type *, 4> Types;
  for (nb::handle Object : List)
    Types.push_back(toType(Object));
  if (llvm::is_contained(Types, nullptr))
    throw nb::type_error("None is not a Relay type");
  return Types;
}

SmallVector<TypeVarType *, 2> relay::python::toTypeVars(nb::handle List) {
  SmallVector<TypeVarType *, 2> Vars;
  if (List.is_none())
    return Vars;
  for (nb::handle Object : List) {
    auto *Var = dyn_cast_or_null<TypeVarType>(toType(Object));
    if (!Var)
      throw nb::type_error("a type parameter is a TypeVar");
    Vars.push_back(Var);
  }
  return Vars;
}

static nb::list fromTypes(ArrayRef<Type *> Types) {
  nb::list List;
  for (Type *T : Types)
    List.append(fromType(T));
  return List;
}

static TensorTypeObject makeTensorType(nb::iterable Shape, nb::handle T) {
  EngineLock Lock;
  SmallVector<Dim, 4> Dims;
  for (nb::handle D : Shape)
    Dims.push_back(toDim(D));
  TensorTypeObject Object;
  Object.T = getContext().getTensorType(Dims, toDType(T));
  return Object;
}

static nb::list getShape(const TensorTypeObject &Self) {
  nb::list Shape;
  for (Dim D : Self.get()->getShape())
    Shape.append(fromDim(D));
  return Shape;
}

static nb::tuple getConcreteShape(const TensorTypeObject &Self) {
  nb::list Shape;
  for (Dim D : Self.get()->getShape()) {
    if (!D.isConst())
      throw nb::type_error("the shape is not constant");
    Shape.append(nb::int_(D.getInt()));
  }
  return nb::tuple(Shape);
}

static FuncTypeObject makeFuncType(nb::iterable Params, nb::handle Result,
                                   nb::object TypeParams) {
  EngineLock Lock;
  Type *ResultType = toType(Result);
  if (!ResultType)
    throw nb::type_error("None is not a Relay type");
  FuncTypeObject Object;
  Object.T = getContext().getFuncType(toTypeVars(TypeParams), toTypes(Params),
                                      ResultType);
  return Object;
}

static std::string printTypeText(const TypeObject &Self) {
  return toString(Self.T);
}

static bool isEqual(const TypeObject &L, nb::handle R) {
  return nb::isinstance<TypeObject>(R) &&
         isSameType(L.T, nb::cast<TypeObject &>(R).T);
}

static llvm::hash_code hashParts(ArrayRef<Type *> Types);

/// Function types are equal up to the names of their parameters, so that type
/// variables do not count.
static llvm::hash_code hashParts(Type *T) {
  if (!T->hasTypeVar())
    return llvm::hash_value(T);
  switch (T->getKind()) {
  case Type::Kind::Tuple:
    return hashParts(cast<TupleType>(T)->getFields());
  case Type::Kind::Func: {
    auto *F = cast<FuncType>(T);
    return llvm::hash_combine(F->getTypeParams().size(),
                              hashParts(F->getParams()),
                              hashParts(F->getResult()));
  }
  case Type::Kind::Ref:
    return llvm::hash_combine(1, hashParts(cast<RefType>(T)->getValueType()));
  case Type::Kind::Call:
    return llvm::hash_combine(cast<TypeCall>(T)->getName(),
                              hashParts(cast<TypeCall>(T)->getArgs()));
  default:
    return llvm::hash_value(T->getKind());
  }
}

static llvm::hash_code hashParts(ArrayRef<Type *> Types) {
  llvm::hash_code Hash = llvm::hash_value(Types.size());
  for (Type *T : Types)
    Hash = llvm::hash_combine(Hash, hashParts(T));
  return Hash;
}

static size_t hashType(const TypeObject &Self) { return hashParts(Self.T); }

static void bindSimpleTypes(nb::module_ &M) {
  nb::class_<RefTypeObject, TypeObject>(M, "RefType")
      .def(
          "__init__",
          [](RefTypeObject *Self, nb::handle Value) {
            EngineLock Lock;
            new (Self) RefTypeObject();
            Self->T = getContext().getRefType(toType(Value));
          },
          nb::arg("value"))
      .def_prop_ro("value", [](const RefTypeObject &Self) {
        return fromType(Self.get()->getValueType());
      });
  nb::class_<TypeVarObject, TypeObject>(M, "TypeVar")
      .def(
          "__init__",
          [](TypeVarObject *Self, const std::string &Name, int Kind) {
            if (Kind < 0 || Kind > int(TypeVarKind::Shape))
              throw nb::value_error("the kind of a type variable is 0 to 3");
            EngineLock Lock;
            new (Self) TypeVarObject();
            Self->T = getContext().createTypeVar(getContext().intern(Name),
                                                 TypeVarKind(Kind));
            Engine::get().keepTypeVars(Self->T);
          },
          nb::arg("name_hint"), nb::arg("kind") = 0)
      .def_prop_ro("name_hint", [](const TypeVarObject &Self) {
        return toPython(Self.get()->getName());
      });
  nb::class_<GlobalTypeVarObject>(M, "GlobalTypeVar")
      .def(nb::init<std::string>(), nb::arg("name_hint"))
      .def_ro("name_hint", &GlobalTypeVarObject::Name)
      .def("__call__", [](const GlobalTypeVarObject &Self, nb::args Args) {
        EngineLock Lock;
        TypeCallObject Object;
        Object.T = getContext().getTypeCall(getContext().intern(Self.Name),
                                            toTypes(Args));
        return Object;
      });
  nb::class_<TypeCallObject, TypeObject>(M, "TypeCall")
      .def(
          "__init__",
          [](TypeCallObject *Self, const GlobalTypeVarObject &Name,
             nb::iterable Args) {
            EngineLock Lock;
            new (Self) TypeCallObject();
            Self->T = getContext().getTypeCall(getContext().intern(Name.Name),
                                               toTypes(Args));
          },
          nb::arg("func"), nb::arg("args"))
      .def_prop_ro("func",
                   [](const TypeCallObject &Self) {
                     return GlobalTypeVarObject{Self.get()->getName().str()};
                   })
      .def_prop_ro("args", [](const TypeCallObject &Self) {
        return fromTypes(Self.get()->getArgs());
      });
  nb::class_<IncompleteTypeObject, TypeObject>(M, "IncompleteType");
}

void relay::python::bindTypes(nb::module_ &M) {
  nb::class_<TypeObject>(M, "Type", "A Relay type.")
      .def("__eq__", isEqual)
      .def("__hash__", hashType)
      .def("same_as",
           [](const TypeObject &L, const TypeObject &R) { return L.T == R.T; })
      .def("__str__", printTypeText)
      .def("__repr__", printTypeText);
  nb::class_<TensorTypeObject, TypeObject>(M, "TensorType")
      .def(
          "__init__",
          [](TensorTypeObject *Self, nb::iterable Shape, nb::handle T) {
            new (Self) TensorTypeObject(makeTensorType(Shape, T));
          },
          nb::arg("shape"), nb::arg("dtype") = "float32")
      .def_prop_ro("shape", getShape)
      .def_prop_ro("concrete_shape", getConcreteShape)
      .def_prop_ro("dtype", [](const TensorTypeObject &Self) {
        return fromDType(Self.get()->getDType());
      });
  nb::class_<TupleTypeObject, TypeObject>(M, "TupleType")
      .def(
          "__init__",
          [](TupleTypeObject *Self, nb::iterable Fields) {
            EngineLock Lock;
            new (Self) TupleTypeObject();
            Self->T = getContext().getTupleType(toTypes(Fields));
          },
          nb::arg("fields"))
      .def_prop_ro("fields", [](const TupleTypeObject &Self) {
        return fromTypes(Self.get()->getFields());
      });
  nb::class_<FuncTypeObject, TypeObject>(M, "FuncType")
      .def(
          "__init__",
          [](FuncTypeObject *Self, nb::iterable Params, nb::handle Result,
             nb::object TypeParams, nb::object) {
            new (Self) FuncTypeObject(makeFuncType(Params, Result, TypeParams));
          },
          nb::arg("arg_types"), nb::arg("ret_type").none(),
          nb::arg("type_params") = nb::none(),
          nb::arg("type_constraints") = nb::none())
      .def_prop_ro("arg_types",
                   [](const FuncTypeObject &Self) {
                     return fromTypes(Self.get()->getParams());
                   })
      .def_prop_ro("ret_type",
                   [](const FuncTypeObject &Self) {
                     return fromType(Self.get()->getResult());
                   })
      .def_prop_ro("type_params", [](const FuncTypeObject &Self) {
        nb::list Vars;
        for (TypeVarType *Var : Self.get()->getTypeParams())
          Vars.append(fromType(Var));
        return Vars;
      });
  bindSimpleTypes(M);
}
