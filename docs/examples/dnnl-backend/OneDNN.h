// Handles and memory descriptors of oneDNN's C interface, which reports errors
// by status, as code without exceptions needs. Everything here is thin.

#ifndef DNNL_BACKEND_ONEDNN_H
#define DNNL_BACKEND_ONEDNN_H

#include "relay/IR/DType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <oneapi/dnnl/dnnl.h>
#include <optional>

namespace backend {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

template <typename T, dnnl_status_t (*Destroy)(T *)> struct Destroyer {
  void operator()(T *Handle) const { Destroy(Handle); }
};
template <typename T, dnnl_status_t (*Destroy)(T *)>
using Handle = std::unique_ptr<T, Destroyer<T, Destroy>>;

using Engine = Handle<dnnl_engine, dnnl_engine_destroy>;
using Stream = Handle<dnnl_stream, dnnl_stream_destroy>;
using Memory = Handle<dnnl_memory, dnnl_memory_destroy>;
using Primitive = Handle<dnnl_primitive, dnnl_primitive_destroy>;
using PrimitiveDesc = Handle<dnnl_primitive_desc, dnnl_primitive_desc_destroy>;
using PrimitiveAttr = Handle<dnnl_primitive_attr, dnnl_primitive_attr_destroy>;
using PostOps = Handle<dnnl_post_ops, dnnl_post_ops_destroy>;

using Dims = SmallVector<int64_t, 6>;

/// The data type of oneDNN for \p T; none for types that primitives lack.
std::optional<dnnl_data_type_t> getDataType(relay::DType T);

/// The shape, data type and layout of a tensor. A descriptor is invalid if
/// oneDNN has refused to create it.
class Desc {
public:
  Desc() = default;
  Desc(const dnnl_memory_desc_t &Data) : Data(Data) {}
  static Desc getRowMajor(ArrayRef<int64_t> Shape, dnnl_data_type_t T);
  static Desc getStrided(ArrayRef<int64_t> Shape, dnnl_data_type_t T,
                         ArrayRef<int64_t> Strides);
  /// A layout that the primitive chooses.
  static Desc getAny(ArrayRef<int64_t> Shape, dnnl_data_type_t T);

  explicit operator bool() const { return Data.ndims != 0; }
  const dnnl_memory_desc_t *get() const { return &Data; }
  bool operator==(const Desc &O) const {
    return dnnl_memory_desc_equal(&Data, &O.Data);
  }
  size_t getSize() const { return dnnl_memory_desc_get_size(&Data); }
  ArrayRef<int64_t> getShape() const {
    return ArrayRef<int64_t>(Data.dims, size_t(Data.ndims));
  }
  /// Axis I of this descriptor is axis Axes[I] of the result.
  Desc permute(ArrayRef<int> Axes) const;
  /// Returns a descriptor of \p Shape with the same blocks and order of axes.
  Desc withShape(ArrayRef<int64_t> Shape) const;

private:
  dnnl_memory_desc_t Data = {};
};

Desc getDesc(const PrimitiveDesc &PD, dnnl_query_t What, int Index = 0);

/// Creates a primitive descriptor; null if oneDNN has no implementation, or
/// only its reference, which is slower than the interpreter.
PrimitiveDesc createDesc(const Engine &E, const void *Operation,
                         const PrimitiveAttr &Attr);

PrimitiveAttr createAttr();

} // namespace backend

#endif // DNNL_BACKEND_ONEDNN_H
