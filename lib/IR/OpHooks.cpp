//===- OpHooks.cpp - Tables of hooks --------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of operators, and the tables indexed by them. The Context owns the
// tables; see Context.cpp.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/OpHooks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <atomic>

using namespace relay;
using llvm::Error;
using llvm::Expected;

unsigned OpNumber::getOrAssign() const {
  if (unsigned Known = get())
    return Known;
  // Operators are static objects and may be new to two Contexts at once. The
  // number that one of them then takes in vain stays unused.
  static std::atomic<unsigned> Last{0};
  unsigned New = ++Last, Known = 0;
  return Value.compare_exchange_strong(Known, New) ? New : Known;
}

//===----------------------------------------------------------------------===//
// OpHookView
//===----------------------------------------------------------------------===//

OpHookView::OpHookView(ArrayRef<StringRef> Keys) {
  for (StringRef Key : Keys)
    this->Keys.push_back(Key.str());
}

bool OpHookView::hasKeys(ArrayRef<StringRef> Other) const {
  return llvm::equal(Keys, Other);
}

/// Returns the position of \p Key in the order of the lookup; none if the
/// lookup does not include it.
std::optional<unsigned> OpHookView::getRank(StringRef Key) const {
  if (Key.empty())
    return Keys.size();
  auto It = llvm::find(Keys, Key);
  if (It == Keys.end())
    return std::nullopt;
  return It - Keys.begin();
}

void OpHookView::add(const OpHookEntry &Entry) {
  std::optional<unsigned> Rank = getRank(Entry.Key);
  if (!Rank)
    return;
  unsigned N = Entry.getOp().Number.getOrAssign();
  if (N >= First.size())
    First.resize(N + 1, nullptr);
  OpHookNode **Place = &First[N];
  auto IsBefore = [&](const OpHookNode &Node) {
    return Node.Rank != *Rank ? Node.Rank < *Rank : Node.Level > Entry.Level;
  };
  while (*Place && IsBefore(**Place))
    Place = &(*Place)->Next;
  Nodes.push_back({Entry.getFunction(), Entry.Closure, Entry.Value, &Entry,
                   *Place, *Rank, Entry.Level});
  *Place = &Nodes.back();
}

//===----------------------------------------------------------------------===//
// OpHookTable
//===----------------------------------------------------------------------===//

/// relay-tblgen has checked that the entries have distinct operators, keys or
/// levels.
OpHookTable::OpHookTable(const OpHookKind &Kind) {
  Entries.reserve(Kind.Entries.size());
  for (const OpHookEntry &E : Kind.Entries)
    Entries.push_back(&E);
}

const OpHookEntry *OpHookTable::add(const OpHookEntry &Entry) {
  if (ByOp.empty())
    for (const OpHookEntry *E : Entries)
      ByOp[&E->getOp()].push_back(E);
  auto &Present = ByOp[&Entry.getOp()];
  for (const OpHookEntry *E : Present)
    if (E->Key == Entry.Key && E->Level == Entry.Level)
      return E;
  Present.push_back(&Entry);
  Entries.push_back(&Entry);
  for (std::unique_ptr<OpHookView> &View : Views)
    View->add(Entry);
  return nullptr;
}

const OpHookEntry *OpHookTable::addCopy(const OpHookEntry &Entry) {
  auto Copy = std::make_unique<OpHookEntry>(Entry);
  if (const OpHookEntry *Present = add(*Copy))
    return Present;
  Copies.push_back(std::move(Copy));
  return nullptr;
}

const OpHookView &OpHookTable::getView(ArrayRef<StringRef> Keys) {
  for (std::unique_ptr<OpHookView> &View : Views)
    if (View->hasKeys(Keys))
      return *View;
  auto &View = Views.emplace_back(std::make_unique<OpHookView>(Keys));
  for (const OpHookEntry *E : Entries)
    View->add(*E);
  return *View;
}

//===----------------------------------------------------------------------===//
// OpHookRegistration
//===----------------------------------------------------------------------===//

OpHookEntry &OpHookRegistration::makeEntry(const OpInfo &Op, StringRef Name) {
  auto Entry = std::make_shared<OpHookEntry>();
  Ctx.keep(Entry);
  Entry->Op = &Op;
  Entry->Key = Ctx.intern(Key);
  Entry->Level = Level;
  Entry->Name = Ctx.intern(Name);
  Entry->Source = Ctx.intern(Source);
  return *Entry;
}

std::string OpHookRegistration::toString(const OpHookKind &Kind,
                                         const OpFactValue &Value) {
  switch (Kind.FactType) {
  case OpFactType::None:
    llvm_unreachable("a kind of hook has no values");
  case OpFactType::Bool:
    return Value.Number ? "true" : "false";
  case OpFactType::Int:
    return std::to_string(Value.Number);
  case OpFactType::String:
    return Value.Text.str();
  case OpFactType::Enum:
    return Kind.EnumValues[Value.Number].str();
  }
  llvm_unreachable("covered switch");
}

//===----------------------------------------------------------------------===//
// Values of facts
//===----------------------------------------------------------------------===//

static Error makeValueError(const Twine &Expectation, StringRef Text) {
  return llvm::createStringError("expects " + Expectation + ", got '" + Text +
                                 "'");
}

Expected<OpFactValue> relay::parseOpFact(const OpHookKind &Kind,
                                         StringRef Text) {
  OpFactValue Value;
  switch (Kind.FactType) {
  case OpFactType::None:
    llvm_unreachable("a kind of hook has no values");
  case OpFactType::Bool:
    if (Text != "true" && Text != "false")
      return makeValueError("true or false", Text);
    Value.Number = Text == "true";
    return Value;
  case OpFactType::Int:
    if (Text.getAsInteger(10, Value.Number))
      return makeValueError("an integer", Text);
    return Value;
  case OpFactType::String:
    Value.Text = Text;
    return Value;
  case OpFactType::Enum:
    auto *It = llvm::find(Kind.EnumValues, Text);
    if (It == Kind.EnumValues.end())
      return makeValueError("one of " + llvm::join(Kind.EnumValues, ", "),
                            Text);
    Value.Number = It - Kind.EnumValues.begin();
    return Value;
  }
  llvm_unreachable("covered switch");
}
