//===- PrintParts.cpp - Names, types, attributes, constants ---------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of objects that are unique in the Context is created once and cached
// by pointer. It may contain indices into the metadata, which are assigned in
// the order of first use.
//
//===----------------------------------------------------------------------===//

#include "PrinterImpl.h"
#include "relay/IR/Constant.h"
#include "relay/IR/TypeUtils.h"
#include "relay/Text/Metadata/Parameters.h"
#include "relay/Text/Parse/AttrValues.h"
#include "relay/Text/Parse/Lexer.h"
#include "relay/Text/Print/StableNumbers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace relay;

static void append(SmallVectorImpl<char> &Out, StringRef Text) {
  Out.append(Text.begin(), Text.end());
}

static StringRef str(const SmallVectorImpl<char> &Text) {
  return StringRef(Text.data(), Text.size());
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void Printer::setName(const Value *V, ValueName N) {
  uint32_t I = V->getIndex();
  if (LLVM_LIKELY(I < Names.size() && !Names[I].V))
    Names[I] = N;
  else
    OtherNames[V] = N; // not normalized: a dump during a pass
}

void Printer::numberNode(const Operation *Op) {
  uint32_t Number =
      Options.Numbers ? Options.Numbers->getNumber(*Op) : NextNumber++;
  setName(Op, {Op, nullptr, Number});
}

const Printer::ValueName *Printer::findName(const Value *V) const {
  if (!V)
    return nullptr;
  uint32_t I = V->getIndex();
  if (LLVM_LIKELY(I < Names.size() && Names[I].V == V))
    return &Names[I];
  auto It = OtherNames.find(V);
  return It == OtherNames.end() ? nullptr : &It->second;
}

void Printer::printName(const ValueName &N) {
  Out << '%';
  if (N.Text)
    Out << StringRef(N.Text, N.Size);
  else
    Out << N.Size;
}

/// Returns \p Base as a name that the lexer accepts: it begins with a letter,
/// and invalid characters are removed.
static std::string makeReadable(StringRef Base) {
  std::string Name = Base.str();
  if (Name.empty() || !llvm::isAlpha(Name[0]))
    Name.insert(0, "v");
  Lexer Lex(Name);
  for (const char *E = Lex.findNameEnd(Name.data());
       E != Name.data() + Name.size(); E = Lex.findNameEnd(Name.data()))
    Name[E - Name.data()] = '_';
  return Name;
}

/// Appends a number to \p Base if the name is in use, as TVM does. Both names
/// are interned: \p Counts compares them by address. The Context keeps the
/// names that this function generates.
StringRef Printer::makeUnique(NameCounter &Counts, StringRef Base) {
  assert(Ctx.lookupInterned(Base).data() == Base.data() &&
         "a name that is not interned");
  unsigned &Next = Counts[Base];
  if (!Next) {
    Next = 1;
    return Base;
  }
  llvm::SmallString<32> Name;
  for (;; ++Next) {
    Name = Base;
    char Digits[MaxNumberLength];
    Name.append(Digits, writeUnsigned(Digits, Next));
    StringRef Unique = Ctx.intern(Name);
    unsigned &NextOfUnique = Counts[Unique];
    if (NextOfUnique)
      continue;
    NextOfUnique = 1;
    ++Next;
    return Unique;
  }
}

StringRef Printer::makeVariableName(const Value *V, StringRef Base) {
  auto Make = [&](StringRef Readable) {
    return Options.Numbers ? Options.Numbers->getName(*V, Base, Readable)
                           : makeUnique(NameCounts, Readable);
  };
  if (LLVM_LIKELY(Lexer::isPlainName(Base) && Base[0] != '_'))
    return Make(Base);
  StringRef Name = Make(Ctx.intern(makeReadable(Base)));
  for (size_t I = 1; I < Name.size(); ++I)
    HasDottedNames |= Name[I - 1] == '.' && llvm::isDigit(Name[I]);
  return Name;
}

void Printer::nameVariable(const Value *V, StringRef Base) {
  StringRef Name = Plan ? Plan->Names[NumNamed++] : makeVariableName(V, Base);
  setName(V, {V, Name.data(), uint32_t(Name.size())});
}

/// Returns the name of \p T if it is valid in text, regardless of other names.
static StringRef getTypeVarBase(const TypeVarType *T) {
  return Lexer::isPlainName(T->getName()) ? T->getName() : "T";
}

StringRef Printer::getTypeVarName(const TypeVarType *T) {
  if (StringRef Bound = BoundTypeVars.lookup(T); Bound.data())
    return Bound;
  (void)noteDependence();
  StringRef &Name = TypeVarNames[T];
  if (!Name.data())
    Name = makeUnique(TypeVarCounts, Ctx.intern(getTypeVarBase(T)));
  return Name;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

StringRef Printer::getTypeComment(const Type *T) {
  StringRef Known = TypeComments.lookup(T);
  if (Known.data())
    return Known;
  if (LLVM_UNLIKELY(Out.hasOverflowed())) // the text is dropped
    return " /* ty= */";
  TypeComment.clear();
  append(TypeComment, TypePrefix);
  appendType(TypeComment, T);
  append(TypeComment, " */");
  // The names of type parameters depend on the position.
  if (T->hasTypeVar())
    return str(TypeComment);
  return TypeComments[T] = save(TypeComment);
}

void Printer::appendMetaRef(Text &To, MetaWriter::Reference R) {
  (void)noteDependence();
  append(To, "meta[");
  append(To, R.Key);
  append(To, "][");
  append(To, llvm::utostr(R.Index));
  append(To, "]");
}

void Printer::appendDim(Text &To, Dim D) {
  if (D.isAny())
    append(To, "?");
  else if (D.isConst())
    appendNumber(To, D);
  else
    appendMetaRef(To, Meta.get(D));
}

void Printer::appendTypes(Text &To, ArrayRef<Type *> Types) {
  StringRef Separator = "";
  for (const Type *T : Types) {
    append(To, Separator);
    appendType(To, T);
    Separator = ", ";
  }
}

/// Names the type parameters of \p T for the text of T: the first unused name
/// of `A`, `A1`, `A2`, … if the parameter is called `A` or `A7`. The names
/// depend on T and on the names in enclosing functions, but not on whether
/// parameters are shared: in `let %f: fn [A](A) -> A = fn [A](…)` both may be
/// one, as after inference, or not, as after reading.
void Printer::bindTypeParams(const FuncType *T) {
  if (T->getTypeParams().empty())
    return;
  if (OuterTypeVars.empty())
    keepFreeTypeVars(T);
  for (const TypeVarType *Param : T->getTypeParams()) {
    StringRef Base = getTypeVarBase(Param).rtrim("0123456789");
    unsigned &Count = BoundCounts[Base];
    unsigned OuterCount = Count;
    llvm::SmallString<32> Name = Base;
    if (Count)
      Name += llvm::utostr(Count);
    while (BoundNames.contains(Name)) {
      Name = Base;
      Name += llvm::utostr(++Count);
    }
    bindTypeVar(Param, Name == Base ? Base : copyText(Allocator, Name), Base,
                OuterCount);
  }
}

/// Free type variables of \p T, bound by enclosing functions, keep their names.
void Printer::keepFreeTypeVars(const FuncType *T) {
  for (const TypeVarType *Var : getFreeTypeVars(T))
    bindTypeVar(Var, getTypeVarName(Var), StringRef(), 0);
}

void Printer::bindTypeVar(const TypeVarType *T, StringRef Name, StringRef Base,
                          unsigned OuterCount) {
  StringRef &Present = BoundTypeVars[T];
  OuterTypeVars.push_back({T, Present, Base, OuterCount});
  Present = Name;
  BoundNames.insert(Name);
}

/// Undoes all bindings except the first \p Left.
void Printer::unbindTypeVars(size_t Left) {
  while (OuterTypeVars.size() != Left) {
    OuterTypeVar Outer = OuterTypeVars.pop_back_val();
    StringRef &Present = BoundTypeVars[Outer.Var];
    BoundNames.erase(Present);
    Present = Outer.Name;
    if (Outer.Base.data())
      BoundCounts[Outer.Base] = Outer.Count;
  }
}

/// The recursion is bounded by the nesting of types.
void Printer::appendType(Text &To, const Type *T) {
  StringRef Known = TypeComments.lookup(T);
  if (Known.data())
    return append(To, Known.drop_front(TypePrefix.size()).drop_back(3));
  switch (T->getKind()) {
  case Type::Kind::Tensor: {
    auto *Tensor = cast<TensorType>(T);
    if (!Tensor->isScalar()) {
      StringRef Separator = "Tensor[(";
      for (Dim D : Tensor->getShape()) {
        append(To, Separator);
        appendDim(To, D);
        Separator = ", ";
      }
      append(To, "), ");
    }
    append(To, Tensor->getDType().isVoid()
                   ? "void"
                   : dtypeText(Ctx, Tensor->getDType()));
    return append(To, Tensor->isScalar() ? "" : "]");
  }
  case Type::Kind::Tuple: {
    ArrayRef<Type *> Fields = cast<TupleType>(T)->getFields();
    append(To, "(");
    appendTypes(To, Fields);
    return append(To, Fields.size() == 1 ? ",)" : ")");
  }
  case Type::Kind::Func: {
    auto *Func = cast<FuncType>(T);
    size_t NumBound = OuterTypeVars.size();
    bindTypeParams(Func);
    append(To, "fn ");
    StringRef Separator = "[";
    for (const TypeVarType *P : Func->getTypeParams()) {
      append(To, Separator);
      append(To, getTypeVarName(P));
      Separator = ", ";
    }
    append(To, Func->getTypeParams().empty() ? "(" : "](");
    appendTypes(To, Func->getParams());
    append(To, ") -> ");
    appendType(To, Func->getResult());
    return unbindTypeVars(NumBound);
  }
  case Type::Kind::Ref:
    append(To, "ref(");
    appendType(To, cast<RefType>(T)->getValueType());
    return append(To, ")");
  case Type::Kind::Var:
    return append(To, getTypeVarName(cast<TypeVarType>(T)));
  case Type::Kind::Call:
    append(To, cast<TypeCall>(T)->getName());
    append(To, "[");
    appendTypes(To, cast<TypeCall>(T)->getArgs());
    return append(To, "]");
  case Type::Kind::Incomplete:
    return appendMetaRef(To, Meta.get(Ctx.getTypeAttr(const_cast<Type *>(T))));
  }
}

//===----------------------------------------------------------------------===//
// Attribute values
//===----------------------------------------------------------------------===//

/// Appends an integer or a float with its suffix; other numbers go to the
/// metadata.
void Printer::appendNumber(Text &To, Attr Value) {
  DType T = Value.getNumberType();
  std::optional<StringRef> Suffix = getScalarSuffix(T);
  if (!Suffix)
    return appendMetaRef(To, Meta.get(Value));
  char Buffer[MaxNumberLength];
  // Float attributes hold doubles, regardless of the type that is written.
  char *End = Value.isInt() ? writeInteger(Buffer, Value.getInt())
                            : writeFloat(Buffer, Value.getFloat(), 64);
  To.append(Buffer, End);
  append(To, *Suffix);
}

void Printer::appendBoxInt(Text &To, Attr Value) {
  if (Value.isInt() && Options.Metadata)
    return appendMetaRef(
        To, Meta.get(makeBox(Ctx, "runtime.BoxInt",
                             Ctx.getInt(Value.getInt(), DType::getInt(64)))));
  if (!Value.isArray())
    return appendValue(To, Value);
  append(To, "[");
  for (auto [I, Element] : llvm::enumerate(Value.getArray())) {
    append(To, I ? ", " : "");
    appendBoxInt(To, Element);
  }
  append(To, "]");
}

void Printer::appendValue(Text &To, Attr Value) {
  switch (Value.getKind()) {
  case Attr::Kind::None:
    return append(To, "None");
  case Attr::Kind::Bool:
    return append(To, Value.getBool() ? "True" : "False");
  case Attr::Kind::DType:
    return writeString(To, dtypeText(Ctx, Value.getDType()));
  case Attr::Kind::Int:
  case Attr::Kind::Float:
    return appendNumber(To, Value);
  case Attr::Kind::Any:
    return append(To, "?");
  case Attr::Kind::String:
    return writeString(To, Value.getString());
  case Attr::Kind::Array:
    append(To, "[");
    for (auto [I, Element] : llvm::enumerate(Value.getArray())) {
      append(To, I ? ", " : "");
      appendValue(To, Element);
    }
    return append(To, "]");
  case Attr::Kind::DimVar:
  case Attr::Kind::DimExpr:
  case Attr::Kind::Dict:
  case Attr::Kind::Constant:
  case Attr::Kind::OpAttrs:
  case Attr::Kind::Type:
  case Attr::Kind::Object:
  case Attr::Kind::Raw:
    return appendMetaRef(To, Meta.get(Value));
  }
}

//===----------------------------------------------------------------------===//
// Attributes of calls
//===----------------------------------------------------------------------===//

void Printer::appendEntries(Text &To, ArrayRef<NamedAttr> Entries) {
  for (const auto &[Key, Value] : Entries) {
    append(To, ", ");
    append(To, Key.getString());
    append(To, Key.getString() == WholeAttrsKey ? "" : "=");
    appendValue(To, Value);
  }
}

/// Returns the annotation written at the variable \p V.
static Type *getAnnotation(const Value &V) {
  if (auto *Arg = dyn_cast<BlockArgument>(&V))
    return Arg->getAnnotation();
  auto &Op = cast<Operation>(V);
  return Op.isBound() ? Op.getVarAnnotation() : nullptr;
}

/// Appends an operand as an attribute: a constant as itself, other operands as
/// a variable, since TVM's type relations only inspect constants.
void Printer::appendMirrored(Text &To, Value *V) {
  auto *Op = dyn_cast<Operation>(V);
  if (Op && Op->is(OpCode::Constant)) {
    const auto &A = Op->getAttrsAs<ConstantAttrs>();
    if (getLiteral(&A).empty())
      return appendMetaRef(To, {"relay.Constant", getConstantIndex(Op)});
    return appendMetaRef(To, Meta.get(A.value()));
  }
  auto [It, New] = MetaIndices.try_emplace(V);
  if (New) {
    const ValueName *N = findName(V);
    StringRef Name = N && N->Text ? StringRef(N->Text, N->Size) : "v";
    It->second =
        Meta.addVar(Name, Options.Types ? V->getType() : getAnnotation(*V))
            .Index;
  }
  appendMetaRef(To, {"relay.Var", It->second});
}

void Printer::appendField(Text &To, const AttrField &Field, Attr Value) {
  append(To, ", ");
  append(To, Field.Name);
  append(To, "=");
  if (Field.Kind == FieldKind::IntOrArray)
    return appendBoxInt(To, Value);
  if (Field.Kind != FieldKind::Double)
    return appendValue(To, Value);
  char Buffer[MaxNumberLength];
  To.append(Buffer, writeFloat(Buffer, Value.getFloat(), 64));
  append(To, getDoubleSuffix(Value.getFloat()));
}

/// Appends attributes that differ from their defaults. \p Op, if not null, has
/// the operands that fields mirror; \p Unique is set if the text is used for
/// this operation only.
void Printer::appendFields(Text &To, const Attrs *A, const Operation *Op,
                           bool &Unique) {
  if (A->isDict())
    return appendEntries(To, A->getEntries());
  const Attrs *Defaults = Ctx.getDefaultAttrs(A->getInfo());
  for (auto [I, Field] : llvm::enumerate(A->getInfo().Fields)) {
    if (Field.Kind == FieldKind::Expr) {
      // Only TVM needs mirrored attributes.
      if (!Op || !Options.Metadata)
        continue;
      Unique = true;
      append(To, ", ");
      append(To, Field.Name);
      append(To, "=");
      appendMirrored(To, Op->getOperand(Field.MirroredOperand));
    } else if (Field.isRequired() || A->getSlot(I) != Defaults->getSlot(I)) {
      appendField(To, Field, A->getSlot(I));
    }
  }
}

StringRef Printer::getAttrsText(const Operation &Op) {
  const Attrs *A = Op.getAttrs();
  if (!A)
    return "";
  auto [It, New] = AttrsTexts.try_emplace(A);
  if (LLVM_LIKELY(!New && It->second.data()))
    return It->second;
  Text To;
  bool Unique = false;
  if (Op.hasTrait(OpTrait::AttrsAsMeta) && Options.Metadata) {
    append(To, ", ");
    appendMetaRef(To, Meta.get(Ctx.getOpAttrsAttr(A)));
  } else {
    appendFields(To, A, &Op, Unique);
  }
  StringRef Result = To.empty() ? "" : save(To);
  if (!Unique)
    AttrsTexts[A] = Result;
  return Result;
}

/// Returns the text of the attributes of a call of a function or constructor.
StringRef Printer::getCallAttrsText(Attr A) {
  if (!A)
    return "";
  Text To;
  bool Unique = false;
  if (A.getKind() == Attr::Kind::OpAttrs) {
    const Attrs *Whole = A.getOpAttrs();
    appendFields(To, Whole, nullptr, Unique);
    append(To, ", attrs_type_key=");
    writeString(To, Whole->getInfo().TypeKey);
  } else if (A.getKind() == Attr::Kind::Dict) {
    appendEntries(To, A.getDict());
  } else {
    append(To, ", ");
    appendValue(To, A);
  }
  return save(To);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static void appendElement(SmallVectorImpl<char> &To, const ConstantData &Data,
                          size_t I) {
  char Buffer[MaxNumberLength];
  char *End;
  DType T = Data.getDType();
  if (T.isBool())
    return append(To, Data.getInt(I) ? "True" : "False");
  if (T.isInt())
    End = writeInteger(Buffer, Data.getInt(I));
  else if (T.isUInt())
    End = writeUnsigned(Buffer, Data.getInt(I));
  else
    End = writeFloat(Buffer, Data.getDouble(I), T.isFloat() ? T.getBits() : 32);
  To.append(Buffer, End);
}

/// Returns true if the scalar \p Data is a NaN whose bits differ from those of
/// the text `nan`.
static bool isUnusualNaN(const ConstantData &Data) {
  return Data.getDType().isFloat() && std::isnan(Data.getDouble()) &&
         Data.getBytes() != makeSplat(Data.getDType(), 1,
                                      std::numeric_limits<double>::quiet_NaN())
                                .getBytes();
}

/// Appends the text of a scalar that is written in place; nothing otherwise.
static void appendLiteral(SmallVectorImpl<char> &To, const ConstantData &Data) {
  DType T = Data.getDType();
  if (!Data.isScalar() || Data.isOpaque() || !hasElementType(T))
    return;
  if (T.isBool())
    return appendElement(To, Data, 0);
  std::optional<StringRef> Suffix = getScalarSuffix(T);
  if (!Suffix || isUnusualNaN(Data))
    return;
  appendElement(To, Data, 0);
  append(To, *Suffix);
}

StringRef Printer::getLiteral(const Attrs *A) {
  auto [It, New] = LiteralTexts.try_emplace(A);
  if (!New)
    return It->second;
  Text To;
  Attr Value = A->getSlot(ConstantAttrs::ValueSlot);
  appendLiteral(To, *Value.getConstant());
  return It->second = save(To);
}

bool Printer::isElided(const ConstantData &Data) const {
  return Options.ElideConstantsLargerThan &&
         Data.getNumElements() > *Options.ElideConstantsLargerThan;
}

/// Each constant operation is a separate object in the metadata, except that
/// opaque constants keep their index.
unsigned Printer::getConstantIndex(const Operation *Op) {
  auto [It, New] = MetaIndices.try_emplace(Op);
  if (!New)
    return It->second;
  Attr Value = Op->getAttrsAs<ConstantAttrs>().value();
  const ConstantData &Data = *Value.getConstant();
  if (Data.isOpaque() && Data.getOpaqueName().Index)
    It->second = *Data.getOpaqueName().Index;
  else if (Options.Numbers)
    It->second = Options.Numbers->getNumber(*Op);
  else
    It->second = (Data.isOpaque() || isElided(Data) ? Meta.addElidedConstant()
                                                    : Meta.addConstant(Value))
                     .Index;
  return It->second;
}

void Printer::printConstant(Operation *Op) {
  const auto &A = Op->getAttrsAs<ConstantAttrs>();
  StringRef Literal = getLiteral(&A);
  if (!Literal.empty()) {
    Out << Literal;
    return printTypeComment(Op, Op->getLoc());
  }
  const ConstantData &Data = *A.value().getConstant();
  if (LLVM_UNLIKELY(Data.isOpaque()))
    return printOpaqueConstant(Op, Data);
  if (noteDependence())
    return;
  Text To;
  appendMetaRef(To, {"relay.Constant", getConstantIndex(Op)});
  if (isElided(Data)) {
    append(To, " /* elided: ");
    appendType(To, Data.getType());
    if (Options.Metadata) {
      append(To, " sha256:");
      append(To, getHash(Data));
    }
    append(To, " */");
  } else if (!Options.Metadata) {
    append(To, " /* ");
    appendElements(To, Data);
    append(To, " ty=");
    appendType(To, Data.getType());
    append(To, " */");
  }
  Out << str(To);
  if (Options.Metadata)
    printTypeComment(Op, Op->getLoc());
}

/// Prints the original reference. The comment gives the type when the text is
/// read.
void Printer::printOpaqueConstant(Operation *Op, const ConstantData &Data) {
  const OpaqueName &Name = Data.getOpaqueName();
  if (!Name.Index && noteDependence())
    return;
  Text To;
  appendMetaRef(To, {"relay.Constant", getConstantIndex(Op)});
  if (!Name.Index) {
    append(To, " /* elided: ");
    appendType(To, Data.getType());
    append(To, Name.Hash.empty() ? "" : " sha256:");
    append(To, Name.Hash);
    append(To, " */");
  }
  Out << str(To);
  bool IsTyped = Options.Types && Op->getType();
  if (Name.Index ? IsTyped : Options.Metadata)
    printTypeComment(Op, Op->getLoc());
  else if (Name.Index)
    Out << getTypeComment(Data.getType());
}

StringRef Printer::getHash(const ConstantData &Data) {
  StringRef &Hash = Hashes[&Data];
  if (!Hash.data()) {
    Hash = copyText(Allocator, getContentHash(Data));
    if (Options.OnElided)
      Options.OnElided(Hash, Data);
  }
  return Hash;
}

void Printer::appendElements(Text &To, const ConstantData &Data) {
  append(To, "[");
  if (!hasElementType(Data.getDType()))
    return append(To, "...]");
  for (size_t I = 0, E = Data.getNumElements(); I != E; ++I) {
    append(To, I ? ", " : "");
    appendElement(To, Data, I);
  }
  append(To, "]");
}
