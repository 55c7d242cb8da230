//===- InstanceMaker.cpp - Instances of patterns of rules -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See InstanceMaker.h. Patterns are written by hand and therefore shallow
// enough for recursion.
//
//===----------------------------------------------------------------------===//

#include "InstanceMaker.h"
#include "relay/IR/Core.h"
#include <cmath>

using namespace relay;
using namespace relay::test;

Extents relay::test::getExtents(const TensorType *T) {
  Extents Shape;
  for (Dim D : T->getShape())
    Shape.push_back(D.isConst() ? D.getInt() : Unknown);
  return Shape;
}

//===----------------------------------------------------------------------===//
// Chance
//===----------------------------------------------------------------------===//

DType Chance::dtype() {
  static const DType Types[] = {
      DType::getFloat(32),  DType::getFloat(32), DType::getFloat(32),
      DType::getFloat(32),  DType::getFloat(64), DType::getFloat(16),
      DType::getBFloat16(), DType::getInt(32),   DType::getInt(32),
      DType::getInt(64),    DType::getInt(8),    DType::getInt(16),
      DType::getUInt(8),    DType::getUInt(16),  DType::getUInt(32),
      DType::getUInt(64),   DType::getBool(),    DType::getBool()};
  return pick(ArrayRef(Types));
}

int64_t Chance::extent() {
  static const int64_t Sizes[] = {1, 1, 1, 1, 2, 2, 2, 2, 2, 3,
                                  3, 3, 3, 4, 4, 5, 1, 2, 3, 0};
  return pick(ArrayRef(Sizes));
}

Extents Chance::shape(std::optional<unsigned> Rank) {
  static const unsigned Ranks[] = {0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5};
  Extents Shape(Rank ? *Rank : pick(ArrayRef(Ranks)));
  for (int64_t &Extent : Shape)
    Extent = extent();
  return Shape;
}

Extents Chance::narrower(ArrayRef<int64_t> Shape) {
  Extents Result(Shape);
  if (percent(40))
    return Result;
  if (percent(30))
    return {};
  Result.erase(Result.begin(), Result.begin() + below(Result.size() + 1));
  for (int64_t &Extent : Result)
    if (percent(30))
      Extent = 1;
  return Result;
}

SmallVector<int64_t, 6> Chance::permutation(unsigned Rank) {
  auto Axes = llvm::to_vector<6>(llvm::seq<int64_t>(0, Rank));
  for (unsigned I = Rank; I > 1; --I)
    std::swap(Axes[I - 1], Axes[below(I)]);
  return Axes;
}

Extents Chance::reshaped(ArrayRef<int64_t> Shape) {
  // Prime factors, some ones, or a zero, distributed over the axes at random.
  SmallVector<int64_t> Factors;
  for (int64_t Extent : Shape) {
    for (int64_t Prime : {2, 3, 5, 7})
      for (; Extent > 1 && Extent % Prime == 0; Extent /= Prime)
        Factors.push_back(Prime);
    if (Extent != 1)
      Factors.push_back(Extent);
  }
  Extents Result(Factors.empty() ? below(4) : between(1, 4), 1);
  for (int64_t Factor : Factors)
    Result[below(Result.size())] *= Factor;
  return Result;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

InstanceMaker::InstanceMaker(Context &Ctx, uint64_t Seed, bool HasExtremes)
    : Ctx(Ctx), Samplers(Ctx), Random(Seed), HasExtremes(HasExtremes), B(Ctx) {
  HasUnknownExtents = Random.percent(10);
  for (int64_t &Block : Style.Block)
    Block = Random.between(1, 3);
  for (int64_t &Kernel : Style.Kernel)
    Kernel = Random.between(1, 3);
  for (int64_t &Crop : Style.Crop)
    Crop = Random.between(0, 2);
}

std::unique_ptr<Module> InstanceMaker::make(const Pattern &Source) {
  M = std::make_unique<Module>(Ctx);
  Function *F = M->createFunction("main");
  B.setInsertionPointToEnd(F->getBody());
  Value *Root = make(Source.getNode(), {});
  if (!Root)
    return nullptr;
  F->getBody().setResultRaw(Root);
  F->normalize();
  return std::move(M);
}

Value *InstanceMaker::fail(const Twine &Reason) {
  if (Obstacle.empty())
    Obstacle = Reason.str();
  return nullptr;
}

Value *InstanceMaker::makeParameter(const Wish &W) {
  DType T = W.Element.isVoid() ? Random.dtype() : W.Element;
  SmallVector<Dim, 6> Dims;
  bool MayBeUnknown = HasUnknownExtents && W.Layout.empty();
  for (int64_t Extent : W.Shape ? *W.Shape : Random.shape(W.Rank))
    Dims.push_back(Extent == Unknown || (MayBeUnknown && Random.percent(30))
                       ? Dim::getAny()
                       : Dim::get(Extent));
  Block &Body = M->lookupFunction("main")->getBody();
  std::string Name = "x" + std::to_string(Body.getArguments().size());
  return Body.addArgument(Ctx.intern(Name), Ctx.getTensorType(Dims, T));
}

/// Returns a number on which rules, and errors in rules, depend.
double InstanceMaker::pickNumber() {
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  // Includes numbers whose inverse is infinite in float16 and float32.
  static const double Usual[] = {0,
                                 0,
                                 0,
                                 1,
                                 1,
                                 1,
                                 -1,
                                 2,
                                 2,
                                 0.5,
                                 -0.0,
                                 3,
                                 4,
                                 -2,
                                 1e-6,
                                 1e-40,
                                 std::numeric_limits<double>::quiet_NaN()};
  static const double Extreme[] = {Infinity, -Infinity};
  if (HasExtremes && Random.percent(5))
    return Random.pick(ArrayRef(Extreme));
  return Random.pick(ArrayRef(Usual));
}

namespace {
/// Returns the least or the greatest finite number of E.
template <typename E> E getLimit(bool IsLeast) {
  if constexpr (std::is_same_v<E, Half>)
    return toElement<E>(IsLeast ? -65504.0 : 65504.0);
  else if constexpr (std::is_same_v<E, BFloat>)
    return BFloat{uint16_t(IsLeast ? 0xff7f : 0x7f7f)};
  else
    return IsLeast ? std::numeric_limits<E>::lowest()
                   : std::numeric_limits<E>::max();
}
} // namespace

Value *InstanceMaker::makeConstant(const Wish &W) {
  DType T = W.Element.isVoid() ? Random.dtype() : W.Element;
  Extents Shape = W.Shape              ? *W.Shape
                  : W.Rank             ? Random.shape(W.Rank)
                  : Random.percent(50) ? Extents()
                                       : Random.shape();
  for (int64_t &Extent : Shape)
    Extent = Extent == Unknown ? 1 : Extent;
  TensorType *Type = Ctx.getTensorType(Shape, T);
  size_t Count = *Type->getNumElements();
  bool IsSplat = Random.percent(60),
       IsLimit = HasExtremes && Random.percent(20);
  Value *Result = nullptr;
  dispatchDType(T, [&](auto Zero) {
    using E = decltype(Zero);
    double Number = pickNumber();
    E Splat = IsLimit ? getLimit<E>(Random.percent(70)) : toElement<E>(Number);
    SmallVector<E, 16> Elements(Count, Splat);
    if (!IsSplat)
      for (E &Element : Elements) {
        double Any = std::is_unsigned_v<E> ? Random.fraction() * 8
                                           : Random.fraction() * 8 - 4;
        Element = toElement<E>(Random.percent(5) ? pickNumber() : Any);
      }
    Result = B.constant<E>(Type, Elements);
  });
  return Result;
}

/// A value that a pattern does not describe may be computed.
Value *InstanceMaker::makeUnaryCall(const Wish &W) {
  Value *X = makeParameter(W);
  DType T = cast<TensorType>(X->getType())->getDType();
  static const StringRef Names[] = {"negative", "abs", "copy"};
  StringRef Name = T.isFloat() || T.isInt() ? Random.pick(ArrayRef(Names))
                                            : StringRef("copy");
  return B.createOperation(*Ctx.lookupOp(Name), X);
}

Value *InstanceMaker::makeAnything(const Wish &W) {
  uint64_t Kind = Random.below(100);
  ArrayRef<BlockArgument *> Params = M->lookupFunction("main")->getParams();
  if (Kind < 8 && !Params.empty()) {
    Value *Param = Random.pick(Params);
    auto *T = cast<TensorType>(Param->getType());
    if ((W.Element.isVoid() || T->getDType() == W.Element) &&
        (!W.Shape || *W.Shape == getExtents(T)) &&
        (!W.Rank || *W.Rank == T->getRank()))
      return Param;
  }
  if (Kind < 25)
    return makeConstant(W);
  return Kind < 45 ? makeUnaryCall(W) : makeParameter(W);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

Value *InstanceMaker::make(const PatternNode &N, const Wish &W) {
  SmallVector<const WantedAttr *> Wanted;
  return makeNode(N, W, Wanted);
}

Value *InstanceMaker::makeNode(const PatternNode &N, const Wish &W,
                               SmallVectorImpl<const WantedAttr *> &Wanted) {
  if (Value *Known = Made.lookup(&N))
    return Known;
  Value *Result = nullptr;
  Wish Typed = W;
  switch (N.getKind()) {
  case PatternKind::Wildcard:
    Result = makeAnything(W);
    break;
  case PatternKind::Variable:
    Result = makeParameter(W);
    break;
  case PatternKind::Constant:
    Result = makeConstant(W);
    break;
  case PatternKind::Call:
    Result = makeCall(N, W, Wanted);
    break;
  case PatternKind::Tuple:
    Result = makeTuple(N);
    break;
  case PatternKind::TupleGetItem:
    Result = makeTupleGetItem(N);
    break;
  case PatternKind::Alternative:
    Result = makeAlternative(N, W, Wanted);
    break;
  case PatternKind::Attributes:
    for (const WantedAttr &Each : N.getAttributes())
      Wanted.push_back(&Each);
    Result = makeNode(N.getChild(0), W, Wanted);
    break;
  case PatternKind::DType:
    Typed.Element = N.getDType();
    Result = makeNode(N.getChild(0), Typed, Wanted);
    break;
  case PatternKind::Shape: {
    Typed.Shape.emplace();
    for (Dim D : N.getShape())
      Typed.Shape->push_back(D.isConst() ? D.getInt() : Unknown);
    Result = makeNode(N.getChild(0), Typed, Wanted);
    break;
  }
  default:
    return fail("no instances are made of the pattern's node of kind '" +
                getPatternKindName(N.getKind()) + "'");
  }
  Made[&N] = Result;
  return Result;
}

/// Nested alternatives have equal probabilities.
Value *
InstanceMaker::makeAlternative(const PatternNode &N, const Wish &W,
                               SmallVectorImpl<const WantedAttr *> &Wanted) {
  SmallVector<const PatternNode *, 8> Choices = {&N};
  for (size_t I = 0; I != Choices.size();) {
    if (!Choices[I]->is(PatternKind::Alternative)) {
      ++I;
      continue;
    }
    ArrayRef<const PatternNode *> Inner = Choices[I]->getChildren();
    Choices[I] = Inner.front();
    Choices.append(Inner.begin() + 1, Inner.end());
  }
  const PatternNode *Choice = Random.pick(ArrayRef(Choices));
  return makeNode(*Choice, W, Wanted);
}

Value *InstanceMaker::makeTuple(const PatternNode &N) {
  SmallVector<Value *, 4> Fields;
  for (const PatternNode *Field : N.getList()) {
    Fields.push_back(make(*Field, {}));
    if (!Fields.back())
      return nullptr;
  }
  return B.create<TupleOp>(Fields).getOperation();
}

Value *InstanceMaker::makeTupleGetItem(const PatternNode &N) {
  Value *Tuple = make(N.getChild(0), {});
  auto *T = Tuple ? dyn_cast_or_null<TupleType>(Tuple->getType()) : nullptr;
  if (!T || T->getNumFields() == 0)
    return nullptr;
  int64_t Index = N.getIndex().value_or(Random.below(T->getNumFields()));
  if (Index >= int64_t(T->getNumFields()))
    return nullptr;
  return B.create<TupleGetItemOp>(Tuple, Index).getOperation();
}

/// Returns true if the matcher swaps the operands of \p Info.
static bool commutesInPatterns(const OpInfo &Info) {
  return Info.Name == "add" || Info.Name == "multiply";
}

Value *InstanceMaker::makeCall(const PatternNode &N, const Wish &W,
                               ArrayRef<const WantedAttr *> Wanted) {
  const PatternNode &Callee = N.getChild(0);
  const OpInfo *Info = Callee.is(PatternKind::Operator)
                           ? Ctx.lookupOp(Callee.getName())
                           : nullptr;
  if (!Info || N.hasAnyNumber())
    return fail("no instances are made of calls of '" +
                getPatternKindName(Callee.getKind()) +
                "', nor of any number of operands");
  CallMaker C(*this, *Info, N.getList(), W, Wanted);
  OpHook<InstanceSampler> Sample = Samplers.lookup(*Info);
  if (!(Sample ? Sample(C) : sampleAnyCall(C)) || !C.complete())
    return nullptr;
  SmallVector<Value *, 4> Operands(C.getOperands());
  if (commutesInPatterns(*Info) && Random.percent(30))
    std::swap(Operands[0], Operands[1]);
  Operation *Call = B.createOperation(*Info, Operands, C.getAttrs());
  return Call->getType() ? Call : nullptr;
}
