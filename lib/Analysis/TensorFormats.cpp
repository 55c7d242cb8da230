//===- TensorFormats.cpp - Layouts and data types of tensors --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A single walk visits operands before their users. Layouts do not propagate
// into or out of regions and closures.
//
//===----------------------------------------------------------------------===//

#include "relay/Analysis/TensorFormats.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/TypeUtils.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Annotation.h"
#include "relay/Ops/Elementwise.h"
#include "relay/Ops/Index.h"
#include "relay/Ops/Layout.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/QNN.h"
#include "relay/Ops/Rearrange.h"
#include "relay/Ops/Reduce.h"
#include "relay/Ops/Tensor.h"
#include "relay/Support/PointerHash.h"

#define RELAY_DEFINE_OP_HOOKS
#include "relay/Analysis/TensorFormats.h.inc"

using namespace relay;

using StrayKind = ConversionFormat::StrayKind;

std::optional<uint64_t> ConversionFormat::getBytes() const {
  std::optional<uint64_t> Read = getNumBytes(OperandType),
                          Written = getNumBytes(ResultType);
  return Read && Written ? std::optional(*Read + *Written) : std::nullopt;
}

SmallVector<unsigned, 6> ConversionFormat::getAxes() const {
  const auto *T = dyn_cast_or_null<TensorType>(ResultType);
  if (Kind != ConversionValue::Transpose || !T)
    return {};
  unsigned Rank = T->getRank();
  Attr Axes = Attributes ? Attributes->lookup("axes") : Attr();
  SmallVector<unsigned, 6> Order;
  for (unsigned I = 0; I < Rank; ++I)
    Order.push_back(Rank - 1 - I);
  if (!Axes || !Axes.isArray())
    return Order;
  if (Axes.getArray().size() != Rank)
    return {};
  for (auto [Axis, Value] : llvm::zip_equal(Order, Axes.getArray())) {
    int64_t Index = Value.getInt();
    Axis = Index < 0 ? Index + Rank : Index;
    if (Axis >= Rank)
      return {};
  }
  return Order;
}

//===----------------------------------------------------------------------===//
// Data types
//===----------------------------------------------------------------------===//

/// Returns the first tensor in \p T; null if there is none.
static const TensorType *getFirstTensor(const Type *T) {
  while (const auto *Tuple = dyn_cast_or_null<TupleType>(T)) {
    if (Tuple->getFields().empty())
      return nullptr;
    T = Tuple->getFields().front();
  }
  return dyn_cast_or_null<TensorType>(T);
}

static DType getDType(const Type *T) {
  const TensorType *Tensor = getFirstTensor(T);
  return Tensor ? Tensor->getDType() : DType::getVoid();
}

static DType getOperandDType(const Operation &Op) {
  DType First = DType::getVoid();
  for (const Value *V : Op.operands()) {
    DType D = getDType(V->getType());
    if (D.isAnyFloat())
      return D;
    if (First.isVoid())
      First = D;
  }
  return First;
}

/// Returns the number of bits of integers that floats of type \p D represent
/// exactly.
static unsigned getNumExactBits(DType D) {
  if (D.isBFloat())
    return 8;
  switch (D.getBits()) {
  case 16:
    return 11;
  case 32:
    return 24;
  case 64:
    return 53;
  }
  return 0;
}

/// Returns true if each value of type \p From is a value of type \p To.
static bool isWidening(DType From, DType To) {
  if (From == To || From.isBool())
    return true;
  if (From.isAnyFloat())
    return (From.isFloat() && To.isFloat() && From.getBits() < To.getBits()) ||
           (From.isBFloat() && To.isFloat() && To.getBits() >= 32);
  if (!From.isInt() && !From.isUInt())
    return false;
  unsigned Bits = From.getBits() - From.isInt(); // without the sign
  if (To.isAnyFloat())
    return Bits <= getNumExactBits(To);
  return (To.isInt() && Bits < To.getBits()) ||
         (From.isUInt() && To.isUInt() && Bits <= To.getBits());
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {

class FormatFinder {
public:
  FormatFinder(Function &F, TensorFormats &Found)
      : Ctx(F.getContext()), Kinds(Ctx), Keeps(Ctx), Found(Found) {}

  void visit(Operation *Op);

private:
  /// The attributes of an operator that name layouts.
  struct NamedLayouts {
    Attr All; ///< a Dict; null if there are none
    Attr First, Second;
    Attr OfResult;
  };
  /// The last conversions of axes and of data types, with only conversions
  /// between them and a value, without those that have no effect and pairs that
  /// cancel: indices, or NoConversion.
  struct LastConversions {
    size_t Last[2] = {NoConversion, NoConversion};
  };
  static constexpr size_t NoConversion = ~size_t(0);

  const NamedLayouts &getNamedLayouts(const Attrs *A);
  bool hasRankOf(const Type *T, Attr Layout);
  Attr getFollowedLayout(const Operation &Op) const;
  Attr getCommonLayout(const Operation &Op) const;
  void setLayout(const Operation &Op, Attr Layout);
  void visitOperator(Operation *Op);
  void addConversion(Operation *Op, ConversionValue Kind);
  void setFormats(ConversionFormat &C);
  Attr getTransposed(const ConversionFormat &C);
  void findStray(ConversionFormat &C, size_t Last);
  void comparePair(ConversionFormat &C, size_t Other);
  static void noteUsers(ConversionFormat &C);
  bool isDetermined(const Operation &Op) const;

  Context &Ctx;
  OpFacts<Conversion> Kinds;
  OpFacts<KeepsLayout> Keeps;
  TensorFormats &Found;
  llvm::DenseMap<const Attrs *, NamedLayouts> KnownLayouts;
  llvm::DenseMap<Attr, unsigned> Ranks;
  /// The layouts of values; of each field for a tuple.
  PointerMap<const Value, Attr> LayoutOf;
  /// Values that constants alone determine.
  llvm::DenseSet<const Value *, MixedPointerInfo<const Value>> Determined;
  PointerMap<const Value, LastConversions> LastOf;
  /// Conversions by block, operand, operator and attributes.
  using ConversionKey = std::pair<std::pair<const Block *, const Value *>,
                                  std::pair<const OpInfo *, const Attrs *>>;
  llvm::DenseMap<ConversionKey, size_t> Same;
};

} // namespace

/// Returns the layouts that \p A names, in fields whose names end in `layout`.
const FormatFinder::NamedLayouts &
FormatFinder::getNamedLayouts(const Attrs *A) {
  auto [It, IsNew] = KnownLayouts.try_emplace(A);
  NamedLayouts &Named = It->second;
  if (!IsNew || !A || A->isDict())
    return Named;
  SmallVector<NamedAttr, 4> Entries;
  for (auto [I, Field] : llvm::enumerate(A->getInfo().Fields)) {
    StringRef Name = Field.Name;
    Attr Value = A->getSlot(I);
    if (!Name.ends_with("layout") || !Value || !Value.isString() ||
        Value.getString().empty())
      continue;
    (Entries.empty() ? Named.First : Named.Second) = Value;
    Entries.push_back({Ctx.getString(Name), Value});
  }
  if (!Entries.empty())
    Named.All = Ctx.getDict(Entries);
  for (StringRef Name : {"out_layout", "dst_layout", "data_layout", "layout"})
    for (const auto &[Key, Value] : Entries)
      if (!Named.OfResult && Key.getString() == Name)
        Named.OfResult = Value;
  return Named;
}

bool FormatFinder::hasRankOf(const Type *T, Attr Layout) {
  const TensorType *Tensor = getFirstTensor(T);
  auto [It, IsNew] = Ranks.try_emplace(Layout, ~0u);
  if (IsNew)
    if (std::optional<relay::Layout> L =
            relay::Layout::parse(Layout.getString()))
      It->second = L->getRank();
  return Tensor && Tensor->getRank() == It->second;
}

/// Returns the layout of the result of \p Op, whose attributes name none, if it
/// has as many axes; null if it is unknown.
Attr FormatFinder::getFollowedLayout(const Operation &Op) const {
  if (Op.getInfo().Fusion <= FusionKind::Broadcast) {
    for (const Value *V : Op.operands())
      if (Attr Layout = LayoutOf.lookup(V))
        return Layout;
    return {};
  }
  return Keeps.lookup(Op).value_or(false) && Op.getNumOperands()
             ? LayoutOf.lookup(Op.getOperand(0))
             : Attr();
}

/// Returns the layout of the fields of the tuple \p Op whose layout is known;
/// null if it differs.
Attr FormatFinder::getCommonLayout(const Operation &Op) const {
  Attr Common;
  for (const Value *V : Op.operands()) {
    Attr Layout = LayoutOf.lookup(V);
    if (Layout && Common && Layout != Common)
      return {};
    if (Layout)
      Common = Layout;
  }
  return Common;
}

/// Returns the field that \p Op reads; the tuple if something else than a tuple
/// operation computes it.
static const Value *getField(TupleGetItemOp Op) {
  const Operation *Tuple = Op.tuple()->getDefiningOp();
  uint64_t Index = Op.attrs().index();
  return Tuple && Tuple->is(OpCode::Tuple) && Index < Tuple->getNumOperands()
             ? Tuple->getOperand(Index)
             : Op.tuple();
}

void FormatFinder::setLayout(const Operation &Op, Attr Layout) {
  if (Layout && hasRankOf(Op.getType(), Layout))
    LayoutOf[&Op] = Layout;
}

/// Returns true if constants alone determine \p Op, which has no effect.
bool FormatFinder::isDetermined(const Operation &Op) const {
  if (Op.is(OpCode::Constant))
    return true;
  bool IsValue = Op.is(OpCode::Tuple) || Op.is(OpCode::TupleGetItem) ||
                 Op.is(OpCode::Alias);
  if (!IsValue && !(Op.is(OpCode::Operator) && Op.hasTrait(OpTrait::Pure) &&
                    !Op.getInfo().mayHaveEffect()))
    return false;
  return Op.getNumOperands() && llvm::all_of(Op.operands(), [&](Value *V) {
           return Determined.contains(V);
         });
}

void FormatFinder::visit(Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::Operator:
    visitOperator(Op);
    break;
  case OpCode::Tuple:
    setLayout(*Op, getCommonLayout(*Op));
    break;
  case OpCode::TupleGetItem:
    setLayout(*Op, LayoutOf.lookup(getField(TupleGetItemOp(Op))));
    break;
  case OpCode::Alias:
    setLayout(*Op, LayoutOf.lookup(Op->getOperand(0)));
    break;
  default:
    break;
  }
  if (isDetermined(*Op))
    Determined.insert(Op);
}

void FormatFinder::visitOperator(Operation *Op) {
  NamedLayouts Named = getNamedLayouts(Op->getAttrs());
  auto Kind = Kinds.lookup(*Op);
  if (Kind != ConversionValue::Transpose)
    setLayout(*Op, Named.All ? Named.OfResult : getFollowedLayout(*Op));
  if (Kind && Op->getNumOperands())
    return addConversion(Op, *Kind);
  OperationFormat Format;
  Format.Position = Ctx.getLocations().getPosition(Op->getLoc());
  Format.Loc = Op->getLoc();
  Format.Info = &Op->getInfo();
  Format.LayoutAttrs = Named.All;
  Format.Layout = LayoutOf.lookup(Op);
  Format.OperandType = getOperandDType(*Op);
  Format.ResultType = getDType(Op->getType());
  Found.Operations.push_back(Format);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

void FormatFinder::noteUsers(ConversionFormat &C) {
  for (Use &U : C.Op->uses()) {
    if (const Operation *User = U.getUserOp(); User && !C.User)
      C.User = &User->getInfo();
    ++C.NumUsers;
  }
}

/// Returns the layout of the result of the transposition \p C; null if it is
/// unknown.
Attr FormatFinder::getTransposed(const ConversionFormat &C) {
  std::optional<relay::Layout> From =
      C.From ? relay::Layout::parse(C.From.getString()) : std::nullopt;
  SmallVector<unsigned, 6> Order = C.getAxes();
  if (!From || Order.size() != From->getRank())
    return {};
  SmallVector<relay::Layout::Axis, 6> Axes;
  for (unsigned Axis : Order)
    Axes.push_back(From->getAxes()[Axis]);
  std::optional<relay::Layout> To = relay::Layout::get(Axes);
  return To ? Ctx.getString(To->str()) : Attr();
}

/// Sets the formats from which and to which \p C converts.
void FormatFinder::setFormats(ConversionFormat &C) {
  const NamedLayouts &Named = getNamedLayouts(C.Attributes);
  DType From = getDType(C.OperandType), To = getDType(C.ResultType);
  switch (C.Kind) {
  case ConversionValue::Layout:
    C.From = Named.First;
    C.To = Named.Second;
    return;
  case ConversionValue::Transpose:
    C.From = LayoutOf.lookup(C.Op->getOperand(0));
    C.To = getTransposed(C);
    setLayout(*C.Op, C.To);
    return;
  case ConversionValue::Dtype:
    C.From = From.isVoid() ? Attr() : Attr::get(From);
    C.To = To.isVoid() ? Attr() : Attr::get(To);
    return;
  }
}

/// Adds the call \p Op, which converts its first operand.
void FormatFinder::addConversion(Operation *Op, ConversionValue Kind) {
  Value *V = Op->getOperand(0);
  ConversionFormat C;
  C.Op = Op;
  C.Loc = Op->getLoc();
  C.Info = &Op->getInfo();
  C.Attributes = Op->getAttrs();
  C.Kind = Kind;
  C.OperandType = V->getType();
  C.ResultType = Op->getType();
  setFormats(C);
  if (const Operation *Def = V->getDefiningOp())
    C.OperandInfo = &Def->getInfo();
  else
    C.Variable = cast<BlockArgument>(V)->getName();
  noteUsers(C);
  LastConversions Last = LastOf.lookup(V);
  size_t &LastOfKind = Last.Last[C.isOfAxes()];
  findStray(C, LastOfKind);
  if (C.Stray == StrayKind::Cancels)
    LastOfKind = LastOf.lookup(Found.Conversions[C.Other].Op->getOperand(0))
                     .Last[C.isOfAxes()];
  else if (C.Stray != StrayKind::Nothing)
    LastOfKind = Found.Conversions.size();
  LastOf[Op] = Last;
  Found.Conversions.push_back(C);
}

/// Determines whether \p C is stray; \p Last is the last conversion of its axes
/// or of its data type.
void FormatFinder::findStray(ConversionFormat &C, size_t Last) {
  const Value *Operand = C.Op->getOperand(0);
  auto [It, IsFirst] = Same.try_emplace(
      {{C.Op->getBlock(), Operand}, {C.Info, C.Op->getAttrs()}},
      Found.Conversions.size());
  SmallVector<unsigned, 6> Axes = C.getAxes();
  if (C.Kind == ConversionValue::Transpose
          ? !Axes.empty() && llvm::is_sorted(Axes)
          : C.From && C.From == C.To)
    C.Stray = StrayKind::Nothing;
  else if (Determined.contains(Operand))
    C.Stray = StrayKind::Constant;
  else if (Last != NoConversion)
    comparePair(C, Last);
  // cast_like has further operands.
  if (C.Stray == StrayKind::None && !IsFirst && C.Op->getNumOperands() == 1) {
    C.Stray = StrayKind::Repeated;
    C.Other = It->second;
  }
}

static ArrayRef<Dim> getShape(const Type *T) {
  const TensorType *Tensor = getFirstTensor(T);
  return Tensor ? Tensor->getShape() : ArrayRef<Dim>();
}

/// Returns true if the transpositions \p First and \p Second keep the order of
/// axes.
static bool cancelOut(ArrayRef<unsigned> First, ArrayRef<unsigned> Second) {
  if (First.size() != Second.size())
    return false;
  for (auto [I, Axis] : llvm::enumerate(Second))
    if (First[Axis] != I)
      return false;
  return true;
}

/// Determines whether \p C is stray after the conversion \p Other of axes or of
/// the data type. A pair through a type that does not hold all values is stray
/// only if it rounds floats and converts them back.
void FormatFinder::comparePair(ConversionFormat &C, size_t Other) {
  const ConversionFormat &First = Found.Conversions[Other];
  SmallVector<unsigned, 6> FirstAxes = First.getAxes(), Axes = C.getAxes();
  bool IsBack = First.From && First.From == C.To;
  if (!FirstAxes.empty() && !Axes.empty()) {
    IsBack = cancelOut(FirstAxes, Axes);
  } else if (!First.From || !First.To || !C.To) {
    return;
  } else if (C.isOfAxes()) {
    IsBack &= getShape(First.OperandType) == getShape(C.ResultType);
  } else {
    DType From = First.From.getDType(), Between = First.To.getDType();
    bool Rounds = IsBack && From.isAnyFloat() && Between.isAnyFloat();
    C.IsExact = isWidening(From, Between);
    if (!C.IsExact && !Rounds) {
      C.IsExact = true;
      return;
    }
  }
  C.Stray = IsBack ? StrayKind::Cancels : StrayKind::Follows;
  C.Other = Other;
}

TensorFormats::TensorFormats(Function &F) {
  FormatFinder Finder(F, *this);
  walk(F, [&](Operation *Op) { Finder.visit(Op); });
}
