//===- DeviceAnalysis.h - The device of every value -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the devices of all values of a module: constraints by `on_device`,
// `device_copy`, the devices of parameters and results, and operators on
// shapes; then defaults. An `on_device` is where a copy may be made, so that
// its users see another device than its body has. That of a value which cannot
// be copied (a closure, a reference) is a constraint for the users, too.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_DEVICES_DEVICEANALYSIS_H
#define RELAY_LIB_TRANSFORMS_DEVICES_DEVICEANALYSIS_H

#include "DeviceDomains.h"
#include "relay/IR/Module.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace relay {

/// Returns true if \p V is a floating `on_device`: its users see through it. A
/// bound one is a variable.
bool isAnnotation(const Value *V);

/// Returns true if devices are planned in the body of \p F.
bool hasPlannedDevices(const Function &F);

/// Returns true if the body \p B of a function is an annotation: its result is
/// fixed on the device of that, and no bindings are before it.
bool isPlainBody(Block &B);

/// Returns the tuple of arguments of \p Call if that is a `call_lowered` with a
/// tuple in place; null otherwise.
Operation *getLoweredArguments(const Operation *Call);

/// Returns true if every use of \p Tuple is as such arguments.
bool isLoweredArguments(const Operation *Tuple);

class DeviceAnalysis {
public:
  using Domain = DeviceDomains::Domain;

  /// For normalized functions.
  DeviceAnalysis(Module &M, CompilationConfig &Config);

  /// Reports conflicts as errors.
  LogicalResult run();

  //===--- Results --------------------------------------------------------===//
  /// The values are those of the module when run() was called.
  //===--------------------------------------------------------------------===//

  /// Returns the device that \p V is on; for an `on_device` that of its result.
  DeviceNumber getDevice(const Value *V) {
    return Domains.getDevice(getDomain(V));
  }
  /// Returns the device that users of \p V need it on.
  DeviceNumber getUseDevice(const Value *V) {
    return Domains.getDevice(getUseDomain(V));
  }
  /// Returns the device of the result of \p B.
  DeviceNumber getResultDevice(Block &B) {
    return Domains.getDevice(getResultDomain(B));
  }
  /// Returns true if \p Op is a `device_copy` to the device of its operand.
  bool isSuperfluousCopy(const Operation *Op);

private:
  friend class DefaultOrder;

  //===--- Domains --------------------------------------------------------===//
  Domain getDomain(const Value *V);
  Domain getDomain(const Function &F);
  Domain getResultDomain(Block &B);
  Domain getUseDomain(const Value *V);
  Domain getCallee(const Operation *Call);
  bool isCopyable(const Type *T);
  DeviceNumber getAnnotatedDevice(const Value *V);

  //===--- Constraints ----------------------------------------------------===//
  void addFunction(Function &F);
  void addSignature(const Signature &Sig, Block &Body, Domain D, Location Loc);
  void add(Operation *Op);
  void addVariable(Operation *Op);
  void addOnDevice(Operation *Op);
  void addProjection(Operation *Op);
  void addCall(Operation *Op, Domain Callee, ArrayRef<Value *> Args);
  bool addHostOperator(Operation *Op);
  void addOperands(Operation *Op);
  void addPatternVariables(Block &B);
  void addResult(Block &B);
  DeviceNumber getNumber(Attr Device, Location Loc);
  void unify(Domain A, Domain B, const Operation *At);
  void require(Domain D, DeviceNumber Device, Location Loc);
  void reportConflict(Location Loc, StringRef Where);

  //===--- Defaults -------------------------------------------------------===//
  /// A step of the visits in which defaults are set.
  struct DefaultStep {
    enum Kind {
      Body,       ///< of a function: B
      Binding,    ///< Op, of B
      Call,       ///< Op
      Projection, ///< Op, of an annotated tuple
      Result      ///< Op, an annotation, is the body B of a function
    } K;
    Operation *Op;
    Block *B;
  };
  void setDefaults();
  void setDefault(const DefaultStep &S);
  void setCallDefaults(const Operation *Call);
  void setDefaultInside(const Operation *Annotation, Domain Around);

  Module &M;
  CompilationConfig &Config;
  DeviceDomains Domains;
  /// The number of the first value of each function.
  llvm::DenseMap<const Function *, uint32_t> Offsets;
  std::vector<Domain> ValueDomains;
  llvm::DenseMap<const Function *, Domain> FunctionDomains;
  llvm::StringMap<Domain> UndefinedFunctions;
  /// Projections of annotated tuples: the device, and the domain that users
  /// see.
  llvm::DenseMap<const Operation *, std::pair<DeviceNumber, Domain>>
      Projections;
  llvm::DenseMap<const Type *, bool> Copyable;
  /// The pairs of reasons of reported conflicts.
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> Reported;
  bool HasFailed = false;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_DEVICES_DEVICEANALYSIS_H
