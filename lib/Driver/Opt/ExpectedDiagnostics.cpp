//===- ExpectedDiagnostics.cpp - -verify-diagnostics ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ExpectedDiagnostics.h.
//
//===----------------------------------------------------------------------===//

#include "ExpectedDiagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

using namespace relay;

static StringRef getName(Severity Kind) {
  switch (Kind) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  case Severity::Note:
    return "note";
  }
  llvm_unreachable("unknown severity");
}

static Severity parseSeverity(StringRef Name) {
  return llvm::StringSwitch<Severity>(Name)
      .Case("error", Severity::Error)
      .Case("warning", Severity::Warning)
      .Case("remark", Severity::Remark)
      .Default(Severity::Note);
}

//===----------------------------------------------------------------------===//
// Expectations
//===----------------------------------------------------------------------===//

ExpectedDiagnostics::ExpectedDiagnostics(DiagnosticEngine &Diags,
                                         StringRef Text, unsigned FirstLine,
                                         ExpectedScope Scope)
    : Diags(Diags), Scope(Scope) {
  collect(Text, FirstLine);
  Diags.pushHandler([this](const Diagnostic &D) {
    take(D, Location());
    return true;
  });
}

void ExpectedDiagnostics::collect(StringRef Text, unsigned FirstLine) {
  llvm::Regex Comment(
      "expected-(error|warning|remark|note)(-re)? "
      "*(@([+-][0-9]+|above|below|unknown))? *\\{\\{(.*)\\}\\}$");
  llvm::Regex Attempt("[Ee]xpect(ed)?[-_ ](error|warning|remark|note)[^{]*"
                      "(\\{\\{|\\[\\[)|"
                      "expected-[a-z]+(-re)?( *@[^ {]*)? *\\{|"
                      "expected-(error|warning|remark|note)(-re)? *@");
  StringRef Rest = Text;
  LastPlainLine = FirstLine - 1;
  for (unsigned Line = FirstLine; !Rest.empty(); ++Line) {
    auto [Current, Next] = Rest.split('\n');
    Rest = Next;
    SmallVector<StringRef> Parts;
    if (Comment.match(Current.rtrim(), &Parts)) {
      addExpectation(Parts, Line, Parts[0].data() - Text.data());
      continue;
    }
    if (Attempt.match(Current, &Parts))
      Wrong.push_back(
          {Location::fromOffset(Parts[0].data() - Text.data()),
           "expected a line that ends in expected-(error|warning|remark|note)"
           "[-re][@(+N|-N|above|below|unknown)] {{...}}"});
    LastPlainLine = Line;
    resolveBelow(Line);
  }
}

void ExpectedDiagnostics::resolveBelow(unsigned Line) {
  for (size_t I : Below)
    Expectations[I].Line = Line;
  Below.clear();
}

/// Converts \p Text to a regular expression: `{{…}}` are expressions, the rest
/// is literal.
static std::string getPattern(StringRef Text) {
  std::string Pattern;
  while (!Text.empty()) {
    auto [Literal, Rest] = Text.split("{{");
    Pattern += llvm::Regex::escape(Literal);
    auto [Expression, After] = Rest.split("}}");
    if (!Expression.empty())
      Pattern += ("(" + Expression + ")").str();
    Text = After;
  }
  return Pattern;
}

void ExpectedDiagnostics::addExpectation(ArrayRef<StringRef> Parts,
                                         unsigned Line, size_t Offset) {
  Expectation E;
  E.Kind = parseSeverity(Parts[1]);
  E.Line = Line;
  E.Loc = Location::fromOffset(Offset);
  E.Text = Parts[5].str();
  std::string Problem;
  if (!Parts[2].empty() &&
      !E.Pattern.emplace(getPattern(E.Text)).isValid(Problem))
    Wrong.push_back({E.Loc, "not a regular expression: " + Problem});
  StringRef Where = Parts[4];
  int64_t Distance = 0;
  if (Where == "unknown")
    E.Line = 0;
  else if (Where == "above")
    E.Line = LastPlainLine;
  else if (Where == "below")
    Below.push_back(Expectations.size());
  else if (Where.consume_front("+"), llvm::to_integer(Where, Distance))
    E.Line = std::max<int64_t>(0, int64_t(Line) + Distance);
  if (!E.Line && Where != "unknown")
    Wrong.push_back({E.Loc, "there is no such line"});
  Expectations.push_back(std::move(E));
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

bool ExpectedDiagnostics::Expectation::matches(StringRef Message) const {
  return Pattern ? Pattern->match(Message) : Message.contains(Text);
}

void ExpectedDiagnostics::complain(Location Loc, const Twine &Message) {
  Failed = true;
  Diags.print({Severity::Error, Loc, 0, Message.str(), {}}, llvm::errs());
}

/// Matches \p D and its notes. \p Outer is the position of the diagnostic that
/// \p D is a note of.
void ExpectedDiagnostics::take(const Diagnostic &D, Location Outer) {
  Location Loc = D.Loc.isKnown() ? D.Loc : Outer;
  unsigned Line = Diags.getLineAndColumn(Loc).first;
  auto Found = llvm::find_if(Expectations, [&](const Expectation &E) {
    return !E.Met && E.Kind == D.Kind && E.Line == Line && E.matches(D.Message);
  });
  if (Found != Expectations.end())
    Found->Met = true;
  else if (Scope == ExpectedScope::All)
    complain(Loc, "unexpected " + getName(D.Kind) + ": " + D.Message);
  for (const Diagnostic &Note : D.Notes)
    take(Note, Loc);
}

LogicalResult ExpectedDiagnostics::finish() {
  Diags.popHandler();
  for (const Malformed &W : Wrong)
    complain(W.Loc, W.Problem);
  for (const Expectation &E : Expectations)
    if (!E.Met)
      complain(E.Loc, "expected " + getName(E.Kind) + " \"" + E.Text +
                          "\" was not produced");
  return success(!Failed);
}
