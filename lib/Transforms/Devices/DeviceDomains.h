//===- DeviceDomains.h - Classes of values on one device --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unification of the devices of values. A domain is a class of values that are
// on one device; that of a function has parts instead, the domains of its
// parameters and of its result, as its type has. A function in a structure (a
// tuple, a reference, a value of an algebraic data type) is as a whole on the
// device of the structure.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_DEVICES_DEVICEDOMAINS_H
#define RELAY_LIB_TRANSFORMS_DEVICES_DEVICEDOMAINS_H

#include "CompilationConfig.h"
#include "relay/IR/Type.h"

namespace relay {

class DeviceDomains {
public:
  using Domain = uint32_t;
  static constexpr Domain None = 0;

  explicit DeviceDomains(CompilationConfig &Config) : Config(Config) {
    Nodes.emplace_back();
    Reasons.emplace_back();
  }

  //===--- Creation -------------------------------------------------------===//
  /// Creates a domain for values of type \p T; null is an unknown type.
  Domain create(const Type *T);
  /// Creates the domain of a function of \p Params parameters and a result, of
  /// unknown types.
  Domain createFunction(unsigned Params);

  //===--- Constraints ----------------------------------------------------===//
  /// Makes the domains one. Returns false, and sets getConflict(), if their
  /// devices conflict.
  bool unify(Domain A, Domain B);
  /// Puts the result of \p D on \p Device, which \p Reason requires.
  bool require(Domain D, DeviceNumber Device, Location Reason);
  /// Fills in what \p Device knows and the parts of \p D leave open.
  void setDefault(Domain D, DeviceNumber Device);
  /// Like setDefault(), for the result; then its device is the default of the
  /// parameters.
  void setDefaultOfResultThenParams(Domain D, DeviceNumber Device);

  //===--- Results --------------------------------------------------------===//
  /// Returns true if \p D is the domain of a function.
  bool isFunction(Domain D) { return Nodes[find(D)].NumParts != 0; }
  unsigned getNumParams(Domain D) { return Nodes[find(D)].NumParts - 1; }
  Domain getParam(Domain D, unsigned I) {
    assert(I < getNumParams(D));
    return Nodes[find(D)].FirstPart + I;
  }
  Domain getResult(Domain D) {
    return Nodes[find(D)].FirstPart + getNumParams(D);
  }
  /// Returns the device of \p D: for a function, that of its result.
  DeviceNumber getDevice(Domain D);

  /// The requirements that do not agree, and their reasons.
  struct Conflict {
    DeviceNumber Devices[2];
    Location Reasons[2];
    uint32_t Ids[2]; ///< of Reasons
  };
  const Conflict &getConflict() const { return Last; }

private:
  struct Node {
    Domain Parent = None; ///< None: the representative
    DeviceNumber Device = OpenDevice;
    Domain FirstPart = None;
    uint32_t NumParts = 0;    ///< parameters and the result; 0: not a function
    uint32_t Reason = 0;      ///< for the device
    uint32_t ScopeReason = 0; ///< for the memory scope
    uint32_t Rank = 0;        ///< the most steps to this representative
  };
  Domain find(Domain D);
  Domain add() {
    Nodes.emplace_back();
    return Nodes.size() - 1;
  }
  void addParts(Domain D, unsigned Number);
  bool unifyRoots(Domain A, Domain B,
                  SmallVectorImpl<std::pair<Domain, Domain>> &Worklist);
  bool join(Domain A, Domain B);
  void link(Domain A, Domain B);
  void setConflict(const Node &A, const Node &B);

  CompilationConfig &Config;
  std::vector<Node> Nodes;       // [0] is None
  std::vector<Location> Reasons; // [0] is unknown
  Conflict Last{};
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_DEVICES_DEVICEDOMAINS_H
