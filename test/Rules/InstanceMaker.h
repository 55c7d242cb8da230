//===- InstanceMaker.h - Instances of patterns of rules ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes functions that compute something that a pattern matches: wildcards
// become parameters, constants and calls, of random types; calls get random
// attributes. What is made of a seed is the same on every machine.
//
// Chance alone seldom makes a convolution that is well typed. What is known of
// an operator is in its sampler (InstanceSamplers.td), which asks for operands
// of certain types and sets attributes that fit. The rest is tried out.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEST_RULES_INSTANCEMAKER_H
#define RELAY_TEST_RULES_INSTANCEMAKER_H

#include "relay/IR/Builder.h"
#include "relay/IR/OpHooks.h"
#include "relay/Pattern/Match/Pattern.h"
#include <random>

namespace relay::test {
class CallMaker;
}
#include "InstanceSamplers.h.inc"

namespace relay::test {

/// Extents of a tensor; Unknown is `?`.
using Extents = SmallVector<int64_t, 6>;
constexpr int64_t Unknown = -1;

/// What a value should be. Whoever makes it may give something else.
struct Wish {
  DType Element = DType::getVoid(); ///< void: any
  std::optional<Extents> Shape;
  std::optional<unsigned> Rank;
  /// Letters of the axes, `NHWC`, where they mean something.
  std::string Layout;

  static Wish of(DType Element, ArrayRef<int64_t> Shape) {
    return {Element, Extents(Shape), std::nullopt, ""};
  }
};

/// The extents of \p T.
Extents getExtents(const TensorType *T);

/// Random choices.
class Chance {
public:
  explicit Chance(uint64_t Seed) : Engine(Seed) {}

  uint64_t below(uint64_t Bound) { return Engine() % Bound; }
  /// From \p Least to \p Most.
  int64_t between(int64_t Least, int64_t Most) {
    return Least + int64_t(below(Most - Least + 1));
  }
  bool percent(unsigned Share) { return below(100) < Share; }
  template <typename T> const T &pick(ArrayRef<T> List) {
    return List[below(List.size())];
  }
  /// In [0, 1).
  double fraction() { return double(Engine() >> 11) * 0x1p-53; }

  DType dtype();
  int64_t extent();
  /// A shape of \p Rank, or of any.
  Extents shape(std::optional<unsigned> Rank = std::nullopt);
  /// A shape that broadcasts to \p Shape, mostly itself.
  Extents narrower(ArrayRef<int64_t> Shape);
  /// The numbers from 0 to \p Rank - 1 in any order.
  SmallVector<int64_t, 6> permutation(unsigned Rank);
  /// Some shape of as many elements as \p Shape has, which knows all of them.
  Extents reshaped(ArrayRef<int64_t> Shape);

private:
  std::mt19937_64 Engine;
};

/// What operators that go together agree on more often than by chance: those
/// of a dilated convolution, conversions of layouts.
struct InstanceStyle {
  int64_t Block[2], Kernel[3], Crop[2];
  std::string Layout;
};

/// Makes one instance.
class InstanceMaker {
public:
  /// Constants may be infinite or the greatest number if \p HasExtremes.
  InstanceMaker(Context &Ctx, uint64_t Seed, bool HasExtremes);

  /// A module whose function `@main` computes what \p Source matches, but for
  /// what the conditions of a rule ask; null if it is not well typed.
  std::unique_ptr<Module> make(const Pattern &Source);

  /// What \p N matches; null if that is not well typed.
  Value *make(const PatternNode &N, const Wish &W);
  /// Why there is none, if that is known.
  const std::string &getObstacle() const { return Obstacle; }

  Context &getContext() { return Ctx; }
  Chance &getChance() { return Random; }
  InstanceStyle &getStyle() { return Style; }

private:
  Value *makeNode(const PatternNode &N, const Wish &W,
                  SmallVectorImpl<const WantedAttr *> &Wanted);
  Value *makeCall(const PatternNode &N, const Wish &W,
                  ArrayRef<const WantedAttr *> Wanted);
  Value *makeAlternative(const PatternNode &N, const Wish &W,
                         SmallVectorImpl<const WantedAttr *> &Wanted);
  Value *makeTuple(const PatternNode &N);
  Value *makeTupleGetItem(const PatternNode &N);
  Value *makeAnything(const Wish &W);
  Value *makeParameter(const Wish &W);
  Value *makeConstant(const Wish &W);
  Value *makeUnaryCall(const Wish &W);
  Value *fail(const Twine &Reason);
  double pickNumber();

  Context &Ctx;
  OpHooks<InstanceSampler> Samplers;
  Chance Random;
  InstanceStyle Style;
  const bool HasExtremes;
  bool HasUnknownExtents;
  std::unique_ptr<Module> M;
  Builder B;
  llvm::DenseMap<const PatternNode *, Value *> Made;
  std::string Obstacle;
};

/// Makes a call: what a sampler works with.
class CallMaker {
public:
  CallMaker(InstanceMaker &Maker, const OpInfo &Info,
            ArrayRef<const PatternNode *> Arguments, const Wish &W,
            ArrayRef<const WantedAttr *> Wanted);

  const OpInfo &getOp() const { return Info; }
  Chance &getChance() { return Maker.getChance(); }
  InstanceStyle &getStyle() { return Maker.getStyle(); }
  /// What the result should be.
  const Wish &getWish() const { return W; }
  /// Makes operand \p I, once, and returns its type. Null if that failed, or if
  /// it is no tensor.
  const TensorType *operand(unsigned I, const Wish &Asked);
  /// As operand(), of static shape.
  const TensorType *staticOperand(unsigned I, const Wish &Asked);

  // What a pattern asks of an attribute, or what was set first, remains.
  void set(StringRef Field, Attr Value);
  void setInts(StringRef Field, ArrayRef<int64_t> Values);
  void setInt(StringRef Field, int64_t Value);
  void setNumber(StringRef Field, double Value);
  /// `[[0, 1], [2, 0]]`
  void setPairs(StringRef Field, ArrayRef<std::array<int64_t, 2>> Values);
  /// Sets \p Field to one of \p Values, unless it is set, and returns it.
  StringRef chooseText(StringRef Field, ArrayRef<StringRef> Values);
  DType chooseDType(StringRef Field, DType Value);
  /// The value of \p Field.
  Attr get(StringRef Field) const;
  bool isSet(StringRef Field) const;

  /// Makes the operands and sets the attributes that are left. False if that is
  /// not possible.
  bool complete();
  ArrayRef<Value *> getOperands() const { return Operands; }
  const Attrs *getAttrs();

private:
  void completeField(unsigned I);
  Attr makeList(bool OfPairs);

  InstanceMaker &Maker;
  const OpInfo &Info;
  ArrayRef<const PatternNode *> Arguments;
  const Wish &W;
  SmallVector<Value *, 4> Operands;
  SmallVector<Attr, 16> Slots;
  SmallVector<bool, 16> IsSetField;
};

/// The sampler of operators that have none of their own: operands that
/// broadcast to one shape, attributes by their kinds.
bool sampleAnyCall(CallMaker &C);

} // namespace relay::test

#endif // RELAY_TEST_RULES_INSTANCEMAKER_H
