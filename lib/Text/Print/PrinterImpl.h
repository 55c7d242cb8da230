//===- PrinterImpl.h - The state of the printer -----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One class in four files: Printer.cpp (modules, functions, regions; on an
// explicit stack), PrintOperation.cpp (one line), PrintParts.cpp (names, types,
// attributes, constants; the text of each unique object is created once),
// PrintInParallel.cpp (functions on several threads).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_PRINT_PRINTERIMPL_H
#define RELAY_LIB_TEXT_PRINT_PRINTERIMPL_H

#include "Metadata/MetaWriter.h"
#include "Parse/CopyText.h"
#include "Parse/TextMap.h"
#include "TextBuffer.h"
#include "relay/IR/Context.h"
#include "relay/IR/Core.h"
#include "relay/Text/Print/Printer.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

class Printer {
public:
  Printer(Context &Ctx, raw_ostream &OS, const PrintOptions &Options)
      : Ctx(Ctx), Stream(&OS), Out(OS, Ctx.getLimits().Characters),
        Options(Options), Meta(Ctx) {}

  void printModule(Module &M);
  void printFunction(Function &F);
  void printDefinitions(Module &M);
  /// Prints \p F, and reports the names of its values.
  void visitNames(Function &F,
                  function_ref<void(const Value &, StringRef)> Visit);
  /// Continues printing to \p OS.
  void redirect(raw_ostream &OS) {
    Stream = &OS;
    Out.redirect(OS);
  }
  /// Prints \p Op, an operation of the function printed last.
  void printOperation(Operation &Op);
  /// Ends the text, and reports once if it exceeded the limit. \returns true if
  /// it did not.
  bool finish();
  /// Keeps the names of values of that function through changes; forget() must
  /// be called for erased values. New values get new names.
  void keepNames();
  void forget(const Operation &Op);
  /// Returns true if printOperation() can print \p Op without names.
  bool isNameless(const Operation &Op);

private:
  /// One level of nesting: a block, or an operation with regions.
  struct Frame {
    Block *B;      ///< null for an operation
    Operation *Op; ///< the operation
    Block::iterator It;
    unsigned Next;   ///< the next region
    unsigned Indent; ///< of the lines of the block, or of the operation
    bool IsResult;   ///< the operation is the result of its block
  };

  //===--- Printer.cpp ----------------------------------------------------===//
  void printTypeDef(const TypeDef &D);
  void reserveConstants(Function &F);
  void printDefinition(Function &F);
  void printBlocks(Block &Body, unsigned Indent);
  void stepBlock();
  void stepOperation();
  void printResult(Frame Top);
  void startOperation(Operation *Op, unsigned Indent, bool IsResult);
  void openRegion(Frame &Top);
  void closeRegions(const Frame &Done);
  void printSignature(const Signature &Sig, Block &Body);
  void printParam(BlockArgument *Arg);
  void printVariable(Operation *Op);
  void printBinding(const Value *V, StringRef Name, Attr Device,
                    Type *Annotation, Location Loc);
  void printPattern(const MatchPattern *P);
  void declareFreeVars(Operation *Op, unsigned Indent);
  void declareFreeVar(Value *V, unsigned Indent);
  void beginFunction(Function &F);
  void findShown(Function &F);
  bool isShown(const BlockArgument &Arg) const;
  void beginLine(Operation *Op, unsigned Indent);
  void endLine(Operation *Op);
  void numberNested(Operation *Op);
  void indent(unsigned N);

  //===--- PrintInParallel.cpp --------------------------------------------===//
  class Worker;
  /// State that the text of a function inherits from the functions before it.
  struct DefinitionPlan {
    uint32_t FirstNumber = 0, NumNodes = 0;
    /// The names of variables, in the order in which they are assigned.
    SmallVector<StringRef, 4> Names;
    /// True if there are variables other than parameters.
    bool HasVariables = false;
    /// True if variables are named in the order of a walk.
    bool IsPlain = true;
  };
  bool printInParallel(Module &M);
  std::vector<DefinitionPlan> planDefinitions(ArrayRef<Function *> Functions);
  static void countNodes(Function &F, DefinitionPlan &Plan);
  void planNames(Function &F, DefinitionPlan &Plan);
  void printPlanned(Function &F, const DefinitionPlan &Plan);
  /// Records that the text depends on other functions' references. Returns true
  /// if it cannot be used then.
  bool noteDependence() {
    IsDependent = true;
    return IsAlone;
  }

  //===--- PrintOperation.cpp ---------------------------------------------===//
  static bool isInlineKind(const Operation &Op);
  /// Returns true if the operation is printed where its block yields it and has
  /// no line.
  static bool isInlineResult(const Operation &Op) {
    return Op.isFloating() && Op.hasOneUse() &&
           Op.getBlock()->getResult() == &Op;
  }
  void printExpression(Operation *Op);
  void printInline(Operation *Op);
  void printOperand(Value *V);
  void printOperands(Operation *Op, unsigned From = 0);
  void printArguments(Operation *Op, unsigned From, StringRef Attributes);
  void printTypeComment(const Value *V, Location Loc);
  void notePosition(Value &V);
  void printSpan(StringRef Source, int Line, int Column);
  static bool hasTypeComment(OpCode C);

  //===--- PrintParts.cpp -------------------------------------------------===//
  /// The name of a value: a name, or a graph number.
  struct ValueName {
    const Value *V = nullptr;
    const char *Text = nullptr; ///< null for a number
    uint32_t Size = 0;          ///< of the name, or the number itself
  };
  void setName(const Value *V, ValueName N);
  const ValueName *findName(const Value *V) const;
  /// The number to append to the next variable of each name, by interned text;
  /// 0 if the name is not in use.
  using NameCounter = InternedTextMap<unsigned>;
  StringRef makeUnique(NameCounter &Counts, StringRef Base);
  void nameVariable(const Value *V, StringRef Base);
  void nameNewValue(Value *V);
  StringRef makeVariableName(const Value *V, StringRef Base);
  void numberNode(const Operation *Op);
  void printName(const ValueName &N);
  StringRef getTypeVarName(const TypeVarType *T);

  /// Returns ` /* ty=… */` of a type, valid until the next call; it includes
  /// the type's text.
  StringRef getTypeComment(const Type *T);
  StringRef getTypeText(const Type *T) {
    return getTypeComment(T).drop_front(TypePrefix.size()).drop_back(3);
  }
  using Text = SmallVector<char, 256>;
  void appendType(Text &Out, const Type *T);
  void bindTypeParams(const FuncType *T);
  void bindTypeVar(const TypeVarType *T, StringRef Name, StringRef Base,
                   unsigned OuterCount);
  void unbindTypeVars(size_t Left);
  void keepFreeTypeVars(const FuncType *T);
  void appendTypes(Text &Out, ArrayRef<Type *> Types);
  void appendDim(Text &Out, Dim D);
  void appendMetaRef(Text &Out, MetaWriter::Reference R);

  /// `, a=1, b=2`, or "".
  StringRef getAttrsText(const Operation &Op);
  StringRef getCallAttrsText(Attr A);
  void appendFields(Text &Out, const Attrs *A, const Operation *Op,
                    bool &Unique);
  void appendMirrored(Text &Out, Value *V);
  void appendEntries(Text &Out, ArrayRef<NamedAttr> Entries);
  void appendField(Text &Out, const AttrField &Field, Attr Value);
  void appendValue(Text &Out, Attr Value);
  void appendNumber(Text &Out, Attr Value);
  void appendBoxInt(Text &Out, Attr Value);

  void printConstant(Operation *Op);
  void printOpaqueConstant(Operation *Op, const ConstantData &Data);
  StringRef getLiteral(const Attrs *A);
  unsigned getConstantIndex(const Operation *Op);
  StringRef getHash(const ConstantData &Data);
  void appendElements(Text &Out, const ConstantData &Data);
  bool isElided(const ConstantData &Data) const;

  StringRef save(const Text &T) {
    return copyText(Allocator, StringRef(T.data(), T.size()));
  }

  static constexpr StringLiteral TypePrefix = " /* ty=";

  Context &Ctx;
  raw_ostream *Stream;
  TextBuffer Out;
  bool HasReportedOverflow = false;
  const PrintOptions &Options;
  MetaWriter Meta;
  llvm::BumpPtrAllocator Allocator;

  // State of the function that is being printed.
  Function *F = nullptr;
  std::vector<ValueName> Names; // by Value::getIndex()
  llvm::DenseMap<const Value *, ValueName> OtherNames;
  SmallVector<Frame, 16> Stack;
  bool NamesNewValues = false;             // see keepNames()
  bool AtStart = false;                    // no line yet
  bool IsOpen = false;                     // has free variables
  const Operation *Numbered = nullptr;     // its regions have been numbered
  llvm::DenseSet<const Operation *> Shown; // with Options.Shows
  const Operation *Hidden = nullptr;       // its lines are omitted
  bool JustHid = false;                    // the previous line is `// ...`

  // State for printing on several threads.
  const DefinitionPlan *Plan =
      nullptr;              ///< of the function; null if there is none
  size_t NumNamed = 0;      ///< number of assigned names of the plan
  bool IsAlone = false;     ///< other printers print the preceding functions
  bool IsDependent = false; ///< noteDependence()

  // State of the whole text.
  uint32_t NextNumber = 0;
  NameCounter NameCounts;
  NameCounter TypeVarCounts; // of one definition, as in TVM
  bool HasDottedNames = false;
  llvm::DenseMap<const TypeVarType *, StringRef> TypeVarNames;
  /// The names of type variables in the type that is being printed, both those
  /// bound around the current position and those inherited from outside. Also
  /// the names in use, and how many are in use by their beginning.
  llvm::DenseMap<const TypeVarType *, StringRef> BoundTypeVars;
  llvm::DenseSet<StringRef> BoundNames;
  llvm::DenseMap<StringRef, unsigned> BoundCounts;
  /// The state that a binding replaces.
  struct OuterTypeVar {
    const TypeVarType *Var;
    StringRef Name; ///< null if there was none
    StringRef Base; ///< null if it is not counted
    unsigned Count;
  };
  SmallVector<OuterTypeVar, 4> OuterTypeVars;
  llvm::DenseMap<const Type *, StringRef> TypeComments; // without variables
  Text TypeComment;                                     // the last one with
                                                        // variables
  llvm::DenseMap<const Attrs *, StringRef> AttrsTexts, LiteralTexts;
  llvm::DenseMap<const Value *, unsigned> MetaIndices;
  llvm::DenseMap<const ConstantData *, StringRef> Hashes;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_PRINT_PRINTERIMPL_H
