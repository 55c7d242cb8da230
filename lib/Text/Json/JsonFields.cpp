//===- JsonFields.cpp - Fields of the nodes of JSON -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads fields of nodes as nodes, lists, types and locations, and reports
// errors about fields of other kinds.
//
//===----------------------------------------------------------------------===//

#include "JsonReader.h"

using namespace relay;

/// Returns the node in the field \p Name; null, without an error, if there is
/// none.
const MetaJsonNode *JsonReader::getField(const Node &N, StringRef Name,
                                         uint32_t &Id) {
  Id = 0;
  StringRef Text = Json.lookup(N, Name).value_or("0");
  if (Text.getAsInteger(10, Id) || Id >= Json.Nodes.size()) {
    fail(N, "`" + Name + "` of `" + N.TypeKey + "` is not a node: `" +
                Text.take_front(40) + "`");
    return nullptr;
  }
  return Id ? &Json.Nodes[Id] : nullptr;
}

const MetaJsonNode *JsonReader::getNode(const Node &N, StringRef Name,
                                        uint32_t &Id) {
  const Node *Result = getField(N, Name, Id);
  if (!Result && !P.NumErrors)
    fail(N, "`" + N.TypeKey + "` without `" + Name + "`");
  return Result;
}

bool JsonReader::checkList(const Node &Owner, ArrayRef<uint32_t> List) {
  for (uint32_t Id : List)
    if (Id >= Json.Nodes.size())
      return fail(Owner, "node " + Twine(Id) + " does not exist; there are " +
                             Twine(Json.Nodes.size()));
  return true;
}

/// Returns the elements of the array in the field \p Name; none if it is null.
bool JsonReader::getList(const Node &N, StringRef Name,
                         ArrayRef<uint32_t> &List) {
  uint32_t Id;
  List = {};
  const Node *Array = getField(N, Name, Id);
  if (!Array)
    return !P.NumErrors;
  if (Array->TypeKey != "Array")
    return fail(*Array, "`" + Name + "` of `" + N.TypeKey +
                            "` is not an array but `" + Array->TypeKey + "`");
  List = Json.data(*Array);
  return checkList(*Array, List);
}

bool JsonReader::getValue(const Node &N, StringRef Name, Attr &Out) {
  uint32_t Id;
  Out = {};
  if (!getField(N, Name, Id))
    return !P.NumErrors;
  FailureOr<Attr> Value = Meta.getNode(Id);
  if (failed(Value))
    return fail(Json.Nodes[Id], Meta.getError());
  Out = *Value;
  return true;
}

bool JsonReader::getType(const Node &N, StringRef Name, Type *&Out) {
  Attr A;
  Out = nullptr;
  if (!getValue(N, Name, A))
    return false;
  if (A && A.getKind() != Attr::Kind::Type)
    return fail(N, "`" + Name + "` of `" + N.TypeKey + "` is not a type");
  Out = A ? A.getType() : nullptr;
  return !Out || checkTypeVars(N, Out);
}

/// An unknown of type inference is not an annotation.
bool JsonReader::getAnnotation(const Node &N, StringRef Name, Type *&Out) {
  if (!getType(N, Name, Out))
    return false;
  if (Out && Out->isIncomplete())
    Out = nullptr;
  return true;
}

bool JsonReader::getTypeVars(const Node &N, StringRef Name,
                             SmallVectorImpl<TypeVarType *> &Out) {
  Attr A;
  if (!getValue(N, Name, A))
    return false;
  if (A && !A.isArray())
    return fail(N, "`" + Name + "` of `" + N.TypeKey + "` is not an array");
  for (Attr Element : A ? A.getArray() : ArrayRef<Attr>()) {
    auto *Var = Element.getKind() == Attr::Kind::Type
                    ? dyn_cast<TypeVarType>(Element.getType())
                    : nullptr;
    if (!Var)
      return fail(N, "`" + Name + "` of `" + N.TypeKey +
                         "` holds a value that is not a type variable");
    Out.push_back(Var);
  }
  return true;
}

/// Returns the virtual device of \p N; none for the unconstrained one.
bool JsonReader::getDevice(const Node &N, Attr &Out) {
  if (!getValue(N, "virtual_device_", Out))
    return false;
  if (!Out)
    return true;
  if (Out.getKind() != Attr::Kind::Object ||
      Out.getTypeKey() != "VirtualDevice")
    return fail(N, "`virtual_device_` of `" + N.TypeKey +
                       "` is not a virtual device");
  auto IsUnset = [&](StringRef Name) {
    Attr A = Out.lookup(Name);
    return !A || (A.isInt() && A.getInt() == -1) ||
           (A.isString() && A.getString().empty());
  };
  if (IsUnset("device_type_int") && IsUnset("virtual_device_id") &&
      IsUnset("target") && IsUnset("memory_scope"))
    Out = {};
  return true;
}

/// Returns the attributes of a function or a module; null if there are none.
bool JsonReader::getDictAttrs(const Node &N, const Attrs *&Out) {
  uint32_t Id;
  Out = nullptr;
  const Node *Dict = getField(N, "attrs", Id);
  if (!Dict)
    return !P.NumErrors;
  Attr A;
  if (Dict->TypeKey != "DictAttrs")
    return fail(*Dict, "`attrs` of `" + N.TypeKey + "` is `" + Dict->TypeKey +
                           "` and not `DictAttrs`");
  if (!getValue(*Dict, "__dict__", A))
    return false;
  if (A && A.getKind() != Attr::Kind::Dict)
    return fail(*Dict, "`__dict__` of `DictAttrs` is not a map from strings");
  if (A && !A.getDict().empty())
    Out = Ctx.getDictAttrs(A.getDict());
  return true;
}

/// Reads a `Span`, or a `SequentialSpan` of these.
bool JsonReader::addSpan(uint32_t Id, SmallVectorImpl<Span> &Spans) {
  const Node &N = Json.Nodes[Id];
  if (N.TypeKey == "SequentialSpan") {
    ArrayRef<uint32_t> List;
    if (!getList(N, "spans", List))
      return false;
    for (uint32_t Part : List)
      if (Json.Nodes[Part].TypeKey == "Span" && !addSpan(Part, Spans))
        return false;
    return true;
  }
  uint32_t SourceId;
  StringRef Key = Json.lookup(N, "source_name") ? "source_name" : "source";
  const Node *Source = getField(N, Key, SourceId);
  if (!Source)
    return !P.NumErrors;
  Span S;
  S.Source = Source->Repr.value_or("");
  Json.lookup(N, "line").value_or("0").getAsInteger(10, S.Line);
  Json.lookup(N, "column").value_or("0").getAsInteger(10, S.Column);
  // Line and column of 0.6 are numbers of tokens.
  if (Key == "source_name" && !S.Source.empty() && !S.Source.contains("*/"))
    Spans.push_back(S);
  return true;
}

bool JsonReader::getLoc(const Node &N, Location &Out) {
  Out = P.loc(N.At);
  uint32_t Id;
  if (!getField(N, "span", Id))
    return !P.NumErrors;
  SmallVector<Span, 1> Spans;
  if (!addSpan(Id, Spans))
    return false;
  if (!Spans.empty())
    Out = Ctx.getDiagnostics().getLocations().get(Out, Spans);
  return true;
}
