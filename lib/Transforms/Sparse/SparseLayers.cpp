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
#include "relay/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// Reads `10x8x1x10x5`: the extents of the elements, of the columns, and of the
/// starts.
static std::optional<SparseExtents> parseExtents(StringRef Text) {
  SmallVector<StringRef, 5> Parts;
  Text.split(Parts, 'x');
  std::array<int64_t, 5> Numbers;
  if (Parts.size() != Numbers.size())
    return std::nullopt;
  for (auto [Part, Number] : llvm::zip_equal(Parts, Numbers))
    if (Part.getAsInteger(10, Number) || Number < 1)
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
                      << "the data, of the indices and of indptr";
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
  /// Warns about the weights that no layer has.
  void warnAboutUnused() const;

  unsigned NumLayers = 0;

private:
  using LayersByWeight =
      llvm::MapVector<BlockArgument *, SmallVector<Operation *, 1>>;

  BlockArgument *getSparseWeight(Operation *Op, const Function &F) const;
  LogicalResult collect(Function &F, LayersByWeight &Layers);
  LogicalResult checkRows(Operation &Layer, const BlockArgument &Weight) const;
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

/// Reports that the sparse matrix has not as many rows as \p Weight.
LogicalResult LayerReplacer::checkRows(Operation &Layer,
                                       const BlockArgument &Weight) const {
  const SparseExtents &E = *Weights.lookup(Weight.getName());
  int64_t NumRows = (E.NumStarts - 1) * E.BlockRows;
  Dim Expected = Kind.GetNumRows(Layer);
  if (Expected.isConst(NumRows))
    return success();
  return Ctx.emitError(Layer.getLoc())
         << "the sparse weight '" << Weight.getName() << "' has " << NumRows
         << " rows, expected " << Expected.getInt();
}

LogicalResult LayerReplacer::collect(Function &F, LayersByWeight &Layers) {
  bool Failed = false;
  walk(F, [&](Operation *Op) {
    BlockArgument *Weight = getSparseWeight(Op, F);
    if (!Weight)
      return;
    Used.insert(Weight->getName());
    std::string Obstacle = Kind.FindObstacle(*Op);
    if (Obstacle.empty() && !Kind.GetNumRows(*Op).isConst())
      Obstacle = "the extents of the weight are not known";
    if (Obstacle.empty()) {
      Failed |= failed(checkRows(*Op, *Weight));
      Layers[Weight].push_back(Op);
    } else if (takesMissedRemarks()) {
      emitMissedRemark(Op, "dense-layer", "stays dense: " + Obstacle);
    }
  });
  return failure(Failed);
}

void LayerReplacer::replace(Rewriter &R, BlockArgument &Weight,
                            ArrayRef<Operation *> Layers) {
  const SparseExtents &E = *Weights.lookup(Weight.getName());
  auto AddPart = [&](StringRef Suffix, ArrayRef<int64_t> Extents, DType T) {
    SmallVector<Dim, 3> Shape;
    for (int64_t Extent : Extents)
      Shape.push_back(Dim::get(Extent));
    BlockArgument *Part =
        R.addArgument(*Weight.getParentBlock(),
                      Ctx.intern((Weight.getName() + "." + Suffix).str()),
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
  if (failed(collect(F, Layers)))
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

FailureOr<unsigned> relay::replaceLayers(Module &M,
                                         const SparseWeights &Weights,
                                         const SparseLayerKind &Kind) {
  LayerReplacer Replacer(M.getContext(), Weights, Kind);
  for (Function *F : getFunctionsWithoutUsers(M))
    if (failed(Replacer.run(*F)))
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

std::string relay::findConv2DObstacle(Conv2DOp Conv, StringRef Layout,
                                      int64_t KernelSize) {
  const Conv2DAttrs &A = Conv.attrs();
  if (KernelSize != 1 && (KernelSize != 3 || Layout != "NHWC"))
    return "nn.sparse_conv2d computes kernels of 1 by 1, and in NHWC of 3 by 3";
  if (A.dataLayout() != Layout ||
      (!A.outLayout().empty() && A.outLayout() != Layout))
    return ("its layout is not " + Layout).str();
  for (char Axis : {'H', 'W'})
    if (!getExtent(Conv.weight(), A.kernelLayout(), Axis).isConst(KernelSize))
      return "its kernel is not " + std::to_string(KernelSize) + " by " +
             std::to_string(KernelSize);
  if (!areAll(A.strides(), 1) || !areAll(A.dilation(), 1) || A.groups() != 1)
    return "it has strides, dilation or groups";
  if (!areAll(A.padding(), KernelSize / 2))
    return "its padding changes the extents";
  if (getDType(Conv) != getDType(Conv.data()) ||
      getDType(Conv) != getDType(Conv.weight()))
    return "the types of data, weight and result differ";
  return "";
}
