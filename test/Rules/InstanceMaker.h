//===- InstanceMaker.h - Instances of patterns of rules ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates functions with expressions that a pattern matches: wildcards become
// parameters, constants and calls, of random types; calls get random
// attributes. The result for a seed is the same on every machine.
//
// Random types seldom form a well-typed convolution. The sampler of an operator
// (InstanceSamplers.td) therefore requests operands of certain types and sets
// attributes that fit. Everything else is found by trial.
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

/// Requested properties of a value, which may be disregarded.
struct Wish {
  DType Element = DType::getVoid(); ///< void: any
  std::optional<Extents> Shape;
  std::optional<unsigned> Rank;
  /// Letters of the axes, `NHWC`, if they have a meaning.
  std::string Layout;

  static Wish of(DType Element, ArrayRef<int64_t> Shape) {
    return {Element, Extents(Shape), std::nullopt, ""};
  }
};

/// Returns the extents of \p T.
Extents getExtents(const TensorType *T);

/// Random choices.
class Chance {
public:
  explicit Chance(uint64_t Seed) : Engine(Seed) {}

  uint64_t below(uint64_t Bound) { return Engine() % Bound; }
  /// Returns a number from \p Least to \p Most.
  int64_t between(int64_t Least, int64_t Most) {
    return Least + int64_t(below(Most - Least + 1));
  }
  bool percent(unsigned Share) { return below(100) < Share; }
  template <typename T> const T &pick(ArrayRef<T> List) {
    return List[below(List.size())];
  }
  /// Returns a number in [0, 1).
  double fraction() { return double(Engine() >> 11) * 0x1p-53; }

  DType dtype();
  int64_t extent();
  /// Returns a shape of \p Rank, or of any rank.
  Extents shape(std::optional<unsigned> Rank = std::nullopt);
  /// Returns a shape that broadcasts to \p Shape, mostly \p Shape itself.
  Extents narrower(ArrayRef<int64_t> Shape);
  /// Returns a permutation of the numbers from 0 to \p Rank - 1.
  SmallVector<int64_t, 6> permutation(unsigned Rank);
  /// Returns a shape with as many elements as \p Shape, which must be known.
  Extents reshaped(ArrayRef<int64_t> Shape);

private:
  std::mt19937_64 Engine;
};

/// Choices that related operators agree on more often than by chance: the
/// operators of a dilated convolution, conversions of layouts.
struct InstanceStyle {
  int64_t Block[2], Kernel[3], Crop[2];
  std::string Layout;
};

/// Creates one instance.
class InstanceMaker {
public:
  /// Constants may be infinite or extreme numbers if \p HasExtremes.
  InstanceMaker(Context &Ctx, uint64_t Seed, bool HasExtremes);

  /// Returns a module whose function `@main` contains a match of \p Source,
  /// ignoring the conditions of a rule; null if it is not well typed.
  std::unique_ptr<Module> make(const Pattern &Source);

  /// Returns a match of \p N; null if that is not well typed.
  Value *make(const PatternNode &N, const Wish &W);
  /// Returns why the last attempt failed, if known.
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

/// Creates a call: the interface of samplers.
class CallMaker {
public:
  CallMaker(InstanceMaker &Maker, const OpInfo &Info,
            ArrayRef<const PatternNode *> Arguments, const Wish &W,
            ArrayRef<const WantedAttr *> Wanted);

  const OpInfo &getOp() const { return Info; }
  Chance &getChance() { return Maker.getChance(); }
  InstanceStyle &getStyle() { return Maker.getStyle(); }
  /// Returns the requested properties of the result.
  const Wish &getWish() const { return W; }
  /// Creates operand \p I, once, and returns its type. Returns null if that
  /// failed, or if it is not a tensor.
  const TensorType *operand(unsigned I, const Wish &Asked);
  /// As operand(), with a static shape.
  const TensorType *staticOperand(unsigned I, const Wish &Asked);

  // A value that the pattern requires, or that was set before, is kept.
  void set(StringRef Field, Attr Value);
  void setInts(StringRef Field, ArrayRef<int64_t> Values);
  void setInt(StringRef Field, int64_t Value);
  void setNumber(StringRef Field, double Value);
  /// Sets a list of pairs: `[[0, 1], [2, 0]]`.
  void setPairs(StringRef Field, ArrayRef<std::array<int64_t, 2>> Values);
  /// Sets \p Field to one of \p Values unless it is set, and returns its value.
  StringRef chooseText(StringRef Field, ArrayRef<StringRef> Values);
  DType chooseDType(StringRef Field, DType Value);
  /// Returns the value of \p Field.
  Attr get(StringRef Field) const;
  bool isSet(StringRef Field) const;

  /// Creates the remaining operands and attributes. Returns false if that is
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

/// The sampler of operators without their own: operands that broadcast to one
/// shape, attributes by their kinds.
bool sampleAnyCall(CallMaker &C);

} // namespace relay::test

#endif // RELAY_TEST_RULES_INSTANCEMAKER_H
