// See OneDNN.h.

#include "OneDNN.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace backend;

std::optional<dnnl_data_type_t> backend::getDataType(relay::DType T) {
  if (T.getLanes() != 1)
    return std::nullopt;
  if (T.isFloat(32))
    return dnnl_f32;
  if (T.isInt(32))
    return dnnl_s32;
  if (T.isInt(8))
    return dnnl_s8;
  if (T.isUInt(8))
    return dnnl_u8;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Desc
//===----------------------------------------------------------------------===//

Desc Desc::getStrided(ArrayRef<int64_t> Shape, dnnl_data_type_t T,
                      ArrayRef<int64_t> Strides) {
  Desc D;
  if (Shape.size() > DNNL_MAX_NDIMS ||
      dnnl_memory_desc_init_by_strides(&D.Data, int(Shape.size()), Shape.data(),
                                       T, Strides.data()) != dnnl_success)
    return Desc();
  return D;
}

Desc Desc::getRowMajor(ArrayRef<int64_t> Shape, dnnl_data_type_t T) {
  Dims Strides(Shape.size(), 1);
  for (size_t I = Shape.size(); I > 1; --I)
    Strides[I - 2] = Strides[I - 1] * Shape[I - 1];
  return getStrided(Shape, T, Strides);
}

Desc Desc::getAny(ArrayRef<int64_t> Shape, dnnl_data_type_t T) {
  Desc D;
  if (Shape.size() > DNNL_MAX_NDIMS ||
      dnnl_memory_desc_init_by_tag(&D.Data, int(Shape.size()), Shape.data(), T,
                                   dnnl_format_tag_any) != dnnl_success)
    return Desc();
  return D;
}

Desc Desc::permute(ArrayRef<int> Axes) const {
  Desc D;
  if (dnnl_memory_desc_permute_axes(&D.Data, &Data, Axes.data()) !=
      dnnl_success)
    return Desc();
  return D;
}

Desc Desc::withShape(ArrayRef<int64_t> Shape) const {
  Desc D(*this);
  dnnl_blocking_desc_t &Blocking = D.Data.format_desc.blocking;
  Dims Blocks(Shape.size(), 1);
  int64_t Stride = 1;
  for (int I = 0; I != Blocking.inner_nblks; ++I) {
    Blocks[Blocking.inner_idxs[I]] *= Blocking.inner_blks[I];
    Stride *= Blocking.inner_blks[I];
  }
  SmallVector<unsigned, 6> Order;
  for (unsigned Axis = 0; Axis != Shape.size(); ++Axis)
    Order.push_back(Axis);
  llvm::stable_sort(Order, [&](unsigned L, unsigned R) {
    return Blocking.strides[L] > Blocking.strides[R];
  });
  for (unsigned Axis : llvm::reverse(Order)) {
    int64_t NumBlocks = llvm::divideCeil(Shape[Axis], Blocks[Axis]);
    D.Data.dims[Axis] = Shape[Axis];
    D.Data.padded_dims[Axis] = NumBlocks * Blocks[Axis];
    Blocking.strides[Axis] = Stride;
    Stride *= NumBlocks;
  }
  return D;
}

//===----------------------------------------------------------------------===//
// Primitive descriptors
//===----------------------------------------------------------------------===//

Desc backend::getDesc(const PrimitiveDesc &PD, dnnl_query_t What, int Index) {
  const dnnl_memory_desc_t *D =
      dnnl_primitive_desc_query_md(PD.get(), What, Index);
  return D ? Desc(*D) : Desc();
}

static bool isReference(const PrimitiveDesc &PD) {
  const char *Name = nullptr;
  dnnl_primitive_desc_query(PD.get(), dnnl_query_impl_info_str, 0, &Name);
  return Name && StringRef(Name).contains("ref");
}

PrimitiveDesc backend::createDesc(const Engine &E, const void *Operation,
                                  const PrimitiveAttr &Attr) {
  dnnl_primitive_desc_t Raw = nullptr;
  if (dnnl_primitive_desc_create(&Raw, Operation, Attr.get(), E.get(),
                                 nullptr) != dnnl_success)
    return nullptr;
  PrimitiveDesc PD(Raw);
  return isReference(PD) ? nullptr : std::move(PD);
}

PrimitiveAttr backend::createAttr() {
  dnnl_primitive_attr_t Raw = nullptr;
  if (dnnl_primitive_attr_create(&Raw) != dnnl_success)
    return nullptr;
  PrimitiveAttr Attr(Raw);
  dnnl_primitive_attr_set_scratchpad_mode(Raw, dnnl_scratchpad_mode_user);
  return Attr;
}
