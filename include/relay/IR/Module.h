//===- Module.h - Functions and type definitions ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's IRModule: global functions and type definitions by name, in the order
// in which they were added. Calls refer to functions by name, not by pointer.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_MODULE_H
#define RELAY_IR_MODULE_H

#include "relay/IR/Function.h"
#include "relay/IR/MetaDocument.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <vector>

namespace relay {

class RewriteListener;

/// A constructor of a type definition: `Cons(A, List[A])`.
struct Constructor {
  StringRef Name; ///< interned
  SmallVector<Type *, 2> Fields;
  struct TypeDef *Parent = nullptr;
  unsigned Tag = 0; ///< index in the definition
};

/// `type List[A] { … }`, `extern type T`.
struct TypeDef {
  StringRef Name; ///< interned
  SmallVector<TypeVarType *, 2> TypeParams;
  std::vector<std::unique_ptr<Constructor>> Constructors;
  bool Extern = false;
  Location Loc;
};

/// Returns a copy of \p D for another module.
std::unique_ptr<TypeDef> cloneTypeDef(const TypeDef &D);

class Module {
public:
  explicit Module(Context &Ctx);
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  Context &getContext() const { return Ctx; }

  //===--- Functions ------------------------------------------------------===//
  /// Adds \p F at the end; its name must be free.
  Function *addFunction(std::unique_ptr<Function> F);
  /// A new empty function at the end.
  Function *createFunction(StringRef Name, Location Loc = {});
  void eraseFunction(Function *F);
  /// Erases all of \p Dead in time linear in the number of functions.
  void eraseFunctions(ArrayRef<Function *> Dead);
  /// Removes \p F and hands it over.
  std::unique_ptr<Function> takeFunction(Function *F);
  Function *lookupFunction(StringRef Name) const;
  void renameFunction(Function *F, StringRef NewName);
  auto functions() const {
    return llvm::map_range(
        Functions,
        [](const std::unique_ptr<Function> &F) -> Function & { return *F; });
  }
  size_t getNumFunctions() const { return Functions.size(); }
  /// A name that no function has: \p Base, or Base with the least number from
  /// 1. Costs the same however many names have a number.
  StringRef getUniqueName(StringRef Base) const;

  //===--- Type definitions -----------------------------------------------===//
  TypeDef *addTypeDef(std::unique_ptr<TypeDef> D);
  /// Adds \p C, whose name no constructor has, at the end of \p D, which is in
  /// the module.
  Constructor *addConstructor(TypeDef &D, std::unique_ptr<Constructor> C);
  TypeDef *lookupTypeDef(StringRef Name) const;
  Constructor *lookupConstructor(StringRef Name) const;
  auto typeDefs() const {
    return llvm::map_range(
        TypeDefs,
        [](const std::unique_ptr<TypeDef> &D) -> TypeDef & { return *D; });
  }
  size_t getNumTypeDefs() const { return TypeDefs.size(); }

  //===--- Other ----------------------------------------------------------===//
  /// Attributes of the module: kept in memory, never printed, as in TVM.
  const Attrs *getAttributes() const { return Attributes; }
  void setAttributes(const Attrs *A) { Attributes = A; }
  /// The file holds an expression instead of definitions: `@main` then has a
  /// form other than Definition, and undefined names are allowed.
  bool isExpression() const;

  /// Returns true if inference has typed the module, so that its operations
  /// have to be typed from then on. A module as read is not typed yet.
  bool isTyped() const { return Typed; }
  void setTyped(bool On) { Typed = On; }

  /// normalize() of each function; whether one changed.
  bool normalize();
  uint64_t getNumOperations() const;

  /// The listeners of all further changes by Rewriters and normalize(). A pass
  /// manager installs them while it runs passes; the array must outlive that.
  void setRewriteListeners(ArrayRef<RewriteListener *> New) {
    RewriteListeners = New;
  }
  ArrayRef<RewriteListener *> getRewriteListeners() const {
    return RewriteListeners;
  }

  /// Logs changes of the module by Rewriters: added functions, erased
  /// functions, and attributes.
  RewriteLog &getRewriteLog() { return Log; }

  //===--- Copies and lifetimes -------------------------------------------===//
  /// Returns a normalized copy of the type definitions and of the functions
  /// that \p IsWanted accepts. It shares data of the module, and may outlive
  /// it.
  std::unique_ptr<Module> clone(function_ref<bool(const Function &)> IsWanted =
                                    [](const Function &) {
                                      return true;
                                    }) const;
  /// Keeps \p What as long as the module and its clones: the text that it was
  /// read from, the document of its raw attributes.
  void keep(std::shared_ptr<const void> What) {
    Kept.push_back(std::move(What));
  }
  /// A variable of the module's types, unequal to every other. Once the module
  /// and its clones have gone, the context gives it to another module.
  Dim createDimVar(StringRef Name, DType T, bool SizeVar);

private:
  class DimVars;
  void forgetNumber(StringRef Name);

  Context &Ctx;
  std::vector<std::shared_ptr<const void>> Kept;
  std::shared_ptr<DimVars> Vars; ///< null as long as there are none
  std::vector<std::unique_ptr<Function>> Functions;
  llvm::DenseMap<StringRef, Function *> FunctionByName;
  /// By name, interned: a number below which no name with one is free.
  mutable llvm::DenseMap<StringRef, unsigned> NextNumbers;
  std::vector<std::unique_ptr<TypeDef>> TypeDefs;
  llvm::DenseMap<StringRef, TypeDef *> TypeDefByName;
  llvm::DenseMap<StringRef, Constructor *> ConstructorByName;
  const Attrs *Attributes = nullptr;
  bool Typed = true;
  ArrayRef<RewriteListener *> RewriteListeners;
  RewriteLog Log;
};

} // namespace relay

#endif // RELAY_IR_MODULE_H
