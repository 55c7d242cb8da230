//===- Arrays.cpp - The data of constants in Python -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exchanges tensor data with numpy and other libraries by DLPack. Constants are
// immutable and shared, so exported memory is read-only. Imported memory stays
// with its owner, which lives as long as a constant uses it.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "llvm/Support/MemoryBuffer.h"
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

using namespace relay;
using namespace relay::python;

using ExportedArray = nb::ndarray<nb::array_api>;
using ExportedView = nb::ndarray<nb::ro, nb::array_api>;
using ImportedArray = nb::ndarray<nb::ro, nb::device::cpu>;

static ArrayRef<char> getBytes(const ArrayObject &Self) {
  if (Self.Data->isOpaque())
    throw nb::value_error(Self.Data->describeMissingData().c_str());
  return Self.Data->getBytes();
}

//===----------------------------------------------------------------------===//
// Data types
//===----------------------------------------------------------------------===//

/// Returns DLPack's code of \p T. Raises BufferError if there is none.
static nb::dlpack::dtype toDLPack(DType T) {
  using Code = nb::dlpack::dtype_code;
  unsigned Bits = T.isBool() ? 8 : T.getBits();
  if (!hasElementType(T) || Bits % 8 != 0)
    throw nb::buffer_error(("DLPack has no data type " + T.str()).c_str());
  auto Get = [Bits](Code C) {
    return nb::dlpack::dtype{uint8_t(C), uint8_t(Bits), 1};
  };
  if (T.isBool())
    return Get(Code::Bool);
  if (T.isBFloat())
    return Get(Code::Bfloat);
  if (T.isFloat())
    return Get(Code::Float);
  return Get(T.isUInt() ? Code::UInt : Code::Int);
}

/// Returns the data type of elements of \p T. Raises TypeError if Relay has
/// none.
static DType fromDLPack(nb::dlpack::dtype T) {
  using Code = nb::dlpack::dtype_code;
  if (T.lanes == 1) {
    switch (Code(T.code)) {
    case Code::Bool:
      return DType::getBool();
    case Code::Int:
      return DType::getInt(T.bits);
    case Code::UInt:
      return DType::getUInt(T.bits);
    case Code::Float:
      return DType::getFloat(T.bits);
    case Code::Bfloat:
      return DType(DType::BFloat, T.bits);
    default:
      break;
    }
  }
  throw nb::type_error("Relay has no data type for the elements of the array");
}

//===----------------------------------------------------------------------===//
// Export
//===----------------------------------------------------------------------===//

static SmallVector<size_t, 4> getSizes(const ArrayObject &Self) {
  SmallVector<size_t, 4> Sizes;
  for (Dim D : Self.Data->getType()->getShape())
    Sizes.push_back(D.getInt());
  return Sizes;
}

/// Returns an object that shows the data of \p Object, an Array, which it
/// keeps. With \p AsBits, the elements are unsigned integers.
static nb::object makeView(nb::handle Object, bool AsBits) {
  auto &Self = nb::cast<ArrayObject &>(Object);
  SmallVector<size_t, 4> Sizes = getSizes(Self);
  DType T = Self.Data->getDType();
  nb::dlpack::dtype Elements =
      toDLPack(AsBits ? DType::getUInt(T.getBits()) : T);
  return nb::cast(ExportedView(getBytes(Self).data(), Sizes.size(),
                               Sizes.data(), Object, /*strides=*/nullptr,
                               Elements));
}

/// Returns an object with a copy of the data, which may be written.
static nb::object makeCopy(const ArrayObject &Self) {
  auto Buffer =
      std::make_unique<TensorBuffer>(TensorBuffer::copy(getBytes(Self)));
  SmallVector<size_t, 4> Sizes = getSizes(Self);
  nb::dlpack::dtype Elements = toDLPack(Self.Data->getDType());
  void *Data = Buffer->getMutableBytes().data();
  nb::capsule Owner(Buffer.release(), [](void *Held) noexcept {
    delete static_cast<TensorBuffer *>(Held);
  });
  return nb::cast(ExportedArray(Data, Sizes.size(), Sizes.data(), Owner,
                                /*strides=*/nullptr, Elements));
}

/// The protocol's `__dlpack__`. Consumers from before version 1.0 cannot be
/// told that data is read-only; they get a copy.
static nb::object exportArray(nb::handle Object, nb::handle /*Stream*/,
                              nb::object MaxVersion, nb::object Device,
                              std::optional<bool> Copy) {
  bool KnowsReadOnly =
      !MaxVersion.is_none() && nb::cast<int>(MaxVersion[0]) >= 1;
  if (!Copy.value_or(true) && !KnowsReadOnly)
    throw nb::buffer_error("the data is read-only, which DLPack before version "
                           "1.0 cannot express without a copy");
  nb::object Array = Copy.value_or(!KnowsReadOnly)
                         ? makeCopy(nb::cast<ArrayObject &>(Object))
                         : makeView(Object, /*AsBits=*/false);
  return Array.attr("__dlpack__")(nb::arg("max_version") = MaxVersion,
                                  nb::arg("dl_device") = Device);
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

static bool isRowMajor(const ImportedArray &Source) {
  int64_t Stride = 1;
  for (size_t I = Source.ndim(); I-- != 0;) {
    if (Source.shape(I) != 1 && Source.stride(I) != Stride)
      return Source.size() == 0;
    Stride *= Source.shape(I);
  }
  return true;
}

/// Copies \p Source, whose elements have \p Size bytes, in row-major order.
static TensorBuffer copyElements(const ImportedArray &Source, size_t Size) {
  TensorBuffer Buffer = TensorBuffer::allocate(Source.size() * Size);
  char *To = Buffer.getMutableBytes().data();
  auto *From = static_cast<const char *>(Source.data());
  SmallVector<size_t, 4> Index(Source.ndim());
  int64_t Offset = 0; // in elements
  for (size_t I = 0; I != Source.size(); ++I, To += Size) {
    std::memcpy(To, From + Offset * int64_t(Size), Size);
    for (size_t D = Source.ndim(); D-- != 0;) {
      Offset += Source.stride(D);
      if (++Index[D] != Source.shape(D))
        break;
      Offset -= Source.stride(D) * int64_t(Source.shape(D));
      Index[D] = 0;
    }
  }
  return Buffer;
}

/// Returns the bytes of \p Source without copying them.
static TensorBuffer shareElements(const ImportedArray &Source) {
  ArrayRef<char> Bytes(static_cast<const char *>(Source.data()),
                       Source.nbytes());
  std::shared_ptr<ImportedArray> Owner(new ImportedArray(Source),
                                       [](ImportedArray *Held) {
                                         nb::gil_scoped_acquire Acquire;
                                         delete Held;
                                       });
  std::unique_ptr<llvm::MemoryBuffer> Buffer = llvm::MemoryBuffer::getMemBuffer(
      StringRef(Bytes.data(), Bytes.size()), "",
      /*RequiresNullTerminator=*/false);
  std::shared_ptr<const llvm::MemoryBuffer> Held(
      Buffer.release(),
      [Owner](const llvm::MemoryBuffer *Memory) { delete Memory; });
  return TensorBuffer::map(std::move(Held), Bytes);
}

/// Returns the data of \p Source as elements of \p T, or of its own type for
/// None. Without \p Copy, shares the memory if it is row-major.
static ArrayObject importArray(ImportedArray Source, nb::handle T,
                               std::optional<bool> Copy) {
  DType Elements = T.is_none() ? fromDLPack(Source.dtype()) : toDType(T);
  if (Elements.getByteSize() != Source.itemsize())
    throw nb::value_error("the elements have another size");
  SmallVector<int64_t, 4> Sizes;
  for (size_t I = 0; I != Source.ndim(); ++I)
    Sizes.push_back(Source.shape(I));
  bool CanShare = isRowMajor(Source);
  if (!CanShare && !Copy.value_or(true))
    throw nb::buffer_error("the array is not row-major");
  EngineLock Lock;
  TensorType *Ty = getContext().getTensorType(Sizes, Elements);
  bool Shares = CanShare && !Copy.value_or(false) && Source.size() != 0;
  return ArrayObject(getContext().getConstant(
      Ty, Shares ? shareElements(Source)
                 : copyElements(Source, Source.itemsize())));
}

static ArrayObject fromBytes(nb::iterable Shape, nb::handle T, nb::bytes Data) {
  EngineLock Lock;
  SmallVector<int64_t, 4> Sizes;
  for (nb::handle Size : Shape)
    Sizes.push_back(nb::cast<int64_t>(nb::int_(Size)));
  TensorType *Ty = getContext().getTensorType(Sizes, toDType(T));
  std::optional<int64_t> Count = Ty->getNumElements();
  if (!Count || uint64_t(*Count) * Ty->getDType().getByteSize() != Data.size())
    throw nb::value_error("the shape does not fit the data");
  return ArrayObject(
      getContext().getConstant(Ty, ArrayRef<char>(Data.c_str(), Data.size())));
}

void relay::python::bindArrays(nb::module_ &M) {
  nb::class_<ArrayObject>(M, "Array", "The immutable data of a constant.")
      .def_static("from_bytes", fromBytes, nb::arg("shape"), nb::arg("dtype"),
                  nb::arg("data"))
      .def_static("_import", importArray, nb::arg("source").noconvert(),
                  nb::arg("dtype").none(), nb::arg("copy").none())
      .def("__dlpack__", exportArray, nb::kw_only(),
           nb::arg("stream").none() = nb::none(),
           nb::arg("max_version").none() = nb::none(),
           nb::arg("dl_device").none() = nb::none(),
           nb::arg("copy").none() = nb::none())
      .def("__dlpack_device__",
           [](const ArrayObject &) {
             return nb::make_tuple(int(nb::device::cpu::value), 0);
           })
      .def("_view", makeView, nb::arg("as_bits"))
      .def("tobytes",
           [](const ArrayObject &Self) {
             ArrayRef<char> Bytes = getBytes(Self);
             return nb::bytes(Bytes.data(), Bytes.size());
           })
      .def_prop_ro("shape",
                   [](const ArrayObject &Self) {
                     nb::list Shape;
                     for (Dim D : Self.Data->getType()->getShape())
                       Shape.append(nb::int_(D.getInt()));
                     return nb::tuple(Shape);
                   })
      .def_prop_ro("dtype", [](const ArrayObject &Self) {
        return fromDType(Self.Data->getDType());
      });
}
