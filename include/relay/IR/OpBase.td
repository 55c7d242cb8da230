//===- OpBase.td - Classes for declaring operators ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary in which ops and their attributes are declared. What each
// field becomes in C++ is described at relay-tblgen's backends and in
// include/relay/IR/OpInfo.h; families share classes through their own .td files.
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

// What operators and core constructs share. The record's name is the C++ class
// (`Conv2DOp`); Relation and Verifier are names of C++ functions in namespace
// relay that relay-tblgen declares and the family's .cpp defines.
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
// Hooks
//===----------------------------------------------------------------------===//

// A function of a room above for an operator. A room declares a kind of hook
// once, in its own file include/relay/<Room>/X.td:
//
//   class Expansion<OpDef op, string function>
//       : OpHook<"Expansion", "Value *(Rewriter &R, Operation *Op)", op,
//                function>;
//
// and binds functions to operators by records in the same file:
//
//   def : Expansion<DropoutOp, "expandDropout">;
//   foreach op = [ExpOp, LogOp] in
//     def : Expansion<op, "expandUnary">;
//
// The class is named for its kind. `signature` is the type of the functions, in
// C++ and in namespace relay. The build finds the file and has `relay-tblgen
// -gen-op-hooks` write relay/<Room>/X.h.inc, which declares the functions,
// `ExpansionFn` and `Expansion`; OpHooks.h describes the lookup. Records may
// also be in files that X.td includes after the class. A plugin includes X.td
// in its own file to bind hooks of that kind to its operators.
class OpHook<string kind, string signature, OpDef op, string function> {
  string Kind = kind;
  string Signature = signature;
  OpDef Operator = op;
  string Function = function;
}

#endif // RELAY_IR_OPBASE_TD
