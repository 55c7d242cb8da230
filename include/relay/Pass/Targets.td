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
def Hexagon : Target<"hexagon", ["hexagon", "cpu"], [
  Mcpu, Mattr, Mtriple, NumCores,
  OptionalOption<"vtcm-capacity", IntType<AtLeast<0>>,
                 "bytes of tightly coupled memory">]> {
  let Summary = "Qualcomm Hexagon";
  let DeviceType = 16;
}

//===----------------------------------------------------------------------===//
// Graphics processors
//===----------------------------------------------------------------------===//

// The defaults are TVM's, where it finds no device.
class MaxNumThreads<int count> : IntOption<
    "max_num_threads", count, "the most threads of a block", AtLeast<1>>;
class MaxThreadsPerBlock<int count> : IntOption<
    "max_threads_per_block", count, "the most threads of a block, of the device",
    AtLeast<1>>;
class MaxSharedMemory<int bytes> : IntOption<
    "max_shared_memory_per_block", bytes, "bytes of shared memory of a block",
    AtLeast<1>>;
class MaxFunctionArgs<int count> : IntOption<
    "max_function_args", count, "the most arguments of a function", AtLeast<1>>;
class ThreadWarpSize<int count> : IntOption<
    "thread_warp_size", count, "the number of threads of a warp", AtLeast<1>>;
class Processor<string name> : StringOption<"mcpu", name, "the processor">;
class Triple<string text> : StringOption<"mtriple", text, "LLVM's triple">;

let DeviceType = 2 in {
def CUDA : Target<"cuda", ["cuda", "gpu"], [
  ThreadWarpSize<32>, MaxNumThreads<1024>,
  StringOption<"arch", "sm_50", "the architecture">, Mcpu,
  OptionalCount<"max_threads_per_block",
                "the most threads of a block, of the device">,
  OptionalCount<"max_shared_memory_per_block",
                "bytes of shared memory of a block">,
  OptionalCount<"registers_per_block", "the registers of a block">,
  OptionalCount<"l2_cache_size_bytes", "bytes of the cache of level 2">]> {
  let Summary = "Nvidia, by CUDA";
}
def NVPTX : Target<"nvptx", ["cuda", "gpu"], [
  ThreadWarpSize<32>, Triple<"nvptx64-nvidia-cuda">, MaxNumThreads<1024>,
  Processor<"sm_50">]> {
  let Summary = "Nvidia, by LLVM";
}
} // DeviceType
def ROCm : Target<"rocm", ["rocm", "gpu"], [
  ThreadWarpSize<64>, Triple<"amdgcn-amd-amdhsa-hcc">, MaxThreadsPerBlock<256>,
  MaxNumThreads<256>, MaxSharedMemory<65536>, Processor<"gfx900">, Mattr]> {
  let Summary = "AMD, by ROCm";
  let DeviceType = 10;
}
def OpenCL : Target<"opencl", ["opencl", "gpu"], [
  ThreadWarpSize<1>,
  IntOption<"texture_spatial_limit", 16384, "the largest extent of a texture",
            AtLeast<1>>,
  MaxThreadsPerBlock<256>, MaxFunctionArgs<128>, MaxNumThreads<256>,
  MaxSharedMemory<16384>]> {
  let Summary = "devices, by OpenCL";
  let DeviceType = 4;
}
def Vulkan : Target<"vulkan", ["vulkan", "gpu"], [
  ThreadWarpSize<1>,
  BoolOption<"supports_float32", 1, "the device computes in float32">,
  MaxThreadsPerBlock<256>, MaxNumThreads<256>,
  BoolOption<"supports_int32", 1, "the device computes in int32">,
  OptionalCount<"max_shared_memory_per_block",
                "bytes of shared memory of a block">,
  BoolOption<"supports_float16", 0, "the device computes in float16">,
  BoolOption<"supports_int8", 0, "the device computes in int8">]> {
  let Summary = "devices, by Vulkan";
  let DeviceType = 7;
}
def Metal : Target<"metal", ["metal", "gpu"], [
  ThreadWarpSize<16>, MaxThreadsPerBlock<256>, MaxFunctionArgs<31>,
  MaxNumThreads<256>, MaxSharedMemory<32768>]> {
  let Summary = "Apple, by Metal";
  let DeviceType = 8;
}
def WebGPU : Target<"webgpu", ["webgpu", "gpu"], [MaxNumThreads<256>]> {
  let Summary = "browsers, by WebGPU";
  let DeviceType = 15;
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def DNNL : Target<"dnnl", ["cpu"]> {
  let Summary = "Intel's oneDNN, for partition-graph";
}
def ExternalDevice : Target<"ext_dev"> {
  let Summary = "an accelerator outside of TVM";
  let DeviceType = 12;
}

#endif // RELAY_PASS_TARGETS_TD
