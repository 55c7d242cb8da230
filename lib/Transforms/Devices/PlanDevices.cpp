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
  /// A binding, whose value is the stripped operand of an annotation or an
  /// alias, or the operation itself.
  struct Binding {
    Operation *Op;
    DeviceNumber ValueDevice, Device;
  };

  void collect();
  void addEdges(Operation *Op);
  void addEdge(Operation *User, unsigned I, DeviceNumber Lexical);
  void addResult(Block &B);
  void addBinding(Operation *Op);
  void addCopy(Operation *Op);
  bool isTransparent(const Operation *Op) const;
  Value *strip(Value *V) const;

  void writeSignature(Block &Body);
  void write(const Edge &E);
  void write(const Binding &B);
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
  SmallVector<Edge, 0> Edges;
  SmallVector<Binding, 0> Bindings;
  SmallVector<std::pair<Operation *, const DeviceCopyAttrs *>> Copies;
  SmallVector<Block *> Bodies;
  unsigned NumCopies = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Finding the places
//===----------------------------------------------------------------------===//

/// Returns true if the users of \p Op see its operand instead.
bool DeviceWriter::isTransparent(const Operation *Op) const {
  return isAnnotation(Op) ||
         (Op->isFloating() && SuperfluousCopies.contains(Op));
}

Value *DeviceWriter::strip(Value *V) const {
  while (auto *Op = dyn_cast<Operation>(V)) {
    if (!isTransparent(Op))
      break;
    V = Op->getOperand(0);
  }
  return V;
}

void DeviceWriter::addEdge(Operation *User, unsigned I, DeviceNumber Lexical) {
  Value *V = User->getOperand(I), *Body = strip(V);
  Edges.push_back({User, I, nullptr, Body, Devices.getDevice(Body),
                   Devices.getUseDevice(V), Lexical});
}

void DeviceWriter::addEdges(Operation *Op) {
  if (isTransparent(Op) || isa<OnDeviceOp>(Op) ||
      SuperfluousCopies.contains(Op) || Op->is(OpCode::Alias))
    return;
  if (Op->isFloating() && Op->is(OpCode::Tuple) &&
      llvm::all_of(Op->uses(), [](Use &U) {
        return U.getUserOp() && getLoweredArguments(U.getUserOp());
      }))
    return;
  DeviceNumber Lexical = Devices.getDevice(Op);
  Operation *Args = getLoweredArguments(Op);
  for (unsigned I = 0, E = Op->getNumOperands(); I != E; ++I)
    if (!Args || I == 0)
      addEdge(Op, I, Lexical);
  if (!Args)
    return;
  for (unsigned I = 0, E = Args->getNumOperands(); I != E; ++I)
    addEdge(Args, I, Lexical);
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
  bool IsAround = Op->is(OpCode::Alias) || isa<OnDeviceOp>(Op) ||
                  SuperfluousCopies.contains(Op);
  DeviceNumber Device = Devices.getDevice(Op);
  Bindings.push_back(
      {Op, IsAround ? Devices.getDevice(strip(Op->getOperand(0))) : Device,
       Device});
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
  Bodies.push_back(&F.getBody());
  walk(F, [&](Operation *Op) {
    if (Devices.isSuperfluousCopy(Op))
      SuperfluousCopies.insert(Op);
    else if (isa<DeviceCopyOp>(Op))
      addCopy(Op);
  });
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) {
    if (Op->isBound())
      addBinding(Op);
    if (isPrimitiveFn(Op))
      return WalkResult::skip();
    addEdges(Op);
    for (Block &Region : Op->getRegions())
      addResult(Region);
    if (Op->is(OpCode::Fn))
      Bodies.push_back(&Op->getRegion());
    return WalkResult::advance();
  });
  addResult(F.getBody());
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

/// The operands of bindings are original values, or values that have been bound
/// in their places.
void DeviceWriter::write(const Binding &B) {
  Operation *Op = B.Op;
  bool IsAnnotation = isa<OnDeviceOp>(Op);
  bool IsAround =
      IsAnnotation || Op->is(OpCode::Alias) || SuperfluousCopies.contains(Op);
  Value *Body = IsAround ? strip(Op->getOperand(0)) : Op;
  Edge E{Op, 0, nullptr, Body, B.ValueDevice, B.Device, B.Device};
  bool IsSame = B.ValueDevice == B.Device;
  bool HasOwnDevice = IsAround && IsSame && isPlacedByDefinition(Body);
  if (Op->is(OpCode::Alias) && HasOwnDevice && Op->getOperand(0) == Body)
    return;
  if (IsAnnotation && !HasOwnDevice && isWritten(Op->getOperand(0), E) &&
      getFixedDevice(Op) == Config.getAttr(B.Device))
    return;
  if (!R.startRewrite(IsSame ? "annotate" : "copy", Op))
    return;
  if (HasOwnDevice && Op->is(OpCode::Alias))
    return R.setOperand(Op, 0, Body);
  if (HasOwnDevice)
    return R.replaceOp(Op, Body);
  R.setInsertionPoint(Op);
  if (!IsAround)
    R.setInsertionPointAfter(Op);
  Value *V = IsAround ? create(E, Op->getLoc()) : Op;
  auto Attrs =
      OnDeviceAttrs::get(F.getContext(), Config.getAttr(B.Device), true, true);
  if (IsAnnotation) {
    R.setOperand(Op, 0, V);
    return R.setAttrs(Op, Attrs);
  }
  R.setLoc(Op->getLoc());
  Operation *New = R.create<OnDeviceOp>(V, Attrs);
  if (IsAround)
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
  for (const Binding &B : Bindings)
    write(B);
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
