// A part of SampleHooks.td, which declares the kind Cost.

def : Cost<CallOp, "getCostOfCall">;
