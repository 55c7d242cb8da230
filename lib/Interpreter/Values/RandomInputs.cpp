//===- RandomInputs.cpp - Random arguments of functions -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RandomInputs.h. Values are built along their types, whose depth is
// limited (Type::MaxDepth). The depth of data values and the number of parts
// are limited, too.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Values/RandomInputs.h"
#include "Kernels/SplitMix.h"
#include "relay/IR/ElementRange.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Interpreter/Values/RandomParameters.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace relay;
using llvm::Expected;

StringRef relay::describe(InputKind K) {
  switch (K) {
  case InputKind::Plain:
    return "plain numbers";
  case InputKind::Signed:
    return "signed numbers";
  case InputKind::Edges:
    return "numbers at edges";
  case InputKind::Wide:
    return "numbers of many magnitudes";
  case InputKind::Extremes:
    return "extreme numbers";
  }
  llvm_unreachable("covered switch");
}

/// A part of an argument: a value of \p Ty.
struct RandomInputs::Part {
  Type *Ty;
  std::string Name; ///< `x`, `x.0`: numbers depend on it
  /// The parameter whose value it is, or null.
  const BlockArgument *Param;
  unsigned DataDepth = 0; ///< enclosing values of data types

  Part getField(Type *FieldType, size_t I) const {
    return {FieldType, Name + "." + std::to_string(I), nullptr, DataDepth};
  }
};

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Returns the number for \p Bits with InputKind::Signed.
template <typename E> static E getSigned(uint64_t Bits) {
  if constexpr (!std::is_integral_v<E>)
    return toElement<E>(double(int64_t(Bits)) * 0x1p-62);
  else if constexpr (std::is_same_v<E, bool>)
    return Bits >> 63;
  else
    return E(Bits >> 61) - (std::is_signed_v<E> ? 4 : 0);
}

template <typename E> static E getEdge(uint64_t Bits) {
  if constexpr (std::is_integral_v<E>) {
    constexpr int Values[] = {0, 1, -1, 2};
    return E(Values[Bits % std::size(Values)]);
  } else {
    constexpr double Smallest = std::is_same_v<E, double>   ? 0x1p-1074
                                : std::is_same_v<E, Half>   ? 0x1p-24
                                : std::is_same_v<E, BFloat> ? 0x1p-133
                                                            : 0x1p-149;
    constexpr double Values[] = {
        0.0,       -0.0,
        1.0,       -1.0,
        0.5,       -0.5,
        2.0,       Smallest,
        -Smallest, std::numeric_limits<double>::quiet_NaN()};
    return toElement<E>(Values[Bits % std::size(Values)]);
  }
}

/// Returns the number for \p Bits with InputKind::Wide: the upper byte decides
/// the magnitude, the lowest bit the sign.
template <typename E> static E getWide(uint64_t Bits) {
  unsigned Class = Bits >> 56;
  if constexpr (!std::is_integral_v<E>) {
    double Fraction = 1 + double(Bits >> 1 & 0xffff) * 0x1p-16;
    return toElement<E>(
        std::ldexp(Bits & 1 ? -Fraction : Fraction, int(Class % 16) - 6));
  } else if constexpr (std::is_same_v<E, bool>) {
    return Bits & 1;
  } else {
    constexpr unsigned NumClasses = 8 * sizeof(E) - 1;
    uint64_t Highest = uint64_t(1) << Class % NumClasses >> 1;
    uint64_t Magnitude = Highest ? Highest | (Bits >> 1 & (Highest - 1)) : 0;
    return E(std::is_signed_v<E> && Bits & 1 ? -Magnitude : Magnitude);
  }
}

template <typename E> static E getExtreme(uint64_t Bits) {
  using Limits = std::numeric_limits<E>;
  if constexpr (std::is_integral_v<E>) {
    constexpr E Values[] = {Limits::min(), Limits::max(), 0, E(-1)};
    return Values[Bits % std::size(Values)];
  } else {
    constexpr double Max = getElementRange<E>().Highest;
    constexpr double Infinity = std::numeric_limits<double>::infinity();
    constexpr double Values[] = {
        Max,       -Max, Infinity,
        -Infinity, -0.0, std::numeric_limits<double>::quiet_NaN()};
    return toElement<E>(Values[Bits % std::size(Values)]);
  }
}

/// Replaces the plain numbers of \p T by numbers of \p K.
static void adapt(Tensor &T, InputKind K, SplitMix Random) {
  if (K == InputKind::Plain)
    return;
  dispatchDType(T.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    for (E &Element : T.getMutableElements<E>()) {
      uint64_t Bits = Random.next();
      bool IsSpecial = Bits >> 62 == 0;
      if (K == InputKind::Signed)
        Element = getSigned<E>(Bits);
      else if (K == InputKind::Wide)
        Element = getWide<E>(Bits);
      else if (IsSpecial && K == InputKind::Edges)
        Element = getEdge<E>(Bits);
      else if (IsSpecial)
        Element = getExtreme<E>(Bits);
    }
  });
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Returns true if \p Param is an operand of an operator whose name
/// \p IsWanted accepts.
static bool isOperand(const BlockArgument &Param,
                      function_ref<bool(StringRef)> IsWanted) {
  return llvm::any_of(Param.uses(), [&](const Use &U) {
    const Operation *User = U.getUserOp();
    if (!User || !User->is(OpCode::Operator))
      return false;
    ArrayRef<StringLiteral> Names = User->getInfo().OperandNames;
    return U.getOperandNo() < Names.size() && IsWanted(Names[U.getOperandNo()]);
  });
}

/// Returns true if numbers of any sign and magnitude are not useful: weights
/// and variances have plain floats, with which deep networks do not overflow or
/// yield NaN; zero points are in the range of the integers that they shift.
static bool hasChosenNumbers(const BlockArgument &Param, DType T, InputKind K) {
  if (T.isFloat())
    return isOperand(Param, [](StringRef Name) {
      return Name == "weight" || Name == "moving_var";
    });
  return K == InputKind::Wide && isOperand(Param, [](StringRef Name) {
           return Name.ends_with("zero_point");
         });
}

/// Extents other than constants and variables are treated as `?`.
int64_t RandomInputs::getExtent(Dim D) const {
  if (D.isConst())
    return D.getInt();
  constexpr int64_t Extents[] = {4, 1, 16, 3, 32, 2, 8, 5};
  // Every other set has different numbers for different variables.
  uint64_t Place =
      D.isVar() && Seed % 2 == 0 ? SplitMix(D.getVarName(), Seed).next() : Seed;
  return Extents[Place % std::size(Extents)];
}

Expected<RuntimeValue> RandomInputs::makeTensor(const Part &P) {
  const auto &T = *cast<TensorType>(P.Ty);
  if (!hasElementType(T.getDType()))
    return llvm::createStringError("cannot make a value of type " +
                                   toString(&T));
  TensorShape Shape;
  for (Dim D : T.getShape())
    Shape.push_back(getExtent(D));
  std::optional<int64_t> Count = getNumElements(Shape);
  if (!Count || !Meter->hasRoomFor(llvm::SaturatingMultiply<uint64_t>(
                    *Count, T.getDType().getByteSize())))
    return llvm::createStringError("a value of " + toString(&T) +
                                   " takes more memory than is allowed");
  Tensor Result =
      P.Param && P.Param->getType() == P.Ty && T.isStatic()
          ? makeRandomParameter(*P.Param, Seed, Meter)
          : makeRandomTensor(T.getDType(), Shape, P.Name, Seed, Meter);
  bool ReplacesAll = K == InputKind::Signed || K == InputKind::Wide;
  if (!ReplacesAll || !P.Param || !hasChosenNumbers(*P.Param, T.getDType(), K))
    adapt(Result, K, SplitMix(P.Name, ~Seed));
  return RuntimeValue(std::move(Result), Meter);
}

//===----------------------------------------------------------------------===//
// Other values
//===----------------------------------------------------------------------===//

/// Returns the text of \p T, unless it is long: repeated substitution of type
/// arguments may exceed the memory.
static std::string describeType(Type *T) {
  constexpr unsigned MaxShown = 256;
  unsigned Count = 0;
  walkTypes(T, [&](Type *) { return ++Count < MaxShown; });
  return Count < MaxShown ? toString(T) : "a type of many parts";
}

/// Returns a value of each of \p Types, the fields of \p P at depth \p
/// DataDepth.
Expected<SmallVector<RuntimeValue, 4>>
RandomInputs::makeFields(const Part &P, ArrayRef<Type *> Types,
                         unsigned DataDepth) {
  SmallVector<RuntimeValue, 4> Fields;
  for (auto [I, FieldType] : llvm::enumerate(Types)) {
    Part Field = P.getField(FieldType, I);
    Field.DataDepth = DataDepth;
    Expected<RuntimeValue> Value = make(Field);
    if (!Value)
      return Value.takeError();
    Fields.push_back(std::move(*Value));
  }
  if (!Meter->hasRoomFor(Fields.size() * sizeof(RuntimeValue)))
    return llvm::createStringError("a value of " + describeType(P.Ty) +
                                   " takes more memory than is allowed");
  return Fields;
}

Expected<RuntimeValue> RandomInputs::makeTuple(const Part &P) {
  auto Fields = makeFields(P, cast<TupleType>(P.Ty)->getFields(), P.DataDepth);
  if (!Fields)
    return Fields.takeError();
  return RuntimeValue::getTuple(*Fields, Meter);
}

/// Returns true if a value with fields of \p Types may hold values of data
/// types.
static bool holdsData(ArrayRef<Type *> Types) {
  bool Found = false;
  llvm::SmallPtrSet<Type *, 8> Seen;
  for (Type *Field : Types)
    walkTypes(Field, [&](Type *T) {
      Found |= isa<TypeCall>(T);
      return !Found && Seen.insert(T).second;
    });
  return Found;
}

namespace {
/// A constructor and the types of its fields, with type arguments substituted.
struct Choice {
  const Constructor *C;
  SmallVector<Type *, 4> Fields;
};
} // namespace

static SmallVector<Choice, 4> getChoices(Context &Ctx, const TypeDef &D,
                                         const TypeCall &Call) {
  TypeVarMap Map = makeTypeVarMap(D.TypeParams, Call.getArgs());
  SmallVector<Choice, 4> Choices;
  for (const std::unique_ptr<Constructor> &C : D.Constructors) {
    Choice &New = Choices.emplace_back();
    New.C = C.get();
    for (Type *Field : C->Fields)
      New.Fields.push_back(substituteTypeVars(Ctx, Field, Map));
  }
  return Choices;
}

/// Beyond some depth, chooses only constructors whose fields contain no data,
/// if there are any.
Expected<RuntimeValue> RandomInputs::makeData(const Part &P) {
  constexpr unsigned PlainDepth = 3, MaxDepth = 12;
  const auto &Call = *cast<TypeCall>(P.Ty);
  const TypeDef *D = M.lookupTypeDef(Call.getName());
  if (!D || D->Constructors.empty())
    return llvm::createStringError("cannot make a value of type " +
                                   describeType(P.Ty));
  SmallVector<Choice, 4> Choices = getChoices(M.getContext(), *D, Call), Ends;
  if (P.DataDepth >= PlainDepth)
    llvm::copy_if(Choices, std::back_inserter(Ends),
                  [](const Choice &C) { return !holdsData(C.Fields); });
  if (!Ends.empty())
    Choices = std::move(Ends);
  else if (P.DataDepth >= MaxDepth)
    return llvm::createStringError("values of data type " + Call.getName() +
                                   " are nested more than " + Twine(MaxDepth) +
                                   " levels deep");
  const Choice &C = Choices[SplitMix(P.Name, Seed).next() % Choices.size()];
  auto Fields = makeFields(P, C.Fields, P.DataDepth + 1);
  if (!Fields)
    return Fields.takeError();
  return RuntimeValue::getData(*C.C, *Fields, Meter);
}

/// Creates an operator as a value: `negative` or `subtract`, if the types allow
/// it.
Expected<RuntimeValue> RandomInputs::makeFunction(const Part &P) {
  const auto &T = *cast<FuncType>(P.Ty);
  auto IsTensor = [&](Type *Param) {
    return Param == T.getResult() && isa<TensorType>(Param) &&
           !cast<TensorType>(Param)->getDType().isBool();
  };
  StringRef Name = T.getParams().size() == 1   ? "negative"
                   : T.getParams().size() == 2 ? "subtract"
                                               : "";
  const OpInfo *Info = M.getContext().lookupOp(Name);
  if (!Info || !T.getTypeParams().empty() ||
      !llvm::all_of(T.getParams(), IsTensor))
    return llvm::createStringError("cannot make a value of type " +
                                   describeType(P.Ty));
  return RuntimeValue::getOperator(*Info);
}

Expected<RuntimeValue> RandomInputs::make(const Part &P) {
  constexpr uint64_t MaxParts = 1 << 16;
  if (++NumParts > MaxParts)
    return llvm::createStringError("a value has more than " + Twine(MaxParts) +
                                   " parts");
  switch (P.Ty->getKind()) {
  case Type::Kind::Tensor:
    return makeTensor(P);
  case Type::Kind::Tuple:
    return makeTuple(P);
  case Type::Kind::Call:
    return makeData(P);
  case Type::Kind::Func:
    return makeFunction(P);
  case Type::Kind::Ref:
  case Type::Kind::Var:
  case Type::Kind::Incomplete:
    return llvm::createStringError("cannot make a value of type " +
                                   describeType(P.Ty));
  }
  llvm_unreachable("covered switch");
}

Expected<std::vector<RuntimeValue>> RandomInputs::make(const Function &F) {
  Context &Ctx = F.getContext();
  TypeVarMap Scalars;
  for (TypeVarType *Var : F.getSignature().TypeParams)
    Scalars[Var] = Ctx.getScalarType(DType::getFloat(32));
  std::vector<RuntimeValue> Arguments;
  NumParts = 0;
  for (const BlockArgument *Param : F.getParams()) {
    if (!Param->getType())
      return llvm::createStringError("%" + Param->getName() + " has no type");
    Expected<RuntimeValue> Value =
        make(Part{substituteTypeVars(Ctx, Param->getTypeForCallers(), Scalars),
                  Param->getName().str(), Param});
    if (!Value)
      return llvm::createStringError("%" + Param->getName() + ": " +
                                     llvm::toString(Value.takeError()));
    Arguments.push_back(std::move(*Value));
  }
  return Arguments;
}
