//===- OpBase.td - Classes for declaring operators ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary in which ops and their attributes are declared. The backends of
// relay-tblgen and include/relay/IR/OpInfo.h describe the C++ of each field;
// families share classes through their own .td files.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_OPBASE_TD
#define RELAY_IR_OPBASE_TD

// The operator of every list of named things in this file.
def ins;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// How the slot of a field is read and written, in words for the documentation,
// and the C++ type and getter of class relay::Attrs that its accessor uses.
// `setter` converts a value of `parameterType` to an Attr, given `$_ctx` (a
// Context &) and `$_value`. If None is a value, setters take `nullableType`,
// which is parameterType if that has None, or a std::optional; `""` if the kind
// has no None.
class FieldKind<string enumerator, string description, string cppType,
                string getter, string setter,
                string nullableType = "std::optional<" # cppType # ">",
                string parameterType = cppType> {
  string Enumerator = enumerator;
  string Description = description;
  string CppType = cppType;
  string Getter = getter;
  string Setter = setter;
  string NullableType = nullableType;
  string ParameterType = parameterType;
  string Default = "";        // see Default<>
  bit HasDefault = 0;
  bit Nullable = 0;
  string MirroredOperand = ""; // see Mirror<>
  bit Boxed = 0;               // see Boxed<>
}

// Kinds that Attrs stores as an array, and as it is.
class ArrayKind<string enumerator, string description>
    : FieldKind<enumerator, description, "ArrayRef<Attr>", "getArray",
                "$_ctx.getArray($_value)">;
class SlotKind<string enumerator, string description>
    : FieldKind<enumerator, description, "Attr", "getSlot", "$_value", "Attr">;

def Bool : FieldKind<"Bool", "boolean", "bool", "getBool",
                     "Attr::getBool($_value)", "">;
def Int : FieldKind<"Int", "integer", "int64_t", "getInt",
                    "$_ctx.getInt($_value)", "">;
def OptInt : FieldKind<"OptInt", "integer", "std::optional<int64_t>",
                       "getOptInt", "$_value ? $_ctx.getInt(*$_value) : Attr()",
                       "std::optional<int64_t>"> {
  let Nullable = 1;
}
def Double : FieldKind<"Double", "number", "double", "getDouble",
                       "$_ctx.getFloat($_value, DType::getFloat(64))", "">;
def String : FieldKind<"String", "string", "StringRef", "getString",
                       "$_ctx.getString($_value)">;
def DataType : FieldKind<"DType", "data type", "DType", "getDType",
                         "Attr::get($_value)", "">;
def Dim : FieldKind<"Dim", "integer expression", "Dim", "getDim",
                    "$_value.get($_ctx)", "DimArg", "DimArg">;
def DimArray : FieldKind<"DimArray", "list of integer expressions",
                         "ArrayRef<Dim>", "getDims", "$_value.get($_ctx)",
                         "DimListArg", "DimListArg">;
def IntArray : FieldKind<"IntArray", "list of integers", "ArrayRef<Dim>",
                         "getDims", "$_value.get($_ctx)", "DimListArg",
                         "DimListArg">;
def IntMatrix : ArrayKind<"IntMatrix", "list of lists of integers">;
def DimMatrix : ArrayKind<"DimMatrix", "list of lists of integer expressions">;
def FloatArray : ArrayKind<"FloatArray", "list of numbers">;
def IntOrArray : SlotKind<"IntOrArray", "integer or list of integers">;
def ConstantData : SlotKind<"Constant", "constant tensor">;
def Object : SlotKind<"Object", "object">;

// A field that repeats an operand (arange's start, stop, step): the printer
// writes it, the parser drops it, nothing is stored.
class Mirror<string operand> : SlotKind<"Expr", "the operand"> {
  let MirroredOperand = operand;
}

// Properties of `kind` that the classes below override.
class FieldKindOf<FieldKind kind>
    : FieldKind<kind.Enumerator, kind.Description, kind.CppType, kind.Getter,
                kind.Setter, kind.NullableType, kind.ParameterType> {
  let Boxed = kind.Boxed;
}

// `kind` as an object of TVM: that makes a difference only in metadata, where
// it is a node of its own.
class Boxed<FieldKind kind> : FieldKindOf<kind> {
  let Boxed = 1;
}
def BoolObject : Boxed<Bool>;     // tvm::Bool
def Integer : Boxed<Int>;         // tvm::Integer; nullable: OptInt
def FloatObject : Boxed<Double>;  // tvm::FloatImm
def StringObject : Boxed<String>; // tvm::String

// `kind` with None as a further value.
class Nullable<FieldKind kind> : FieldKindOf<kind> {
  let Nullable = 1;
}

// `kind` with a default, in the grammar of attribute values: `[1, 1]`, `True`,
// `"NCHW"`, `1e-05f`, `None` (which makes it nullable). A field without one is
// required.
class Default<FieldKind kind, string value> : FieldKindOf<kind> {
  let Default = value;
  let HasDefault = 1;
  let Nullable = !or(kind.Nullable, !eq(value, "None"));
}
// The same for strings and data types, whose text is quoted: the default
// without quotes. Void is the empty text.
class DefaultText<FieldKind kind, string value>
    : Default<kind, "\"" # value # "\"">;

// Attributes of an op. The record's name is the C++ class (`Conv2DAttrs`).
// Accessors are the fields' names in lowerCamel (`data_layout`: dataLayout()).
class AttrsDef<string typeKey> {
  string TypeKey = typeKey; // TVM's, `relay.attrs.Conv2DAttrs`
  string Summary = "";
  dag Fields = (ins);       // (ins Default<DimArray, "[1, 1]">:$strides, …)
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

class OperandKind<string description> {
  string Description = description;
  bit Variadic = 0;
}
def Tensor      : OperandKind<"a tensor">;
def TensorTuple : OperandKind<"a tuple of tensors">;
def Expr        : OperandKind<"any value">;
// Any number of values; only as the last operand.
def Exprs       : OperandKind<"values"> { let Variadic = 1; }

//===----------------------------------------------------------------------===//
// Traits and fusion kinds
//===----------------------------------------------------------------------===//

class Trait<string enumerator> { string Enumerator = enumerator; }
def Pure             : Trait<"Pure">;
def Commutative      : Trait<"Commutative">;
def Stateful         : Trait<"Stateful">;
def NonComputational : Trait<"NonComputational">;
def ReshapeLike      : Trait<"ReshapeLike">;
def AttrsAsMeta      : Trait<"AttrsAsMeta">;

class Fusion<string enumerator> { string Enumerator = enumerator; }
def ElemWise        : Fusion<"ElemWise">;
def Broadcast       : Fusion<"Broadcast">;
def Injective       : Fusion<"Injective">;
def CommReduce      : Fusion<"CommReduce">;
def OutEWiseFusable : Fusion<"OutEWiseFusable">;
def TupleFusion     : Fusion<"Tuple">;
def Opaque          : Fusion<"Opaque">;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

// The fields that operators and core constructs share. The record's name is the
// C++ class (`Conv2DOp`); Relation and Verifier are names of C++ functions in
// namespace relay that relay-tblgen declares and the family's .cpp defines.
class OpDef<string name, string opCode> {
  string Name = name;
  string Code = opCode;         // enumerator of OpCode
  string Summary = "";         // one line, no full stop
  string Description = "";     // Markdown
  dag Operands = (ins);        // (ins Tensor:$data, Tensor:$weight)
  AttrsDef Attributes = ?;     // none: the op takes no attributes
  Fusion FusionKind = Opaque;
  list<Trait> Traits = [];
  string Relation = "";        // RelationResult f(TypeRelation &)
  string Verifier = "";        // LogicalResult f(const Operation &)
  int NumRegions = 0;          // -1: any number
  // TVM's TShapeDataDependent: 0 or 1 an operand; empty when not registered.
  list<int> ShapeDataDependent = [];
}

// An operator that calls name: `nn.conv2d(…)`. Pure unless Stateful.
class Op<string name> : OpDef<name, "Operator">;

// A construct of the language itself.
class CoreOp<string name, string opCode> : OpDef<name, opCode>;

//===----------------------------------------------------------------------===//
// Hooks and facts
//===----------------------------------------------------------------------===//

// Functions and values that rooms above bind to operators; docs/Hooks.md is the
// guide. A room declares a kind once, as a class in a file
// include/relay/<Room>/X.td of its own, and binds functions to operators by
// records in the same file:
//
//   class Expansion<OpDef op, string function>
//       : OpHook<"Expansion", op, function> {
//     let CommonArguments = [RewriterArgument];
//     let Arguments = (ins "Operation *":$Op);
//     let Result = NullIsNoOpinion<"Value *">;
//   }
//   def : Expansion<DropoutOp, "expandDropout">;
//   foreach op = [ExpOp, LogOp] in
//     def : Expansion<op, "expandUnary">;
//   let Key = "dnnl", Level = 20 in
//   def : Expansion<DropoutOp, "keepDropout">;
//
// The class is named for its kind. The build finds the file and has
// `relay-tblgen -gen-op-hooks` write relay/<Room>/X.h.inc of it, which declares
// the functions, `ExpansionFn` and `Expansion`; see OpHooks.h for lookups.
// Records may also be in files that X.td includes after the class. A plugin
// includes X.td in a file of its own to add entries of that kind.

// An entry of the kind `kind` for the operator `op`.
class OpEntry<string kind, OpDef op> {
  string Kind = kind;
  OpDef Operator = op;
  string Key = ""; // lookups for targets with this key only; empty: all
  int Level = 10;  // the highest level of an operator and key comes first
}

// A type in C++, and how a result says that an entry has no opinion, so that
// the next one is asked, or that it has failed. These are expressions of
// `$_self`; an empty one says that no result does.
class HookResult<string type, string noOpinion = "", string failed = ""> {
  string Type = type;
  string NoOpinion = noOpinion;
  string Failed = failed;
}
// A pointer, an optional and the like.
class NullIsNoOpinion<string type> : HookResult<type, "!$_self">;
// A FailureOr; failure has been reported.
class MayFail<string type>
    : HookResult<"FailureOr<" # type # ">", "", "failed($_self)">;
// A FailureOr of a pointer, an optional and the like.
class MayFailNullIsNoOpinion<string type>
    : HookResult<"FailureOr<" # type # ">", "!*$_self", "failed($_self)">;
// A LogicalResult; failure has been reported.
def SucceedsOrFails : HookResult<"LogicalResult", "", "failed($_self)">;

// An argument that functions of several kinds take before their own.
class HookArgument<string type, string name> {
  string Type = type;
  string Name = name;
}
def RewriterArgument    : HookArgument<"Rewriter &", "R">;
def PassContextArgument : HookArgument<"PassContext &", "PC">;
def TargetArgument      : HookArgument<"const Target *", "T">;

// A function, in namespace relay. The kind sets CommonArguments, Arguments,
// Result and DataType, an entry sets Data.
class OpHook<string kind, OpDef op, string function> : OpEntry<kind, op> {
  string Function = function;
  list<HookArgument> CommonArguments = [];
  dag Arguments = (ins);  // types in C++ and names: (ins "Operation *":$Op)
  HookResult Result = ?;
  string DataType = "";   // of a further, last argument, which each entry gives
  string Data = "";       // an expression in C++ of that type
  int Number = 0;         // what the caller may ask of an entry before it calls
                          // the function, OpHook::getNumber()
}

// The type of the values of a kind of fact.
class FactType<string enumerator, list<string> values = []> {
  string Enumerator = enumerator; // of OpFactType
  list<string> Values = values;
}
def BoolFact   : FactType<"Bool">;
def IntFact    : FactType<"Int">;
def StringFact : FactType<"String">;
// One of `values`, in kebab case; in C++ the enumeration `<Kind>Value`.
class EnumFact<list<string> values> : FactType<"Enum", values>;

// A value, as text. A user's file may change facts.
//
//   class Precision<OpDef op, string value>
//       : OpFact<"Precision", op, value> {
//     let Type = EnumFact<["always", "follow", "never"]>;
//   }
class OpFact<string kind, OpDef op, string value> : OpEntry<kind, op> {
  string Value = value;
  FactType Type = ?;
}

#endif // RELAY_IR_OPBASE_TD
