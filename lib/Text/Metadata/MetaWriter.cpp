//===- MetaWriter.cpp - Writing the metadata section ----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON of nodes, and the entries by key. MetaNodeBuilder.cpp creates the
// nodes of the entries.
//
//===----------------------------------------------------------------------===//

#include "MetaWriter.h"
#include "relay/IR/Context.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Endian.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Writes \p Text in quotes, with the only escapes that TVM's reader supports.
static void writeJsonString(raw_ostream &OS, StringRef Text) {
  OS << '"';
  for (char C : Text) {
    size_t Escape = StringRef("\n\r\t\\\"").find(C);
    if (Escape == StringRef::npos)
      OS << C;
    else
      OS << '\\' << "nrt\\\""[Escape];
  }
  OS << '"';
}

static bool isPrintable(StringRef Text) {
  return llvm::all_of(Text, [](char C) {
    return llvm::isPrint(C) || C == '\n' || C == '\r' || C == '\t';
  });
}

/// Returns the length of \p Text and its bytes, in base64.
static std::string encodeBytes(StringRef Text) {
  std::string Bytes(8, '\0');
  llvm::support::endian::write64le(Bytes.data(), Text.size());
  Bytes += Text;
  return llvm::encodeBase64(Bytes);
}

static void writeAttrs(raw_ostream &OS,
                       ArrayRef<std::pair<StringRef, StringRef>> Attrs) {
  auto Write = [&](const std::pair<StringRef, StringRef> &A) {
    writeJsonString(OS, A.first);
    OS << ": ";
    writeJsonString(OS, A.second);
  };
  if (Attrs.size() == 1) {
    OS << '{';
    Write(Attrs.front());
    OS << '}';
    return;
  }
  OS << "{\n        ";
  llvm::interleave(Attrs, Write, [&] { OS << ", \n        "; });
  OS << "\n      }";
}

void relay::writeMetaNode(raw_ostream &OS, StringRef TypeKey,
                          std::optional<StringRef> Repr,
                          ArrayRef<std::pair<StringRef, StringRef>> Attrs,
                          ArrayRef<StringRef> Keys, ArrayRef<uint32_t> Data) {
  constexpr StringLiteral NextMember = ", \n      ";
  OS << "    {\n      \"type_key\": ";
  writeJsonString(OS, TypeKey);
  if (Repr && !Repr->empty()) {
    bool Plain = isPrintable(*Repr);
    OS << NextMember << (Plain ? "\"repr_str\": " : "\"repr_b64\": ");
    writeJsonString(OS, Plain ? *Repr : StringRef(encodeBytes(*Repr)));
  }
  if (!Attrs.empty()) {
    OS << NextMember << "\"attrs\": ";
    writeAttrs(OS, Attrs);
  }
  if (!Keys.empty()) {
    OS << NextMember << "\"keys\": [\n        ";
    llvm::interleave(
        Keys, [&](StringRef Key) { writeJsonString(OS, Key); },
        [&] { OS << ", \n        "; });
    OS << "\n      ]";
  }
  if (!Data.empty()) {
    OS << NextMember << "\"data\": [";
    llvm::interleaveComma(Data, OS);
    OS << ']';
  }
  OS << "\n    }";
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static StringRef getTypeKey(const Type *T) {
  switch (T->getKind()) {
  case Type::Kind::Tensor:
    return "relay.TensorType";
  case Type::Kind::Tuple:
    return "TupleType";
  case Type::Kind::Func:
    return "FuncType";
  case Type::Kind::Ref:
    return "relay.RefType";
  case Type::Kind::Var:
    return "TypeVar";
  case Type::Kind::Call:
    return "TypeCall";
  case Type::Kind::Incomplete:
    return "IncompleteType";
  }
  llvm_unreachable("unknown kind of type");
}

StringRef relay::getMetaTypeKey(Attr A) {
  switch (A.getKind()) {
  case Attr::Kind::None:
    return "";
  case Attr::Kind::Bool:
  case Attr::Kind::Int:
    return "IntImm";
  case Attr::Kind::Float:
    return "FloatImm";
  case Attr::Kind::String:
  case Attr::Kind::DType:
    return "runtime.String";
  case Attr::Kind::Any:
    return "tir.Any";
  case Attr::Kind::DimVar:
    return Dim(A).isSizeVar() ? "tir.SizeVar" : "tir.Var";
  case Attr::Kind::DimExpr:
    return getDimOpTypeKey(Dim(A).getOp());
  case Attr::Kind::Array:
    return "Array";
  case Attr::Kind::Dict:
    return "Map";
  case Attr::Kind::Constant:
    return "relay.Constant";
  case Attr::Kind::OpAttrs:
    return A.getOpAttrs()->getInfo().TypeKey;
  case Attr::Kind::Type:
    return getTypeKey(A.getType());
  case Attr::Kind::Object:
    return A.getTypeKey();
  case Attr::Kind::Raw:
    return A.getRawDocument()->Nodes[A.getRawNode()].TypeKey;
  }
  llvm_unreachable("unknown kind of attribute");
}

MetaWriter::Reference MetaWriter::add(StringRef Key, Entry E) {
  auto &List = Lists[Key];
  if (LLVM_UNLIKELY(!Reserved.empty()) && Key == "relay.Constant")
    while (Reserved.count(List.size()))
      List.push_back({Entry::Elided, {}, {}});
  List.push_back(E);
  return {Key, unsigned(List.size() - 1)};
}

MetaWriter::Reference MetaWriter::get(Attr Value) {
  auto [It, New] = Known.try_emplace(Value);
  if (New)
    It->second = add(getMetaTypeKey(Value), {Entry::Value, Value, {}});
  return It->second;
}

MetaWriter::Reference MetaWriter::addConstant(Attr Value) {
  return add("relay.Constant", {Entry::Value, Value, {}});
}
MetaWriter::Reference MetaWriter::addElidedConstant() {
  return add("relay.Constant", {Entry::Elided, {}, {}});
}
MetaWriter::Reference MetaWriter::addVar(StringRef Name, Type *Annotation) {
  Attr A = Annotation ? Ctx.getTypeAttr(Annotation) : Attr();
  return add("relay.Var", {Entry::Var, A, Name});
}
