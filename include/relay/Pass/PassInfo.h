//===- PassInfo.h - The declaration of a pass -------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PassInfo is the record of a pass: names, unit, opt level, required passes,
// options, statistics. relay-tblgen generates one for each pass of a Passes.td;
// passes registered at run time fill in their own. A PassRegistry keeps copies.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_PASSINFO_H
#define RELAY_PASS_PASSINFO_H

#include "relay/Support/LLVM.h"

namespace relay {

class Module;
template <typename UnitT> class AnalysisManager;

/// The unit that a pass runs on.
enum class PassUnit : uint8_t { Module, Function };

/// The type of an option's scalars. A File is the path of a file that is read.
enum class PassOptionKind : uint8_t { Bool, Int, Float, Enum, String, File };

/// How many scalars an option takes: one; several, `a,b`; or some for each of
/// several keys, `key:a:b,key2:c`.
enum class PassOptionShape : uint8_t { Scalar, List, Map };

/// One option of a pass, `max-depth` of `fuse-ops<max-depth=4>`; also of a
/// group, of an analysis, and of the context.
struct PassOptionInfo {
  StringRef Name;
  PassOptionKind Kind;
  StringRef Default; ///< as text; empty if optional
  StringRef Description;
  PassOptionShape Shape = PassOptionShape::Scalar;
  /// True if the option has no default value.
  bool IsOptional = false;
  /// True if its value may be written without the name: `repeat<3>`.
  bool IsPositional = false;
  /// The least and the greatest number, as text; empty for no limit.
  StringRef Min = {}, Max = {};
  /// The words of an Enum, in the order of its enumerators.
  ArrayRef<StringRef> Values = {};
};

/// One counter of a pass.
struct PassStatisticInfo {
  StringRef Name;
  StringRef Description;
};

/// The largest allowed difference of the results of functions before and after
/// a pass (-verify-semantics). Integers must be equal unless Steps is set; a
/// float agrees if |after - before| is at most Relative * |before| + Absolute *
/// the largest finite |before| of its tensor, or Absolute if that is less than
/// 1.
struct PassTolerance {
  double Relative = 1e-5, Absolute = 1e-6;
  /// Why results are not compared: the pass changes what functions compute.
  /// Empty if they are.
  StringRef NotCompared = {};
  /// True if NaN and infinities are preserved; otherwise elements that were NaN
  /// or infinite are not compared.
  bool KeepsSpecialValues = true;
  /// The steps of quantization by which integers may differ from the floats
  /// that they replace.
  unsigned Steps = 0;
  /// True if floats may have another data type after the pass. Integers and
  /// truth values are then not compared.
  bool ChangesFloatTypes = false;

  /// Returns true if all elements have to be equal, floats, too.
  bool isExact() const { return Relative == 0 && Absolute == 0 && Steps == 0; }
};

/// Returns true if the names of passes \p A and \p B differ only in case,
/// hyphens, underscores and dots: `qnn.Legalize` and `qnn-legalize`.
bool isSamePassName(StringRef A, StringRef B);

/// Computes an analysis of a module unless it is cached. Failure has been
/// reported.
using ModuleAnalysisFn = LogicalResult (*)(Module &, AnalysisManager<Module> &);

struct PassInfo {
  StringRef Name;     ///< the record's, as reports print it: `FoldConstant`
  StringRef Argument; ///< in pipeline text: `fold-constant`
  PassUnit Unit = PassUnit::Module;
  /// The least opt level at which a group of passes runs it.
  unsigned OptLevel = 0;
  /// True if instruments and bisection cannot skip the pass.
  bool IsRequired = false;
  /// True for a group of passes, whose members are visible to instruments.
  bool IsGroup = false;
  /// Names of the passes that a group runs before this one.
  ArrayRef<StringRef> Requires;
  StringRef Summary;
  ArrayRef<PassOptionInfo> Options;
  ArrayRef<PassStatisticInfo> Statistics;
  PassTolerance Tolerance = {};
  /// The analyses of the module that a function pass reads by
  /// AnalysisManager::getModuleResult(). They are computed before it runs on
  /// the first function, after earlier passes have run on all of them.
  ArrayRef<ModuleAnalysisFn> ModuleAnalyses = {};
  /// Several lines in Markdown, maybe with IR before and after.
  StringRef Description = {};
  /// The kinds of remarks that the pass emits (emitMissedRemark()).
  ArrayRef<StringRef> Remarks = {};

  /// Returns true if \p Spelling is the argument or the name of the pass, or
  /// TVM's spelling of one of them, in any case: `fuse-ops`, `FuseOps`.
  bool isCalled(StringRef Spelling) const {
    return isSamePassName(Spelling, Argument) || isSamePassName(Spelling, Name);
  }
};

} // namespace relay

#endif // RELAY_PASS_PASSINFO_H
