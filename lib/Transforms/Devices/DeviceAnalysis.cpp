//===- DeviceAnalysis.cpp - The device of every value ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DeviceAnalysis.h. The rules, and the order in which defaults are set, are
// those of TVM.
//
//===----------------------------------------------------------------------===//

#include "DeviceAnalysis.h"
#include "Forms/DepthFirstWalk.h"
#include "relay/IR/Core.h"
#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/Memory.h"
#include "llvm/ADT/BitVector.h"
#include <deque>

using namespace relay;
using Domain = DeviceDomains::Domain;

bool relay::isAnnotation(const Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  return Op && Op->isFloating() && isa<OnDeviceOp>(Op);
}

Operation *relay::getLoweredArguments(const Operation *Call) {
  if (!isa<CallLoweredOp>(Call))
    return nullptr;
  Operation *Args = Call->getOperand(1)->getDefiningOp();
  return Args && Args->isFloating() && Args->is(OpCode::Tuple) ? Args : nullptr;
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

DeviceAnalysis::DeviceAnalysis(Module &M, CompilationConfig &Config)
    : M(M), Config(Config), Domains(Config) {
  uint32_t NumValues = 0;
  for (Function &F : M.functions()) {
    Offsets[&F] = NumValues;
    NumValues += F.getNumValues();
  }
  ValueDomains.resize(NumValues, DeviceDomains::None);
}

Domain DeviceAnalysis::getDomain(const Function &F) {
  Domain &D = FunctionDomains[&F];
  if (D)
    return D;
  if (FuncType *T = F.getType())
    return D = Domains.create(T);
  return D = Domains.createFunction(F.getParams().size());
}

Domain DeviceAnalysis::getDomain(const Value *V) {
  if (auto *Op = dyn_cast<Operation>(V); Op && Op->is(OpCode::GlobalRef))
    if (const Function *F =
            M.lookupFunction(Op->getAttrsAs<SymbolAttrs>().symbol()))
      return getDomain(*F);
  Domain &D = ValueDomains[Offsets.lookup(V->getFunction()) + V->getIndex()];
  if (D)
    return D;
  auto *Op = dyn_cast<Operation>(V);
  if (Op && Op->is(OpCode::Fn) && !isa_and_nonnull<FuncType>(V->getType()))
    return D = Domains.createFunction(Op->getRegion().getNumArguments());
  return D = Domains.create(V->getType());
}

/// Returns the domain of \p V as its users see it.
Domain DeviceAnalysis::getUseDomain(const Value *V) {
  if (auto *Op = dyn_cast<Operation>(V))
    if (auto It = Projections.find(Op); It != Projections.end())
      return It->second.second;
  return getDomain(V);
}

Domain DeviceAnalysis::getResultDomain(Block &B) {
  Operation *Parent = B.getParentOp();
  if (!Parent)
    return Domains.getResult(getDomain(*B.getFunction()));
  Domain D = getDomain(Parent);
  return Parent->is(OpCode::Fn) ? Domains.getResult(D) : D;
}

/// Returns the domain of the function that \p Call calls; none for calls of
/// operators and constructors.
Domain DeviceAnalysis::getCallee(const Operation *Call) {
  if (Call->is(OpCode::CallValue) || getLoweredArguments(Call))
    return getUseDomain(Call->getOperand(0));
  if (!Call->is(OpCode::CallGlobal))
    return DeviceDomains::None;
  StringRef Name = Call->getAttrsAs<CallGlobalAttrs>().callee();
  if (const Function *F = M.lookupFunction(Name))
    return getDomain(*F);
  Domain &D = UndefinedFunctions[Name];
  if (!D)
    D = Domains.createFunction(Call->getNumOperands());
  return D;
}

/// Returns true if a value of type \p T can be copied to another device: it
/// holds no closure and no reference.
bool DeviceAnalysis::isCopyable(const Type *T) {
  auto [It, IsNew] = Copyable.try_emplace(T, true);
  if (!IsNew)
    return It->second;
  SmallVector<const Type *, 8> Worklist{T};
  while (!Worklist.empty()) {
    const Type *Part = Worklist.pop_back_val();
    if (!Part)
      continue;
    if (isa<FuncType, RefType>(Part))
      return Copyable[T] = false;
    if (auto *Tuple = dyn_cast<TupleType>(Part))
      Worklist.append(Tuple->getFields().begin(), Tuple->getFields().end());
  }
  return true;
}

/// Returns the device of \p V, if that is an `on_device` that puts its body on
/// a device and leaves its users open, or a projection of one.
DeviceNumber DeviceAnalysis::getAnnotatedDevice(const Value *V) {
  if (auto *Op = dyn_cast<Operation>(V))
    if (auto It = Projections.find(Op); It != Projections.end())
      return It->second.first;
  if (!isAnnotation(V) || !isCopyable(V->getType()))
    return OpenDevice;
  const OnDeviceAttrs &A = OnDeviceOp(cast<Operation>(V)).attrs();
  if (A.constrainResult() || !A.constrainBody())
    return OpenDevice;
  std::string Problem; // reported before
  return Config.getNumber(A.virtualDevice(), Problem);
}

bool DeviceAnalysis::isSuperfluousCopy(const Operation *Op) {
  return isa<DeviceCopyOp>(Op) &&
         getUseDevice(Op->getOperand(0)) == getDevice(Op);
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

void DeviceAnalysis::reportConflict(Location Loc, StringRef Where) {
  HasFailed = true;
  const DeviceDomains::Conflict &C = Domains.getConflict();
  if (!Reported.insert({C.Ids[0], C.Ids[1]}).second ||
      !Reported.insert({C.Ids[1], C.Ids[0]}).second)
    return;
  std::string First = Config.describe(C.Devices[0]),
              Second = Config.describe(C.Devices[1]);
  InFlightDiagnostic D = M.getContext().emitError(
      Loc, Twine(Where) + " cannot be on " + First + " and on " + Second);
  D.note(C.Reasons[0], First + " is required here");
  D.note(C.Reasons[1], Second + " is required here");
}

/// Describes the values that \p Op requires to be on one device.
static std::string describeParts(const Operation *Op) {
  switch (Op->getCode()) {
  case OpCode::CallGlobal:
    return ("the arguments and the result of @" +
            Op->getAttrsAs<CallGlobalAttrs>().callee())
        .str();
  case OpCode::CallValue:
    return "the arguments and the result of a closure";
  case OpCode::Tuple:
  case OpCode::TupleGetItem:
    return "the fields of a tuple";
  case OpCode::If:
    return "the condition and the branches of an `if`";
  case OpCode::Match:
    return "the data and the clauses of a `match`";
  case OpCode::RefCreate:
  case OpCode::RefRead:
  case OpCode::RefWrite:
    return "the contents of a reference";
  case OpCode::CallConstructor:
    return "the fields of a constructor";
  case OpCode::Fn:
    return "the parameters and the result of a closure";
  case OpCode::Alias:
  case OpCode::Scope:
    return "a variable";
  default:
    return ("the operands and the result of `" + Op->getName() + "`").str();
  }
}

void DeviceAnalysis::unify(Domain A, Domain B, const Operation *At) {
  if (!Domains.unify(A, B))
    reportConflict(At->getLoc(), describeParts(At));
}

void DeviceAnalysis::require(Domain D, DeviceNumber Device, Location Loc) {
  if (!Domains.require(D, Device, Loc))
    reportConflict(Loc, "a value");
}

DeviceNumber DeviceAnalysis::getNumber(Attr Device, Location Loc) {
  std::string Problem;
  DeviceNumber N = Config.getNumber(Device, Problem);
  if (!Problem.empty()) {
    HasFailed = true;
    M.getContext().emitError(Loc, Problem);
  }
  return N;
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

void DeviceAnalysis::addOperands(Operation *Op) {
  Domain D = getDomain(Op);
  for (Value *V : Op->operands())
    unify(D, getUseDomain(V), Op);
}

void DeviceAnalysis::addOnDevice(Operation *Op) {
  const OnDeviceAttrs &A = OnDeviceOp(Op).attrs();
  Domain Body = getUseDomain(Op->getOperand(0)), Result = getDomain(Op);
  bool Constrains = A.constrainBody() || A.constrainResult();
  DeviceNumber Device =
      Constrains ? getNumber(A.virtualDevice(), Op->getLoc()) : OpenDevice;
  if (!isCopyable(Op->getType())) {
    unify(Body, Result, Op);
    return require(Result, Device, Op->getLoc());
  }
  if (A.constrainBody())
    require(Body, Device, Op->getLoc());
  if (A.constrainResult() || (A.constrainBody() && Op->isBound()))
    require(Result, Device, Op->getLoc());
}

/// The projection of an annotated tuple is annotated: a field is copied, and
/// not the tuple.
void DeviceAnalysis::addProjection(Operation *Op) {
  addOperands(Op);
  DeviceNumber Device = getAnnotatedDevice(Op->getOperand(0));
  if (Device == OpenDevice)
    return;
  require(getDomain(Op), Device, Op->getLoc());
  if (Op->isFloating())
    Projections[Op] = {Device, Domains.create(Op->getType())};
}

void DeviceAnalysis::addVariable(Operation *Op) {
  Value *V = Op->getOperand(0);
  if (DeviceNumber Device = getAnnotatedDevice(V))
    return require(getDomain(Op), Device, V->getDefiningOp()->getLoc());
  unify(getDomain(Op), getUseDomain(V), Op);
}

void DeviceAnalysis::addCall(Operation *Op, Domain Callee,
                             ArrayRef<Value *> Args) {
  if (!Domains.isFunction(Callee) ||
      Domains.getNumParams(Callee) != Args.size()) {
    // Not typed.
    for (Value *V : Args)
      unify(Callee, getUseDomain(V), Op);
    return unify(Callee, getDomain(Op), Op);
  }
  for (auto [I, V] : llvm::enumerate(Args))
    unify(Domains.getParam(Callee, I), getUseDomain(V), Op);
  unify(Domains.getResult(Callee), getDomain(Op), Op);
}

/// Adds the constraints of an operator that has operands or a result on the
/// host. Returns false for others.
bool DeviceAnalysis::addHostOperator(Operation *Op) {
  auto requireHost = [&](Domain D) {
    require(D, Config.getHost(), Op->getLoc());
  };
  auto requireHostOfOperands = [&](unsigned Begin) {
    for (Value *V : llvm::drop_begin(Op->operands(), Begin))
      requireHost(getUseDomain(V));
  };
  if (auto Alloc = dyn_cast<AllocStorageOp>(Op)) {
    requireHostOfOperands(0);
    require(getDomain(Op),
            getNumber(Alloc.attrs().virtualDevice(), Op->getLoc()),
            Op->getLoc());
    return true;
  }
  if (isa<VMShapeOfOp>(Op)) {
    requireHost(getDomain(Op));
    return true;
  }
  if (!isa<AllocTensorOp, VMReshapeTensorOp>(Op))
    return false;
  requireHostOfOperands(1);
  unify(getDomain(Op), getUseDomain(Op->getOperand(0)), Op);
  return true;
}

bool relay::isLoweredArguments(const Operation *Tuple) {
  return Tuple->is(OpCode::Tuple) && Tuple->isFloating() &&
         !Tuple->use_empty() && llvm::all_of(Tuple->uses(), [&](Use &U) {
           Operation *User = U.getUserOp();
           return User && U.getOperandNo() == 1 &&
                  getLoweredArguments(User) == Tuple;
         });
}

void DeviceAnalysis::add(Operation *Op) {
  if (Op->isBound())
    require(getDomain(Op), getNumber(Op->getVarVirtualDevice(), Op->getLoc()),
            Op->getLoc());
  if (Operation *Args = getLoweredArguments(Op))
    return addCall(Op, getCallee(Op), Args->getOperandVector());
  switch (Op->getCode()) {
  case OpCode::Fn:
    if (!isPrimitiveFn(Op))
      addSignature(Op->getSignature(), Op->getRegion(), getDomain(Op),
                   Op->getLoc());
    return;
  case OpCode::Tuple:
    if (!isLoweredArguments(Op))
      addOperands(Op);
    return;
  case OpCode::TupleGetItem:
    return addProjection(Op);
  case OpCode::Alias:
    return addVariable(Op);
  case OpCode::CallGlobal:
    return addCall(Op, getCallee(Op), Op->getOperandVector());
  case OpCode::CallValue:
    return addCall(Op, getCallee(Op),
                   ArrayRef<Value *>(Op->getOperandVector()).drop_front());
  default:
    break;
  }
  if (isa<OnDeviceOp>(Op))
    return addOnDevice(Op);
  if (auto Copy = dyn_cast<DeviceCopyOp>(Op)) {
    const DeviceCopyAttrs &A = Copy.attrs();
    require(getUseDomain(Op->getOperand(0)),
            getNumber(A.srcVirtualDevice(), Op->getLoc()), Op->getLoc());
    return require(getDomain(Op), getNumber(A.dstVirtualDevice(), Op->getLoc()),
                   Op->getLoc());
  }
  if (!addHostOperator(Op))
    addOperands(Op);
}

void DeviceAnalysis::addSignature(const Signature &Sig, Block &Body, Domain D,
                                  Location Loc) {
  for (auto [I, Arg] : llvm::enumerate(Body.getArguments())) {
    if (!Domains.unify(Domains.getParam(D, I), getDomain(Arg)))
      reportConflict(Arg->getLoc(), "a parameter");
    require(getDomain(Arg), getNumber(Arg->getVirtualDevice(), Arg->getLoc()),
            Arg->getLoc());
  }
  require(Domains.getResult(D), getNumber(Sig.VirtualDevice, Loc), Loc);
}

void DeviceAnalysis::addPatternVariables(Block &B) {
  Operation *Parent = B.getParentOp();
  if (Parent && Parent->is(OpCode::Match))
    for (BlockArgument *Arg : B.getArguments())
      unify(getUseDomain(Parent->getOperand(0)), getDomain(Arg), Parent);
}

bool relay::isPlainBody(Block &B) {
  Operation *Parent = B.getParentOp();
  return (!Parent || Parent->is(OpCode::Fn)) && B.bindings().empty();
}

/// The result of a function without bindings is on the device of an annotation
/// of it.
void DeviceAnalysis::addResult(Block &B) {
  Value *V = B.getResult();
  Operation *Parent = B.getParentOp();
  bool IsFunction = !Parent || Parent->is(OpCode::Fn);
  Location Loc = Parent ? Parent->getLoc() : B.getFunction()->getLoc();
  if (IsFunction && V->getDefiningOp())
    Loc = V->getDefiningOp()->getLoc();
  DeviceNumber Device = isPlainBody(B) ? getAnnotatedDevice(V) : OpenDevice;
  if (Device)
    return require(getResultDomain(B), Device, Loc);
  if (!Domains.unify(getResultDomain(B), getUseDomain(V)))
    reportConflict(Loc, IsFunction ? "the result of a function"
                                   : describeParts(Parent));
}

namespace {
template <typename Add, typename Enter, typename Leave>
struct ConstraintVisitor : IRVisitor {
  ConstraintVisitor(Add A, Enter E, Leave L) : A(A), E(E), L(L) {}
  void enterBlock(Block &B) { E(B); }
  void leaveBlock(Block &B) { L(B); }
  WalkResult enter(Operation *Op) {
    A(Op);
    return isPrimitiveFn(Op) ? WalkResult::skip() : WalkResult::advance();
  }
  Add A;
  Enter E;
  Leave L;
};
} // namespace

bool relay::hasPlannedDevices(const Function &F) {
  return !F.isSkippedByOptimization() && !isPrimitive(F.getSignature());
}

void DeviceAnalysis::addFunction(Function &F) {
  addSignature(F.getSignature(), F.getBody(), getDomain(F), F.getLoc());
  traverse(F.getBody(),
           ConstraintVisitor([&](Operation *Op) { add(Op); },
                             [&](Block &B) { addPatternVariables(B); },
                             [&](Block &B) { addResult(B); }));
}

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

namespace relay {
/// The order of TVM's visits, of operations before their operands.
class DefaultOrder : DepthFirstWalk {
public:
  DefaultOrder(DeviceAnalysis &A, Function &F)
      : Analysis(A), Seen(F.getNumValues()) {
    Steps.push_back({Step::Body, nullptr, &F.getBody()});
    walk(F.getBody());
  }

  using Step = DeviceAnalysis::DefaultStep;
  SmallVector<Step, 0> Steps;
  /// The `on_device` calls without constraints, inner ones first.
  SmallVector<Operation *> OpenAnnotations;

private:
  void begin(Operation *Op);
  Operation *enterBinding(Operation *Op) override;
  bool enterUse(Value *V, Operation *User, Block *Where) override;
  void leave(Operation *Op) override;

  DeviceAnalysis &Analysis;
  llvm::BitVector Seen; // by Value::getIndex()
};
} // namespace relay

void DefaultOrder::begin(Operation *Op) {
  if (Op->is(OpCode::Fn))
    Steps.push_back({Step::Body, nullptr, &Op->getRegion()});
  else if (Analysis.Projections.count(Op))
    Steps.push_back({Step::Projection, Op, nullptr});
  else
    Steps.push_back({Step::Call, Op, nullptr});
}

Operation *DefaultOrder::enterBinding(Operation *Op) {
  Steps.push_back({Step::Binding, Op, Op->getBlock()});
  if (isPrimitiveFn(Op))
    return nullptr;
  begin(Op);
  return Op;
}

bool DefaultOrder::enterUse(Value *V, Operation *User, Block *Where) {
  Operation *Op = V->getDefiningOp();
  if (!Op || Op->isBound() || Seen[Op->getIndex()])
    return false;
  Seen.set(Op->getIndex());
  if (isPrimitiveFn(Op))
    return false;
  if (!User && isPlainBody(*Where) && Analysis.getAnnotatedDevice(Op))
    Steps.push_back({Step::Result, Op, Where});
  begin(Op);
  return true;
}

void DefaultOrder::leave(Operation *Op) {
  if (auto OnDevice = dyn_cast<OnDeviceOp>(Op))
    if (!OnDevice.attrs().constrainBody() &&
        !OnDevice.attrs().constrainResult())
      OpenAnnotations.push_back(Op);
}

void DeviceAnalysis::setCallDefaults(const Operation *Call) {
  Domain D = getDomain(Call);
  if (Domain Callee = getCallee(Call))
    return Domains.setDefaultOfResultThenParams(Callee, Config.getDefault());
  if (!Call->is(OpCode::Operator) && !Call->is(OpCode::CallConstructor))
    return;
  Domains.setDefault(D, Config.getDefault());
  if (isa<OnDeviceOp, AllocStorageOp, AllocTensorOp, VMShapeOfOp,
          VMReshapeTensorOp>(Call))
    for (Value *V : Call->operands())
      Domains.setDefault(getUseDomain(V), Domains.getDevice(D));
}

/// Sets the default for what \p Annotation, an `on_device` or a projection of
/// one, is around.
void DeviceAnalysis::setDefaultInside(const Operation *Annotation,
                                      Domain Around) {
  Domain Inside = Annotation->is(OpCode::TupleGetItem)
                      ? getDomain(Annotation)
                      : getUseDomain(Annotation->getOperand(0));
  Domains.setDefault(Inside, Domains.getDevice(Around));
}

void DeviceAnalysis::setDefault(const DefaultStep &S) {
  switch (S.K) {
  case DefaultStep::Body: {
    Operation *Fn = S.B->getParentOp();
    Domain D = Fn ? getDomain(Fn) : getDomain(*S.B->getFunction());
    return Domains.setDefaultOfResultThenParams(D, Config.getDefault());
  }
  case DefaultStep::Binding: {
    Domain D = getDomain(S.Op);
    Domains.setDefault(D, getResultDevice(*S.B));
    if (S.Op->is(OpCode::Alias) && getAnnotatedDevice(S.Op->getOperand(0)))
      setDefaultInside(cast<Operation>(S.Op->getOperand(0)), D);
    return;
  }
  case DefaultStep::Call:
    return setCallDefaults(S.Op);
  case DefaultStep::Projection:
    Domains.setDefault(getUseDomain(S.Op), Config.getDefault());
    return setDefaultInside(S.Op, getUseDomain(S.Op));
  case DefaultStep::Result:
    return setDefaultInside(S.Op, getResultDomain(*S.B));
  }
}

void DeviceAnalysis::setDefaults() {
  std::deque<DefaultOrder> Orders;
  for (Function &F : M.functions())
    if (hasPlannedDevices(F))
      Orders.emplace_back(*this, F);
  for (const DefaultOrder &Order : Orders)
    for (Operation *Op : Order.OpenAnnotations)
      (void)Domains.unify(getDomain(Op), getUseDomain(Op->getOperand(0)));
  for (const DefaultOrder &Order : Orders)
    for (const DefaultOrder::Step &S : Order.Steps)
      setDefault(S);
}

LogicalResult DeviceAnalysis::run() {
  for (Function &F : M.functions())
    if (hasPlannedDevices(F))
      addFunction(F);
  if (HasFailed)
    return failure();
  setDefaults();
  return success();
}
