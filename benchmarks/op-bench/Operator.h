//===- Operator.h - One operator of the suite -------------------*- C++ -*-===//
//
// What a description (JSON, see ../operators/README.md) says, as a problem: the
// sizes of its operands, and what a library or the reference must know to
// compute it. The operands come in the order of the payload that ../payloads.py
// writes for the same description, each dense in the order that is stated here.
//
// Read next: Reference.h, Onednn.h, Blas.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_OPERATOR_H
#define SCHEDOPT_BENCHMARKS_OPERATOR_H

#include "Problem.h"

namespace sched::bench {

using Extents = std::vector<int64_t>;

/// How the weights of a convolution lie in memory.
enum class WeightOrder {
  TapsInOut,   ///< [kernel...][in][out]
  GroupTaps,   ///< [group][kernel...][in of group][out of group]
  Depthwise,   ///< [kernel...][channel]
  OutInTaps,   ///< [out][in][kernel...]
  Mirrored,    ///< [kernel..., backwards][in][out]: what a transposed one takes
  Phases,      ///< [r, s][p, q][in][out]: mirrored tap (r + 2 p, s + 2 q)
  CapsuleTaps, ///< [kernel...][q][j][in][out]: in channel (q, in), out (j, out)
};

enum class Activation { None, Relu, Relu6, Gelu };

/// Types of the two operands of a product or convolution.
enum class Types {
  F32,  ///< f32, as all else
  BF16, ///< bf16, with sums of f32
  I8,   ///< signed bytes, with sums of i32
  U8I8, ///< unsigned by signed bytes, the same
};

/// A convolution in any number of spatial dimensions; also what a pooling
/// window looks like (then there are no weights).
struct Convolution {
  int64_t batch = 1, in = 1, out = 1, groups = 1;
  Extents spatial, kernel, stride, padding, dilation;
  bool transposed = false;
  /// [batch][channel][spatial...] instead of [batch][spatial...][channel].
  bool channelsFirst = false;
  WeightOrder order = WeightOrder::TapsInOut;
  /// Extent of q and of j in WeightOrder::CapsuleTaps.
  int64_t capsule = 1;

  size_t rank() const { return spatial.size(); }
  Extents outSpatial() const;
  int64_t taps() const;
  int64_t pixels() const;
  int64_t outPixels() const;
  /// Element strides of a tensor of `channels` channels on `extents`: batch,
  /// channel, spatial...
  Extents strides(const Extents &extents, int64_t channels) const;
  /// Where the weights operand has that element; in and out count in a group.
  int64_t weightOffset(int64_t tap, int64_t group, int64_t in,
                       int64_t out) const;
  /// Element strides of the weights operand: out, in, kernel..., with the group
  /// first where there are groups. Empty where strides cannot say it.
  Extents weightStrides() const;
  double flops() const;
};

/// [batch] products of (m x k) by (k x n), or by the transpose of (n x k).
struct Product {
  int64_t batch = 1, m = 1, n = 1, k = 1;
  bool transposed = false;
};

/// softmax(scale Q K^T) V for each head; scale = 1 / sqrt(size).
struct Attention {
  int64_t heads = 1, queries = 1, keys = 1, size = 1;
};

enum class Kind {
  Convolution, ///< input, weights [, bias of the out channels]
  BatchMatmul, ///< A, B
  Linear,      ///< input, weights [, bias of n]
  Norm,        ///< root of the sum of squares of each row
  Softmax,     ///< of each row
  LayerNorm,   ///< of each row; then scale and shift of the columns; eps 1e-5
  Attention,   ///< Q, K, V
  MaxPool,     ///< padded by minus infinity
  AveragePool, ///< of all pixels: [batch][channel]
  AddRelu,     ///< max(a + b, 0) of rows x columns
  Chain,       ///< gelu(x * scale + shift) + w; scale and shift of the columns
  RMSNorm,     ///< of each row; then scale of the columns; eps 1e-5
  Transpose,   ///< of each image; dimension i of the result is x's order[i]
  Concat,      ///< [rows][part], side by side
  Gather,      ///< rows of a table, by their numbers
  Pad,         ///< zeros around the pixels
};

class Operator : public Problem {
public:
  static llvm::Expected<std::unique_ptr<Operator>>
  parse(const llvm::json::Value &description, int threads);

  std::string name;
  Kind kind;
  Types types = Types::F32;
  /// Whether sums and results are i32.
  bool hasWholeSums() const;
  /// The weights may be in any layout; else as described above.
  bool layoutFree = false;
  bool bias = false;
  Activation activation = Activation::None;
  Convolution convolution; ///< also of the pools, and of Pad
  Product product;         ///< of BatchMatmul and Linear
  Attention attention;
  int64_t rows = 1, columns = 1; ///< of what works on rows
  /// Of Transpose; the first is the image, where there are several.
  Extents extents, order;
  Extents parts;     ///< columns of each operand of Concat
  int64_t table = 1; ///< rows that Gather chooses from

  double flops() const override;
  /// Of Gather without the rows that it does not read.
  double bytes() const override;
  double tolerance() const override;
  std::string title() const override;
  llvm::json::Object describe() const override;

private:
  llvm::Error parseSizes(const llvm::json::Object &description);
  llvm::Error parseConvolution(const llvm::json::Object &description);
  llvm::Error parseTranspose(const llvm::json::Object &description);
  llvm::Error checkTypes() const;
  void chooseRows();
  std::vector<size_t> countElements() const;
  std::vector<Element> listElements(size_t operands) const;
  llvm::json::Object description;
};

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_OPERATOR_H
