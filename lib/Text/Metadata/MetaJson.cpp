//===- MetaJson.cpp - The JSON of the metadata section --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reader for TVM's documents. Unknown members are skipped.
//
//===----------------------------------------------------------------------===//

#include "MetaJson.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Endian.h"
#include <cstring>

using namespace relay;

std::optional<StringRef> MetaJson::lookup(const MetaJsonNode &N,
                                          StringRef Name) const {
  for (const Attribute &A : attrs(N))
    if (A.first == Name)
      return A.second;
  return std::nullopt;
}

namespace relay {
class MetaJsonReader {
public:
  MetaJsonReader(MetaJson &Out, StringRef Text)
      : Out(Out), Cur(Text.begin()), End(Text.end()) {}

  bool read() {
    if (!readObject([&](StringRef Key) { return readMember(Key); }))
      return false;
    skipSpace();
    return Cur == End || fail("expected the end of the metadata");
  }

  std::string Message;
  const char *getPosition() const { return Cur; }

private:
  using MemberFn = function_ref<bool(StringRef)>;

  bool fail(const Twine &Text) {
    if (Message.empty())
      Message = Text.str();
    return false;
  }
  void skipSpace() {
    while (Cur != End && llvm::isSpace(*Cur))
      ++Cur;
  }
  bool consumeIf(char C) {
    skipSpace();
    if (Cur == End || *Cur != C)
      return false;
    ++Cur;
    return true;
  }
  bool expect(char C) {
    return consumeIf(C) || fail("expected `" + Twine(C) + "` in the metadata");
  }

  bool readMember(StringRef Key);
  bool readNode();
  bool readNodeMember(StringRef Key, MetaJsonNode &N);
  bool readObject(MemberFn ReadMember);
  bool readArray(function_ref<bool()> ReadElement);
  bool readUnsigned(uint32_t &Value);
  bool readString(StringRef &Value);
  bool unescape(StringRef Text, StringRef &Value);
  bool readScalarText(StringRef &Value);
  bool skipValue();

  template <typename T, typename Fn>
  bool readTable(std::vector<T> &Table, MetaRange &R, Fn ReadElement) {
    R.Begin = Table.size();
    bool OK = readArray([&] {
      Table.emplace_back();
      return (this->*ReadElement)(Table.back());
    });
    R.End = Table.size();
    return OK;
  }

  MetaJson &Out;
  const char *Cur;
  const char *End;
};
} // namespace relay

bool MetaJsonReader::readMember(StringRef Key) {
  if (Key == "root")
    return readUnsigned(Out.Root);
  if (Key == "nodes")
    return readArray([&] { return readNode(); });
  MetaRange Ignored;
  if (Key == "b64ndarrays")
    return readTable(Out.Arrays, Ignored, &MetaJsonReader::readString);
  if (Key == "attrs")
    return readObject([&](StringRef Name) {
      return Name == "tvm_version" ? readString(Out.Version) : skipValue();
    });
  return skipValue();
}

bool MetaJsonReader::readNode() {
  MetaJsonNode N;
  skipSpace();
  N.At = Cur;
  if (!readObject([&](StringRef Key) { return readNodeMember(Key, N); }))
    return false;
  Out.Nodes.push_back(N);
  return true;
}

bool MetaJsonReader::readNodeMember(StringRef Key, MetaJsonNode &N) {
  if (Key == "type_key")
    return readString(N.TypeKey);
  if (Key == "keys")
    return readTable(Out.KeyTable, N.Keys, &MetaJsonReader::readString);
  if (Key == "data")
    return readTable(Out.DataTable, N.Data, &MetaJsonReader::readUnsigned);
  if (Key == "repr_str" || Key == "global_key")
    return readString(N.Repr.emplace());
  if (Key == "repr_b64") {
    StringRef Text;
    std::vector<char> Bytes;
    if (!readString(Text))
      return false;
    if (llvm::Error E = llvm::decodeBase64(Text, Bytes))
      return fail("invalid base64: " + llvm::toString(std::move(E)));
    // The length, then the bytes.
    StringRef Content(Bytes.data(), Bytes.size());
    if (Content.size() < 8 ||
        llvm::support::endian::read64le(Content.data()) != Content.size() - 8)
      return fail("malformed bytes: the length before them does not match");
    N.Repr = Out.save(Content.drop_front(8));
    return true;
  }
  if (Key != "attrs")
    return skipValue();
  N.Attrs.Begin = Out.AttrTable.size();
  bool OK = readObject([&](StringRef Name) {
    Out.AttrTable.emplace_back(Name, StringRef());
    return readScalarText(Out.AttrTable.back().second);
  });
  N.Attrs.End = Out.AttrTable.size();
  return OK;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

bool MetaJsonReader::readObject(MemberFn ReadMember) {
  if (!expect('{'))
    return false;
  if (consumeIf('}'))
    return true;
  do {
    StringRef Key;
    if (!readString(Key) || !expect(':') || !ReadMember(Key))
      return false;
  } while (consumeIf(','));
  return expect('}');
}

bool MetaJsonReader::readArray(function_ref<bool()> ReadElement) {
  if (!expect('['))
    return false;
  if (consumeIf(']'))
    return true;
  do {
    if (!ReadElement())
      return false;
  } while (consumeIf(','));
  return expect(']');
}

bool MetaJsonReader::readUnsigned(uint32_t &Value) {
  skipSpace();
  const char *Begin = Cur;
  while (Cur != End && llvm::isDigit(*Cur))
    ++Cur;
  if (!StringRef(Begin, Cur - Begin).getAsInteger(10, Value))
    return true;
  Cur = Begin;
  return fail("expected an index in the metadata");
}

/// Reads a string; memchr finds its end quickly, since it may have megabytes.
bool MetaJsonReader::readString(StringRef &Value) {
  skipSpace();
  if (Cur == End || *Cur != '"')
    return fail("expected a string in the metadata");
  const char *Begin = Cur + 1;
  const char *Close = Begin;
  for (;; ++Close) {
    const void *Found = std::memchr(Close, '"', End - Close);
    if (!Found)
      return fail("unterminated string in the metadata");
    Close = static_cast<const char *>(Found);
    StringRef Before(Begin, Close - Begin);
    if ((Before.size() - Before.rtrim('\\').size()) % 2 == 0)
      break;
  }
  Cur = Close + 1;
  Value = StringRef(Begin, Close - Begin);
  // Base64 has no escapes, so this avoids another scan of megabytes.
  bool Plain = !std::memchr(Begin, '\\', Close - Begin);
  return Plain || unescape(Value, Value);
}

/// Removes the four digits of a `\u` escape from \p Text.
static bool takeCode(StringRef &Text, unsigned &Code) {
  if (Text.size() < 4 || Text.take_front(4).getAsInteger(16, Code))
    return false;
  Text = Text.drop_front(4);
  return true;
}

/// Appends the character \p Code. If it is the first half of a surrogate pair,
/// \p Text begins with the second half.
static void appendCharacter(std::string &Out, unsigned Code, StringRef &Text) {
  unsigned Low = 0;
  StringRef Rest = Text;
  if (Code >= 0xd800 && Code < 0xdc00 && Rest.consume_front("\\u") &&
      takeCode(Rest, Low) && Low >= 0xdc00 && Low < 0xe000) {
    Code = 0x10000 + ((Code - 0xd800) << 10) + (Low - 0xdc00);
    Text = Rest;
  }
  char Bytes[4], *P = Bytes;
  constexpr unsigned Replacement = 0xfffd; // for an unpaired surrogate
  if (llvm::ConvertCodePointToUTF8(Code, P) ||
      llvm::ConvertCodePointToUTF8(Replacement, P = Bytes))
    Out.append(Bytes, P - Bytes);
}

bool MetaJsonReader::unescape(StringRef Text, StringRef &Value) {
  std::string Result;
  while (!Text.empty()) {
    char C = Text.front();
    Text = Text.drop_front();
    if (C != '\\') {
      Result += C;
      continue;
    }
    char E = Text.front();
    Text = Text.drop_front();
    unsigned Code;
    if (E == 'u' && takeCode(Text, Code)) {
      appendCharacter(Result, Code, Text);
      continue;
    }
    size_t Known = StringRef("nrtbf").find(E);
    Result += Known == StringRef::npos ? E : "\n\r\t\b\f"[Known];
  }
  Value = Out.save(Result);
  return true;
}

/// A string, or the text of a number or a name.
bool MetaJsonReader::readScalarText(StringRef &Value) {
  skipSpace();
  if (Cur != End && *Cur == '"')
    return readString(Value);
  const char *Begin = Cur;
  while (Cur != End &&
         (llvm::isAlnum(*Cur) || *Cur == '-' || *Cur == '+' || *Cur == '.'))
    ++Cur;
  Value = StringRef(Begin, Cur - Begin);
  return !Value.empty() || fail("expected a value in the metadata");
}

/// Skips a value of any shape, counting brackets.
bool MetaJsonReader::skipValue() {
  size_t Depth = 0;
  do {
    skipSpace();
    if (Cur == End)
      return fail("unexpected end of the metadata");
    StringRef Ignored;
    if (*Cur == '{' || *Cur == '[') {
      ++Depth;
      ++Cur;
    } else if (*Cur == '}' || *Cur == ']') {
      if (!Depth)
        return fail("expected a value in the metadata");
      --Depth;
      ++Cur;
    } else if (Depth && (*Cur == ',' || *Cur == ':')) {
      ++Cur;
    } else if (!readScalarText(Ignored)) {
      return false;
    }
  } while (Depth);
  return true;
}

std::optional<std::pair<std::string, const char *>>
MetaJson::read(StringRef Text) {
  MetaJsonReader Reader(*this, Text);
  if (Reader.read())
    return std::nullopt;
  return std::pair(Reader.Message, Reader.getPosition());
}
