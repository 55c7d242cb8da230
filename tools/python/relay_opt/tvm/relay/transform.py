# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.transform: the passes, with TVM's names and parameters."""

from __future__ import annotations

import re
from typing import Any, cast

from ... import _relay_opt as _ext
from ...expr import Constant, Expr, Function
from ...module import IRModule, from_expr
from ...passes import FunctionPass, ModulePass, Pass, PassContext, PassInfo, function_pass
from ..absent import absent


def _text(value: Any) -> str:
    """Returns an option's value as text of a pipeline."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(v) for v in value)
    text = str(value)
    if re.fullmatch(r"[\w.:/+-]+", text):
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _make(argument: str, **options: Any) -> Pass:
    """Returns the pass with the options that are not None."""
    parts = [f'{name.replace("_", "-")}={_text(value)}' for name, value in options.items() if value is not None]
    return Pass(argument + (f"<{';'.join(parts)}>" if parts else ""))


def _plain(name: str, argument: str, doc: str):
    def create() -> Pass:
        return Pass(argument)

    create.__name__ = create.__qualname__ = name
    create.__doc__ = doc
    return create


# TVM's passes without parameters.
_PLAIN = {
    "AlterOpLayout": "alter-op-layout",
    "AnnotateSpans": "annotate-spans",
    "BackwardFoldScaleAxis": "backward-fold-scale-axis",
    "BatchingOps": "batching-ops",
    "CanonicalizeCast": "canonicalize-cast",
    "CanonicalizeOps": "canonicalize-ops",
    "CapturePostDfsIndexInSpans": "capture-post-dfs-index-in-spans",
    "DefuseOps": "defuse-ops",
    "DivToMul": "div-to-mul",
    "DynamicToStatic": "dynamic-to-static",
    "FastMath": "fast-math",
    "FirstOrderGradient": "first-order-gradient",
    "FlattenAtrousConv": "flatten-atrous-conv",
    "FoldExplicitPadding": "fold-explicit-padding",
    "FoldScaleAxis": "fold-scale-axis",
    "ForwardFoldScaleAxis": "forward-fold-scale-axis",
    "InferType": "infer-type",
    "Inline": "inline",
    "LambdaLift": "lambda-lift",
    "LazyGradientInit": "lazy-gradient-init",
    "ManifestLifetimes": "manifest-lifetimes",
    "MergeCompilerRegions": "merge-compiler-regions",
    "PartialEvaluate": "partial-evaluate",
    "SimplifyExpr": "simplify-expr",
    "SimplifyInference": "simplify-inference",
    "ToANormalForm": "to-a-normal-form",
    "ToBasicBlockNormalForm": "to-basic-block-normal-form",
    "ToGraphNormalForm": "to-graph-normal-form",
}

for _name, _argument in _PLAIN.items():
    globals()[_name] = _plain(_name, _argument, f"Returns the pass `{_argument}`.")


def AnnotateTarget(targets: Any, include_non_call_ops: bool = True) -> Pass:
    """Returns the pass `annotate-target`. As in TVM, a target may support nothing.

    Without targets, as with a target that supports nothing, operations are annotated with the compiler "default".
    """
    names = _list(targets) or ["none"]
    for name in names:
        _ext.declare_compiler(name)
    return _make("annotate-target", targets=names, include_non_call_ops=include_non_call_ops)


def _list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [str(v) for v in value]


def CombineParallelBatchMatmul(min_num_branches: int = 3) -> Pass:
    """Returns the pass `combine-parallel-batch-matmul`."""
    return _make("combine-parallel-batch-matmul", min_num_branches=min_num_branches)


def CombineParallelConv2D(min_num_branches: int = 3) -> Pass:
    """Returns the pass `combine-parallel-conv2d`."""
    return _make("combine-parallel-conv2d", min_num_branches=min_num_branches)


def CombineParallelDense(min_num_branches: int = 3, to_batch: bool = True) -> Pass:
    """Returns the pass `combine-parallel-dense`."""
    return _make("combine-parallel-dense", min_num_branches=min_num_branches, to_batch=to_batch)


def ConvertLayout(desired_layouts: dict[str, Any]) -> Pass:
    """Returns the pass `convert-layout` for layouts by operator."""
    entries = [":".join([name, *map(str, layouts)]) for name, layouts in desired_layouts.items()]
    return _make("convert-layout", desired_layouts=entries)


def Conv2dToSparse2(layout: str, kernel_size: int, blocksize: Any, sparsity_threshold: float) -> Pass:
    """Returns the pass `conv2d-to-sparse2`."""
    return _make(
        "conv2d-to-sparse2",
        layout=layout,
        kernel_size=kernel_size,
        blocksize=list(blocksize),
        sparsity_threshold=sparsity_threshold,
    )


def DeadCodeElimination(inline_once: bool = False, ignore_impurity: bool = False) -> Pass:
    """Returns the pass `dead-code-elimination`."""
    return _make("dead-code-elimination", inline_once=inline_once, ignore_impurity=ignore_impurity)


def Defunctionalization(func: Function, mod: IRModule) -> Function:
    """Returns func without functions as values; their types are added to mod."""
    work = mod.shallow_copy()
    work["main"] = func
    result = Pass("defunctionalization")(work)
    mod._assign(result)
    return result["main"]


def EliminateCommonSubexpr(fskip: Any = None) -> Pass:
    """Returns the pass `eliminate-common-subexpr`."""
    if fskip is not None:
        raise NotImplementedError("EliminateCommonSubexpr of relay_opt has no fskip")
    return Pass("eliminate-common-subexpr")


def EtaExpand(expand_constructor: bool = False, expand_global_var: bool = False) -> Pass:
    """Returns the pass `eta-expand`."""
    return _make("eta-expand", expand_constructor=expand_constructor, expand_global_var=expand_global_var)


def FakeQuantizationToInteger(hard_fail: bool = False, use_qat: bool = False, optional_qnn_ops: Any = None) -> Pass:
    """Returns the pass `fake-quantization-to-integer`."""
    return _make(
        "fake-quantization-to-integer",
        hard_fail=hard_fail,
        use_qat=use_qat,
        optional_qnn_ops=list(optional_qnn_ops) if optional_qnn_ops else None,
    )


def FoldConstant(fold_qnn: bool = False) -> Pass:
    """Returns the pass `fold-constant`."""
    return _make("fold-constant", fold_qnn=fold_qnn)


def FoldConstantExpr(expr: Expr, mod: IRModule, fold_qnn: bool = False) -> Expr:
    """Returns expr with its constant parts evaluated."""
    return on_expr(expr, FoldConstant(fold_qnn), mod)


def on_expr(expr: Expr, pass_: Pass, mod: IRModule | None = None) -> Expr:
    """Returns expr after a pass on a module that has it for `main`."""
    base = from_expr(expr)
    if mod is not None:
        base.update({name: mod[name] for name in mod._names() if name != "main"})
    result = pass_(base)["main"]
    return result if isinstance(expr, Function) else result.body


def FuseOps(fuse_opt_level: int = -1) -> Pass:
    """Returns the pass `fuse-ops`."""
    return _make("fuse-ops", fuse_opt_level=fuse_opt_level)


def InferTypeLocal(expr: Expr) -> Any:
    """Returns the type of expr."""
    return on_expr(expr, Pass("infer-type")).checked_type


def InlineCompilerFunctionsBoundTo(global_vars: Any) -> Pass:
    """Returns the pass `inline-compiler-functions-bound-to`."""
    names = [getattr(gv, "name_hint", gv) for gv in global_vars]
    return _make("inline-compiler-functions-bound-to", global_vars=names)


def Legalize(legalize_map_attr_name: str = "FTVMLegalize") -> Pass:
    """Returns the pass `legalize`, or `qnn-legalize` for FTVMQnnLegalize."""
    arguments = {"FTVMLegalize": "legalize", "FTVMQnnLegalize": "qnn-legalize"}
    if legalize_map_attr_name not in arguments:
        raise NotImplementedError(f"relay_opt has no legalizations of kind {legalize_map_attr_name}")
    return Pass(arguments[legalize_map_attr_name])


def MarkCompilerFunctionsAsExtern(compiler_filter: str = "") -> Pass:
    """Returns the pass `mark-compiler-functions-as-extern`."""
    return _make("mark-compiler-functions-as-extern", compiler_filter=compiler_filter or None)


def MergeComposite(pattern_table: Any) -> Pass:
    """Returns the pass that outlines the matches of (name, pattern[, check]) entries."""
    from ...patterns import MergeComposite as merge

    return merge(pattern_table)


def OutlineCompilerFunctionsWithExistingGlobalSymbols(compiler_filter: str = "") -> Pass:
    """Returns the pass `outline-compiler-functions-with-existing-global-symbols`."""
    return _make("outline-compiler-functions-with-existing-global-symbols", compiler_filter=compiler_filter or None)


def PartitionGraph(mod_name: str = "default", bind_constants: bool = True) -> Pass:
    """Returns the pass `partition-graph`."""
    return _make("partition-graph", mod_name=mod_name, bind_constants=bind_constants)


def RemoveUnusedFunctions(entry_functions: Any = None) -> Pass:
    """Returns the pass `remove-unused-functions`."""
    return _make("remove-unused-functions", entry_functions=list(entry_functions) if entry_functions else None)


def SimplifyFCTranspose(target_weight_name: Any) -> Pass:
    """Returns the pass `simplify-fc-transpose`."""
    return _make("simplify-fc-transpose", target_weight_name=list(target_weight_name) or None)


def SplitArgs(max_function_args: int) -> Pass:
    """Returns the pass `split-args`."""
    return _make("split-args", max_function_args=max_function_args)


def ToANormalFormExpr(e: Expr) -> Expr:
    """Returns e in A-normal form."""
    return on_expr(e, Pass("to-a-normal-form"))


def ToMixedPrecision(mixed_precision_type: str = "float16", missing_op_mode: int = 1) -> Pass:
    """Returns the pass `to-mixed-precision`."""
    if missing_op_mode not in (0, 1, 2):
        raise ValueError("Missing op mode is either 0, 1, or 2")
    return _make("to-mixed-precision", dtype=mixed_precision_type, missing_op_mode=missing_op_mode)


def gradient(expr: Expr, mod: IRModule | None = None, mode: str = "higher_order") -> Expr:
    """Returns the function that computes the gradients of expr."""
    if mode not in ("first_order", "higher_order"):
        raise Exception("unknown mode")
    return on_expr(expr, _make("gradient", mode=mode), mod)


def to_cps(func: Function, mod: IRModule | None = None) -> Function:
    """Returns func in continuation-passing style."""
    return cast(Function, on_expr(func, Pass("to-cps"), mod))


def un_cps(func: Function) -> Function:
    """Returns the function that calls func with the identity as its continuation."""
    return cast(Function, on_expr(func, Pass("un-cps")))


def build_config(opt_level: int = 2, required_pass: Any = None, disabled_pass: Any = None, trace: Any = None) -> PassContext:
    """Returns a PassContext."""
    return PassContext(opt_level=opt_level, required_pass=required_pass, disabled_pass=disabled_pass)


def __getattr__(name: str):
    raise absent("tvm.relay.transform", name)
