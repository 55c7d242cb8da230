//===- PlanDevices.cpp - Put every value on a device ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes down the devices that DeviceAnalysis finds: in parameters and results
// of functions, in an `on_device` around each value whose device differs from
// that of the operation or function around it, and around each bound value.
// Inserts a `device_copy` between different devices.
//
//===----------------------------------------------------------------------===//

#include "DeviceAnalysis.h"
#include "LexicalDevices.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Rewriter.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Memory.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

namespace {

/// Changes one function.
class DeviceWriter {
public:
  DeviceWriter(Function &F, CompilationConfig &Config, DeviceAnalysis &Devices)
      : F(F), Config(Config), Devices(Devices), R(F) {}

  void run();
  unsigned getNumCopies() const { return NumCopies; }
  bool hasChanged() const { return R.getNumRewrites() != 0; }

private:
  /// An operand of User or, if that is null, the result of B.
  struct Edge {
    Operation *User;
    unsigned OperandNo;
    Block *B;
    /// The operand without annotations, and its device.
    Value *Body;
    DeviceNumber BodyDevice;
    /// The device that the user needs.
    DeviceNumber Expected;
    /// The device that the operand has without an annotation.
    DeviceNumber Lexical;
  };

  void collect();
  void addEdges(Operation *Op);
  void addEdge(Operation *User, unsigned I, DeviceNumber Expected,
               DeviceNumber Lexical);
  void addResult(Block &B);
  void addBinding(Operation *Op);
  void addCopy(Operation *Op);
  Value *strip(Value *V) const {
    Value *Body = Stripped.lookup(V->getDefiningOp());
    return Body ? Body : V;
  }
  /// Returns true if \p Op, which is bound, gives its operand a name.
  bool isNamer(const Operation *Op) const {
    return Op->is(OpCode::Alias) || isa<OnDeviceOp>(Op) ||
           SuperfluousCopies.contains(Op);
  }

  void writeSignature(Block &Body);
  void write(const Edge &E);
  void writeBinding(Operation *Op, DeviceNumber Device);
  bool isWritten(Value *V, const Edge &E) const;
  Value *create(const Edge &E, Location Loc);
  Value *annotate(Value *V, DeviceNumber Device);
  void setUse(const Edge &E, Value *V);
  Value *getUse(const Edge &E) const {
    return E.User ? E.User->getOperand(E.OperandNo) : E.B->getResult();
  }

  Function &F;
  CompilationConfig &Config;
  DeviceAnalysis &Devices;
  Rewriter R;
  llvm::DenseSet<const Operation *> SuperfluousCopies;
  /// What users of the transparent operations see.
  llvm::DenseMap<const Operation *, Value *> Stripped;
  SmallVector<Edge, 0> Edges;
  SmallVector<std::pair<Operation *, DeviceNumber>, 0> Bindings;
  SmallVector<std::pair<Operation *, const DeviceCopyAttrs *>> Copies;
  SmallVector<Block *> Bodies;
  unsigned NumCopies = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Finding the places
//===----------------------------------------------------------------------===//

void DeviceWriter::addEdge(Operation *User, unsigned I, DeviceNumber Expected,
                           DeviceNumber Lexical) {
  Value *Body = strip(User->getOperand(I));
  Edges.push_back(
      {User, I, nullptr, Body, Devices.getDevice(Body), Expected, Lexical});
}

void DeviceWriter::addEdges(Operation *Op) {
  if (Stripped.count(Op) || isLoweredArguments(Op))
    return;
  DeviceNumber Lexical = Devices.getDevice(Op);
  if (Op->isBound() && isNamer(Op))
    return addEdge(Op, 0, Lexical, Lexical);
  auto addUse = [&](Operation *User, unsigned I) {
    addEdge(User, I, Devices.getUseDevice(User->getOperand(I)), Lexical);
  };
  Operation *Args = getLoweredArguments(Op);
  for (unsigned I = 0, E = Args ? 1 : Op->getNumOperands(); I != E; ++I)
    addUse(Op, I);
  for (unsigned I = 0, E = Args ? Args->getNumOperands() : 0; I != E; ++I)
    addUse(Args, I);
}

void DeviceWriter::addResult(Block &B) {
  Value *V = B.getResult(), *Body = strip(V);
  DeviceNumber Device = Devices.getResultDevice(B);
  Edges.push_back(
      {nullptr, 0, &B, Body, Devices.getDevice(Body), Device, Device});
}

/// A closure has its device in its signature, a variable at its definition.
static bool isPlacedByDefinition(const Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  return !Op || Op->isBound() || Op->is(OpCode::Fn) ||
         Op->is(OpCode::GlobalRef) || Op->is(OpCode::OpRef) ||
         Op->is(OpCode::ConstructorRef);
}

void DeviceWriter::addBinding(Operation *Op) {
  if (Op->is(OpCode::Fn) || Op->is(OpCode::GlobalRef) ||
      Op->is(OpCode::OpRef) || Op->is(OpCode::ConstructorRef))
    return;
  Bindings.push_back({Op, Devices.getDevice(Op)});
}

/// The devices of an existing copy get their targets.
void DeviceWriter::addCopy(Operation *Op) {
  auto *A = DeviceCopyAttrs::get(
      F.getContext(), Config.getAttr(Devices.getUseDevice(Op->getOperand(0))),
      Config.getAttr(Devices.getDevice(Op)));
  if (Op->getAttrs() != A)
    Copies.push_back({Op, A});
}

void DeviceWriter::collect() {
  SmallVector<Block *> Blocks{&F.getBody()};
  Bodies.push_back(&F.getBody());
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    if (Op->isBound())
      addBinding(Op);
    if (isPrimitiveFn(Op))
      return WalkResult::skip();
    if (Devices.isSuperfluousCopy(Op))
      SuperfluousCopies.insert(Op);
    else if (isa<DeviceCopyOp>(Op))
      addCopy(Op);
    if (Op->isFloating() &&
        (isa<OnDeviceOp>(Op) || SuperfluousCopies.contains(Op)))
      Stripped[Op] = strip(Op->getOperand(0));
    addEdges(Op);
    for (Block &Region : Op->getRegions())
      Blocks.push_back(&Region);
    if (Op->is(OpCode::Fn))
      Bodies.push_back(&Op->getRegion());
    return WalkResult::advance();
  });
  for (Block *B : Blocks)
    addResult(*B);
}

//===----------------------------------------------------------------------===//
// Changing them
//===----------------------------------------------------------------------===//

/// Returns the body of \p V, if that is an annotation without other users that
/// fixes \p Device; null otherwise.
static Value *getBodyOnDevice(Value *V, Attr Device) {
  auto *Op = dyn_cast<Operation>(V);
  return Op && isAnnotation(Op) && Op->hasOneUse() &&
                 getFixedDevice(Op) == Device
             ? Op->getOperand(0)
             : nullptr;
}

/// Returns true if \p V is what create() would make.
bool DeviceWriter::isWritten(Value *V, const Edge &E) const {
  bool NeedsCopy = E.BodyDevice != E.Expected;
  bool IsAnnotatable = !isPlacedByDefinition(E.Body);
  if (E.Expected != E.Lexical && (NeedsCopy || IsAnnotatable))
    V = getBodyOnDevice(V, Config.getAttr(E.Expected));
  if (V && NeedsCopy) {
    auto Copy = dyn_cast<DeviceCopyOp>(V);
    if (!Copy || Copy->isBound() || !Copy->hasOneUse() ||
        Copy.attrs().srcVirtualDevice() != Config.getAttr(E.BodyDevice) ||
        Copy.attrs().dstVirtualDevice() != Config.getAttr(E.Expected))
      return false;
    V = Copy.data();
    if (IsAnnotatable)
      V = getBodyOnDevice(V, Config.getAttr(E.BodyDevice));
  }
  return V == E.Body;
}

Value *DeviceWriter::annotate(Value *V, DeviceNumber Device) {
  if (isPlacedByDefinition(V))
    return V;
  return R.create<OnDeviceOp>(
      V, OnDeviceAttrs::get(F.getContext(), Config.getAttr(Device),
                            /*ConstrainResult=*/true, /*ConstrainBody=*/true));
}

Value *DeviceWriter::create(const Edge &E, Location Loc) {
  Value *V = E.Body;
  if (Operation *Op = V->getDefiningOp())
    Loc = Op->getLoc();
  R.setLoc(Loc);
  if (E.BodyDevice != E.Expected) {
    V = R.create<DeviceCopyOp>(
        annotate(V, E.BodyDevice),
        DeviceCopyAttrs::get(F.getContext(), Config.getAttr(E.BodyDevice),
                             Config.getAttr(E.Expected)));
    ++NumCopies;
  }
  return E.Expected == E.Lexical ? V : annotate(V, E.Expected);
}

void DeviceWriter::setUse(const Edge &E, Value *V) {
  if (E.User)
    R.setOperand(E.User, E.OperandNo, V);
  else
    R.setResult(*E.B, V);
}

void DeviceWriter::write(const Edge &E) {
  if (isWritten(getUse(E), E))
    return;
  StringRef Rule = E.BodyDevice != E.Expected ? "copy" : "annotate";
  Operation *At = E.User ? E.User : E.B->getParentOp();
  if (!R.startRewrite(Rule, At))
    return;
  if (E.User)
    R.setInsertionPoint(E.User);
  else
    R.setInsertionPointToEnd(*E.B);
  setUse(E, create(E, At ? At->getLoc() : F.getLoc()));
}

/// Moves the binding of \p Op to an annotation around it.
static void bindAnnotation(Rewriter &R, Operation *Op, Operation *OnDevice) {
  R.replaceUsesIf(Op, OnDevice,
                  [&](Use &U) { return U.getUserOp() != OnDevice; });
  R.bindLike(OnDevice, Op);
  R.unbind(Op);
}

/// Puts an annotation around the value of a binding, whose operands have been
/// written.
void DeviceWriter::writeBinding(Operation *Op, DeviceNumber Device) {
  const OnDeviceAttrs *Fixed =
      OnDeviceAttrs::get(F.getContext(), Config.getAttr(Device),
                         /*ConstrainResult=*/true, /*ConstrainBody=*/true);
  bool NamesOperand = isNamer(Op);
  bool IsPlaced = NamesOperand && isPlacedByDefinition(Op->getOperand(0));
  bool IsWritten = IsPlaced ? Op->is(OpCode::Alias) : Op->getAttrs() == Fixed;
  if (IsWritten || !R.startRewrite("annotate", Op))
    return;
  if (IsPlaced)
    return R.replaceOp(Op, Op->getOperand(0));
  if (isa<OnDeviceOp>(Op))
    return R.setAttrs(Op, Fixed);
  R.setLoc(Op->getLoc());
  if (NamesOperand)
    R.setInsertionPoint(Op);
  else
    R.setInsertionPointAfter(Op);
  Value *Body = NamesOperand ? Op->getOperand(0) : Op;
  Operation *New = R.create<OnDeviceOp>(Body, Fixed);
  if (NamesOperand)
    R.replaceOp(Op, New);
  else
    bindAnnotation(R, Op, New);
}

/// Writes the devices of the parameters and of the result.
void DeviceWriter::writeSignature(Block &Body) {
  SmallVector<std::pair<BlockArgument *, Attr>> Changes;
  for (BlockArgument *Arg : Body.getArguments()) {
    Attr Device = Config.getAttr(Devices.getDevice(Arg));
    if (Arg->getVirtualDevice() != Device)
      Changes.push_back({Arg, Device});
  }
  Attr Result = Config.getAttr(Devices.getResultDevice(Body));
  bool IsNewResult = Rewriter::getSignature(Body).VirtualDevice != Result;
  if ((Changes.empty() && !IsNewResult) ||
      !R.startRewrite("signature", Body.getParentOp()))
    return;
  for (auto [Arg, Device] : Changes)
    R.setVirtualDevice(Arg, Device);
  if (!IsNewResult)
    return;
  R.setResultDevice(Body, Result);
  // An open expression has no place for the device of its result.
  if (!Body.getParentOp() && F.getForm() == Function::Form::OpenExpression)
    R.setForm(F, Function::Form::FnExpression);
}

void DeviceWriter::run() {
  collect();
  for (Block *Body : Bodies)
    writeSignature(*Body);
  for (auto [Op, A] : Copies)
    if (R.startRewrite("devices-of-copy", Op))
      R.setAttrs(Op, A);
  for (const Edge &E : Edges)
    write(E);
  for (auto [Op, Device] : Bindings)
    writeBinding(Op, Device);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class PlanDevices : public PlanDevicesBase<PlanDevices> {
public:
  using PlanDevicesBase::PlanDevicesBase;

  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &,
                                   PassContext &PC) override {
    if (Options.OnlyWithTarget && !PC.getTarget())
      return preserved(false);
    CompilationConfig::Options O{Options.Targets, Options.Host,
                                 Options.DefaultDevice,
                                 PC.getConfig(FallbackDeviceType)};
    FailureOr<CompilationConfig> Config = CompilationConfig::create(PC, O);
    if (failed(Config))
      return failure();
    DeviceAnalysis Devices(M, *Config);
    if (failed(Devices.run()))
      return failure();
    bool HasChanged = false;
    for (Function &F : M.functions()) {
      if (!hasPlannedDevices(F))
        continue;
      DeviceWriter Writer(F, *Config, Devices);
      Writer.run();
      NumCopies += Writer.getNumCopies();
      HasChanged |= Writer.hasChanged();
    }
    return preserved(HasChanged);
  }
};
} // namespace

std::unique_ptr<Pass> relay::createPlanDevicesPass(PlanDevicesOptions Options) {
  return std::make_unique<PlanDevices>(std::move(Options));
}
