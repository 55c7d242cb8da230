//===- TypeSolver.h - Unification of types ----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph of known, partly known and unknown types, with union-find
// unification, and type relations that wait until enough is known. Users map
// values to types (room Analysis' inference).
//
// Identity matters, as in TVM: two values of one term share their type
// permanently, so that unifying one with `Tensor[(?), float32]` makes the other
// dynamic, too; two values whose types are merely equal do not influence each
// other.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_TYPESOLVER_H
#define RELAY_ANALYSIS_TYPESOLVER_H

#include "relay/IR/TypeUtils.h"
#include "relay/IR/TypingRules.h"
#include "llvm/Support/Allocator.h"
#include <functional>
#include <vector>

namespace relay {

class Operation;
struct OpInfo;

/// A node of the graph. Only its solver looks inside.
class TypeTerm {
  friend class TypeSolver;
  friend class TermSubstitution;
  enum class Kind : uint8_t {
    Unknown,
    Known, ///< the complete type Ty, not taken apart yet
    Tuple, ///< children: the fields
    Func,  ///< children: the parameters and the result
    Ref,   ///< child: the value
    Call,  ///< children: the arguments
    Untyped
  };

  Kind K = Kind::Unknown;
  uint32_t Stamp = 0; ///< of the last traversal that came here
  TypeTerm *Parent = nullptr;
  Type *Ty = nullptr; ///< Known; otherwise what resolve() found last
  uint32_t ResolvedAt = 0;
  StringRef Name; ///< Call: interned
  ArrayRef<TypeVarType *> TypeParams;
  ArrayRef<TypeTerm *> Children;
  struct Waiting *LastWaiting = nullptr; ///< of a circular list
};

/// A function type taken apart.
using FuncTerm = FuncParts<TypeTerm *>;

/// A type relation between terms, for one operation.
struct RelationTerm {
  const OpInfo *Info;
  const Attrs *A;
  const Operation *Op; ///< where errors are; null in tests
  ArrayRef<TypeTerm *> Operands;
  TypeTerm *Result;
  bool IsDone = false, IsQueued = false;
};

class TypeSolver {
public:
  using ErrorHandler =
      std::function<void(const RelationTerm &, StringRef Message)>;

  TypeSolver(Context &Ctx, ErrorHandler OnError)
      : Ctx(Ctx), OnError(std::move(OnError)) {}
  TypeSolver(const TypeSolver &) = delete;
  TypeSolver &operator=(const TypeSolver &) = delete;

  //===--- Terms ----------------------------------------------------------===//
  /// Nothing is known.
  TypeTerm *createUnknown();
  /// Nothing will be known: unifies with everything and changes nothing.
  TypeTerm *createUntyped();
  /// \p T with an identity of its own. Incomplete types in it are unknowns of
  /// this solver.
  TypeTerm *create(Type *T);
  /// Like create(); each Incomplete type in it becomes a new unknown.
  TypeTerm *createFromText(Type *T);
  TypeTerm *createTuple(ArrayRef<TypeTerm *> Fields);
  TypeTerm *createFunc(ArrayRef<TypeVarType *> TypeParams,
                       ArrayRef<TypeTerm *> Params, TypeTerm *Result);
  TypeTerm *createRef(TypeTerm *Value);
  TypeTerm *createCall(StringRef InternedName, ArrayRef<TypeTerm *> Args);
  /// Each of \p Terms with \p Params replaced by \p Args.
  SmallVector<TypeTerm *, 4> substitute(ArrayRef<TypeTerm *> Terms,
                                        ArrayRef<TypeVarType *> Params,
                                        ArrayRef<TypeTerm *> Args);

  //===--- Solved terms ---------------------------------------------------===//
  bool isUnknown(TypeTerm *T) { return is(T, TypeTerm::Kind::Unknown); }
  bool isUntyped(TypeTerm *T) { return is(T, TypeTerm::Kind::Untyped); }
  /// Returns the type of \p T, with Incomplete parts if they are unknown; null
  /// if a part is untyped, or if it is too deep or too large.
  Type *resolve(TypeTerm *T);
  /// The parts of \p T, when it is known to be a function type, and so on.
  std::optional<FuncTerm> getFunc(TypeTerm *T);
  std::optional<ArrayRef<TypeTerm *>> getTuple(TypeTerm *T);
  /// The value type of a reference; null if \p T is not one.
  TypeTerm *getRef(TypeTerm *T);

  //===--- Unification ----------------------------------------------------===//
  /// Makes \p L and \p R one type. Dimensions may differ where one is `?`,
  /// which then holds for both, or a variable, which then is the other's
  /// constant.
  LogicalResult unify(TypeTerm *L, TypeTerm *R);
  /// Like unify(), but if both are known, \p R does not change: an argument
  /// does not become dynamic, or less polymorphic, by its parameter.
  LogicalResult unifyInto(TypeTerm *L, TypeTerm *R);
  /// The reason why the last unify() failed; empty if the types merely differ.
  StringRef getReason() const { return Reason; }

  //===--- Relations ------------------------------------------------------===//
  /// Adds a relation; solve() runs it.
  void addRelation(const OpInfo &Info, const Attrs *A, const Operation *Op,
                   ArrayRef<TypeTerm *> Operands, TypeTerm *Result);
  /// Runs relations until none can say more. The result of one that failed
  /// becomes untyped.
  void solve();
  /// Unsolved relations, in the order they were added.
  SmallVector<const RelationTerm *> getUnsolvedRelations() const;

  /// Returns the number of terms visited and relations run so far.
  uint64_t getNumSteps() const { return NumSteps; }

private:
  friend class SolverRelation;
  friend class TermSubstitution;

  TypeTerm *find(TypeTerm *T);
  bool is(TypeTerm *T, TypeTerm::Kind K) { return find(T)->K == K; }
  TypeTerm *allocate(TypeTerm::Kind K);
  template <typename T> ArrayRef<T> copy(ArrayRef<T> Elements) {
    T *Memory = Arena.Allocate<T>(Elements.size());
    std::uninitialized_copy(Elements.begin(), Elements.end(), Memory);
    return ArrayRef(Memory, Elements.size());
  }
  TypeTerm *convert(Type *T,
                    function_ref<TypeTerm *(IncompleteType *)> OnIncomplete);
  /// Makes a term of kind Known one of its type's kind.
  void expand(TypeTerm *T);
  Type *resolve(TypeTerm *T, unsigned Depth);
  Type *build(TypeTerm *T, unsigned Depth);

  bool unify(TypeTerm *L, TypeTerm *R, unsigned Depth, bool KeepRight = false);
  bool unifyKnown(TypeTerm *L, TypeTerm *R, bool KeepRight);
  bool unifyParts(TypeTerm *L, TypeTerm *R, unsigned Depth);
  bool unifyFuncs(TypeTerm *L, TypeTerm *R, unsigned Depth);
  bool unifyAll(ArrayRef<TypeTerm *> L, ArrayRef<TypeTerm *> R, unsigned Depth);
  /// Makes the unknown \p Unknown the same as \p T.
  bool bind(TypeTerm *Unknown, TypeTerm *T);
  /// \p From's type becomes that of \p To.
  void merge(TypeTerm *From, TypeTerm *To);
  void wake(struct Waiting *Last);
  bool occurs(TypeTerm *Unknown, TypeTerm *T);
  bool isTooDeep(unsigned Depth);

  void run(RelationTerm &R);
  void runProjection(RelationTerm &R);
  void fail(RelationTerm &R, StringRef Message);
  /// Queues \p R again when an unknown in its operands becomes known.
  void wait(RelationTerm &R);
  TypeTerm *findUnknown(TypeTerm *T);

  Context &Ctx;
  ErrorHandler OnError;
  llvm::BumpPtrAllocator Arena;
  std::vector<TypeTerm *> Unknowns; ///< by IncompleteType's id
  DimVarMap DimBindings;
  uint64_t NumSteps = 0;
  uint32_t LastStamp = 0;
  uint32_t NumMerges = 1; ///< when it grows, what was resolved is stale
  StringRef Reason;
  std::vector<RelationTerm *> Relations, Queue;
};

} // namespace relay

#endif // RELAY_ANALYSIS_TYPESOLVER_H
