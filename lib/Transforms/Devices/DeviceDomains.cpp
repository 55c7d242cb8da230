//===- DeviceDomains.cpp - Classes of values on one device ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DeviceDomains.h.
//
//===----------------------------------------------------------------------===//

#include "DeviceDomains.h"

using namespace relay;
using Domain = DeviceDomains::Domain;

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

void DeviceDomains::addParts(Domain D, unsigned Number) {
  Nodes[D].FirstPart = Nodes.size();
  Nodes[D].NumParts = Number;
  Nodes.resize(Nodes.size() + Number);
}

Domain DeviceDomains::create(const Type *T) {
  Domain Root = add();
  SmallVector<std::pair<Domain, const Type *>, 8> Worklist{{Root, T}};
  while (!Worklist.empty()) {
    auto [D, Ty] = Worklist.pop_back_val();
    auto *Func = dyn_cast_or_null<FuncType>(Ty);
    if (!Func)
      continue;
    unsigned Params = Func->getParams().size();
    addParts(D, Params + 1);
    Domain Part = Nodes[D].FirstPart;
    for (const Type *Param : Func->getParams())
      Worklist.push_back({Part++, Param});
    Worklist.push_back({Part, Func->getResult()});
  }
  return Root;
}

Domain DeviceDomains::createFunction(unsigned Params) {
  Domain D = add();
  addParts(D, Params + 1);
  return D;
}

//===----------------------------------------------------------------------===//
// Unification
//===----------------------------------------------------------------------===//

Domain DeviceDomains::find(Domain D) {
  Domain Root = D;
  while (Nodes[Root].Parent)
    Root = Nodes[Root].Parent;
  while (D != Root)
    D = std::exchange(Nodes[D].Parent, Root);
  return Root;
}

void DeviceDomains::setConflict(const Node &A, const Node &B) {
  bool Scopes = Config.haveDifferentScopes(A.Device, B.Device);
  uint32_t Ids[2] = {Scopes ? A.ScopeReason : A.Reason,
                     Scopes ? B.ScopeReason : B.Reason};
  Last = {{A.Device, B.Device},
          {Reasons[Ids[0]], Reasons[Ids[1]]},
          {Ids[0], Ids[1]}};
}

/// Makes \p A or \p B the representative of both; they have the same device or
/// the same parts.
void DeviceDomains::link(Domain A, Domain B) {
  if (Nodes[A].Rank < Nodes[B].Rank)
    std::swap(A, B);
  if (Nodes[A].Rank == Nodes[B].Rank)
    ++Nodes[A].Rank;
  Nodes[B].Parent = A;
}

/// Joins the devices of \p A and \p B.
bool DeviceDomains::join(Domain A, Domain B) {
  Node &To = Nodes[A], &From = Nodes[B];
  std::optional<DeviceNumber> Joined = Config.join(To.Device, From.Device);
  if (!Joined) {
    setConflict(To, From);
    return false;
  }
  if (To.Device == OpenDevice)
    To.Reason = From.Reason;
  if (!Config.hasScope(To.Device))
    To.ScopeReason = From.ScopeReason;
  From.Device = To.Device = *Joined;
  From.Reason = To.Reason;
  From.ScopeReason = To.ScopeReason;
  link(A, B);
  return true;
}

/// Unifies two representatives, or adds their parts to \p Worklist.
bool DeviceDomains::unifyRoots(
    Domain A, Domain B, SmallVectorImpl<std::pair<Domain, Domain>> &Worklist) {
  const Node L = Nodes[A], R = Nodes[B];
  if (!L.NumParts && !R.NumParts)
    return join(A, B);
  if (L.NumParts == R.NumParts) {
    link(A, B);
    for (unsigned I = L.NumParts; I-- != 0;)
      Worklist.push_back({L.FirstPart + I, R.FirstPart + I});
    return true;
  }
  // A function of an unknown type, or as a part of a structure.
  Domain Whole = L.NumParts ? B : A;
  for (Domain Function : {A, B})
    if (Function != Whole)
      for (unsigned I = Nodes[Function].NumParts; I-- != 0;)
        Worklist.push_back({Whole, Nodes[Function].FirstPart + I});
  return true;
}

bool DeviceDomains::unify(Domain A, Domain B) {
  SmallVector<std::pair<Domain, Domain>, 8> Worklist{{A, B}};
  while (!Worklist.empty()) {
    auto [L, R] = Worklist.pop_back_val();
    L = find(L);
    R = find(R);
    if (L != R && !unifyRoots(L, R, Worklist))
      return false;
  }
  return true;
}

bool DeviceDomains::require(Domain D, DeviceNumber Device, Location Reason) {
  if (Device == OpenDevice)
    return true;
  while (isFunction(D))
    D = getResult(D);
  Domain New = add();
  Nodes[New].Device = Device;
  Nodes[New].Reason = Nodes[New].ScopeReason = Reasons.size();
  Reasons.push_back(Reason);
  return unify(D, New);
}

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

void DeviceDomains::setDefault(Domain D, DeviceNumber Device) {
  SmallVector<Domain, 8> Worklist{D};
  while (!Worklist.empty()) {
    Node &N = Nodes[find(Worklist.pop_back_val())];
    for (unsigned I = N.NumParts; I-- != 0;)
      Worklist.push_back(N.FirstPart + I);
    if (!N.NumParts)
      N.Device = Config.getDefaulted(N.Device, Device);
  }
}

void DeviceDomains::setDefaultOfResultThenParams(Domain D,
                                                 DeviceNumber Device) {
  Domain Result = D;
  while (isFunction(Result))
    Result = getResult(Result);
  setDefault(Result, Device);
  setDefault(D, getDevice(Result));
}

DeviceNumber DeviceDomains::getDevice(Domain D) {
  while (isFunction(D))
    D = getResult(D);
  DeviceNumber Device = Nodes[find(D)].Device;
  return Device == OpenDevice ? Config.getDefault() : Device;
}
