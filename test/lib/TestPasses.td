//===- TestPasses.td - Passes that do wrong ----------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes of relay-test-opt, on which instrumentations are tried.
//
//===----------------------------------------------------------------------===//

include "relay/Pass/PassBase.td"

def TestLie : FunctionPass<"test-lie"> {
  let Summary = "names the result anew and says that it did not";
  let Options = [
    StringOption<"claim", "unchanged",
                 "what it says to preserve: unchanged, op-counts, call-graph; "
                 "calls: call-graph, though the function calls itself now; "
                 "undone, location: unchanged, since it undid its change or "
                 "changed only a location">
  ];
}

def TestForget : ModulePass<"test-forget"> {
  let Summary = "removes a function and says that it preserved the functions and their op-counts";
  let Options = [
    StringOption<"function", "", "its name">,
    BoolOption<"lengthens", 0, "adds an operation to it instead">
  ];
}

def TestDefine : ModulePass<"test-define"> {
  let Summary = "defines a type and counts its runs in an attribute of the module";
}

def TestUnannouncedChange : ModulePass<"test-unannounced-change"> {
  let Summary = "changes IR against the rules of Rewriter";
  let Options = [
    StringOption<"how", "create",
                 "create, refused, attribute, result, erase, retype: by a "
                 "Rewriter; raw, raw-function, raw-attribute: without one; "
                 "silent-location, silent-binding, silent-type, "
                 "silent-operand, silent-creation, silent-erasure: by a "
                 "Rewriter that does not tell listeners; none">
  ];
}

def TestFail : FunctionPass<"test-fail"> {
  let Summary = "fails";
  let Options = [
    StringOption<"function", "main", "on this function">,
    BoolOption<"silent", 0, "without a message">
  ];
}

def TestCrash : FunctionPass<"test-crash"> {
  let Summary = "ends the process";
  let Options = [
    StringOption<"how", "abort",
                 "abort, assert, segfault, null, divide, trap, overflow, "
                 "unreachable, exit, hang, deadlock">,
    StringOption<"function", "main",
                 "on this function; empty: on the one that another thread than "
                 "the main one takes first">
  ];
}

def TestReplaceRelu : FunctionPass<"test-replace-relu"> {
  let Summary = "replaces nn.relu by maximum, once badly";
  let Options = [
    IntOption<"bad", 0, "which replacement of a run is bad, from 1; 0: none">,
    StringOption<"how", "wrong", "wrong: minimum; invalid: a call of @nowhere; crash">
  ];
}

def TestSwapOperands : FunctionPass<"test-swap-operands"> {
  let Summary = "swaps the operands of add and multiply and, which is wrong, of subtract";
  let Tolerance = Exact;
}

def TestScale : FunctionPass<"test-scale"> {
  let Summary = "multiplies the result, if it is a tensor";
  let Options = [FloatOption<"by", "1", "what by">];
}

def TestBreak : FunctionPass<"test-break"> {
  let Summary = "leaves IR that the verifier has to find";
  let Options = [
    StringOption<"how", "type",
                 "type: a value is of another type; cycle: an operation is its own operand; untyped; "
                 "attribute: transpose(axes=[0, 0]); erased: a value goes with its region and is used; "
                 "result, let: an annotation does not fit; closure: a body gives another shape; "
                 "argument: a call passes another type; signature: the second of two parameters goes">
  ];
}

def TestChangeSignature : ModulePass<"test-change-signature"> {
  let Summary = "takes the last parameter from a function and leaves its callers as they are";
  let Options = [StringOption<"function", "f", "its name">];
}

def TestTyping : ModulePass<"test-typing"> {
  let Summary = "compares what all ways of typing find";
  let Options = [
    BoolOption<"strict", 0,
               "what is more dynamic for what stands around an operation is a difference, too">
  ];
}

def TestNested : ModulePass<"test-nested"> {
  let Summary = "takes a constant out, runs a pipeline, and puts it back";
  let Options = [
    StringOption<"pipeline", "", "what it runs between two changes of its own">,
    BoolOption<"announce", 1, "announces the first change">
  ];
}

def TestPartition : FunctionPass<"test-partition"> {
  let Summary = "makes closures of what patterns match";
  let Options = [
    StringOption<"file", "",
                 "its patterns, in order; the names become Composite, unless they are empty">
  ];
}

def TestComposites : FunctionPass<"test-composites"> {
  let Summary = "makes composites of the patterns of TestRules.td, of softmax along the last axis only";
  let Tolerance = Exact;
  let Remarks = ["no-composite"];
}

def TestRules : FunctionPass<"test-rules"> {
  let Summary = "applies rules of TestRules.td";
  let Options = [ListOption<"rules", [], "their names">];
  let Tolerance = Approximates<"1e-3", "1e-3", "rules may approximate">;
}
