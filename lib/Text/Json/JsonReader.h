//===- JsonReader.h - Reading modules as TVM's JSON -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates operations from the output of TVM's save_json. Expressions are a
// graph of nodes, nested to any depth: the reader keeps a stack of frames, one
// for each unfinished node and one for each open block. A node with several
// uses becomes one operation. MetaReader reads types, attributes and constants.
//
// Reading ends at the first error.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_JSON_JSONREADER_H
#define RELAY_LIB_TEXT_JSON_JSONREADER_H

#include "Parse/ParserImpl.h"

namespace relay {
class JsonReader {
public:
  explicit JsonReader(Parser &P)
      : P(P), Ctx(P.Ctx), Meta(P.Meta), Json(P.Meta.getJson()) {}

  bool read(StringRef Text);

private:
  using Node = MetaJsonNode;

  /// Kinds of expressions.
  enum class Kind : uint8_t {
    None,
    Call,
    Var,
    Constant,
    Function,
    Let,
    If,
    Match,
    Tuple,
    TupleGetItem,
    RefCreate,
    RefRead,
    RefWrite,
    GlobalVar,
    Op,
    Constructor
  };

  /// The operation of a node in the current function.
  struct Entry {
    Value *V = nullptr;
    uint32_t Function = 0;
    uint32_t Region = 0;
    bool Entered = false;
  };

  /// A node or a block under construction.
  struct Frame {
    uint32_t Id = 0;
    Block *Where = nullptr; ///< for a block
    unsigned Step = 0;
    Operation *Op = nullptr;
    size_t Base = 0; ///< position of its first operand
    SmallVector<uint32_t, 3> Children;
    std::unique_ptr<Parser::RegionScope> Scope;
    bool IsScopeRoot = false; ///< a `let` that forms its own scope
    SmallVector<MatchPattern *, 0> Patterns;
  };

  //===--- Errors and fields ----------------------------------------------===//
  bool fail(const char *At, const Twine &Message) {
    P.error(At, 0, Message);
    return false;
  }
  bool fail(const Node &N, const Twine &Message) { return fail(N.At, Message); }
  const Node *getField(const Node &N, StringRef Name, uint32_t &Id);
  /// Returns the node in the field \p Name; reports an error if it is missing
  /// or null.
  const Node *getNode(const Node &N, StringRef Name, uint32_t &Id);
  bool getList(const Node &N, StringRef Name, ArrayRef<uint32_t> &List);
  bool checkList(const Node &Owner, ArrayRef<uint32_t> List);
  bool getValue(const Node &N, StringRef Name, Attr &Out);
  bool getType(const Node &N, StringRef Name, Type *&Out);
  bool getAnnotation(const Node &N, StringRef Name, Type *&Out);
  bool getTypeVars(const Node &N, StringRef Name,
                   SmallVectorImpl<TypeVarType *> &Out);
  bool getDevice(const Node &N, Attr &Out);
  bool getDictAttrs(const Node &N, const Attrs *&Out);
  static Attr findExpression(Attr Value);
  bool checkKeys(const Node &N, ArrayRef<NamedAttr> Entries, bool OfCall);
  bool getLoc(const Node &N, Location &Out);
  bool addSpan(uint32_t Id, SmallVectorImpl<Span> &Spans);
  StringRef makeVarName(StringRef Name);
  bool getGlobalName(const Node &N, StringRef &Name);
  static Kind parseKind(StringRef TypeKey);
  Kind getKind(const Node &N) const { return Kinds[&N - Json.Nodes.data()]; }

  //===--- The module -----------------------------------------------------===//
  void countUses();
  bool readModule(const Node &Root);
  bool readTypeDefs(const Node &Root);
  bool readTypeDef(uint32_t Id);
  bool readFunctions(const Node &Root);
  bool readFunction(StringRef Name, uint32_t Id);
  bool readExpression(uint32_t Root);
  bool readSignature(const Node &N, Signature &Sig, Block &Body);

  //===--- Type variables -------------------------------------------------===//
  /// The regions in which type variables are bound; 0 in type definitions.
  struct TypeScope {
    uint32_t Function = 0;
    uint32_t Region = 0;
  };
  bool isBound(const TypeVarType *Var) const;
  bool bindTypeVars(const Node &N, ArrayRef<TypeVarType *> Vars);
  bool checkTypeVars(const Node &N, const Type *T);

  //===--- Variables ------------------------------------------------------===//
  struct Variable {
    Value *V = nullptr;
    uint32_t Function = 0;
    uint32_t Region = 0;
  };
  struct VarParts {
    uint32_t Id = 0; ///< the node that identifies the variable
    StringRef Name;
    Type *Annotation = nullptr;
    Attr Device;
    Location Loc;
  };
  bool getVar(uint32_t Id, VarParts &Out);
  bool isBound(uint32_t Id) const;
  bool define(const Node &N, uint32_t Id, Value *V);
  bool addArgument(uint32_t Id, Block &Where);
  bool useVar(uint32_t Id, Value *&Out);

  //===--- Expressions ----------------------------------------------------===//
  bool run();
  bool leaveAll();
  bool step();
  bool enter(uint32_t Id);
  bool finishNode(Value *V);
  void enterBlock(Block &Where, uint32_t Root, bool IsScopeRoot = false);
  bool stepBlock();
  bool stepNode();
  bool prepare(Frame &F);
  bool checkProjected(const Node &N, uint32_t Id);
  bool useNode(uint32_t Id, const Entry &E);
  bool makePlain(Frame &F);
  bool stepIf(Frame &F);
  bool stepMatch(Frame &F);
  bool stepFunction(Frame &F);
  bool stepLet(Frame &F);
  bool makeLeaf(uint32_t Id, Kind K, Value *&Out);
  bool bindLet(const Node &N, Value *V);
  bool isInSequence(uint32_t Id, bool IsScopeRoot) const;
  bool readPattern(uint32_t Id, Block &Clause, MatchPattern *&Out);
  bool readPatterns(ArrayRef<uint32_t> Ids, Block &Clause, MatchPattern &Out);
  Operation *create(const Node &N, const OpInfo &Info, ArrayRef<Value *> Ops,
                    const Attrs *A, unsigned NumRegions = 0);

  //===--- Calls ----------------------------------------------------------===//
  bool makeCall(const Node &N, ArrayRef<Value *> Args, Value *&Out);
  bool makeOperatorCall(const Node &N, StringRef Name, ArrayRef<Value *> Args,
                        Value *&Out);
  bool makeChangedCall(const Node &N, StringRef Name, uint32_t AttrsId,
                       ArrayRef<Value *> Args, Value *&Out);
  bool getFields(uint32_t AttrsId, StringRef Operator, const AttrsInfo *Info,
                 SmallVectorImpl<AttrText> &List);
  bool getAttrs(const Node &N, const OpInfo &Info, const Attrs *&Out);
  bool setTypeArgs(const Node &N, Operation *Op);
  bool hasRules(StringRef Name);

  Parser &P;
  Context &Ctx;
  MetaReader &Meta;
  const MetaJson &Json;
  std::vector<Kind> Kinds;   ///< of each node
  std::vector<uint8_t> Uses; ///< of each node, at most 2
  std::vector<Entry> Entries;
  llvm::DenseMap<uint32_t, Variable> Variables;
  llvm::DenseMap<const TypeVarType *, TypeScope> TypeVars;
  llvm::DenseSet<StringRef> TypeNames; ///< names of type definitions
  std::vector<Frame> Frames;
  SmallVector<Value *, 0> Operands;
  Value *Result = nullptr; ///< the value of the last frame that was left
  std::optional<uint32_t> ClosureVar;
  llvm::DenseMap<std::pair<uint32_t, const OpInfo *>, const Attrs *> AttrsOf;
  TextMap<bool> Changed;
};
} // namespace relay

#endif // RELAY_LIB_TEXT_JSON_JSONREADER_H
