//===- OutputFile.cpp - Files that are written as a whole -----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// New contents go to a file without a name (O_TMPFILE), which vanishes with the
// process, and get their name at the end. If the file system does not support
// such files, or /proc is not mounted, the file has a temporary name; a run
// that is killed leaves it.
//
//===----------------------------------------------------------------------===//

#include "relay/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace relay;
using llvm::Error;
namespace fs = llvm::sys::fs;

Error relay::makeFileError(const Twine &Action, StringRef Path,
                           std::error_code Code) {
  std::string Verb = Action.str(), Name = ("'" + Path + "'").str();
  if (Path == "-")
    Name = Verb == "read" ? "standard input" : "standard output";
  return llvm::createStringError(Code, "cannot " + Verb + " " + Name + ": " +
                                           Code.message());
}

Error relay::tryWriteStream(llvm::raw_fd_ostream &OS, StringRef Path,
                            function_ref<Error(raw_ostream &)> Write) {
  Error E = Write(OS);
  OS.flush();
  if (!OS.has_error())
    return E;
  std::error_code Code = OS.error();
  OS.clear_error();
  return llvm::joinErrors(std::move(E), makeFileError("write", Path, Code));
}

Error relay::writeStream(llvm::raw_fd_ostream &OS, StringRef Path,
                         function_ref<void(raw_ostream &)> Write) {
  return tryWriteStream(OS, Path, [&](raw_ostream &To) {
    Write(To);
    return Error::success();
  });
}

static Error writeError(StringRef Path) {
  return makeFileError("write", Path, llvm::errnoAsErrorCode());
}

//===----------------------------------------------------------------------===//
// Replacing a file
//===----------------------------------------------------------------------===//

namespace relay {
/// A new file next to the file that it replaces.
class FileReplacement {
public:
  explicit FileReplacement(StringRef Path)
      : Path(Path.str()), Directory(llvm::sys::path::parent_path(Path)) {
    if (Directory.empty())
      Directory = ".";
  }
  FileReplacement(const FileReplacement &) = delete;
  ~FileReplacement() {
    if (File >= 0)
      ::close(File);
    if (!Name.empty())
      ::unlink(Name.c_str());
  }

  /// Creates the file with \p Mode, subject to the umask.
  std::error_code create(mode_t Mode) {
    if (::access("/proc/self/fd", X_OK) == 0)
      File = ::open(Directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, Mode);
    if (File >= 0)
      return {};
    makeName();
    File = ::open(Name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, Mode);
    if (File >= 0)
      return {};
    std::error_code Code = llvm::errnoAsErrorCode();
    Name.clear();
    return Code;
  }

  int getFile() const { return File; }

  /// Gives the file a temporary name, and closes the descriptor.
  std::error_code park() {
    if (Name.empty() && !link())
      return llvm::errnoAsErrorCode();
    ::close(std::exchange(File, -1));
    return {};
  }

  /// Replaces the file that Path names.
  std::error_code commit() {
    if (Name.empty() && !link())
      return llvm::errnoAsErrorCode();
    if (::rename(Name.c_str(), Path.c_str()))
      return llvm::errnoAsErrorCode();
    Name.clear();
    return {};
  }

private:
  /// Makes a short name, since the name of the file may have the maximal
  /// length.
  void makeName() {
    llvm::SmallString<32> Unique;
    fs::createUniquePath(".relay-%%%%%%%%%%%%.tmp", Unique,
                         /*MakeAbsolute=*/false);
    llvm::SmallString<128> Whole(Directory);
    llvm::sys::path::append(Whole, Unique);
    Name = Whole.str().str();
  }

  bool link() {
    makeName();
    std::string Descriptor = "/proc/self/fd/" + std::to_string(File);
    if (!::linkat(AT_FDCWD, Descriptor.c_str(), AT_FDCWD, Name.c_str(),
                  AT_SYMLINK_FOLLOW))
      return true;
    Name.clear();
    return false;
  }

  std::string Path, Directory;
  std::string Name; ///< of the new file; empty if it has none
  int File = -1;
};
} // namespace relay

//===----------------------------------------------------------------------===//
// Kinds of paths
//===----------------------------------------------------------------------===//

/// Returns true if \p Path contains a symbolic link of /proc, which denotes an
/// open file rather than a path.
static bool leadsThroughProc(StringRef Path) {
  constexpr unsigned MaxLinks = 40; // as in the kernel
  std::string Current = Path.str();
  for (unsigned I = 0; I != MaxLinks; ++I) {
    char Target[PATH_MAX];
    ssize_t Size = ::readlink(Current.c_str(), Target, sizeof(Target));
    if (Size < 0)
      return false;
    llvm::SmallString<128> Directory;
    StringRef Parent = llvm::sys::path::parent_path(Current);
    if (fs::real_path(Parent.empty() ? "." : Parent, Directory))
      return false;
    if (Directory.starts_with("/proc/"))
      return true;
    StringRef Next(Target, Size);
    if (!llvm::sys::path::is_absolute(Next)) {
      llvm::sys::path::append(Directory, Next);
      Next = Directory;
    }
    Current = Next.str();
  }
  return false;
}

/// Returns true if replacing the file \p Path with the status \p Old loses only
/// the old contents and, possibly, other names.
static bool isReplaceable(StringRef Path, const struct stat &Old) {
  return S_ISREG(Old.st_mode) && Old.st_uid == ::geteuid() &&
         Old.st_gid == ::getegid() && !leadsThroughProc(Path);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Writes \p Text to the file \p Path itself.
static Error writeTextInPlace(StringRef Path, StringRef Text) {
  std::error_code Code;
  llvm::raw_fd_ostream OS(Path, Code);
  if (Code)
    return makeFileError("write", Path, Code);
  Error E = writeStream(OS, Path, [&](raw_ostream &To) { To << Text; });
  // An empty file is better than a partial one.
  if (E && fs::is_regular_file(Path))
    (void)!::truncate(Path.str().c_str(), 0);
  return E;
}

static std::string getText(function_ref<void(raw_ostream &)> Write) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Write(OS);
  return Text;
}

/// \p Write may read the file itself, which is then mapped. A regular file is
/// therefore opened, and thus emptied, only when the text is complete.
static Error writeInPlace(StringRef Path,
                          function_ref<Error(raw_ostream &)> Write) {
  if (fs::is_regular_file(Path)) {
    Error E = Error::success();
    std::string Text = getText([&](raw_ostream &OS) { E = Write(OS); });
    return E ? std::move(E) : writeTextInPlace(Path, Text);
  }
  std::error_code Code;
  llvm::raw_fd_ostream OS(Path, Code);
  return Code ? makeFileError("write", Path, Code)
              : tryWriteStream(OS, Path, Write);
}

/// Creates a new file for the contents of \p Path; returns null if they are
/// written in place. \p MayHaveNames: replaces files with several names, too.
static llvm::Expected<std::unique_ptr<FileReplacement>>
createReplacement(StringRef Path, bool MayHaveNames) {
  std::string Name = Path.str();
  struct stat Old;
  bool IsNew = ::stat(Name.c_str(), &Old);
  if (IsNew && (errno != ENOENT || fs::is_symlink_file(Path)))
    return nullptr;
  if (!IsNew && ::access(Name.c_str(), W_OK))
    return writeError(Path);
  llvm::SmallString<128> Real(Path);
  if (!IsNew &&
      (!isReplaceable(Path, Old) || (Old.st_nlink != 1 && !MayHaveNames) ||
       fs::real_path(Path, Real)))
    return nullptr;
  auto New = std::make_unique<FileReplacement>(Real);
  if (std::error_code Code = New->create(0666)) {
    if (IsNew)
      return makeFileError("write", Path, Code);
    return nullptr;
  }
  if (!IsNew && ::fchmod(New->getFile(), Old.st_mode & 07777))
    return writeError(Path);
  return New;
}

static Error fillReplacement(const FileReplacement &New, StringRef Path,
                             function_ref<Error(raw_ostream &)> Write) {
  llvm::raw_fd_ostream OS(New.getFile(), /*shouldClose=*/false);
  return tryWriteStream(OS, Path, Write);
}

static Error commitReplacement(FileReplacement &New, StringRef Path) {
  std::error_code Code = New.commit();
  return Code ? makeFileError("write", Path, Code) : Error::success();
}

Error relay::tryWriteFile(StringRef Path,
                          function_ref<Error(raw_ostream &)> Write) {
  auto New = createReplacement(Path, /*MayHaveNames=*/false);
  if (!New)
    return New.takeError();
  if (!*New)
    return writeInPlace(Path, Write);
  if (Error E = fillReplacement(**New, Path, Write))
    return E;
  return commitReplacement(**New, Path);
}

Error relay::writeFile(StringRef Path,
                       function_ref<void(raw_ostream &)> Write) {
  return tryWriteFile(Path, [&](raw_ostream &OS) {
    Write(OS);
    return Error::success();
  });
}

//===----------------------------------------------------------------------===//
// Groups of files
//===----------------------------------------------------------------------===//

struct OutputFileGroup::Member {
  std::string Path;
  std::unique_ptr<FileReplacement> New; ///< null: written in place
  std::string Text;                     ///< of a file that is written in place
};

OutputFileGroup::OutputFileGroup() = default;
OutputFileGroup::~OutputFileGroup() = default;

Error OutputFileGroup::add(StringRef Path,
                           function_ref<void(raw_ostream &)> Write) {
  constexpr size_t MaxOpen = 128; // descriptors are few
  auto New = createReplacement(Path, /*MayHaveNames=*/true);
  if (!New)
    return New.takeError();
  auto M = std::make_unique<Member>();
  M->Path = Path.str();
  M->New = std::move(*New);
  if (!M->New) {
    if (Error E = checkWritable(Path))
      return E;
    M->Text = getText(Write);
  } else {
    auto Fill = [&](raw_ostream &OS) {
      Write(OS);
      return Error::success();
    };
    if (Error E = fillReplacement(*M->New, Path, Fill))
      return E;
    std::error_code Code;
    if (Members.size() >= MaxOpen && (Code = M->New->park()))
      return makeFileError("write", Path, Code);
  }
  Members.push_back(std::move(M));
  return Error::success();
}

Error OutputFileGroup::commit() {
  for (auto &M : Members)
    if (!M->New)
      if (Error E = writeTextInPlace(M->Path, M->Text))
        return E;
  for (auto &M : Members)
    if (M->New)
      if (Error E = commitReplacement(*M->New, M->Path))
        return E;
  return Error::success();
}

Error relay::appendToFile(StringRef Path,
                          function_ref<void(raw_ostream &)> Write) {
  std::error_code Code;
  uint64_t OldSize = 0;
  bool IsKnown = !fs::exists(Path) || !fs::file_size(Path, OldSize);
  llvm::raw_fd_ostream OS(Path, Code, fs::OF_Append);
  if (Code)
    return makeFileError("write", Path, Code);
  Error E = writeStream(OS, Path, Write);
  if (E && IsKnown && fs::is_regular_file(Path))
    (void)!::truncate(Path.str().c_str(), OldSize);
  return E;
}

Error relay::checkWritable(StringRef Path) {
  fs::file_status Status;
  std::error_code Code = fs::status(Path, Status);
  if (Code == std::errc::no_such_file_or_directory) {
    StringRef Directory = llvm::sys::path::parent_path(Path);
    Code = fs::status(Directory.empty() ? "." : Directory, Status);
  } else if (!Code) {
    Code = fs::is_directory(Status)
               ? std::make_error_code(std::errc::is_a_directory)
               : fs::access(Path, fs::AccessMode::Write);
  }
  return Code ? makeFileError("write", Path, Code) : Error::success();
}

Error relay::makeWritableDirectory(StringRef Path) {
  std::error_code Code = llvm::sys::fs::create_directories(Path);
  if (!Code && !llvm::sys::fs::is_directory(Path))
    Code = std::make_error_code(std::errc::not_a_directory);
  if (!Code)
    Code = llvm::sys::fs::access(Path, llvm::sys::fs::AccessMode::Write);
  if (!Code)
    return Error::success();
  return llvm::createStringError(Code, "cannot write into directory '" + Path +
                                           "': " + Code.message());
}
