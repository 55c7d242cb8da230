//===- Targets.td - Targets of TVM -------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The targets that every PassRegistry knows, with TVM's names and keys, and
// with the options that a pass over Relay may read.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_PASS_TARGETS_TD
#define RELAY_PASS_TARGETS_TD

include "relay/Pass/PassBase.td"

class OptionalString<string name, string description>
    : OptionalOption<name, StringType, description>;
class OptionalCount<string name, string description>
    : OptionalOption<name, IntType<AtLeast<1>>, description>;

//===----------------------------------------------------------------------===//
// Processors
//===----------------------------------------------------------------------===//

defvar Mcpu = OptionalString<"mcpu", "the processor">;
defvar Mattr = ListOption<"mattr", [], "features of the processor: +avx2">;
defvar Mtriple = OptionalString<"mtriple", "LLVM's triple">;
defvar NumCores = OptionalCount<"num-cores", "the number of cores">;

def LLVM : Target<"llvm", ["cpu"], [
  Mcpu, Mattr, Mtriple, NumCores,
  OptionalString<"mabi", "the ABI">,
  OptionalOption<"mfloat-abi", EnumType<["soft", "hard"]>, "the ABI of floats">,
  OptionalOption<"opt-level", IntType<Between<0, 3>>, "LLVM's level">,
  BoolOption<"fast-math", 0, "allow all fast-math flags">]> {
  let Summary = "processors, by LLVM";
}
def C : Target<"c", ["cpu"], [
  Mcpu, OptionalString<"march", "the architecture">,
  OptionalCount<"constants-byte-alignment", "the alignment of constants">,
  OptionalCount<"workspace-byte-alignment", "the alignment of buffers">]> {
  let Summary = "processors, by C";
}
def Hexagon : Target<"hexagon", ["cpu"], [
  Mcpu, Mattr, Mtriple, NumCores,
  OptionalOption<"vtcm-capacity", IntType<AtLeast<0>>,
                 "bytes of tightly coupled memory">]> {
  let Summary = "Qualcomm Hexagon";
}

//===----------------------------------------------------------------------===//
// Graphics processors
//===----------------------------------------------------------------------===//

defvar MaxNumThreads =
    OptionalCount<"max_num_threads", "the most threads of a block">;
defvar MaxThreadsPerBlock = OptionalCount<
    "max_threads_per_block", "the most threads of a block, of the device">;
defvar MaxSharedMemory = OptionalCount<"max_shared_memory_per_block",
                                       "bytes of shared memory of a block">;
defvar ThreadWarpSize =
    OptionalCount<"thread_warp_size", "the number of threads of a warp">;
defvar GPUOptions =
    [MaxNumThreads, MaxThreadsPerBlock, MaxSharedMemory, ThreadWarpSize];

def CUDA : Target<"cuda", ["gpu"], !listconcat(GPUOptions, [
  Mcpu, OptionalString<"arch", "the architecture: sm_80">,
  OptionalCount<"registers_per_block", "the registers of a block">,
  OptionalCount<"l2_cache_size_bytes", "bytes of the cache of level 2">])> {
  let Summary = "Nvidia, by CUDA";
}
def NVPTX : Target<"nvptx", ["cuda", "gpu"],
                   [Mcpu, Mtriple, MaxNumThreads, ThreadWarpSize]> {
  let Summary = "Nvidia, by LLVM";
}
def ROCm : Target<"rocm", ["gpu"],
                  !listconcat(GPUOptions, [Mcpu, Mattr, Mtriple])> {
  let Summary = "AMD, by ROCm";
}
def OpenCL : Target<"opencl", ["gpu"], !listconcat(GPUOptions, [
  OptionalCount<"texture_spatial_limit", "the largest extent of a texture">])> {
  let Summary = "devices, by OpenCL";
}
def Vulkan : Target<"vulkan", ["gpu"], !listconcat(GPUOptions, [
  BoolOption<"supports_float16", 0, "the device computes in float16">,
  BoolOption<"supports_int8", 0, "the device computes in int8">])> {
  let Summary = "devices, by Vulkan";
}
def Metal : Target<"metal", ["gpu"], GPUOptions> {
  let Summary = "Apple, by Metal";
}
def WebGPU : Target<"webgpu", ["gpu"], [MaxNumThreads]> {
  let Summary = "browsers, by WebGPU";
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def DNNL : Target<"dnnl", ["cpu"]> {
  let Summary = "Intel's oneDNN, for partition-graph";
}
def ExternalDevice : Target<"ext_dev"> {
  let Summary = "an accelerator outside of TVM";
}

#endif // RELAY_PASS_TARGETS_TD
