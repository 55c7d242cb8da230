# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.ir.transform."""

from __future__ import annotations

import sys

from ...passes import ModulePass, Pass, PassContext, PassInfo, Sequential, module_pass

__all__ = ["ModulePass", "Pass", "PassContext", "PassInfo", "PrintIR", "Sequential", "module_pass"]

# The options of TVM's PassContext that are no integers, with their types.
_CONFIG_TYPES = {
    "relay.backend.tir_converter": "runtime.String",
    "relay.collage.byoc_fusion_style": "Array",
    "tir.HoistExpression": "tir.transform.HoistExpressionConfig",
    "tir.HoistIfThenElse": "tir.transform.HoistIfThenElseConfig",
    "tir.InjectDoubleBuffer": "tir.transform.InjectDoubleBufferConfig",
    "tir.LoopPartition": "tir.transform.LoopPartitionConfig",
    "tir.ReduceBranchingThroughOvercompute": "tir.transform.ReduceBranchingThroughOvercomputeConfig",
    "tir.RemoveNoOp": "tir.transform.RemoveNoOpConfig",
    "tir.Simplify": "tir.transform.SimplifyConfig",
    "tir.UnrollLoop": "tir.transform.UnrollLoopConfig",
    "tir.add_lower_pass": "Array",
    "tir.usmp.algorithm": "runtime.String",
    "tir.usmp.custom_algorithm": "runtime.String",
}

# The others: booleans and integers.
_CONFIG_INTEGERS = {
    "ir": "enable_si_builder",
    "relax": "FuseOps.max_depth backend.use_cuda_graph fallback_device_type lift_transform_params.consume_params "
    "transform.apply_legalize_ops",
    "relay": "FuseOps.link_params FuseOps.max_depth ToMixedPrecision.keep_orig_output_dtype "
    "backend.use_auto_scheduler backend.use_meta_schedule backend.use_meta_schedule_dispatch collage.byoc_max_depth "
    "collage.tvm_max_depth fallback_device_type frontend.fill_span remove_standalone_reshapes.enable",
    "te": "keep_schedule_record",
    "testing": "immutable_module",
    "tir": "contrib.ethos-u.copy_compute_reordering_max_copy_movements "
    "contrib.ethos-u.copy_compute_reordering_reorder_by_cycles debug_keep_trivial_loop detect_global_barrier "
    "disable_assert disable_cse_tir disable_storage_rewrite disable_vectorize enable_buffer_level_predication "
    "enable_debug enable_equiv_terms_in_cse_tir experimental_dma_bypass_cache instr_siblings "
    "instrument_bound_checkers instrument_lwp is_entry_func lwp_disable_func_prof lwp_max_depth lwp_min_height "
    "merge_static_smem noalias ptx_ldg32 reset_start_id use_async_copy usmp.enable usmp.use_workspace_io vtcm_capacity",
}


def _list_configs() -> dict[str, dict[str, str]]:
    """Returns the options that PassContext(config=...) accepts, with their types.

    Those of other parts of TVM have no effect.
    """
    configs = {f"{part}.{name}": "IntImm" for part, names in _CONFIG_INTEGERS.items() for name in names.split()}
    return {name: {"type": kind} for name, kind in sorted({**configs, **_CONFIG_TYPES}.items())}


setattr(PassContext, "list_configs", staticmethod(_list_configs))


def PrintIR(header: str = "", show_meta_data: bool = False) -> Pass:
    """Returns a pass that prints the module on standard error."""

    @module_pass(opt_level=0, name="PrintIR")
    def print_ir(mod, ctx):
        sys.stderr.write(f"PrintIR({header}):\n{mod.astext(show_meta_data)}")
        return mod

    return print_ir
