//===- SparseLayers.cpp - Layers with sparse weights ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseLayers.h"
#include "Parameters.h"
#include "relay/IR/Context.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Conv.h"
#include "relay/Ops/Sparse.h"
#include "relay/Pass/PassInstrumentation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace relay;

namespace {

/// The extents of the parts of a sparse matrix in blocks of rows, each at most
/// INT32_MAX.
struct SparseExtents {
  int64_t NumBlocks, BlockRows, BlockColumns; ///< of the elements
  int64_t NumStarts; ///< one more than the rows of blocks
};

/// The extents of sparse weights, by the name of the parameter.
class SparseWeights {
public:
  /// Reads the options weight-name and weight-shape of \p PassName; reports
  /// an error if they are invalid, and a warning if they are empty.
  static FailureOr<SparseWeights> parse(Context &Ctx, StringRef PassName,
                                        ArrayRef<std::string> Names,
                                        ArrayRef<std::string> Shapes);
  /// Returns null if the weight \p Name is dense.
  const SparseExtents *lookup(StringRef Name) const;
  /// The names, in the order of the option.
  auto names() const { return llvm::make_first_range(ByName); }

private:
  llvm::MapVector<StringRef, SparseExtents> ByName;
};

} // namespace

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Reads `10x8x1x10x5`: the extents of the elements, of the columns, and of the
/// starts. Extents are dimensions of 32 bits; products of two of them do not
/// overflow.
static std::optional<SparseExtents> parseExtents(StringRef Text) {
  SmallVector<StringRef, 5> Parts;
  Text.split(Parts, 'x');
  std::array<int64_t, 5> Numbers;
  if (Parts.size() != Numbers.size())
    return std::nullopt;
  for (auto [Part, Number] : llvm::zip_equal(Parts, Numbers))
    if (Part.getAsInteger(10, Number) || Number < 1 || Number > INT32_MAX)
      return std::nullopt;
  auto [Blocks, Rows, Columns, Indices, Starts] = Numbers;
  if (Indices != Blocks)
    return std::nullopt;
  return SparseExtents{Blocks, Rows, Columns, Starts};
}

FailureOr<SparseWeights> SparseWeights::parse(Context &Ctx, StringRef PassName,
                                              ArrayRef<std::string> Names,
                                              ArrayRef<std::string> Shapes) {
  auto Report = [&]() {
    return Ctx.emitError(Location()) << "'" << PassName << "': ";
  };
  if (Names.size() != Shapes.size())
    return Report() << "expected a weight-shape for each weight-name, got "
                    << Shapes.size() << " for " << Names.size();
  if (Names.empty())
    Ctx.getDiagnostics().emitWarning(
        Location(), "'" + PassName +
                        "' has no weights and replaces nothing; expected '" +
                        PassName + "<weight-name=NAME;weight-shape=SHAPE>'");
  SparseWeights Weights;
  for (auto [Name, Shape] : llvm::zip_equal(Names, Shapes)) {
    std::optional<SparseExtents> Extents = parseExtents(Shape);
    if (!Extents)
      return Report() << "'" << Shape << "' is not a weight-shape; expected "
                      << "'BLOCKSxROWSxCOLUMNSxBLOCKSxSTARTS', the extents of "
                      << "the data, of the indices and of indptr, each from 1 "
                      << "to " << INT32_MAX << ", with equal BLOCKS";
    if (!Weights.ByName.insert({Name, *Extents}).second)
      return Report() << "the weight '" << Name << "' is given twice";
  }
  return Weights;
}

const SparseExtents *SparseWeights::lookup(StringRef Name) const {
  auto It = ByName.find(Name);
  return It == ByName.end() ? nullptr : &It->second;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

namespace {

/// Replaces layers of one function at a time.
class LayerReplacer {
public:
  LayerReplacer(Context &Ctx, const SparseWeights &Weights,
                const SparseLayerKind &Kind)
      : Ctx(Ctx), Weights(Weights), Kind(Kind) {}
  LogicalResult run(Function &F);
  /// Leaves the layers of \p F, which has callers; emits a remark at each.
  void skip(Function &F);
  /// Warns about the weights that no layer has.
  void warnAboutUnused() const;

  unsigned NumLayers = 0;

private:
  using LayersByWeight =
      llvm::MapVector<BlockArgument *, SmallVector<Operation *, 1>>;

  BlockArgument *getSparseWeight(Operation *Op, const Function &F) const;
  LogicalResult collect(Function &F, LayersByWeight &Layers);
  std::string findMismatch(const SparseExtents &E,
                           MatrixExtents Expected) const;
  LogicalResult checkExtents(Operation &Layer,
                             const BlockArgument &Weight) const;
  LogicalResult checkNames(Function &F, const LayersByWeight &Layers) const;
  void emitRemark(Operation *Op, const Twine &Obstacle) const;
  void replace(Rewriter &R, BlockArgument &Weight,
               ArrayRef<Operation *> Layers);

  Context &Ctx;
  const SparseWeights &Weights;
  const SparseLayerKind &Kind;
  llvm::StringSet<> Used;
};

} // namespace

/// Returns the parameter of \p F that is the weight of the layer \p Op and has
/// been made sparse; null if Op is something else.
BlockArgument *LayerReplacer::getSparseWeight(Operation *Op,
                                              const Function &F) const {
  if (!Kind.IsLayer(*Op))
    return nullptr;
  auto *Weight = dyn_cast<BlockArgument>(Op->getOperand(1));
  if (!Weight || Weight->getParentBlock() != &F.getBody())
    return nullptr;
  return Weights.lookup(Weight->getName()) ? Weight : nullptr;
}

/// Returns how a sparse matrix differs from a weight of \p Expected; "" if it
/// fits. Unknown columns fit.
std::string LayerReplacer::findMismatch(const SparseExtents &E,
                                        MatrixExtents Expected) const {
  int64_t NumBlockRows = E.NumStarts - 1;
  int64_t NumRows = NumBlockRows * E.BlockRows;
  if (!Expected.NumRows.isConst(NumRows))
    return llvm::formatv("{0} rows, expected {1}", NumRows,
                         Expected.NumRows.getInt());
  if (!Expected.NumColumns.isConst())
    return "";
  int64_t NumColumns = Expected.NumColumns.getInt();
  if (NumColumns % E.BlockColumns)
    return llvm::formatv("blocks of {0} columns, expected a divisor of {1}",
                         E.BlockColumns, NumColumns);
  int64_t MaxBlocks = NumBlockRows * (NumColumns / E.BlockColumns);
  if (E.NumBlocks > MaxBlocks)
    return llvm::formatv("{0} blocks, expected at most {1}", E.NumBlocks,
                         MaxBlocks);
  return "";
}

/// Reports that the sparse matrix and \p Weight differ.
LogicalResult LayerReplacer::checkExtents(Operation &Layer,
                                          const BlockArgument &Weight) const {
  std::string Mismatch =
      findMismatch(*Weights.lookup(Weight.getName()), Kind.GetExtents(Layer));
  if (Mismatch.empty())
    return success();
  return Ctx.emitError(Layer.getLoc())
         << "the sparse weight '" << Weight.getName() << "' has " << Mismatch;
}

static std::string getPartName(const BlockArgument &Weight, StringRef Part) {
  return (Weight.getName() + "." + Part).str();
}

/// Reports the parameters of \p F that have the name of a part of a weight.
LogicalResult LayerReplacer::checkNames(Function &F,
                                        const LayersByWeight &Layers) const {
  llvm::StringMap<BlockArgument *> WeightsByPart;
  for (BlockArgument *Weight : llvm::make_first_range(Layers))
    for (StringRef Part : {"data", "indices", "indptr"})
      WeightsByPart[getPartName(*Weight, Part)] = Weight;
  bool Failed = false;
  for (BlockArgument *Param : F.getParams()) {
    BlockArgument *Weight = WeightsByPart.lookup(Param->getName());
    if (!Weight)
      continue;
    Failed = true;
    Ctx.emitError(Param->getLoc())
        << "the parameter '" << Param->getName() << "' of @" << F.getName()
        << " has the name of a part of the sparse weight '" << Weight->getName()
        << "'";
  }
  return failure(Failed);
}

void LayerReplacer::emitRemark(Operation *Op, const Twine &Obstacle) const {
  if (takesMissedRemarks())
    emitMissedRemark(Op, "dense-layer", "stays dense: " + Obstacle.str());
}

void LayerReplacer::skip(Function &F) {
  walk(F, [&](Operation *Op) {
    BlockArgument *Weight = getSparseWeight(Op, F);
    if (!Weight)
      return;
    Used.insert(Weight->getName());
    emitRemark(Op, "@" + F.getName() + " has callers");
  });
}

LogicalResult LayerReplacer::collect(Function &F, LayersByWeight &Layers) {
  bool Failed = false;
  walk(F, [&](Operation *Op) {
    BlockArgument *Weight = getSparseWeight(Op, F);
    if (!Weight)
      return;
    Used.insert(Weight->getName());
    std::string Obstacle = Kind.FindObstacle(*Op);
    if (Obstacle.empty() && !Kind.GetExtents(*Op).NumRows.isConst())
      Obstacle = "the extents of the weight are not known";
    if (!Obstacle.empty())
      return emitRemark(Op, Obstacle);
    Failed |= failed(checkExtents(*Op, *Weight));
    Layers[Weight].push_back(Op);
  });
  return failure(Failed);
}

void LayerReplacer::replace(Rewriter &R, BlockArgument &Weight,
                            ArrayRef<Operation *> Layers) {
  const SparseExtents &E = *Weights.lookup(Weight.getName());
  auto AddPart = [&](StringRef Name, ArrayRef<int64_t> Extents, DType T) {
    SmallVector<Dim, 3> Shape;
    for (int64_t Extent : Extents)
      Shape.push_back(Dim::get(Extent));
    BlockArgument *Part = R.addArgument(
        *Weight.getParentBlock(), Ctx.intern(getPartName(Weight, Name)),
        Ctx.getTensorType(Shape, T), Weight.getLoc());
    R.setVirtualDevice(Part, Weight.getVirtualDevice());
    return Part;
  };
  Value *Parts[] = {AddPart("data", {E.NumBlocks, E.BlockRows, E.BlockColumns},
                            getDType(&Weight)),
                    AddPart("indices", {E.NumBlocks}, DType::getInt(32)),
                    AddPart("indptr", {E.NumStarts}, DType::getInt(32))};
  for (Operation *Layer : Layers) {
    R.setInsertionPoint(Layer);
    R.replaceOp(Layer, Kind.Create(R, *Layer, Parts));
  }
  NumLayers += Layers.size();
}

LogicalResult LayerReplacer::run(Function &F) {
  LayersByWeight Layers;
  if (failed(collect(F, Layers)) || failed(checkNames(F, Layers)))
    return failure();
  Rewriter R(F);
  unsigned NumOld = F.getParams().size();
  for (auto &[Weight, OfWeight] : Layers)
    if (R.startRewrite("sparse-weight", OfWeight.front()))
      replace(R, *Weight, OfWeight);
  if (R.getNumRewrites() != 0)
    orderParameters(R, F, NumOld);
  return success();
}

void LayerReplacer::warnAboutUnused() const {
  for (StringRef Name : Weights.names())
    if (!Used.contains(Name))
      Ctx.getDiagnostics().emitWarning(
          Location(),
          "'" + Kind.PassName + "': no layer has the weight '" + Name + "'");
}

FailureOr<unsigned> relay::replaceLayers(Module &M, const SparseLayerKind &Kind,
                                         ArrayRef<std::string> WeightNames,
                                         ArrayRef<std::string> WeightShapes) {
  FailureOr<SparseWeights> Weights = SparseWeights::parse(
      M.getContext(), Kind.PassName, WeightNames, WeightShapes);
  if (failed(Weights))
    return failure();
  LayerReplacer Replacer(M.getContext(), *Weights, Kind);
  SmallVector<Function *> List = getFunctionsWithoutUsers(M);
  llvm::SmallPtrSet<Function *, 8> WithoutUsers(List.begin(), List.end());
  bool Failed = false;
  for (Function &F : M.functions())
    if (WithoutUsers.contains(&F))
      Failed |= failed(Replacer.run(F));
    else if (!F.isSkippedByOptimization())
      Replacer.skip(F);
  if (Failed)
    return failure();
  Replacer.warnAboutUnused();
  return Replacer.NumLayers;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Returns true if all of \p Dims are \p N.
static bool areAll(ArrayRef<Dim> Dims, int64_t N) {
  return llvm::all_of(Dims, [N](Dim D) { return D.isConst(N); });
}

LogicalResult relay::checkForm(Context &Ctx, StringRef PassName,
                               const SparseConv2DForm &Form) {
  if (Form.KernelSize == 1 || (Form.KernelSize == 3 && Form.Layout == "NHWC"))
    return success();
  return Ctx.emitError(Location())
         << "'" << PassName << "': nn.sparse_conv2d has no kernels of "
         << Form.KernelSize << " by " << Form.KernelSize << " in "
         << Form.Layout << "; expected 'kernel-size=1', or "
         << "'layout=NHWC;kernel-size=3'";
}

std::string relay::findObstacle(Conv2DOp Conv, const SparseConv2DForm &Form) {
  const Conv2DAttrs &A = Conv.attrs();
  auto [Layout, KernelSize] = Form;
  if (A.dataLayout() != Layout ||
      (!A.outLayout().empty() && A.outLayout() != Layout))
    return ("its layout is not " + Layout).str();
  if (A.kernelLayout().size() != 4)
    return ("its kernel layout " + A.kernelLayout() + " has blocks").str();
  for (char Axis : {'H', 'W'})
    if (!getExtent(Conv.weight(), A.kernelLayout(), Axis).isConst(KernelSize))
      return llvm::formatv("its kernel is not {0} by {0}", KernelSize);
  if (!areAll(A.strides(), 1) || !areAll(A.dilation(), 1) || A.groups() != 1)
    return "it has strides, dilation or groups";
  if (!areAll(A.padding(), KernelSize / 2))
    return "its padding changes the extents";
  if (getDType(Conv) != getDType(Conv.data()) ||
      getDType(Conv) != getDType(Conv.weight()))
    return "the types of data, weight and result differ";
  return "";
}

Value *relay::createSparseConv2D(Rewriter &R, const SparseConv2DForm &Form,
                                 Value *Data, ArrayRef<Value *> Parts) {
  return R.create<SparseConv2DOp>(
      Data, Parts[0], Parts[1], Parts[2], Form.Layout,
      DimListArg({Form.KernelSize, Form.KernelSize}));
}
