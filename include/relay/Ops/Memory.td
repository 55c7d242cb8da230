//===- Memory.td - Devices and memory ----------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators of TVM's lowered programs, for devices and memory: `on_device`,
// `device_copy`, `call_lowered`, `memory.*`, `vm.*`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_MEMORY_TD
#define RELAY_OPS_MEMORY_TD

include "relay/Ops/Tensor.td"

def OnDeviceAttrs : AttrsDef<"relay.attrs.OnDeviceAttrs"> {
  let Fields = (ins Default<Object, "None">:$virtual_device,
                    Default<Bool, "False">:$constrain_result,
                    Default<Bool, "True">:$constrain_body);
}
def DeviceCopyAttrs : AttrsDef<"relay.attrs.DeviceCopyAttrs"> {
  let Fields = (ins Object:$src_virtual_device, Object:$dst_virtual_device);
}
def CallLoweredAttrs : AttrsDef<"relay.attrs.CallLoweredAttrs"> {
  let Fields = (ins Default<Object, "{}">:$metadata);
}
def AllocStorageAttrs : AttrsDef<"relay.attrs.AllocStorageAttrs"> {
  let Fields = (ins DefaultText<DataType, "float32">:$dtype,
                    Object:$virtual_device);
}
def AllocTensorAttrs : AttrsDef<"relay.attrs.AllocTensorAttrs"> {
  let Fields = (ins DefaultText<DataType, "float32">:$dtype,
                    Nullable<ConstantData>:$const_shape,
                    Nullable<DimArray>:$assert_shape);
}
def ReshapeTensorAttrs : AttrsDef<"relay.attrs.ReshapeTensorAttrs"> {
  let Fields = (ins DimArray:$newshape);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//
def OnDeviceOp : Op<"on_device"> {
  let Summary = "places the computation of body on a device";
  let Operands = (ins Expr:$body);
  let Attributes = OnDeviceAttrs;
  let Traits = [NonComputational];
  let Relation = "inferIdentity";
}
def DeviceCopyOp : Op<"device_copy"> {
  let Summary = "data on another device";
  let Operands = (ins Expr:$data);
  let Attributes = DeviceCopyAttrs;
  let Relation = "inferIdentity";
  let ShapeDataDependent = [0];
}

//===----------------------------------------------------------------------===//
// Lowered functions and memory
//===----------------------------------------------------------------------===//
def CallLoweredOp : Op<"call_lowered"> {
  let Summary = "call of a compiled function";
  let Operands = (ins Expr:$func, Expr:$call_args);
  let Attributes = CallLoweredAttrs;
  let Traits = [NonComputational];
  let Relation = "inferCallLowered";
}
def AllocStorageOp : Op<"memory.alloc_storage"> {
  let Summary = "memory of size bytes";
  let Operands = (ins Tensor:$size, Expr:$shape, Tensor:$alignment);
  let Attributes = AllocStorageAttrs;
  let Traits = [NonComputational];
  let Relation = "inferAllocStorage";
}
def AllocTensorOp : Op<"memory.alloc_tensor"> {
  let Summary = "tensor in allocated memory";
  let Operands = (ins Expr:$storage, Tensor:$offset, Expr:$shape);
  let Attributes = AllocTensorAttrs;
  let Traits = [NonComputational];
  let Relation = "inferAllocTensor";
}
def KillOp : Op<"memory.kill"> {
  let Summary = "frees the value of a variable";
  let Operands = (ins Expr:$to_free);
  let Traits = [Stateful, NonComputational];
  let Relation = "inferKill";
}
def VMShapeOfOp : Op<"vm.shape_of"> {
  let Summary = "shape of a tensor, as a tensor of rank 1";
  let Operands = (ins Tensor:$tensor);
  let Attributes = ShapeOfAttrs;
  let Traits = [NonComputational];
  let Relation = "inferShapeOf";
}
def VMReshapeTensorOp : Op<"vm.reshape_tensor"> {
  let Summary = "data in another shape, without a copy";
  let Operands = (ins Tensor:$data, Tensor:$shape);
  let Attributes = ReshapeTensorAttrs;
  let Traits = [NonComputational];
  let Relation = "inferReshapeTensor";
}

#endif // RELAY_OPS_MEMORY_TD
