// The entries of op-hooks.test: kinds with hooks, one of them for a family; a
// kind without; a kind with data; a shorter way to write hooks, with a number;
// facts of each type; entries with keys and levels; entries of kinds of another
// file; a part of the file.

include "Sample.td"
include "SampleKind.td"

class Cost<OpDef op, string function> : OpHook<"Cost", op, function> {
  let Arguments = (ins "const Operation &":$Op);
  let Result = HookResult<"int64_t">;
}
class Layout<OpDef op, string function> : OpHook<"Layout", op, function> {
  let Arguments = (ins "Context &":$Ctx, "Operation *":$Op);
  let Result = MayFailNullIsNoOpinion<"Attr">;
}
class Scaling<OpDef op, string function, string axis>
    : OpHook<"Scaling", op, function> {
  let CommonArguments = [RewriterArgument];
  let Arguments = (ins "int64_t":$Factor);
  let Result = SucceedsOrFails;
  let DataType = "int64_t";
  let Data = axis;
}
class FreeCost<OpDef op> : Cost<op, "getNoCost"> {
  let Number = 7;
}

class Precision<OpDef op, string value> : OpFact<"Precision", op, value> {
  let Type = EnumFact<["always", "in-half", "never"]>;
}
class Weight<OpDef op, string value> : OpFact<"Weight", op, value> {
  let Type = IntFact;
}
class Comment<OpDef op, string value> : OpFact<"Comment", op, value> {
  let Type = StringFact;
}

def : Cost<SliceOp, "getCostOfSlice">;
foreach op = [NegativeOp, RangeOp] in
  def : FreeCost<op>;
include "SampleHooksPart.td"
let Key = "gpu" in {
  def : Cost<SliceOp, "getNoCost">;
  let Level = 20 in
  def : Cost<SliceOp, "getCostOfSlice">;
}
def : Scaling<SliceOp, "scaleAlong", "SliceAxis + 1">;
def : Precision<SliceOp, "in-half">;
def : Precision<RangeOp, "never">;
def : Weight<SliceOp, "-3">;
def : Comment<SliceOp, "a \"slice\"">;
def : Simplification<NegativeOp, "simplifyNegative">;
def : Supported<NegativeOp, "true">;
let Key = "gpu" in
def : Supported<NegativeOp, "false">;
