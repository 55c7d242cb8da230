//===- JsonCalls.cpp - Calls in JSON --------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of operators, including older ones, of functions, values and
// constructors, and their attributes.
//
//===----------------------------------------------------------------------===//

#include "JsonReader.h"
#include "Metadata/MetaWriter.h"

using namespace relay;

bool JsonReader::setTypeArgs(const Node &N, Operation *Op) {
  Attr A;
  if (!getValue(N, "type_args", A))
    return false;
  SmallVector<Type *, 4> Types;
  for (Attr Element : A.isArray() ? A.getArray() : ArrayRef<Attr>()) {
    if (Element.getKind() != Attr::Kind::Type)
      return fail(N, "`type_args` of `relay.Call` are not types");
    if (Element.getType()->isIncomplete())
      return true;
    if (!checkTypeVars(N, Element.getType()))
      return false;
    Types.push_back(Element.getType());
  }
  if (!Types.empty())
    Op->setTypeArgs(*P.F, Types);
  return true;
}

/// Returns true if \p A can be the attributes of a call of a function or
/// constructor.
static bool isCallAttrs(Attr A) {
  switch (A.getKind()) {
  case Attr::Kind::OpAttrs:
    return true;
  case Attr::Kind::Dict: // attributes of an unknown kind
    return llvm::any_of(A.getDict(), [](const NamedAttr &Entry) {
      return Entry.first.getString() == "attrs_type_key" &&
             Entry.second.isString();
    });
  case Attr::Kind::Object:
    return A.getTypeKey() == "DictAttrs";
  case Attr::Kind::Raw:
    return getMetaTypeKey(A).starts_with("relay.attrs.");
  default:
    return false;
  }
}

bool JsonReader::makeCall(const Node &N, ArrayRef<Value *> Args, Value *&Out) {
  uint32_t Callee;
  const Node &Op = *getNode(N, "op", Callee);
  StringRef Name;
  Attr A;
  Kind K = getKind(Op);
  if (K == Kind::Op)
    return makeOperatorCall(N, Op.Repr.value_or(""), Args, Out);
  if (!getValue(N, "attrs", A))
    return false;
  if (A && !isCallAttrs(A))
    return fail(N, "`attrs` of a call is `" + getMetaTypeKey(A) +
                       "`, which is not a kind of attributes");
  if (A && A.getKind() == Attr::Kind::Dict &&
      !checkKeys(N, A.getDict(), /*OfCall=*/true))
    return false;
  Operation *New;
  if (K == Kind::GlobalVar) {
    if (!getGlobalName(Op, Name))
      return false;
    P.Globals[Name].FirstUse = N.At;
    New = create(N, CallGlobalOp::getInfo(), Args,
                 CallGlobalAttrs::get(Ctx, Name, A));
  } else if (K == Kind::Constructor) {
    if (!getGlobalName(Op, Name))
      return false;
    Constructor *Known = P.M.lookupConstructor(Name);
    if (Known && Known->Fields.size() != Args.size())
      return fail(N, "`" + Name + "` takes " + Twine(Known->Fields.size()) +
                         " operands, found " + Twine(Args.size()));
    if (!Known && !P.IsExpression && !P.Options.AllowUndefinedGlobals)
      return fail(N, "undefined constructor `" + Name + "`");
    New = create(N, CallConstructorOp::getInfo(), Args,
                 CallConstructorAttrs::get(Ctx, Name, A));
  } else {
    New = create(N, CallValueOp::getInfo(), Args, CallValueAttrs::get(Ctx, A));
  }
  Out = New;
  return setTypeArgs(N, New);
}

bool JsonReader::hasRules(StringRef Name) {
  auto [It, New] = Changed.try_emplace(Name, false);
  if (New)
    It->second = Upgrader::hasRules(Name, *P.Releases);
  return It->second;
}

bool JsonReader::makeOperatorCall(const Node &N, StringRef Name,
                                  ArrayRef<Value *> Args, Value *&Out) {
  uint32_t AttrsId;
  if (!getField(N, "attrs", AttrsId) && P.NumErrors)
    return false;
  P.T = {Tok::EndOfFile, N.At, N.At};
  if (hasRules(Name))
    return makeChangedCall(N, Name, AttrsId, Args, Out);
  const OpInfo *Info = Ctx.lookupOp(Name);
  if (!Info && P.Options.AllowUnregisteredOps && !Name.empty())
    Info = &Ctx.getOrCreateUnregisteredOp(Ctx.intern(Name));
  if (!Info || !Info->isOperator())
    return fail(N, "`" + Name + "` is not a declared operator");
  if (!Info->takesOperands(Args.size()))
    return fail(N, "`" + Name + "` takes " + Twine(Info->NumOperands) +
                       " operands, found " + Twine(Args.size()));
  const Attrs *A;
  if (!getAttrs(N, *Info, A))
    return false;
  Out = create(N, *Info, Args, A);
  return !P.NumErrors;
}

bool JsonReader::getFields(uint32_t AttrsId, StringRef Operator,
                           const AttrsInfo *Info,
                           SmallVectorImpl<AttrText> &List) {
  if (!AttrsId)
    return true;
  const char *At = Json.Nodes[AttrsId].At;
  SmallVector<NamedAttr, 8> Fields;
  if (!Meta.getFields(AttrsId, Operator, Info, Fields))
    return fail(At, Meta.getError());
  for (auto [Key, Value] : Fields)
    List.push_back({Key.getString(), Value, At, At});
  return true;
}

/// Creates a call of an operator that has changed since.
bool JsonReader::makeChangedCall(const Node &N, StringRef Name,
                                 uint32_t AttrsId, ArrayRef<Value *> Args,
                                 Value *&Out) {
  CallParts Call;
  Call.Operator = Ctx.intern(Name);
  Call.Operands.assign(Args.begin(), Args.end());
  Call.At = N.At;
  const OpInfo *Info = Ctx.lookupOp(Upgrader::getNewName(Name));
  if (!getFields(AttrsId, Call.Operator, Info ? Info->Attributes : nullptr,
                 Call.Attributes))
    return false;
  Operation *Op = P.makeOldCall(Call);
  if (!Op)
    return false;
  Location Loc;
  if (!getLoc(N, Loc))
    return false;
  Op->setLoc(Loc);
  Out = Op;
  return true;
}

/// Returns the attributes of a call of \p Info; each object is read once.
bool JsonReader::getAttrs(const Node &N, const OpInfo &Info,
                          const Attrs *&Out) {
  uint32_t Id;
  const Node *Object = getField(N, "attrs", Id);
  if (!Object && P.NumErrors)
    return false;
  const Attrs *&Known = AttrsOf[{Id, &Info}];
  Out = Known;
  if (Known || (!Object && !Info.Attributes))
    return true;
  if (!Info.Attributes)
    return fail(*Object, "`" + Info.Name + "` takes no attributes");
  if (Object && Info.Attributes == &DictAttrsInfo &&
      Object->TypeKey == "DictAttrs") {
    if (!getDictAttrs(N, Known))
      return false;
    if (!Known)
      Known = Ctx.getDictAttrs({});
    Out = Known;
    return checkKeys(N, Known->getEntries(), /*OfCall=*/true);
  }
  if (Info.Attributes == &DictAttrsInfo) {
    Attr Whole;
    if (!getValue(N, "attrs", Whole))
      return false;
    Known = Whole ? Ctx.getDictAttrs(NamedAttr(Ctx.getString(""), Whole))
                  : Ctx.getDictAttrs({});
    Out = Known;
    return true;
  }
  bool IsCurrent = P.Releases->Min >= ReleaseRange::Current;
  if (Object && IsCurrent && Object->TypeKey != Info.Attributes->TypeKey)
    return fail(*Object, "`" + Info.Name +
                             "` does not take attributes of kind `" +
                             Object->TypeKey + "`");
  SmallVector<AttrText, 8> List;
  if (!getFields(Id, Info.Name, Info.Attributes, List))
    return false;
  Known = P.makeAttrs(Info.Name, *Info.Attributes,
                      Ctx.getDefaultAttrs(*Info.Attributes), List);
  Out = Known;
  return !P.NumErrors;
}
