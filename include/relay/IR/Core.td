//===- Core.td - The constructs of the language ------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constructs of Relay other than calls of operators. docs/Language.md
// describes the text of each construct, and the meaning of binding.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_IR_CORE_TD
#define RELAY_IR_CORE_TD

include "relay/IR/OpBase.td"

def TupleGetItemAttrs : AttrsDef<"relay.core.TupleGetItemAttrs"> {
  let Fields = (ins Int:$index);
}
def ConstantAttrs : AttrsDef<"relay.core.ConstantAttrs"> {
  let Fields = (ins ConstantData:$value);
}
// `attributes`: the attributes of the call, which TVM also keeps on calls of
// values other than operators; an OpAttrs or None.
def CallGlobalAttrs : AttrsDef<"relay.core.CallGlobalAttrs"> {
  let Fields = (ins String:$callee, Default<Object, "None">:$attributes);
}
def CallValueAttrs : AttrsDef<"relay.core.CallValueAttrs"> {
  let Fields = (ins Default<Object, "None">:$attributes);
}
def CallConstructorAttrs : AttrsDef<"relay.core.CallConstructorAttrs"> {
  let Fields = (ins String:$constructor, Default<Object, "None">:$attributes);
}
def SymbolAttrs : AttrsDef<"relay.core.SymbolAttrs"> {
  let Fields = (ins String:$symbol);
}

def CallGlobalOp : CoreOp<"relay.call_global", "CallGlobal"> {
  let Summary = "call of a global function by name";
  let Operands = (ins Exprs:$arguments);
  let Attributes = CallGlobalAttrs;
}
def CallValueOp : CoreOp<"relay.call", "CallValue"> {
  let Summary = "call of a closure";
  let Operands = (ins Expr:$callee, Exprs:$arguments);
  let Attributes = CallValueAttrs;
}
def CallConstructorOp : CoreOp<"relay.call_constructor", "CallConstructor"> {
  let Summary = "value of an algebraic data type";
  let Operands = (ins Exprs:$arguments);
  let Attributes = CallConstructorAttrs;
  let Traits = [Pure];
}
def TupleOp : CoreOp<"relay.tuple", "Tuple"> {
  let Summary = "tuple of values";
  let Operands = (ins Exprs:$fields);
  let FusionKind = TupleFusion;
  let Traits = [Pure];
}
def TupleGetItemOp : CoreOp<"relay.tuple_get_item", "TupleGetItem"> {
  let Summary = "field of a tuple";
  let Operands = (ins Expr:$tuple);
  let Attributes = TupleGetItemAttrs;
  let FusionKind = Injective;
  let Traits = [Pure];
}
def ConstantOp : CoreOp<"relay.constant", "Constant"> {
  let Summary = "constant tensor";
  let Attributes = ConstantAttrs;
  let Traits = [Pure];
}
def IfOp : CoreOp<"relay.if", "If"> {
  let Summary = "choice between two regions by a scalar boolean";
  let Operands = (ins Expr:$condition);
  let NumRegions = 2;
}
def MatchOp : CoreOp<"relay.match", "Match"> {
  let Summary = "choice between clauses by the shape of a value";
  let Operands = (ins Expr:$data);
  let NumRegions = -1;
}
def FnOp : CoreOp<"relay.fn", "Fn"> {
  let Summary = "closure";
  let NumRegions = 1;
  let Traits = [Pure];
}
def ScopeOp : CoreOp<"relay.scope", "Scope"> {
  let Summary = "a `let` chain nested in an expression";
  let NumRegions = 1;
}
def AliasOp : CoreOp<"relay.alias", "Alias"> {
  let Summary = "a further `let` name of a value that has its own place";
  let Operands = (ins Expr:$value);
  let Traits = [Pure];
}
def GlobalRefOp : CoreOp<"relay.global", "GlobalRef"> {
  let Summary = "global function as a value";
  let Attributes = SymbolAttrs;
  let Traits = [Pure];
}
def OpRefOp : CoreOp<"relay.op", "OpRef"> {
  let Summary = "operator as a value";
  let Attributes = SymbolAttrs;
  let Traits = [Pure];
}
def ConstructorRefOp : CoreOp<"relay.constructor", "ConstructorRef"> {
  let Summary = "constructor as a value";
  let Attributes = SymbolAttrs;
  let Traits = [Pure];
}
def RefCreateOp : CoreOp<"relay.ref_create", "RefCreate"> {
  let Summary = "new reference cell";
  let Operands = (ins Expr:$value);
}
def RefReadOp : CoreOp<"relay.ref_read", "RefRead"> {
  let Summary = "contents of a reference cell";
  let Operands = (ins Expr:$ref);
}
def RefWriteOp : CoreOp<"relay.ref_write", "RefWrite"> {
  let Summary = "change of a reference cell";
  let Operands = (ins Expr:$ref, Expr:$value);
}

#endif // RELAY_IR_CORE_TD
