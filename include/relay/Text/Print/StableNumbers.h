//===- StableNumbers.h - Numbers that stay from print to print --*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Printed text numbers graph nodes, constants with metadata, and variables of
// one name (`%p01`, `%p02`) by their place, so that inserting an operation
// renumbers all later ones. For the comparison of a function before and after a
// pass, StableNumbers lets a value keep its number while it exists. New values
// get unused numbers.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TEXT_PRINT_STABLENUMBERS_H
#define RELAY_TEXT_PRINT_STABLENUMBERS_H

#include "relay/IR/Operation.h"
#include "relay/Support/PointerHash.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>

namespace relay {

/// The numbers of one function, kept while it changes. The first print uses the
/// numbers of a print without StableNumbers.
class StableNumbers {
public:
  /// Records \p F before it is printed. A new operation takes over the number
  /// of a removed one of the same kind and location.
  void update(Function &F);
  /// Reserves \p Index for one constant.
  void reserveConstant(uint32_t Index) { ReservedConstants.insert(Index); }
  /// The number of \p Op, of the function last updated to.
  uint32_t getNumber(const Operation &Op);
  /// The name of the variable \p V of that function, whose name is \p Base: \p
  /// Readable, possibly with a number. The text lives as long as this object.
  StringRef getName(const Value &V, StringRef Base, StringRef Readable);

private:
  void updateNames(Function &F);

  struct Node {
    const OpInfo *Info;
    Location Loc;
    uint32_t Number;
    bool describes(const Operation &Op) const {
      return Info == &Op.getInfo() && Loc == Op.getLoc();
    }
  };
  using Origin = std::pair<const OpInfo *, uint32_t>;

  PointerMap<const Operation, Node> Nodes;
  /// Numbers of values removed since the last print, the least at the back.
  llvm::DenseMap<Origin, SmallVector<uint32_t, 1>> Gone;
  uint32_t NextNode = 0, NextConstant = 0;
  std::set<uint32_t> ReservedConstants;

  struct Variable {
    StringRef Base, Name;
    Location Loc;
  };
  using VariableOrigin = std::pair<StringRef, uint32_t>;
  PointerMap<const Value, Variable> Variables;
  /// Names of variables that have gone since the last print, by what these were
  /// called in the text and where, the first at the back.
  llvm::DenseMap<VariableOrigin, SmallVector<StringRef, 1>> GoneNames;
  llvm::StringSet<> Taken; ///< names that a variable has or has had
  llvm::StringMap<unsigned> NumNamed;
};

} // namespace relay

#endif // RELAY_TEXT_PRINT_STABLENUMBERS_H
