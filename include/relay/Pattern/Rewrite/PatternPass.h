//===- PatternPass.h - Passes with lists of patterns ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Common parts of passes that apply a list of rules (RulePass.h) or patterns
// (CompositePass.h): the list may be in a file, is compiled for each Context,
// and each of its entries is a statistic.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PATTERN_REWRITE_PATTERNPASS_H
#define RELAY_PATTERN_REWRITE_PATTERNPASS_H

#include "relay/IR/Context.h"
#include "relay/Pass/PassContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include <mutex>

namespace relay {

/// A file that is named by an option of a pass. It is read once; copies, such
/// as those in clones of the pass, share the text.
class PassFile {
public:
  /// \p Path is the value of the option \p Option of the pass \p Argument. The
  /// name of the option describes the contents of the file.
  PassFile(std::string Path, StringRef Argument, StringRef Option)
      : Path(std::move(Path)), Argument(Argument), Option(Option) {}

  /// Returns a copy of the text; the name of the buffer is the path. Reports a
  /// missing or unreadable file.
  FailureOr<std::unique_ptr<llvm::MemoryBuffer>> read(Context &Ctx);

private:
  std::string Path;
  StringRef Argument, Option;
  /// Null until the file has been read.
  std::shared_ptr<const llvm::MemoryBuffer> Text;
};

/// Statistics of a pass whose names are known once it is initialized.
class NamedStatistics {
public:
  using NamesAndDescriptions = std::vector<std::pair<std::string, std::string>>;

  explicit NamedStatistics(Pass &Owner) : Owner(Owner) {}
  /// Creates the same statistics, at zero, for \p Owner, a clone of the pass.
  NamedStatistics(Pass &Owner, const NamedStatistics &Other)
      : Owner(Owner), Declared(Other.Declared) {
    addStatistics();
  }

  bool areDeclared() const { return Declared != nullptr; }
  /// Must be called once.
  void declare(NamesAndDescriptions Texts);
  unsigned size() const { return Counters.size(); }
  Statistic &operator[](unsigned I) { return *Counters[I]; }

private:
  /// Owns the texts that statistics refer to.
  struct Declarations {
    NamesAndDescriptions Texts;
    std::vector<PassStatisticInfo> Infos;
  };
  void addStatistics();

  Pass &Owner;
  std::shared_ptr<const Declarations> Declared;
  std::vector<std::unique_ptr<Statistic>> Counters;
};

/// The compiled lists of a pass and its clones, one for each of their Contexts.
/// They are destroyed with the last clone or with their Context.
template <typename CompiledT> class CompiledForContext {
public:
  using Ptr = std::shared_ptr<const CompiledT>;

  /// Returns null if nothing has been compiled for \p Ctx.
  Ptr lookup(Context &Ctx) const { return Everything->lookup(Ctx); }
  /// Compiles the result of \p GetEntries for \p Ctx, unless that has been
  /// done; passes it to \p Declare first. If it has been done by another clone
  /// and \p IsDeclared is false, only calls \p Declare. Failure has been
  /// reported.
  template <typename SourceT, typename FnT>
  LogicalResult compile(Context &Ctx, const SourceT &GetEntries,
                        bool IsDeclared, FnT Declare) {
    if (IsDeclared && lookup(Ctx))
      return success();
    auto Entries = GetEntries(Ctx);
    if (failed(Entries))
      return failure();
    Declare(*Entries);
    if (lookup(Ctx))
      return success();
    FailureOr<CompiledT> Compiled =
        CompiledT::compile(Ctx, std::move(*Entries));
    if (failed(Compiled))
      return failure();
    Everything->add(Ctx,
                    std::make_shared<const CompiledT>(std::move(*Compiled)));
    return success();
  }

private:
  /// Lists by Context.
  class Table {
  public:
    Ptr lookup(Context &Ctx) const {
      std::lock_guard<std::mutex> Guard(Lock);
      auto Known =
          llvm::find_if(Items, [&](const Item &I) { return I.Ctx == &Ctx; });
      return Known == Items.end() ? nullptr : Known->Compiled;
    }
    void add(Context &Ctx, Ptr Compiled) {
      auto Token = Ctx.atEnd([this, &Ctx] { erase(Ctx); });
      std::lock_guard<std::mutex> Guard(Lock);
      Items.push_back({&Ctx, std::move(Compiled), std::move(Token)});
    }

  private:
    struct Item {
      Context *Ctx;
      Ptr Compiled;
      std::shared_ptr<const void> Token; ///< of Context::atEnd()
    };
    void erase(Context &Ctx) {
      std::lock_guard<std::mutex> Guard(Lock);
      llvm::erase_if(Items, [&](const Item &I) { return I.Ctx == &Ctx; });
    }

    mutable std::mutex Lock;
    std::vector<Item> Items;
  };

  std::shared_ptr<Table> Everything = std::make_shared<Table>();
};

/// A function pass that delegates to \p WorkT, which compiles the list for a
/// Context and applies it to a function.
template <typename BaseT, typename WorkT> class PatternPass : public BaseT {
public:
  using Entries = typename WorkT::Entries;

  explicit PatternPass(Entries List) : Work(*this, std::move(List)) {}
  PatternPass(const PatternPass &Other)
      : BaseT(Other), Work(*this, Other.Work) {}

  LogicalResult initialize(Context &Ctx,
                           const PassRegistry &Registry) override {
    return Work.compile(Ctx, Registry);
  }
  FailureOr<PreservedAnalyses> run(Function &F, FunctionAnalysisManager &,
                                   PassContext &PC) override {
    if (failed(Work.compile(F.getContext(), PC.getRegistry())))
      return failure();
    FailureOr<bool> Changed = Work.apply(F);
    if (failed(Changed))
      return failure();
    return this->preserved(*Changed);
  }

protected:
  /// For a pass whose options determine the source of the entries.
  template <typename OptionsT>
  PatternPass(OptionsT Options, typename WorkT::Source GetEntries)
      : BaseT(std::move(Options)), Work(*this, std::move(GetEntries)) {}

  WorkT Work;
};

} // namespace relay

#endif // RELAY_PATTERN_REWRITE_PATTERNPASS_H
