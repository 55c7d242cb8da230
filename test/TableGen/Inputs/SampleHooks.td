// The hooks of op-hooks.test: a kind with hooks, one of them for a family; a
// kind without; a shorter way to write hooks; a hook of a kind of another file;
// a part of the file.

include "Sample.td"
include "SampleKind.td"

class Cost<OpDef op, string function>
    : OpHook<"Cost", "int64_t(const Operation &Op)", op, function>;
class Layout<OpDef op, string function>
    : OpHook<"Layout", "Attr(Context &, Operation *)", op, function>;
class FreeCost<OpDef op> : Cost<op, "getNoCost">;

def : Cost<SliceOp, "getCostOfSlice">;
foreach op = [NegativeOp, RangeOp] in
  def : FreeCost<op>;
include "SampleHooksPart.td"
def : Simplification<NegativeOp, "simplifyNegative">;
