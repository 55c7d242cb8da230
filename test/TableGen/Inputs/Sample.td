// The ops of op-backends.test: one of each thing that backends treat apart.

include "SampleBase.td"

def SliceAttrs : AttrsDef<"sample.SliceAttrs"> {
  let Summary = "Where to cut.";
  let Fields = (ins Nullable<Dim>:$units,
                    IntArray:$begin,
                    Default<DimArray, "None">:$end,
                    Default<String, "\"NCHW\"">:$data_layout,
                    Default<Bool, "True">:$keep_dims,
                    Default<OptInt, "None">:$axis,
                    Default<Double, "1e-05f">:$epsilon,
                    Default<DataType, "\"float32\"">:$out_dtype);
}
def RangeAttrs : AttrsDef<"sample.RangeAttrs"> {
  let Fields = (ins Mirror<"stop">:$stop, Default<Int, "1">:$step);
}
def NoAttrs : AttrsDef<"sample.NoAttrs">;

def SliceOp : UnaryOp<"sample.slice", "part of a tensor"> {
  let Description = [{
    The part of `data` from `begin` to `end`:

        slice(data, begin=[0])
  }];
  let Attributes = SliceAttrs;
  let Verifier = "verifySlice";
  let ShapeDataDependent = [0];
}
def NegativeOp : UnaryOp<"sample.negative", "-data">;
def RangeOp : Op<"sample.range"> {
  let Operands = (ins Expr:$start_at, Expr:$stop);
  let Attributes = RangeAttrs;
  let Traits = [Stateful];
  let ShapeDataDependent = [0, 1];
}
def CallOp : CoreOp<"sample.call", "CallValue"> {
  let Summary = "call";
  let Operands = (ins Expr:$callee, Exprs:$arguments);
  let Attributes = NoAttrs;
  let NumRegions = -1;
}
