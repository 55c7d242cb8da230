// The rules of rewriters.test: operands, attributes by place and by name,
// functions, words of patterns, what tests are told; and patterns by name.

include "Sample.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

def isWhole : Constraint<"isWhole">;
def canShift : Constraint<"canShift", ["Value *", "int64_t"]>;
def shifted : NativeCode<"shiftBegin", "SmallVector<int64_t>">;
def made : NativeCode<"makeValue">;

def NegateTwice : Rewrite<(NegativeOp (NegativeOp $x)), (value $x)> {
  let Summary = "takes two signs away";
}
def MoveSlice
    : Rewrite<(SliceOp:$slice (SliceOp $x, ?, $begin),
                  (attrs $begin, "NCHW":$data_layout, true:$keep_dims)),
              (SliceOp $x, (attrs $slice, (shifted $begin, $slice):$begin,
                                  ints<[1, 2]>:$end)),
              [(isWhole $slice, $begin), (canShift $slice, 1)], 2>;
def ReplaceConstant
    : Rewrite<(NegativeOp (Either:$e (Constant), (HasDType "float32", $x))),
              (NegativeOp (NegativeOp:$n (made $e, "text")))> {
  let SharesInner = 1;
  let Except = [NotFinite, NarrowFloats];
  let Examples = [(NegativeOp (Constant)), (NegativeOp (HasDType "float32", $y))];
}
def : CompositePattern<"sample.negative_of_slice",
                       (NegativeOp (SliceOp:$slice $x, ?))>;
