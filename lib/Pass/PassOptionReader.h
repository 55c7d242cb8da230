//===- PassOptionReader.h - The value of an option as text ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads one value, `4`, `a,"b,c"` or `nn.conv2d:NHWC:OHWI`, and checks it
// against the declaration of its option. Private to the library Pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PASS_PASSOPTIONREADER_H
#define RELAY_LIB_PASS_PASSOPTIONREADER_H

#include "relay/Pass/PassOptions.h"

namespace relay {

/// An error in a value, and its position in the text.
struct PassOptionError {
  size_t At, Length;
  std::string Message; ///< continues the option's name
};

class PassOptionReader {
public:
  /// Characters around a value that are ignored, unless they are in quotes.
  static constexpr const char *Blanks = " \t\r\n";

  /// Reads from \p Pos of \p Text up to a character of \p End.
  PassOptionReader(const PassOptionInfo &Option, StringRef Text, size_t Pos,
                   StringRef End)
      : Option(Option), Text(Text), Pos(Pos), End(End) {}

  std::optional<PassOptionError> read(PassOptionValue &Value);
  /// Returns the position at which reading stopped.
  size_t getPosition() const { return Pos; }

private:
  std::optional<PassOptionError> readShape(PassOptionValue &Value);
  std::optional<PassOptionError> readList(PassOptionValue &Value);
  std::optional<PassOptionError> readMap(PassOptionValue &Value);
  std::optional<PassOptionError> readKey(PassOptionValue &Value,
                                         std::string &Key);
  /// Reads a scalar that also ends before a character of \p Separators.
  std::optional<PassOptionError> readScalar(StringRef Separators,
                                            PassOptionScalar &S);
  std::optional<PassOptionError> readItem(StringRef Separators,
                                          std::string &Item);
  std::optional<PassOptionError> readQuoted(std::string &Item);
  std::optional<PassOptionError> convert(StringRef Item, size_t At,
                                         PassOptionScalar &S);
  template <typename T>
  std::optional<PassOptionError> checkLimits(T Number, StringRef Item,
                                             size_t At) const;

  PassOptionError wrong(size_t At, const Twine &Message) const {
    return {At, Pos - At, Message.str()};
  }
  void skipBlanks() {
    Pos = std::min(Text.size(), Text.find_first_not_of(Blanks, Pos));
  }
  bool atEnd() {
    skipBlanks();
    return Pos == Text.size() || End.contains(Text[Pos]);
  }
  bool consume(char C) {
    skipBlanks();
    bool Is = Pos != Text.size() && Text[Pos] == C;
    Pos += Is;
    return Is;
  }

  const PassOptionInfo &Option;
  StringRef Text;
  size_t Pos;
  StringRef End;
};

} // namespace relay

#endif // RELAY_LIB_PASS_PASSOPTIONREADER_H
