//===- DumpedValues.h - Results of operators in files -----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a directory written by -dump-values, or by another program with the
// same names of files: `0012-layer1.conv.npy`, where the number gives the
// order. If there is an index.json, only the files that it lists are read, and
// its entries are used for matching.
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

  /// Reads the types of all values. Returns an error if a file cannot be read.
  llvm::Error read();
  /// Returns the records in the order of their numbers.
  ArrayRef<ResultRecord> getRecords() const { return Records; }
  /// Returns an error that explains why no value was compared. \p NumMatched
  /// values belong to a result.
  llvm::Error makeUncomparedError(uint64_t NumMatched) const;
  /// Reads the value of record \p I from its file.
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
  std::vector<std::string> Files; ///< one for each record
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_DUMPEDVALUES_H
