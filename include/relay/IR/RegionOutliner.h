//===- RegionOutliner.h - Make functions of operations ----------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outlines a group of operations to a function and replaces them by a call: to
// a closure, into which they are moved, or to a new global function, into which
// they are copied. Captured values become the parameters, in the order of first
// uses. The caller chooses the group:
//
//   RegionOutliner Outliner(R);
//   if (R.startRewrite("outline", Group.back()))
//     Outliner.outlineToClosure(Group, Group.back(), Ctx.getDictAttrs(
//         {{Ctx.getString(FunctionAttrs::Composite), Ctx.getString(Name)}}));
//
// Passes that create the function or the call themselves use the single steps.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_REGIONOUTLINER_H
#define RELAY_IR_REGIONOUTLINER_H

#include "relay/IR/Core.h"
#include "relay/IR/Rewriter.h"

namespace relay {

class RegionOutliner {
public:
  struct Options {
    /// Parameters are named by this and their number: `p0`, `p1`, …
    StringRef ParamPrefix = "p";
    /// Copy constants that a group uses into the function. Otherwise they are
    /// arguments, except those that the type of their user depends on, which
    /// are always copied.
    bool CopyConstants = false;
  };

  /// Changes IR by \p R, whose function holds the groups; both outlive this.
  explicit RegionOutliner(Rewriter &R) : R(R) {}
  RegionOutliner(Rewriter &R, Options O) : R(R), Opts(O) {}

  //===--- Whole groups ---------------------------------------------------===//
  // Members of a group are in one block, operands before users; Results are the
  // members that are used outside of the group. The call is inserted at the
  // last member, with the locations of all members. It returns a single result,
  // or a tuple of several, none of which may be bound. The caller announces the
  // rewrite.

  /// Moves \p Members into a new closure with the attributes
  /// \p Attributes, null or a Dict, and returns its call. \p FirstInputs come
  /// before the other inputs: arguments are evaluated in order.
  CallValueOp outlineToClosure(ArrayRef<Operation *> Members,
                               ArrayRef<Operation *> Results,
                               const Attrs *Attributes = nullptr,
                               ArrayRef<Value *> FirstInputs = {});

  /// For passes over modules. Adds a function \p Name, which is free, with
  /// copies of \p Members and the attributes \p Attributes, null or a Dict,
  /// erases them, and returns its call. Type parameters of the function around
  /// them become such of the new one.
  CallGlobalOp outlineToFunction(ArrayRef<Operation *> Members,
                                 ArrayRef<Operation *> Results, StringRef Name,
                                 const Attrs *Attributes = nullptr);

  //===--- Single steps ---------------------------------------------------===//

  /// Begins a function with the empty body \p Where, of a closure or of a
  /// function that is in no module yet. \p TypeVars, type variables of the
  /// surroundings, become type parameters.
  void begin(Block &Where, ArrayRef<TypeVarType *> TypeVars = {});
  /// Begins a function \p Name, for copies of \p Members, whose free type
  /// variables become type parameters. It is in no module until call().
  Function &beginFunction(StringRef Name, ArrayRef<Operation *> Members,
                          Location Loc);
  /// Adds a parameter for \p Outer, which is not an input yet. Copies that are
  /// added later use the parameter.
  BlockArgument *addInput(Value *Outer, StringRef InternedName, Location Loc);
  /// Moves \p Op with its regions to the end of the body, or adds a floating
  /// copy if the body belongs to another function. Its operands that are
  /// neither inputs nor in the body become inputs. Returns the operation in the
  /// body.
  Operation *add(Operation *Op);
  /// Adds a floating copy of \p Op, with which the rest is as in add().
  Operation *addCopy(Operation *Op);
  /// The copies of operations and the parameters of inputs, for
  /// Rewriter::cloneInto().
  llvm::DenseMap<const Value *, Value *> &getCopies() { return Copies; }
  /// Makes \p Result, which is in the body, the result of the function, and
  /// sets its annotation and the attributes.
  void finish(Value *Result, const Attrs *Attributes);
  /// Returns several results, as a tuple; otherwise as above.
  void finish(ArrayRef<Value *> Results, const Attrs *Attributes);
  /// Adds the function of beginFunction() to \p M and creates its call.
  CallGlobalOp call(Module &M);
  /// Returns result \p I of \p NumResults of \p Call: a new projection if there
  /// are several.
  Operation *getResult(Operation *Call, unsigned I, size_t NumResults);
  /// The outer values of the parameters: the arguments of a call.
  ArrayRef<Value *> getInputs() const { return Inputs; }
  /// The replacements of the type variables of begin().
  ArrayRef<Type *> getTypeParams() const { return TypeParams; }

private:
  /// A map of values to values. Most have few entries, among which a search is
  /// faster than hashing.
  class ValueMap {
  public:
    Value *&operator[](const Value *Key);
    void clear() {
      Few.clear();
      Many.clear();
    }

  private:
    static constexpr unsigned MaxFew = 8;
    SmallVector<std::pair<const Value *, Value *>, MaxFew> Few;
    /// All entries, once there are more than MaxFew; empty before.
    llvm::DenseMap<const Value *, Value *> Many;
  };

  StringRef getParamName(unsigned I);
  BlockArgument *addParam(Value *Outer, StringRef InternedName, Location Loc);
  Value *getInner(Use &U, Operation *Top);
  FuncType *&findKnownType(Type *Result);
  CallValueOp createCall(Operation *Fn);
  Operation *copyConstant(Operation *Constant, Operation *Before);
  void connect(Operation *Top);
  void connectUse(Use &U, Operation *Top);
  void connectRegions(Operation *Top);
  bool isInBody(const Use &U, bool HasRegions) const;
  void addMembers(ArrayRef<Operation *> Members, ArrayRef<Operation *> Results);
  void finishMembers(ArrayRef<Operation *> Results, const Attrs *Attributes);
  Operation *getMember(Operation *Op) const;
  void replaceResults(ArrayRef<Operation *> Results, Operation *Call);

  Rewriter &R;
  Options Opts;
  /// The attributes of calls of closures.
  const CallValueAttrs *CallAttrs = CallValueAttrs::getDefault(R.getContext());
  SmallVector<StringRef, 16> ParamNames;
  /// The body of the current function.
  Block *Body = nullptr;
  /// The function of beginFunction() before it is in a module.
  std::unique_ptr<Function> NewFunction;
  /// Rewriter::createClosure() announces all changes of the body.
  bool IsNewClosure = false;
  /// Types of closures by a hash of their parts: closures are often alike.
  FuncType *KnownTypes[16] = {};
  SmallVector<Value *, 16> Inputs;
  SmallVector<TypeVarType *, 0> TypeVars;
  SmallVector<Type *, 0> TypeParams;
  /// By outer value: the parameter, or the copy of a constant.
  ValueMap Inners;
  /// By outer operation: its copy in the body; by input: the parameter.
  llvm::DenseMap<const Value *, Value *> Copies;
};

/// The location of a group of operations: of those that name a layer, or else
/// of the last one.
Location getGroupLoc(ArrayRef<Operation *> Members);

} // namespace relay

#endif // RELAY_IR_REGIONOUTLINER_H
