// Convolutions and products of matrices as oneDNN sees them, for elements of
// float32 and for quantized elements.

#ifndef DNNL_BACKEND_CONVOLUTION_H
#define DNNL_BACKEND_CONVOLUTION_H

#include "Lowering.h"

namespace backend {

/// A convolution in one to three dimensions. Shapes have the axes of oneDNN:
/// data [N, C, ..], weight [O, I, ..] or [G, O, I, ..], result [N, O, ..].
struct Convolution {
  AxisMap DataAxes;
  Window W;
  Dims Data, Weight, Result;
  /// The strides of a row-major weight in its layout of Relay.
  Dims WeightStrides;
  uint64_t Work = 0;

  /// Returns none if layouts or shapes have no counterpart in oneDNN.
  static std::optional<Convolution> get(const Lowering &L, unsigned N);
  /// Creates the primitive descriptor; null if oneDNN has no implementation.
  PrimitiveDesc create(const Lowering &L, const Desc &Source,
                       const Desc &Weights, const Desc &Bias,
                       dnnl_data_type_t To, const PrimitiveAttr &Attr) const;
  Desc getWeightView(dnnl_data_type_t T) const {
    return Desc::getStrided(Weight, T, WeightStrides);
  }
};

/// data: [m, k], weight: [n, k] -> [m, n]; further axes of the data are part
/// of m.
struct Product {
  int64_t M = 1, N = 0, K = 0;

  static std::optional<Product> get(const Lowering &L, unsigned N);
  PrimitiveDesc create(const Lowering &L, const Desc &Weights, const Desc &Bias,
                       dnnl_data_type_t From, dnnl_data_type_t To,
                       const PrimitiveAttr &Attr) const;
  Desc getSource(dnnl_data_type_t T) const {
    return Desc::getRowMajor({M, K}, T);
  }
  Desc getWeights(dnnl_data_type_t T) const {
    return Desc::getRowMajor({N, K}, T);
  }
};

} // namespace backend

#endif // DNNL_BACKEND_CONVOLUTION_H
