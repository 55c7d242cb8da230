//===- Conv2dToSparse2.cpp - Make constant weights sparse -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the blocks of constant weights that are not zero.
//
//===----------------------------------------------------------------------===//

#include "SparseLayers.h"
#include "TensorUtils.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Conv.h"
#include "relay/Pass/PassInstrumentation.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace relay;

namespace {

/// A weight as a matrix: a row for each filter, with the elements of the kernel
/// by height, width and input channel. Rows and columns are read in place.
class WeightMatrix {
public:
  /// \p Layout has the axes O, H, W and I.
  WeightMatrix(const ConstantData &Data, StringRef Layout);
  int64_t getNumRows() const { return Extents[0]; }
  int64_t getNumColumns() const { return Extents[1] * Extents[2] * Extents[3]; }
  unsigned getElementSize() const { return Size; }
  /// The bytes of an element.
  ArrayRef<char> get(int64_t Row, int64_t Column) const;
  /// Returns true if an element is zero, of either sign.
  bool isZero(int64_t Row, int64_t Column) const;

private:
  ArrayRef<char> Bytes;
  unsigned Size;                  ///< of an element, in bytes
  std::array<int64_t, 4> Extents; ///< of O, H, W, I
  std::array<int64_t, 4> Strides; ///< in elements
};

/// A matrix in blocks of rows.
struct BlockMatrix {
  SmallVector<char, 0> Elements;
  SmallVector<int32_t, 0> Columns, Starts;
};

} // namespace

WeightMatrix::WeightMatrix(const ConstantData &Data, StringRef Layout)
    : Bytes(Data.getBytes()), Size(Data.getDType().getBits() / 8) {
  ArrayRef<Dim> Shape = Data.getType()->getShape();
  for (auto [I, Axis] : llvm::enumerate(StringRef("OHWI"))) {
    size_t Position = Layout.find(Axis);
    Extents[I] = Shape[Position].getInt();
    Strides[I] = 1;
    for (Dim D : Shape.drop_front(Position + 1))
      Strides[I] *= D.getInt();
  }
}

ArrayRef<char> WeightMatrix::get(int64_t Row, int64_t Column) const {
  int64_t Channel = Column % Extents[3], Place = Column / Extents[3];
  int64_t Index = Row * Strides[0] + Place / Extents[2] * Strides[1] +
                  Place % Extents[2] * Strides[2] + Channel * Strides[3];
  return Bytes.slice(Index * Size, Size);
}

bool WeightMatrix::isZero(int64_t Row, int64_t Column) const {
  ArrayRef<char> Element = get(Row, Column); // little-endian
  return llvm::all_of(Element.drop_back(), [](char C) { return !C; }) &&
         !(Element.back() & 0x7f);
}

/// Returns the blocks of \p M that are not zero, of \p Rows by \p Columns,
/// which divide the extents of the matrix.
static BlockMatrix findBlocks(const WeightMatrix &M, int64_t Rows,
                              int64_t Columns) {
  BlockMatrix Result;
  auto IsZero = [&](int64_t Row, int64_t Column) {
    for (int64_t I = 0; I != Rows; ++I)
      for (int64_t J = 0; J != Columns; ++J)
        if (!M.isZero(Row + I, Column + J))
          return false;
    return true;
  };
  auto Copy = [&](int64_t Row, int64_t Column) {
    for (int64_t I = 0; I != Rows; ++I)
      for (int64_t J = 0; J != Columns; ++J)
        llvm::append_range(Result.Elements, M.get(Row + I, Column + J));
  };
  for (int64_t Row = 0; Row != M.getNumRows(); Row += Rows) {
    Result.Starts.push_back(Result.Columns.size());
    for (int64_t Column = 0; Column != M.getNumColumns(); Column += Columns) {
      if (IsZero(Row, Column))
        continue;
      Copy(Row, Column);
      Result.Columns.push_back(Column / Columns);
    }
  }
  Result.Starts.push_back(Result.Columns.size());
  return Result;
}

namespace {
class Conv2dToSparse2 : public Conv2dToSparse2Base<Conv2dToSparse2> {
public:
  using Conv2dToSparse2Base::Conv2dToSparse2Base;

  LogicalResult initialize(Context &Ctx, const PassRegistry &) override {
    if (Options.Blocksize.size() == 2)
      return checkForm(Ctx, "conv2d-to-sparse2", getSparseConv2DForm(Options));
    return Ctx.emitError(Location())
           << "'conv2d-to-sparse2': 'blocksize' expects the rows and the "
              "columns of a block";
  }

  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &) override {
    Rewriter R(F);
    walk(F, [&](Conv2DOp Conv) {
      std::string Obstacle = getConstantData(Conv.weight())
                                 ? convert(R, Conv)
                                 : "its weight is not constant";
      if (!Obstacle.empty() && takesMissedRemarks())
        emitMissedRemark(Conv, "dense-layer", "stays dense: " + Obstacle);
    });
    return preserved(R.getNumRewrites() != 0);
  }

private:
  std::string convert(Rewriter &R, Conv2DOp Conv);
  void replace(Rewriter &R, Conv2DOp Conv, const BlockMatrix &Blocks);
};
} // namespace

/// Returns why \p Conv stays; "" if it is replaced.
std::string Conv2dToSparse2::convert(Rewriter &R, Conv2DOp Conv) {
  std::string Obstacle = findObstacle(Conv, getSparseConv2DForm(Options));
  if (!Obstacle.empty())
    return Obstacle;
  const ConstantData &Data = *getConstantData(Conv.weight());
  if (Data.isOpaque())
    return Data.describeMissingData();
  if (!isFloatTensor(Data.getType()))
    return "the elements of the weight are not floats";
  WeightMatrix M(Data, Conv.attrs().kernelLayout());
  int64_t Rows = Options.Blocksize[0], Columns = Options.Blocksize[1];
  if (M.getNumRows() % Rows || M.getNumColumns() % Columns)
    return "blocks do not divide the weight of " +
           std::to_string(M.getNumRows()) + " by " +
           std::to_string(M.getNumColumns());
  BlockMatrix Blocks = findBlocks(M, Rows, Columns);
  double NumElements = M.getNumRows() * M.getNumColumns();
  double Sparsity = 1 - Blocks.Columns.size() * Rows * Columns / NumElements;
  if (Blocks.Columns.empty() || Sparsity < Options.SparsityThreshold)
    return "its sparsity is " + llvm::formatv("{0:F3}", Sparsity).str();
  if (R.startRewrite("sparse-weight", Conv))
    replace(R, Conv, Blocks);
  return "";
}

void Conv2dToSparse2::replace(Rewriter &R, Conv2DOp Conv,
                              const BlockMatrix &Blocks) {
  Context &Ctx = R.getContext();
  int64_t NumBlocks = Blocks.Columns.size();
  R.setInsertionPoint(Conv);
  Value *Elements = R.constant(
      Ctx.getTensorType({Dim::get(NumBlocks), Dim::get(Options.Blocksize[0]),
                         Dim::get(Options.Blocksize[1])},
                        getDType(Conv)),
      TensorBuffer::copy(Blocks.Elements));
  auto GetIntegers = [&](ArrayRef<int32_t> Numbers) {
    return R.constant(
        Ctx.getTensorType({Dim::get(Numbers.size())}, DType::getInt(32)),
        Numbers);
  };
  Value *Columns = GetIntegers(Blocks.Columns);
  Value *Starts = GetIntegers(Blocks.Starts);
  R.replaceOp(Conv,
              createSparseConv2D(R, getSparseConv2DForm(Options), Conv.data(),
                                 {Elements, Columns, Starts}));
  ++NumLayers;
}

std::unique_ptr<Pass>
relay::createConv2dToSparse2Pass(Conv2dToSparse2Options Options) {
  return std::make_unique<Conv2dToSparse2>(std::move(Options));
}
