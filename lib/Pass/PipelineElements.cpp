//===- PipelineElements.cpp - The tree of a pipeline's text ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PipelineElements.h. Groups nest at most MaxDepth levels deep, so that
// recursion is bounded.
//
//===----------------------------------------------------------------------===//

#include "PipelineElements.h"
#include "llvm/ADT/StringExtras.h"

using namespace relay;

namespace {

class ElementParser {
public:
  ElementParser(StringRef Text, DiagnosticEngine &Diags)
      : Text(Text), Diags(Diags) {}

  FailureOr<std::vector<PipelineElement>> parse() {
    std::vector<PipelineElement> Elements;
    skipSpace();
    if (Pos == Text.size())
      return Elements;
    if (failed(parseList(Elements, 0)))
      return failure();
    if (Pos != Text.size())
      return error(Pos, Text[Pos] == ')'   ? "unmatched ')'"
                        : Text[Pos] == '|' ? "expected ',', found '|'"
                                           : "expected ','");
    return Elements;
  }

private:
  static constexpr unsigned MaxDepth = 100;

  InFlightDiagnostic error(size_t At, const Twine &Message) {
    return Diags.emitError(Location::fromOffset(At), Message);
  }
  bool consume(char C) {
    bool Is = Pos != Text.size() && Text[Pos] == C;
    Pos += Is;
    return Is;
  }
  /// Skips spaces and line ends, which may surround elements, commas and
  /// parentheses.
  void skipSpace() {
    Pos = std::min(Text.size(), Text.find_first_not_of(" \t\r\n", Pos));
  }

  LogicalResult parseList(std::vector<PipelineElement> &Elements,
                          unsigned Depth) {
    do {
      skipSpace();
      PipelineElement &E = Elements.emplace_back();
      if (failed(parseElement(E, Depth)))
        return failure();
      skipSpace();
    } while (consume(','));
    return success();
  }

  LogicalResult parseElement(PipelineElement &E, unsigned Depth) {
    E.Loc = Location::fromOffset(Pos);
    E.Name = Text.substr(Pos).take_while([](char C) {
      return llvm::isAlnum(C) || StringRef("-_.").contains(C);
    });
    if (E.Name.empty())
      return error(Pos, "expected a pass");
    Pos += E.Name.size();
    size_t At = Pos;
    if (consume('<')) {
      if (failed(parseOptions(E, At)))
        return failure();
    }
    skipSpace();
    At = Pos;
    if (consume('{')) // as in MLIR
      return error(At,
                   "options are written in '<' and '>', separated by ';': '" +
                       E.Name + "<name=value>'");
    if (!consume('('))
      return success();
    if (Depth == MaxDepth)
      return error(At, "groups nested more than " + Twine(MaxDepth) +
                           " levels deep");
    E.HasMembers = true;
    skipSpace();
    if (consume(')'))
      return success();
    if (failed(parseList(E.Members, Depth + 1)))
      return failure();
    if (consume(')'))
      return success();
    InFlightDiagnostic D = error(Pos, "expected ',' or ')'");
    D.note(Location::fromOffset(At), "to match this '('");
    return D;
  }

  /// Consumes the text up to the `>` of this `<`, ignoring text in double
  /// quotes.
  LogicalResult parseOptions(PipelineElement &E, size_t Open) {
    size_t Start = Pos;
    bool Quoted = false;
    for (unsigned Depth = 1; Pos != Text.size(); ++Pos) {
      char C = Text[Pos];
      if (Quoted && C == '\\' && Pos + 1 != Text.size())
        ++Pos;
      else if (C == '"')
        Quoted = !Quoted;
      else if (!Quoted && C == '<')
        ++Depth;
      else if (!Quoted && C == '>' && --Depth == 0)
        break;
    }
    if (Pos == Text.size())
      return error(Open, "unmatched '<'");
    E.Options = Text.slice(Start, Pos++);
    E.OptionsLoc = Location::fromOffset(Start);
    return success();
  }

  StringRef Text;
  size_t Pos = 0;
  DiagnosticEngine &Diags;
};

} // namespace

FailureOr<std::vector<PipelineElement>>
relay::parsePipelineElements(StringRef Text, DiagnosticEngine &Diags) {
  return ElementParser(Text, Diags).parse();
}
