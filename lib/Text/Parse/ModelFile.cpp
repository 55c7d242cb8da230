//===- ModelFile.cpp - Model files of other frameworks --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ModelFile.h. PyTorch and Keras write zip archives, which the names of
// their members tell apart; ONNX is protobuf without a magic number.
//
//===----------------------------------------------------------------------===//

#include "ModelFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// ONNX
//===----------------------------------------------------------------------===//

/// Reads a varint of protobuf; none if it is malformed.
static std::optional<uint64_t> takeVarint(StringRef &Bytes) {
  uint64_t Value = 0;
  for (unsigned Shift = 0; Shift < 64 && !Bytes.empty(); Shift += 7) {
    uint8_t Byte = Bytes.front();
    Bytes = Bytes.drop_front();
    Value |= uint64_t(Byte & 0x7f) << Shift;
    if (!(Byte & 0x80))
      return Value;
  }
  return std::nullopt;
}

/// Returns true if \p Bytes are an ONNX ModelProto: fields in any order, which
/// begin with the version of the IR and contain a graph.
static bool isOnnxModel(StringRef Bytes) {
  constexpr uint64_t Varint = 0, Bytewise = 2; // wire types
  constexpr uint64_t Graph = 7, LastField = 25;
  if (!Bytes.starts_with("\x08"))
    return false;
  while (std::optional<uint64_t> Key = takeVarint(Bytes)) {
    uint64_t Field = *Key >> 3, Kind = *Key & 7;
    std::optional<uint64_t> Number = takeVarint(Bytes);
    if (!Number || Field == 0 || Field > LastField)
      return false;
    if (Kind == Varint)
      continue;
    if (Kind != Bytewise || *Number > Bytes.size())
      return false;
    if (Field == Graph)
      return true;
    Bytes = Bytes.drop_front(*Number);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// All formats
//===----------------------------------------------------------------------===//

static bool isTextByte(char C) { return llvm::isPrint(C) || llvm::isSpace(C); }

/// Returns true if \p Bytes are a FlatBuffer of TFLite: the offset of the root
/// table, which is not text, and an identifier, which text may contain too.
static bool isTFLiteModel(StringRef Bytes) {
  constexpr size_t OffsetSize = 4;
  if (!Bytes.substr(std::min(OffsetSize, Bytes.size())).starts_with("TFL3"))
    return false;
  return llvm::support::endian::read32le(Bytes.data()) < Bytes.size() &&
         !llvm::all_of(Bytes.take_front(OffsetSize), isTextByte);
}

static StringRef describeArchive(StringRef Bytes) {
  // Members are named at their beginning and in the directory at the end.
  constexpr size_t Window = 1 << 16;
  for (StringRef Part : {Bytes.take_front(Window), Bytes.take_back(Window)}) {
    if (Part.contains("data.pkl"))
      return "a PyTorch model";
    if (Part.contains("model.weights.h5"))
      return "a Keras model";
  }
  return "a zip archive";
}

StringRef relay::describeModelFile(StringRef Bytes) {
  if (Bytes.starts_with("PK\x03\x04"))
    return describeArchive(Bytes);
  // Before 1.6, PyTorch wrote a pickle that begins with a magic number.
  if (Bytes.starts_with("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9"))
    return "a PyTorch model";
  if (Bytes.starts_with("\x89HDF\r\n\x1a\n"))
    return "an HDF5 file, as Keras writes it,";
  if (isTFLiteModel(Bytes))
    return "a TFLite model";
  return isOnnxModel(Bytes) ? "an ONNX model" : "";
}
