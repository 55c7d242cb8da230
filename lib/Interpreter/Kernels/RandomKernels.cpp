//===- RandomKernels.cpp - Random numbers ---------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of Ops/Random.td: Threefry with 4 words of 64 bits and 20 rounds, as
// in "Parallel Random Numbers: As Easy as 1, 2, 3" (Salmon and others, 2011),
// with the splitting of "Splittable Pseudorandom Number Generators using
// Cryptographic Hashing" (Claessen and Palka, 2013). A key is ten words: 4 of
// the key proper, 2 of the path of splits, 2 of the counter, and 2 with a bit
// at the next position of the path.
//
//===----------------------------------------------------------------------===//

#include "relay/Interpreter/Kernels/KernelUtils.h"
#include "relay/Ops/Random.h"
#include "llvm/ADT/bit.h"
#include <array>

using namespace relay;

//===----------------------------------------------------------------------===//
// Threefry
//===----------------------------------------------------------------------===//

using RandomBlock = std::array<uint64_t, 4>;

/// Returns the block of random bits of \p Counter, for \p Key.
static RandomBlock encrypt(ArrayRef<uint64_t> Key, RandomBlock Counter) {
  static constexpr unsigned Rotations[8][2] = {{14, 16}, {52, 57}, {23, 40},
                                               {5, 37},  {25, 33}, {46, 12},
                                               {58, 22}, {32, 32}};
  std::array<uint64_t, 5> Schedule = {Key[0], Key[1], Key[2], Key[3],
                                      0x1BD11BDAA9FC1A22};
  for (unsigned I = 0; I != 4; ++I)
    Schedule[4] ^= Key[I];
  // TVM differs from the paper: it adds the second word of a pair twice before
  // it mixes them, and does not add the key after the last round.
  for (unsigned Round = 0; Round != 20; ++Round) {
    if (Round % 4 == 0) {
      for (unsigned I = 0; I != 4; ++I)
        Counter[I] += Schedule[(Round / 4 + I) % 5];
      Counter[3] += Round / 4;
    }
    for (unsigned I : {0, 2}) {
      uint64_t Sum = Counter[I] + Counter[I + 1], Other = Counter[I + 1];
      Counter[I] = Sum;
      Counter[I + 1] =
          (Sum + Other) ^ llvm::rotl(Other, Rotations[Round % 8][I / 2]);
    }
    std::swap(Counter[1], Counter[3]);
  }
  return Counter;
}

namespace {
/// The state of a generator.
struct Generator {
  std::array<uint64_t, 10> Words;

  explicit Generator(ArrayRef<uint64_t> From) {
    llvm::copy(From, Words.begin());
  }
  /// As in TVM, the second half of the path is not used.
  bool isPathFull() const { return Words[8] == 0; }
  void setStep(uint64_t High, uint64_t Low) {
    Words[8] = High;
    Words[9] = Low;
  }
  /// Sets a key obtained by encryption of \p Counter, with an empty path and
  /// counter.
  void renewKey(const RandomBlock &Counter) {
    RandomBlock Key = encrypt(Words, Counter);
    Words.fill(0);
    llvm::copy(Key, Words.begin());
  }
  void addOneToPath() {
    Words[4] |= Words[8];
    Words[5] |= Words[9];
  }
  /// Advances to the next position of the path.
  void advancePath() {
    setStep(Words[8] >> 1, Words[8] == 1 ? uint64_t(1) << 63 : 0);
  }
  /// Returns true if fewer than \p Count numbers remain.
  bool isSpent(uint64_t Count) const {
    return isPathFull() && Words[7] >= UINT64_MAX - Count;
  }
  /// Advances the counter by \p Count, and the path if necessary.
  void reserve(uint64_t Count);
  /// Fills \p Out and advances the counter.
  void generate(MutableArrayRef<uint64_t> Out);
};
} // namespace

void Generator::reserve(uint64_t Count) {
  if (Words[7] < UINT64_MAX - Count)
    return;
  addOneToPath();
  Words[6] = Words[7] = 0;
  advancePath();
}

/// As in TVM, block I adds I to each of the four words of path and counter; a
/// last block that is not fully used has its position as counter.
void Generator::generate(MutableArrayRef<uint64_t> Out) {
  reserve(Out.size());
  RandomBlock Counter = {Words[4], Words[5], Words[6], Words[7]};
  size_t Whole = Out.size() / 4, Rest = Out.size() % 4;
  for (size_t I = 0; I != Whole; ++I) {
    RandomBlock Bits = encrypt(Words, {Counter[0] + I, Counter[1] + I,
                                       Counter[2] + I, Counter[3] + I});
    llvm::copy(Bits, Out.begin() + 4 * I);
  }
  Words[6] = 0;
  Words[7] += Out.size() - Rest;
  if (Rest == 0)
    return;
  RandomBlock Bits =
      encrypt(Words, {Counter[0], Counter[1], Counter[2], Words[7]});
  std::copy_n(Bits.begin(), Rest, Out.end() - Rest);
  Words[7] += 4;
}

/// Returns the generator of operand 0; reports an invalid one, and one that
/// cannot make \p Count numbers, where TVM reads undefined memory. Counts the
/// work.
static FailureOr<Generator> getGenerator(const KernelCall &Call,
                                         int64_t Count = 0) {
  const Tensor &Key = Call.getInput(0);
  if (!Key.getDType().isUInt(64) || Key.getNumElements() != 10)
    return Call.emitError("key is not a tensor of ten uint64");
  Generator G(Key.getElements<uint64_t>());
  if (Count != 0 && G.isSpent(Count))
    return Call.emitError("key is used up");
  if (failed(Call.countWork(Count, 64)))
    return failure(); // reported
  return G;
}

static void storeKey(KernelCall &Call, unsigned I, const Generator &G) {
  llvm::copy(G.Words, Call.getOutput<uint64_t>(I).begin());
}

/// key -> (key, [..] of uint64).
LogicalResult relay::evalThreefryGenerate(KernelCall &Call) {
  if (!Call.hasOutputShape(1))
    return Call.emitError("the shape of the result is not known");
  MutableArrayRef<uint64_t> Out = Call.getOutput<uint64_t>(1);
  FailureOr<Generator> G = getGenerator(Call, Out.size());
  if (failed(G))
    return failure(); // reported
  G->generate(Out);
  storeKey(Call, 0, *G);
  return success();
}

/// key -> (key, key): the path continues with 0 or with 1.
LogicalResult relay::evalThreefrySplit(KernelCall &Call) {
  FailureOr<Generator> G = getGenerator(Call);
  if (failed(G))
    return failure(); // reported
  if (G->isPathFull()) {
    G->renewKey({G->Words[4], G->Words[5], G->Words[6], G->Words[7]});
    G->setStep(uint64_t(1) << 63, 0);
  }
  Generator Right = *G;
  Right.addOneToPath();
  Right.advancePath();
  G->advancePath();
  storeKey(Call, 0, *G);
  storeKey(Call, 1, Right);
  return success();
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

/// Returns a number in [0, 1) from the upper bits of the lower half of \p Bits
/// (float), or of all of them (double), as its fraction.
template <typename E> static E toUnit(uint64_t Bits) {
  if constexpr (std::is_same_v<E, float>)
    return llvm::bit_cast<float>(uint32_t(Bits) >> 9 | 0x3f800000u) - 1.0f;
  else
    return llvm::bit_cast<double>(Bits >> 12 | 0x3ff0000000000000u) - 1.0;
}

/// Returns random bits for \p Count numbers; none after an error. The key is
/// output 0.
static std::optional<Tensor> generateBits(KernelCall &Call, int64_t Count) {
  FailureOr<Generator> G = getGenerator(Call, Count);
  if (failed(G))
    return std::nullopt; // reported
  std::optional<Tensor> Bits = Call.allocate(DType::getUInt(64), Count);
  if (!Bits)
    return std::nullopt;
  G->generate(Bits->getMutableElements<uint64_t>());
  storeKey(Call, 0, *G);
  return Bits;
}

/// Calls \p F with a zero of the data type of output 1, float32 or float64,
/// where operands 1 and 2 are scalars of it.
template <typename Fn>
static LogicalResult dispatchDistribution(KernelCall &Call, Fn &&F) {
  DType T = Call.getOutputDType(1);
  if (!Call.hasOutputShape(1))
    return Call.emitError("the shape of the result is not known");
  for (unsigned I : {1, 2})
    if (Call.getInput(I).getDType() != T ||
        Call.getInput(I).getNumElements() != 1)
      return Call.emitError(Call.getInfo().OperandNames[I] +
                            " is not a scalar of " + T.str());
  if (T.isFloat(32))
    return F(float());
  if (T.isFloat(64))
    return F(double());
  return Call.emitUnsupported(T);
}

/// key, low, high -> (key, [..]).
LogicalResult relay::evalUniform(KernelCall &Call) {
  return dispatchDistribution(Call, [&](auto Zero) -> LogicalResult {
    using E = decltype(Zero);
    MutableArrayRef<E> Out = Call.getOutput<E>(1);
    std::optional<Tensor> Bits = generateBits(Call, Out.size());
    if (!Bits)
      return failure(); // reported
    E Low = Call.getInput<E>(1)[0], High = Call.getInput<E>(2)[0];
    E Width = High - Low;
    llvm::transform(Bits->getElements<uint64_t>(), Out.begin(),
                    [&](uint64_t X) { return toUnit<E>(X) * Width + Low; });
    return success();
  });
}

/// key, mean, scale -> (key, [..]), by Box and Muller's transform of two
/// numbers.
LogicalResult relay::evalNormal(KernelCall &Call) {
  return dispatchDistribution(Call, [&](auto Zero) -> LogicalResult {
    using E = decltype(Zero);
    MutableArrayRef<E> Out = Call.getOutput<E>(1);
    std::optional<Tensor> Bits = generateBits(Call, 2 * Out.size());
    if (!Bits)
      return failure(); // reported
    ArrayRef<uint64_t> From = Bits->getElements<uint64_t>();
    E Mean = Call.getInput<E>(1)[0], Scale = Call.getInput<E>(2)[0];
    E TwoPi = E(2 * M_PI);
    for (size_t I = 0; I != Out.size(); ++I) {
      E Rest = E(1) - toUnit<E>(From[I]);
      E Angle = TwoPi * toUnit<E>(From[Out.size() + I]);
      E Square = E(-2) * E(std::log(double(Rest)));
      E Radius = E(std::sqrt(double(Square)));
      Out[I] = Radius * E(std::sin(double(Angle))) * Scale + Mean;
    }
    return success();
  });
}

/// Returns the position of the smallest positive distance from \p X to the sums
/// of \p Probs, by TVM's search: if the sums do not reach X, the position of
/// the first 1, or 0.
static int32_t findPlace(ArrayRef<float> Sums, float X) {
  float Best = std::numeric_limits<float>::max();
  int32_t Place = 0;
  for (auto [I, Sum] : llvm::enumerate(Sums)) {
    float Distance = Sum - X > 0 ? Sum - X : 1;
    if (Distance < Best) {
      Best = Distance;
      Place = I;
    }
  }
  return Place;
}

/// Replaces the weights \p Row by the cumulative sums of their shares.
static void sumShares(MutableArrayRef<float> Row) {
  double Total = 0;
  for (float &X : Row) {
    X = X > 0 ? X : 0;
    Total += X;
  }
  float Sum = 0;
  for (float &X : Row)
    X = Sum += X / float(Total);
}

/// key, probs: [.., n] -> (key, [.., num_samples]).
LogicalResult relay::evalMultinomial(KernelCall &Call) {
  const Tensor &Probs = Call.getInput(1);
  if (!Call.hasOutputShape(1) || Probs.getRank() == 0)
    return Call.emitError("the shape of the result is not known");
  int64_t Length = Probs.getDim(Probs.getRank() - 1);
  int64_t PerRow = Call.getOutputShape(1).back();
  Tensor &Out = Call.getOutputTensor(1);
  if (failed(Call.countWork(Out.getNumElements(), 2 * Length)))
    return failure(); // reported
  auto Sums = Call.allocate(DType::getFloat(32), Probs.getShape());
  auto Bits = generateBits(Call, Out.getNumElements());
  if (!Sums || !Bits)
    return failure(); // reported
  MutableArrayRef<float> Row = Sums->getMutableElements<float>();
  dispatchDType(Probs.getDType(), [&](auto Zero) {
    llvm::transform(Probs.getElements<decltype(Zero)>(), Row.begin(),
                    [](auto X) { return store<float>(load(X)); });
  });
  for (int64_t I = 0; I < Probs.getNumElements(); I += Length)
    sumShares(Row.slice(I, Length));
  return dispatchIntegers(Call, Out.getDType(), [&](auto Zero) {
    using E = decltype(Zero);
    MutableArrayRef<E> To = Out.getMutableElements<E>();
    for (auto [I, X] : llvm::enumerate(Bits->getElements<uint64_t>()))
      To[I] = E(
          findPlace(Row.slice(I / PerRow * Length, Length), toUnit<float>(X)));
    return success();
  });
}
