//===- RuleFile.cpp - Files of patterns and rules -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries are read one after the other; after an error, reading continues at
// the next entry. Diagnostics on several rules come last.
//
//===----------------------------------------------------------------------===//

#include "Composite/PatternCover.h"
#include "ReplacementParser.h"
#include "relay/IR/Context.h"
#include "relay/Pass/PassRegistry.h"
#include "relay/Pattern/Text/RuleText.h"
#include "relay/Text/Parse/Literals.h"
#include "llvm/ADT/StringSet.h"

using namespace relay;

/// Parsing stops after this many entries with errors.
static constexpr unsigned MaxErrors = 20;
/// Maximal number of nodes compared to find shadowed rules.
static constexpr uint64_t MaxCompared = 1000000;

namespace {

class RuleFileParser {
public:
  /// \p Registry has the checks of patterns; null in files of which only the
  /// rules are used.
  RuleFileParser(Context &Ctx, const PassRegistry *Registry)
      : Ctx(Ctx), Registry(Registry), P(Ctx) {}

  LogicalResult parse();
  std::vector<NamedPattern> takePatterns() { return std::move(Patterns); }
  std::vector<RewriteRule> takeRules() { return std::move(Rules); }
  /// Orders the rules by benefit, and warns of shadowed rules.
  void warnOfShadowed();

private:
  LogicalResult parseEntry();
  LogicalResult parsePattern();
  FailureOr<PatternCheckFn> parseCheck();
  LogicalResult parseRule();
  LogicalResult parseTraits(RewriteRule &Rule);
  LogicalResult parseBenefit(RewriteRule &Rule);
  LogicalResult parseSharesInner(RewriteRule &Rule);
  LogicalResult checkName(const Token &At, StringRef Name);

  Context &Ctx;
  const PassRegistry *Registry;
  PatternParser P;
  std::vector<NamedPattern> Patterns;
  std::vector<RewriteRule> Rules;
  /// Locations of declared rules, by name.
  llvm::StringMap<Location> Declared;
  /// Rules that apply only to some matches of their patterns, by name.
  llvm::StringMap<bool> HasConditions;
};

} // namespace

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

LogicalResult RuleFileParser::parse() {
  unsigned NumErrors = 0;
  while (!P.atEnd()) {
    if (NumErrors == MaxErrors)
      return P.error(P.getToken(), "too many errors; the rest is not read");
    if (succeeded(parseEntry()))
      continue;
    ++NumErrors;
    while (!P.atEnd() && !P.atWord("pattern") && !P.atWord("rule"))
      P.advance();
  }
  return llvm::success(NumErrors == 0);
}

LogicalResult RuleFileParser::parseEntry() {
  P.forgetNames();
  P.setAllowsAttrNames(P.atWord("rule"));
  if (P.consumeIfWord("rule"))
    return parseRule();
  if (P.consumeIfWord("pattern"))
    return parsePattern();
  return P.expected("`pattern` or `rule`");
}

LogicalResult RuleFileParser::parsePattern() {
  Token At = P.getToken();
  FailureOr<std::string> Name =
      P.parseString("the name of the pattern, a string");
  if (failed(Name))
    return failure();
  if (Name->empty())
    return P.error(At, "the name of a pattern is empty");
  FailureOr<PatternCheckFn> Check = parseCheck();
  if (failed(Check) || failed(P.expect(Tok::Equal, "after the name")))
    return failure();
  FailureOr<Pattern> Parsed = P.parsePattern();
  if (failed(Parsed))
    return failure();
  Patterns.push_back({std::move(*Name), *Parsed, /*IsOfRule=*/false, *Check});
  return success();
}

/// Parses `{check="f"}`, or nothing. Returns the function, null for none.
FailureOr<PatternCheckFn> RuleFileParser::parseCheck() {
  if (!P.consumeIf(Tok::LBrace))
    return nullptr;
  if (!P.consumeIfWord("check"))
    return P.expected("`check`");
  if (failed(P.expect(Tok::Equal, "after `check`")))
    return failure();
  Token At = P.getToken();
  FailureOr<std::string> Name =
      P.parseString("the name of a function, a string");
  if (failed(Name) || failed(P.expect(Tok::RBrace, "after the check")))
    return failure();
  if (!Registry)
    return nullptr;
  if (const PatternCheck *Known = Registry->lookupPatternCheck(*Name))
    return Known->Accepts;
  return P.error(At, "no pattern table has the check '" + *Name + "'")
         << getSuggestion(*Name, Registry->getPatternCheckNames());
}

/// The operator calls in \p Source as captures of a match: calls in a regrouped
/// pattern may have other operators, and calls in an alternative may be
/// missing.
static std::vector<RuleCapture> makeCaptures(const PatternParser &P,
                                             const Pattern &Source) {
  llvm::DenseMap<const PatternNode *, bool> IsThere = {
      {&Source.getNode(), true}};
  SmallVector<const PatternNode *, 16> Work = {&Source.getNode()};
  while (!Work.empty()) {
    const PatternNode *Node = Work.pop_back_val();
    if (Node->is(PatternKind::Alternative))
      continue;
    for (const PatternNode *Child : Node->getChildren())
      if (IsThere.try_emplace(Child, true).second)
        Work.push_back(Child);
  }
  std::vector<RuleCapture> Captures;
  for (auto [I, Call] : llvm::enumerate(P.getCalls()))
    Captures.push_back(
        {Call, &P.getCalledOperator(I), !IsThere.lookup(&Call.getNode())});
  return Captures;
}

LogicalResult RuleFileParser::parseRule() {
  Token At = P.getToken();
  FailureOr<std::string> Name = P.parseString("the name of the rule, a string");
  if (failed(Name) || failed(checkName(At, *Name)))
    return failure();
  RewriteRule Rule(*Name, "", wildcard());
  Rule.Constants = ConstantEquality::ByValue;
  Rule.Loc = P.getLoc(At);
  if (failed(parseTraits(Rule)) ||
      failed(P.expect(Tok::Equal, "after the name")))
    return failure();
  FailureOr<Pattern> Source = P.parsePattern();
  if (failed(Source) ||
      failed(P.expect(Tok::Arrow, "between pattern and replacement")))
    return failure();
  Rule.Source = *Source;
  Rule.Captures = makeCaptures(P, *Source);
  auto Made = std::make_shared<Replacement>(*Name);
  ReplacementParser Right(P, *Source, Rule.Captures, *Made);
  if (failed(Right.addAttrNames()) || failed(Right.parse()))
    return failure();
  HasConditions[*Name] = Made->hasConditions();
  Rule.Check = [Made](const RuleMatch &M) { return Made->isApplicable(M); };
  Rule.ExplainCheck = [Made](const RuleMatch &M) {
    return Made->explainType(M);
  };
  Rule.Build = [Made](Rewriter &R, const RuleMatch &M) {
    return Made->build(R, M);
  };
  Patterns.push_back({std::move(*Name), *Source, /*IsOfRule=*/true});
  Rules.push_back(std::move(Rule));
  return success();
}

LogicalResult RuleFileParser::checkName(const Token &At, StringRef Name) {
  if (Name.empty())
    return P.error(At, "the name of a rule is empty");
  auto [It, IsNew] = Declared.try_emplace(Name, P.getLoc(At));
  if (IsNew)
    return success();
  InFlightDiagnostic D = P.error(At, "rule '" + Name + "' is already defined");
  D.note(It->second, "first defined here");
  return D;
}

//===----------------------------------------------------------------------===//
// Traits
//===----------------------------------------------------------------------===//

/// Parses `{benefit=2, shares_inner=True}`, or nothing.
LogicalResult RuleFileParser::parseTraits(RewriteRule &Rule) {
  if (!P.consumeIf(Tok::LBrace))
    return success();
  llvm::StringSet<> Seen;
  while (!P.at(Tok::RBrace)) {
    Token Name = P.getToken();
    if (!P.at(Tok::Identifier))
      return P.expected("`benefit` or `shares_inner`");
    bool IsBenefit = P.atWord("benefit");
    if (!IsBenefit && !P.atWord("shares_inner"))
      return P.error(Name, "unknown trait `" + Name.text() + "`")
             << getSuggestion(Name.text(), {"benefit", "shares_inner"});
    if (!Seen.insert(Name.text()).second)
      return P.error(Name, "trait `" + Name.text() + "` is given twice");
    P.advance();
    if (failed(P.expect(Tok::Equal, "after the name of a trait")) ||
        failed(IsBenefit ? parseBenefit(Rule) : parseSharesInner(Rule)))
      return failure();
    if (!P.consumeIf(Tok::Comma))
      break;
  }
  return P.expect(Tok::RBrace, "after the traits");
}

LogicalResult RuleFileParser::parseBenefit(RewriteRule &Rule) {
  Token At = P.getToken();
  if (!P.at(Tok::Number) && !P.at(Tok::Minus))
    return P.expected("an integer");
  FailureOr<AttrLiteral> Value = P.parseAttrValue();
  if (failed(Value))
    return failure();
  Attr Benefit = Value->get(Ctx);
  if (!Benefit.isInt())
    return P.error(At, "expected an integer as the benefit");
  Rule.Benefit = Benefit.getInt();
  return success();
}

LogicalResult RuleFileParser::parseSharesInner(RewriteRule &Rule) {
  Rule.SharesInner = P.atWord("True");
  if (!P.consumeIfWord("True") && !P.consumeIfWord("False"))
    return P.expected("`True` or `False`");
  return success();
}

//===----------------------------------------------------------------------===//
// Shadowed rules
//===----------------------------------------------------------------------===//

/// Returns true if \p By, which is tried before \p Rule and has no conditions,
/// matches wherever Rule does, as far as \p Budget permits.
static bool isShadowed(const RewriteRule &Rule, const RewriteRule &By,
                       uint64_t &Budget) {
  return PatternCover(Budget).covers(By.Source.getNode(),
                                     Rule.Source.getNode()) &&
         (By.SharesInner || !Rule.SharesInner);
}

/// Returns the operator that the root of \p Rule calls; empty for other roots.
static StringRef getRootOperator(const RewriteRule &Rule) {
  const PatternNode *Node = &Rule.Source.getNode();
  while (isDemand(Node->getKind()))
    Node = &Node->getChild(0);
  return Node->is(PatternKind::Call) ? Node->getChild(0).getName() : "";
}

void RuleFileParser::warnOfShadowed() {
  sortByBenefit(Rules);
  llvm::StringMap<SmallVector<const RewriteRule *, 4>> ByOperator;
  uint64_t Budget = MaxCompared;
  for (const RewriteRule &Rule : Rules) {
    if (Budget == 0)
      return;
    auto &Before = ByOperator[getRootOperator(Rule)];
    const auto *By = llvm::find_if(Before, [&](const RewriteRule *Other) {
      return isShadowed(Rule, *Other, Budget);
    });
    if (By != Before.end()) {
      InFlightDiagnostic D = Ctx.getDiagnostics().emitWarning(
          Rule.Loc, "rule '" + Rule.Name + "' is shadowed by '" + (*By)->Name +
                        "', which matches wherever it does and comes first; "
                        "it applies only where '" +
                        (*By)->Name + "' would change the type");
      D.note((*By)->Loc, "'" + (*By)->Name + "' is declared here");
    }
    if (!HasConditions.lookup(Rule.Name))
      Before.push_back(&Rule);
  }
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

FailureOr<std::vector<NamedPattern>>
relay::parsePatternFile(std::unique_ptr<llvm::MemoryBuffer> Buffer,
                        Context &Ctx, const PassRegistry &Registry) {
  Ctx.getDiagnostics().setMainBuffer(std::move(Buffer));
  RuleFileParser Parser(Ctx, &Registry);
  if (failed(Parser.parse()))
    return failure();
  return Parser.takePatterns();
}

FailureOr<std::vector<RewriteRule>>
relay::parseRuleFile(std::unique_ptr<llvm::MemoryBuffer> Buffer, Context &Ctx) {
  std::string Name = Buffer->getBufferIdentifier().str();
  Ctx.getDiagnostics().setMainBuffer(std::move(Buffer));
  RuleFileParser Parser(Ctx, /*Registry=*/nullptr);
  if (failed(Parser.parse()))
    return failure();
  Parser.warnOfShadowed();
  std::vector<RewriteRule> Rules = Parser.takeRules();
  if (Rules.empty())
    return Ctx.emitError(Location(), "'" + Name + "' has no rules");
  return Rules;
}
