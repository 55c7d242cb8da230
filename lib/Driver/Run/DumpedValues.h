//===- DumpedValues.h - Results of operators in files -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a directory that -dump-values wrote, or another program that names its
// files alike: `0012-layer1.conv.npy`, where the number gives the order. If
// there is an index.json, only the files count that it lists, and what it says
// of them is used to match them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_RUN_DUMPEDVALUES_H
#define RELAY_LIB_DRIVER_RUN_DUMPEDVALUES_H

#include "ResultMatching.h"
#include "llvm/Support/JSON.h"

namespace relay {

class DumpedValues {
public:
  DumpedValues(Context &Ctx, StringRef Directory)
      : Ctx(Ctx), Directory(Directory) {}

  /// Reads the types of all values; the error of what cannot be read.
  llvm::Error read();
  /// In the order of their numbers.
  ArrayRef<ResultRecord> getRecords() const { return Records; }
  /// Why none of the values was compared, of which \p NumMatched belong to a
  /// result.
  llvm::Error makeUncomparedError(uint64_t NumMatched) const;
  /// The value of record \p I, from its file.
  llvm::Expected<Tensor> load(size_t I) const;

private:
  llvm::Error listFiles();
  llvm::Error readIndex();
  void useIndex(const llvm::json::Array &Entries);
  void setFromIndex(ResultRecord &Record, const llvm::json::Object &Fields);
  llvm::Error readTypes();
  std::string getPath(StringRef File) const;
  llvm::Expected<Tensor> loadFile(StringRef File) const;

  Context &Ctx;
  StringRef Directory;
  std::vector<ResultRecord> Records;
  std::vector<std::string> Files; ///< by record
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_DUMPEDVALUES_H
