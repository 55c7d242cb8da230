//===- Tool.h - Common parts of the tools -----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flags shared by relay-opt and the other tools, response files, and the format
// of errors: `<tool>: error: ...`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_FLAGS_TOOL_H
#define RELAY_LIB_DRIVER_FLAGS_TOOL_H

#include "relay/Session/Session.h"
#include "relay/Support/Flags.h"
#include "relay/Support/RunLimits.h"
#include "llvm/Support/Allocator.h"

namespace relay {

/// Reports an error of the program \p Tool, not of its input.
void reportToolError(StringRef Tool, const Twine &Message);
/// As above, for \p E, which may be success or several errors.
LogicalResult reportToolError(StringRef Tool, llvm::Error E);
/// Prints `Tool: warning: Message`.
void reportToolWarning(StringRef Tool, const Twine &Message);
/// Prints `Tool: remark: Message`.
void reportToolRemark(StringRef Tool, const Twine &Message);

/// Gives LLVM's fatal errors the format of other errors: output that cannot be
/// written at exit, such as that of -help, and exceeded limits. \p Tool must
/// stay alive. The process then ends at once with \p Status.
void installFatalErrorHandler(const char *Tool, int Status);

/// Makes freed memory of tensors available to later tensors instead of
/// returning it to the system, which would have to clear it again.
void keepFreedMemory();

/// Returns argv without the program's name, with `@file` replaced by the
/// contents of the file, which are stored in \p Texts.
llvm::Expected<SmallVector<const char *>>
expandArguments(int Argc, const char *const *Argv,
                llvm::BumpPtrAllocator &Texts);

/// The description of a tool in -help.
struct ToolInfo {
  const char *Name;
  const char *Overview;
  const char *Usage;
  const char *Notes = ""; ///< after the list of flags
  int FailureStatus = 1;  ///< the default exit status of errors
};

/// Determines whether messages are colored.
enum class ColorMode : uint8_t { Always, Never, Auto };

/// The flags of every tool.
struct ToolFlags : FlagGroup {
  explicit ToolFlags(FlagSet &Flags)
      : FlagGroup(Flags, "General"), All(Flags) {}

  Flag<bool> Help{*this, "-help", "Print this list"};
  Flag<bool> ShortHelp{*this, "-h", "Same as -help", flag::Hidden()};
  Flag<bool> HelpHidden{*this, "-help-hidden",
                        "Print this list, including options for tests only",
                        flag::Hidden()};
  Flag<bool> Version{*this, "-version", "Print the version"};
  Flag<ColorMode> Color{
      *this,
      "-color",
      "Use colors in messages",
      flag::OneOf<ColorMode>{
          {"always", ColorMode::Always, "everywhere (also without a value)"},
          {"never", ColorMode::Never, "nowhere"},
          {"auto", ColorMode::Auto,
           "on terminals, unless NO_COLOR is set (the default)"}},
      flag::Init{ColorMode::Auto},
      flag::WithoutValue{ColorMode::Always},
      flag::ValueName{"when"}};

  /// Sets the flags of \p Line. Returns the exit status if there is nothing to
  /// run: for -help, -version, or errors, which have been reported.
  std::optional<int> apply(const ParsedCommandLine &Line, const ToolInfo &Tool);

private:
  FlagSet &All;
};

/// Limits of every tool: see SessionLimits.
struct LimitFlags : FlagGroup {
  explicit LimitFlags(FlagSet &Flags) : FlagGroup(Flags, "Limits") {}

  Flag<uint64_t> Characters{*this,
                            "-max-characters",
                            "Maximum length of a printed text without metadata "
                            "(default 536870912)",
                            flag::Init{RunLimits::DefaultCharacters},
                            flag::ValueName{"number"},
                            flag::NeedsTrust()};
  Flag<uint64_t> Memory{*this, "-max-memory",
                        "Maximum memory of the run (default 4096 plus sixteen "
                        "times the size of the input)",
                        flag::ValueName{"MiB"}, flag::NeedsTrust()};

  SessionLimits get() const;
};

/// Additional limits on passes.
struct PassLimitFlags : LimitFlags {
  using LimitFlags::LimitFlags;

  Flag<uint64_t> Operations{*this,
                            "-max-operations",
                            "Maximum number of operations that a pass may copy "
                            "(default 3000000)",
                            flag::Init{RunLimits::DefaultOperations},
                            flag::ValueName{"number"},
                            flag::NeedsTrust()};

  SessionLimits get() const {
    SessionLimits Limits = LimitFlags::get();
    Limits.Operations = *Operations;
    return Limits;
  }
};

/// Returns an error if \p F, -text-version, is given and is not a release of
/// TVM.
llvm::Error checkTextVersion(const Flag<std::string> &F);

/// Loads the plugins that \p Line names by \p PluginFlag into \p S. Returns an
/// error if a plugin cannot be loaded, or if two flags have the same name. An
/// empty name is reported when the flag is read.
llvm::Error loadPlugins(Session &S, const ParsedCommandLine &Line,
                        const FlagBase &PluginFlag);

/// Limits the memory of a process with an input of \p InputSize characters.
void limitMemoryFor(uint64_t InputSize, const LimitFlags &Flags);

} // namespace relay

#endif // RELAY_LIB_DRIVER_FLAGS_TOOL_H
