//===- DumpedValues.cpp - Results of operators in files -------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DumpedValues.h.
//
//===----------------------------------------------------------------------===//

#include "DumpedValues.h"
#include "Flags/Files.h"
#include "relay/Interpreter/Numpy/NumpyFile.h"
#include "relay/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

std::string DumpedValues::getPath(StringRef File) const {
  llvm::SmallString<128> Path(Directory);
  llvm::sys::path::append(Path, File);
  return Path.str().str();
}

Expected<Tensor> DumpedValues::loadFile(StringRef File) const {
  auto Buffer = openInput(getPath(File));
  if (!Buffer)
    return Buffer.takeError();
  Expected<Tensor> Value =
      readNpy(std::shared_ptr<const llvm::MemoryBuffer>(std::move(*Buffer)));
  return Value ? std::move(Value) : inFile(getPath(File), Value.takeError());
}

Expected<Tensor> DumpedValues::load(size_t I) const {
  return loadFile(Files[I]);
}

Error DumpedValues::makeUncomparedError(uint64_t NumMatched) const {
  std::string Reason;
  if (Files.empty())
    Reason = "no file is named like '0012-layer.npy'";
  else if (NumMatched != 0)
    Reason = "the matching files have other shapes or types";
  else
    Reason = "none of the " + std::to_string(Files.size()) +
             " files has the name of a layer, let variable or operator of the "
             "model; the first is '" +
             Files.front() + "'";
  return llvm::createStringError(
      "'" + Directory +
      "' has no value that can be compared with a result: " + Reason);
}

/// Splits `0012-layer1.conv.npy` into number and label.
static bool readFileName(StringRef File, ResultRecord &Record) {
  return File.consume_back(".npy") && !File.consumeInteger(10, Record.Number) &&
         File.consume_front("-") && !(Record.Label = File).empty();
}

/// Ignores files that -dump-values would not write.
Error DumpedValues::listFiles() {
  std::error_code Code;
  llvm::sys::fs::directory_iterator End;
  std::vector<std::pair<uint64_t, StringRef>> Found;
  for (llvm::sys::fs::directory_iterator I(Directory, Code); !Code && I != End;
       I.increment(Code)) {
    ResultRecord Record;
    StringRef File = Ctx.intern(llvm::sys::path::filename(I->path()));
    if (readFileName(File, Record) && llvm::sys::fs::is_regular_file(I->path()))
      Found.push_back({Record.Number, File});
  }
  if (Code)
    return makeFileError("read", Directory, Code);
  llvm::sort(Found);
  for (auto [Number, File] : Found) {
    ResultRecord &Record = Records.emplace_back();
    (void)readFileName(File, Record);
    Files.push_back(File.str());
  }
  return Error::success();
}

/// Returns true if arrays and objects of \p Text nest more deeply than in an
/// index. LLVM's parser is recursive.
static bool isTooDeep(StringRef Text) {
  constexpr unsigned MaxDepth = 200;
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I != Text.size() && Depth <= MaxDepth; ++I) {
    if (Text[I] == '"')
      InString = !InString;
    else if (InString)
      I += Text[I] == '\\' && I + 1 != Text.size();
    else if (Text[I] == '[' || Text[I] == '{')
      ++Depth;
    else if ((Text[I] == ']' || Text[I] == '}') && Depth != 0)
      --Depth;
  }
  return Depth > MaxDepth;
}

Error DumpedValues::readIndex() {
  std::string Path = getPath("index.json");
  llvm::sys::fs::file_status Status;
  if (llvm::sys::fs::status(Path, Status) || !is_regular_file(Status))
    return Error::success();
  auto Text = openInput(Path);
  if (!Text)
    return Text.takeError();
  if (isTooDeep((*Text)->getBuffer()))
    return inFile(Path, llvm::createStringError("it is nested too deep"));
  Expected<llvm::json::Value> Root = llvm::json::parse((*Text)->getBuffer());
  if (!Root)
    return inFile(Path, Root.takeError());
  const llvm::json::Array *Entries = Root->getAsArray();
  if (!Entries)
    return inFile(Path, llvm::createStringError("expected an array"));
  useIndex(*Entries);
  return Error::success();
}

void DumpedValues::setFromIndex(ResultRecord &Record,
                                const llvm::json::Object &Fields) {
  auto Get = [&](StringRef Name) {
    return Ctx.intern(Fields.getString(Name).value_or(""));
  };
  Record.Operator = Get("operator");
  Record.Let = Get("let");
  Record.Layer = Get("layer");
  if (auto Field = Fields.getInteger("field"))
    Record.Field = unsigned(*Field);
  if (!Record.Operator.empty())
    Record.Label = "";
}

/// Ignores files that the index does not list: they belong to another run.
void DumpedValues::useIndex(const llvm::json::Array &Entries) {
  llvm::StringMap<const llvm::json::Object *> Listed;
  for (const llvm::json::Value &Entry : Entries)
    if (const llvm::json::Object *Fields = Entry.getAsObject())
      if (auto File = Fields->getString("file"))
        Listed[*File] = Fields;
  auto AllRecords = std::exchange(Records, {});
  auto AllFiles = std::exchange(Files, {});
  for (auto [Record, File] : llvm::zip(AllRecords, AllFiles)) {
    const llvm::json::Object *Fields = Listed.lookup(File);
    if (!Fields)
      continue;
    setFromIndex(Record, *Fields);
    Records.push_back(Record);
    Files.push_back(File);
  }
}

Error DumpedValues::readTypes() {
  for (auto [File, Record] : llvm::zip(Files, Records)) {
    Expected<Tensor> Value = loadFile(File);
    if (!Value)
      return Value.takeError();
    Record.Type = Value->getType(Ctx);
  }
  return Error::success();
}

Error DumpedValues::read() {
  if (Error E = listFiles())
    return E;
  if (Error E = readIndex())
    return E;
  return readTypes();
}
