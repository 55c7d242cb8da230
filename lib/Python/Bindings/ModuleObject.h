//===- ModuleObject.h - Modules as Python has them --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's IRModule. A function is an expression, IR, or both: it is converted
// when somebody asks for the other form. A pass runs on a copy, so that neither
// a module nor its expressions ever change because of a pass.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PYTHON_BINDINGS_MODULEOBJECT_H
#define RELAY_LIB_PYTHON_BINDINGS_MODULEOBJECT_H

#include "Engine.h"
#include "llvm/ADT/MapVector.h"

namespace relay::python {

class ModuleObject : public nb::intrusive_base {
public:
  ModuleObject();
  /// Takes over \p M.
  explicit ModuleObject(std::unique_ptr<Module> M);
  ModuleObject(const ModuleObject &) = delete;
  ~ModuleObject() override;

  /// Shows \p M, which a pass manager owns, until detach().
  static nb::ref<ModuleObject> view(Module &M);
  /// Ends the view: copies the module that is shown. No effect on a module that
  /// owns its IR.
  void detach();
  bool isView() const { return !Owned; }

  /// Returns the IR of all functions, which is not typed if an expression was
  /// converted. Raises ExprError.
  Module &getIR(Work &W);
  /// Returns the IR with types. Raises VerifyError.
  Module &getTypedIR(Work &W);
  /// Returns a copy with types, for a pass to work on. Raises VerifyError.
  std::unique_ptr<Module> copyIR(Work &W);
  /// For a function pass: replaces the named functions in the shown module.
  void
  writeInto(Work &W,
            ArrayRef<std::pair<StringRef, nb::ref<FunctionExpr>>> NewFunctions);
  /// Makes \p M the module's IR in place of all it has.
  void reset(std::unique_ptr<Module> M);

  SmallVector<StringRef, 4> getNames() const;
  bool contains(StringRef InternedName) const {
    return Functions.count(InternedName);
  }
  /// Returns the function; null if there is none.
  nb::ref<FunctionExpr> lookup(StringRef InternedName);
  void set(StringRef InternedName, nb::ref<FunctionExpr> F);
  void remove(StringRef InternedName);
  nb::ref<ModuleObject> copy();
  /// Returns attributes of the module; null if there are none.
  const Attrs *getAttributes() const {
    return IR ? IR->getAttributes() : nullptr;
  }
  void setAttributes(const Attrs *A) {
    IR->setAttributes(A);
    noteChange();
  }
  /// Returns a number that rises with each change of the contents.
  uint64_t getVersion() const { return Version; }
  void noteChange() { ++Version; }

private:
  struct Slot {
    nb::ref<FunctionExpr> Node; ///< null until somebody asks for it
    bool InIR = false;
  };
  explicit ModuleObject(Module *Shown) : IR(Shown) { list(); }
  void list();
  void restoreOrder();

  std::unique_ptr<Module> Owned;
  Module *IR; ///< owned or shown
  llvm::MapVector<StringRef, Slot> Functions;
  uint64_t Version = 0;
};

/// Infers the types of \p M, unless it is typed, and verifies it.
LogicalResult typeModule(Module &M);

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BINDINGS_MODULEOBJECT_H
