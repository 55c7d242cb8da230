//===- BoundedRegex.cpp - User-supplied regular expressions ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See BoundedRegex.h. The measurement parses only what affects the size;
// llvm::Regex reports the errors of the syntax.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/BoundedRegex.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;

namespace {

/// Estimates the number of states of a compiled expression.
class RegexMeasurement {
public:
  explicit RegexMeasurement(StringRef Text) : Rest(Text) {}

  /// Returns why the expression must not be compiled; empty if it may be.
  std::string run();

private:
  bool consumeAtom();
  void skipSet();
  bool consumeRepetition();

  /// The number of states that a group, an alternative or a copy adds.
  static constexpr uint64_t Overhead = 4;

  StringRef Rest;
  /// Sizes of the open groups, without their last atom; the outermost first.
  SmallVector<uint64_t, 8> Before = {0};
  uint64_t Atom = 0; ///< size of the last atom of the innermost group
};

} // namespace

/// Skips the rest of a set after its `[`. A `]` that comes first, or after `^`,
/// is an element; so is `[:alpha:]`.
void RegexMeasurement::skipSet() {
  Rest.consume_front("^");
  Rest.consume_front("]");
  while (!Rest.empty() && Rest.front() != ']') {
    size_t Size = 1;
    if (Rest.starts_with("[:") || Rest.starts_with("[.") ||
        Rest.starts_with("[="))
      Size = Rest.find(StringRef(std::string{Rest[1], ']'}), 2) + 2;
    Rest = Rest.drop_front(std::min(Rest.size(), Size));
  }
  Rest.consume_front("]");
}

/// Reads an atom or the border of a group. Returns false for a back reference.
bool RegexMeasurement::consumeAtom() {
  char C = Rest.front();
  Rest = Rest.drop_front();
  if (C == ')' && Before.size() > 1) {
    Atom = llvm::SaturatingAdd(Before.pop_back_val(), Atom, Overhead);
    return true;
  }
  Before.back() = llvm::SaturatingAdd(Before.back(), Atom);
  Atom = 1;
  if (C == '(') {
    Before.push_back(0);
    Atom = 0;
  } else if (C == '|') {
    Atom = Overhead;
  } else if (C == '[') {
    skipSet();
  } else if (C == '\\' && !Rest.empty()) {
    if (llvm::isDigit(Rest.front()) && Rest.front() != '0')
      return false;
    Rest = Rest.drop_front();
  }
  return true;
}

/// Reads `*`, `+`, `?` or `{m,n}` after an atom; returns false if there is
/// none.
bool RegexMeasurement::consumeRepetition() {
  if (Rest.empty())
    return false;
  uint64_t Copies = 1;
  if (!StringRef("*+?").contains(Rest.front())) {
    StringRef Bounds = Rest;
    uint64_t Most = 0;
    if (!Bounds.consume_front("{") || Bounds.consumeInteger(10, Copies))
      return false;
    if (Bounds.consume_front(",") && !Bounds.consumeInteger(10, Most))
      Copies = std::max(Copies, Most);
    if (!Bounds.starts_with("}"))
      return false;
    Rest = Bounds;
  }
  Rest = Rest.drop_front();
  Atom = llvm::SaturatingMultiply(std::max<uint64_t>(Copies, 1),
                                  llvm::SaturatingAdd(Atom, Overhead));
  return true;
}

std::string RegexMeasurement::run() {
  while (!Rest.empty()) {
    if (!consumeAtom())
      return "back references are not supported";
    if (Before.size() > BoundedRegex::MaxDepth)
      return "groups are nested more than " +
             std::to_string(BoundedRegex::MaxDepth) + " levels deep";
    while (consumeRepetition())
      ;
  }
  uint64_t Size = Atom;
  for (uint64_t Part : Before)
    Size = llvm::SaturatingAdd(Size, Part);
  if (Size > BoundedRegex::MaxSize)
    return "its repetitions expand to more than " +
           std::to_string(BoundedRegex::MaxSize) + " states";
  return "";
}

BoundedRegex::BoundedRegex(StringRef Text)
    : Error(RegexMeasurement(Text).run()) {
  if (!Error.empty())
    return;
  Compiled.emplace(Text);
  if (!Compiled->isValid(Error))
    Compiled.reset();
}

bool BoundedRegex::isValid(std::string &Problem) const {
  if (!Compiled)
    Problem = Error;
  return Compiled.has_value();
}

bool BoundedRegex::match(StringRef Text) const {
  return Compiled && Compiled->match(Text);
}
