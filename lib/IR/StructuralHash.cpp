//===- StructuralHash.cpp - Hash of IR ------------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hash that corresponds to StructuralEqual.cpp: equal modules have equal
// hashes. Values are visited once, in canonical order. Each value gets a code
// for its uses: a graph node the number of preceding nodes, a variable the
// number of preceding variables, a constant or a projection its content. Values
// without an identity are not counted, so that sharing them has no effect.
//
//===----------------------------------------------------------------------===//

#include "Expression.h"
#include "relay/IR/Constant.h"
#include "relay/IR/StructuralEqual.h"
#include "relay/IR/Walk.h"
#include "llvm/Support/xxhash.h"

using namespace relay;

namespace {

uint64_t mix(uint64_t H, uint64_t Value) {
  H = (H ^ Value) * 0x9e3779b97f4a7c15ull;
  return H ^ H >> 29;
}

uint64_t hashText(StringRef Text) { return llvm::xxh3_64bits(Text); }

/// Hashes types, dimensions and attributes; numbers variables at their first
/// use.
class PartHasher {
public:
  uint64_t hash(const Type *T);
  uint64_t hash(Attr A);
  uint64_t hash(const Attrs *A);
  /// Hashes entries independently of their order; null as the empty list.
  uint64_t hashDict(const Attrs *A);
  /// Numbers the type parameters of a signature.
  uint64_t hashTypeParams(ArrayRef<TypeVarType *> Params);

private:
  uint64_t compute(const Type *T);
  uint64_t computeFunc(const FuncType *T);
  uint64_t hashTypes(uint64_t H, ArrayRef<Type *> Types);
  uint64_t compute(Attr A);
  uint64_t hashList(uint64_t H, ArrayRef<Attr> List);
  uint64_t hashEntries(ArrayRef<NamedAttr> Entries);
  uint64_t number(const void *Variable) {
    return Numbers.try_emplace(Variable, Numbers.size()).first->second;
  }

  template <typename Fn> uint64_t memoize(const void *P, Fn &&Compute) {
    auto It = Known.find(P);
    if (It != Known.end())
      return It->second;
    uint64_t H = Compute();
    Known.try_emplace(P, H);
    return H;
  }

  llvm::DenseMap<const void *, uint64_t> Numbers;
  llvm::DenseMap<const void *, uint64_t> Known;
};

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

uint64_t PartHasher::hash(const Type *T) {
  return T ? memoize(T, [&] { return compute(T); }) : 0;
}

uint64_t PartHasher::compute(const Type *T) {
  uint64_t H = mix(1, uint64_t(T->getKind()));
  switch (T->getKind()) {
  case Type::Kind::Tensor:
    return hashList(mix(H, cast<TensorType>(T)->getDType().getRaw()),
                    toAttrs(cast<TensorType>(T)->getShape()));
  case Type::Kind::Tuple:
    return hashTypes(H, cast<TupleType>(T)->getFields());
  case Type::Kind::Func:
    return computeFunc(cast<FuncType>(T));
  case Type::Kind::Ref:
    return mix(H, hash(cast<RefType>(T)->getValueType()));
  case Type::Kind::Var:
    return mix(mix(H, number(T)), uint64_t(cast<TypeVarType>(T)->getVarKind()));
  case Type::Kind::Call:
    return hashTypes(mix(H, hashText(cast<TypeCall>(T)->getName())),
                     cast<TypeCall>(T)->getArgs());
  case Type::Kind::Incomplete:
    return H;
  }
  llvm_unreachable("unknown kind of type");
}

uint64_t PartHasher::hashTypes(uint64_t H, ArrayRef<Type *> Types) {
  H = mix(H, Types.size());
  for (const Type *T : Types)
    H = mix(H, hash(T));
  return H;
}

/// The parameters of a function type are hashed by position, and are in scope
/// only inside it.
uint64_t PartHasher::computeFunc(const FuncType *T) {
  uint64_t H = mix(2, T->getTypeParams().size());
  auto HashParts = [&] {
    return mix(hashTypes(H, T->getParams()), hash(T->getResult()));
  };
  if (T->getTypeParams().empty())
    return HashParts();
  auto OuterNumbers = Numbers;
  auto OuterKnown = std::move(Known);
  Known.clear();
  for (auto [I, P] : llvm::enumerate(T->getTypeParams()))
    Numbers[P] = mix(T->getDepth(), I);
  H = HashParts();
  Numbers = std::move(OuterNumbers);
  Known = std::move(OuterKnown);
  return H;
}

uint64_t PartHasher::hashTypeParams(ArrayRef<TypeVarType *> Params) {
  uint64_t H = mix(3, Params.size());
  for (const TypeVarType *P : Params)
    H = mix(H, hash(P));
  return H;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

uint64_t PartHasher::hash(Attr A) {
  switch (A.getKind()) {
  case Attr::Kind::None:
  case Attr::Kind::Any:
    return uint64_t(A.getKind());
  case Attr::Kind::Bool:
    return mix(4, A.getBool());
  case Attr::Kind::DType:
    return mix(5, A.getDType().getRaw());
  case Attr::Kind::Int:
    return mix(mix(6, A.getInt()), A.getNumberType().getRaw());
  default:
    return memoize(reinterpret_cast<void *>(A.getOpaque()),
                   [&] { return compute(A); });
  }
}

uint64_t PartHasher::compute(Attr A) {
  uint64_t H = mix(7, uint64_t(A.getKind()));
  switch (A.getKind()) {
  case Attr::Kind::DimVar:
    return mix(mix(mix(H, number(reinterpret_cast<void *>(A.getOpaque()))),
                   Dim(A).isSizeVar()),
               A.getNumberType().getRaw());
  case Attr::Kind::DimExpr:
    H = mix(mix(H, uint64_t(Dim(A).getOp())), A.getNumberType().getRaw());
    return hashList(H, toAttrs(Dim(A).getOperands()));
  case Attr::Kind::Float:
    return mix(mix(H, llvm::bit_cast<uint64_t>(A.getFloat())),
               A.getNumberType().getRaw());
  case Attr::Kind::String:
    return mix(H, hashText(A.getString()));
  case Attr::Kind::Array:
    return hashList(H, A.getArray());
  case Attr::Kind::Dict:
    return mix(H, hashEntries(A.getDict()));
  case Attr::Kind::Object:
    return mix(mix(H, hashText(A.getTypeKey())), hashEntries(A.getFields()));
  case Attr::Kind::Constant:
    return mix(mix(H, A.getConstant()->getHash()),
               hash(A.getConstant()->getType()));
  case Attr::Kind::OpAttrs:
    return mix(H, hash(A.getOpAttrs()));
  case Attr::Kind::Type:
    return mix(H, hash(A.getType()));
  default:
    return H; // two Raw nodes of different documents only share their kind
  }
}

uint64_t PartHasher::hashList(uint64_t H, ArrayRef<Attr> List) {
  H = mix(H, List.size());
  for (Attr A : List)
    H = mix(H, hash(A));
  return H;
}

uint64_t PartHasher::hashEntries(ArrayRef<NamedAttr> Entries) {
  uint64_t Sum = 0;
  for (auto [Key, Value] : Entries)
    Sum += mix(hash(Key), hash(Value));
  return mix(Entries.size(), Sum);
}

uint64_t PartHasher::hash(const Attrs *A) {
  if (!A)
    return 0;
  return memoize(A, [&] {
    return hashList(hashText(A->getInfo().TypeKey), A->getSlots());
  });
}

uint64_t PartHasher::hashDict(const Attrs *A) {
  return hashEntries(A ? A->getEntries() : ArrayRef<NamedAttr>());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

class FunctionHasher {
public:
  FunctionHasher(Function &F, bool Inferred) : F(F), Inferred(Inferred) {}
  uint64_t run();

private:
  enum Tag : uint64_t { Node = 11, Argument, Variable, Content, Binding };

  void numberVariables(Operation *Op);
  void numberArguments(Block &B) {
    for (BlockArgument *Arg : B.getArguments())
      codeOf(Arg) = mix(Argument, NumArguments++);
  }
  void visit(Operation *Op);
  uint64_t getContentCode(Operation *Op);
  uint64_t hashNode(Operation *Op);
  uint64_t hashSignature(const Signature &S, Block &B);
  uint64_t hashArgument(BlockArgument *Arg) {
    Type *T = Inferred ? getTypeToCompare(Arg) : Arg->getAnnotation();
    return mix(mix(codeOf(Arg), Parts.hash(T)),
               Parts.hash(Arg->getVirtualDevice()));
  }
  uint64_t hashPatterns(Operation *Op);
  uint64_t hashBlock(Block &B);
  /// Hashes the operator with its attributes.
  uint64_t hashKind(Operation *Op) {
    auto [It, New] = Kinds.try_emplace({&Op->getInfo(), Op->getAttrs()}, 0);
    if (New)
      It->second = mix(hashText(Op->getName()), Parts.hash(Op->getAttrs()));
    return It->second;
  }
  uint64_t &codeOf(const Value *V) { return Codes[V->getIndex()]; }

  Function &F;
  bool Inferred; ///< inferred types are hashed, too
  PartHasher Parts;
  llvm::DenseMap<std::pair<const OpInfo *, const Attrs *>, uint64_t> Kinds;
  /// The hash of a use of each value, by the value's index.
  SmallVector<uint64_t, 0> Codes;
  /// The hash of the bindings of each block so far.
  llvm::DenseMap<const Block *, uint64_t> Sequences;
  uint64_t BodySequence = 0;
  uint64_t State = 0, NumNodes = 0, NumArguments = 0, NumVariables = 0;
};

/// Numbers variables that may be used before their position in the order:
/// arguments of a region in the region, a closure in itself.
void FunctionHasher::numberVariables(Operation *Op) {
  if (!Op->getNumRegions())
    return;
  for (Block &B : Op->getRegions())
    numberArguments(B);
  if (Op->isBound())
    codeOf(Op) = mix(Variable, NumVariables++);
}

uint64_t FunctionHasher::run() {
  Codes.assign(F.getNumValues(), 0);
  numberArguments(F.getBody());
  walk<WalkOrder::PreOrder>(F, [&](Operation *Op) { numberVariables(Op); });
  walk(F, [&](Operation *Op) { visit(Op); });
  State = mix(State, hashSignature(F.getSignature(), F.getBody()));
  return mix(State, hashBlock(F.getBody()));
}

void FunctionHasher::visit(Operation *Op) {
  uint64_t Code = getContentCode(Op);
  if (Op->isFloating()) {
    codeOf(Op) = Code;
    return;
  }
  if (!Op->getNumRegions())
    codeOf(Op) = mix(Variable, NumVariables++);
  uint64_t &Sequence =
      Op->getBlock() == &F.getBody() ? BodySequence : Sequences[Op->getBlock()];
  Sequence = mix(Sequence, codeOf(Op));
  State = mix(mix(State, Binding), Code);
  Type *T = Inferred ? getTypeToCompare(Op) : Op->getVarAnnotation();
  State = mix(State, Parts.hash(T));
  State = mix(State, Parts.hash(Op->getVarVirtualDevice()));
}

/// Returns the code of the expression that \p Op represents; hashes the
/// expression if it is a node.
uint64_t FunctionHasher::getContentCode(Operation *Op) {
  if (Op->is(OpCode::Alias))
    return codeOf(Op->getOperand(0));
  uint64_t H = hashNode(Op);
  if (!isGraphNode(Op))
    return mix(Content, H);
  State = mix(State, H);
  return mix(Node, NumNodes++);
}

uint64_t FunctionHasher::hashNode(Operation *Op) {
  uint64_t H = mix(hashKind(Op), Op->getNumOperands());
  for (Value *Operand : Op->operands())
    H = mix(H, codeOf(Operand));
  if (Inferred && !Op->is(OpCode::Operator))
    for (Type *T : Op->getTypeArgs())
      H = mix(H, Parts.hash(T));
  if (!Op->getNumRegions())
    return H;
  if (Op->is(OpCode::Fn))
    H = mix(H, hashSignature(Op->getSignature(), Op->getRegion()));
  if (Op->is(OpCode::Match))
    H = mix(H, hashPatterns(Op));
  for (Block &B : Op->getRegions())
    H = mix(H, hashBlock(B));
  return H;
}

uint64_t FunctionHasher::hashSignature(const Signature &S, Block &B) {
  uint64_t H = Parts.hashTypeParams(S.TypeParams);
  H = mix(H, B.getNumArguments());
  for (BlockArgument *Arg : B.getArguments())
    H = mix(H, hashArgument(Arg));
  H = mix(H, Parts.hash(Inferred ? getResultTypeToCompare(S, B)
                                 : S.ResultAnnotation));
  H = mix(H, Parts.hash(S.VirtualDevice));
  return mix(H, Parts.hashDict(S.Attributes));
}

uint64_t FunctionHasher::hashPatterns(Operation *Op) {
  uint64_t H = Op->isCompleteMatch();
  SmallVector<const MatchPattern *, 8> Worklist(Op->getPatterns());
  while (!Worklist.empty()) {
    const MatchPattern *P = Worklist.pop_back_val();
    H = mix(mix(H, uint64_t(P->K)), P->Children.size());
    if (P->K == MatchPattern::Kind::Constructor)
      H = mix(H, hashText(P->Constructor));
    if (P->Variable)
      H = mix(H, hashArgument(P->Variable));
    Worklist.append(P->Children.begin(), P->Children.end());
  }
  return H;
}

uint64_t FunctionHasher::hashBlock(Block &B) {
  uint64_t Sequence = &B == &F.getBody() ? BodySequence : Sequences.lookup(&B);
  return mix(Sequence, codeOf(B.getResult()));
}

} // namespace

uint64_t relay::getStructuralHash(Function &F, bool InferredTypes) {
  return FunctionHasher(F, InferredTypes).run();
}

/// The order of functions and of definitions is ignored.
uint64_t relay::getStructuralHash(Module &M) {
  uint64_t H = PartHasher().hashDict(M.getAttributes());
  for (Function &F : M.functions())
    H += mix(hashText(F.getName()), getStructuralHash(F));
  for (TypeDef &D : M.typeDefs()) {
    PartHasher Parts;
    uint64_t DefHash = mix(hashText(D.Name), D.Extern);
    DefHash = mix(DefHash, Parts.hashTypeParams(D.TypeParams));
    for (const auto &C : D.Constructors) {
      DefHash = mix(DefHash, mix(hashText(C->Name), C->Fields.size()));
      for (Type *T : C->Fields)
        DefHash = mix(DefHash, Parts.hash(T));
    }
    H += DefHash;
  }
  return H;
}
