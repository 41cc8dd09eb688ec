//===- OperatorFamilies.h - Kinds of operators that are drawn ---*- C++ -*-===//
//
// Each family is a small function that adds an operator of a random shape to
// the function that is being written. Those of `getSources` start one; those of
// `getSteps` take the value that there is on. RandomOperator.h puts them
// together.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORFAMILIES_H
#define SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORFAMILIES_H

#include "OperatorWriter.h"

namespace sched::test {

struct Source {
  llvm::StringLiteral name;
  Value (*write)(OperatorWriter &writer);
  /// As that of a step.
  bool needsExact = false;
};

struct Step {
  llvm::StringLiteral name;
  Value (*write)(OperatorWriter &writer, const Value &value);
  /// Whether it can take the value on; null: any.
  bool (*applies)(const Value &value) = nullptr;
  /// Tells elements apart that rounding may make equal: only of whole numbers,
  /// and nothing follows that would make the operator's arguments fractions.
  bool needsExact = false;
};

llvm::ArrayRef<Source> getSources();
llvm::ArrayRef<Step> getSteps();

/// \name Contractions.cpp: products of matrices and what is like them
/// @{
/// In all transpositions.
Value writeMatmul(OperatorWriter &writer);
Value writeBatchMatmul(OperatorWriter &writer);
/// matvec, vecmat, dot and their batches.
Value writeVectorProduct(OperatorWriter &writer);
/// mmt4d and batch_mmt4d.
Value writeTiledProduct(OperatorWriter &writer);
Value writeQuantizedMatmul(OperatorWriter &writer);
/// linalg.contract or a generic op with any number of dimensions of each kind.
Value writeContraction(OperatorWriter &writer);
/// Two products with a softmax between them.
Value writeAttention(OperatorWriter &writer);
/// A product of `value` along its last dimension.
Value writeProjection(OperatorWriter &writer, const Value &value);
/// @}

/// \name Convolutions.cpp: windows with strides, dilations and pads
/// @{
Value writeConvolution(OperatorWriter &writer);
/// Of 3x3 taps, stride 1, and weights whose layout is free.
Value writeSquareConvolution(OperatorWriter &writer);
/// Of images with zeros between their pixels.
Value writeTransposedConvolution(OperatorWriter &writer);
Value writeGroupedConvolution(OperatorWriter &writer);
Value writeDepthwiseConvolution(OperatorWriter &writer);
Value writePooling(OperatorWriter &writer);
/// Pooling of `value`, an image with channels last.
Value writePoolingStep(OperatorWriter &writer, const Value &value);
/// @}

/// \name Reductions.cpp
/// @{
/// Of any dimensions: sums, maxima, minima, products, means, norms.
Value writeReduction(OperatorWriter &writer, const Value &value);
/// Places of the largest or the smallest elements along any dimension; of
/// equal ones, of which whole numbers have many, the first.
Value writeArgmax(OperatorWriter &writer, const Value &value);
/// Sums along any dimensions, and of the same op the largest elements along
/// them, or what is summed, element for element.
Value writeStatistics(OperatorWriter &writer, const Value &value);
/// Over any dimension.
Value writeSoftmax(OperatorWriter &writer, const Value &value);
/// A softmax of 1 MiB and more over a dimension before others.
Value writeLargeColumns(OperatorWriter &writer);
Value writeLayerNorm(OperatorWriter &writer, const Value &value);
Value writeRMSNorm(OperatorWriter &writer, const Value &value);
/// @}

/// \name Elementwise.cpp
/// @{
/// One op with any operands that it needs.
/// An elementwise op of `value`, and `value` once more, as in x * sigmoid(x).
Value writeGated(OperatorWriter &writer, const Value &value);
Value writeElementwise(OperatorWriter &writer, const Value &value);
/// @}

/// \name Movements.cpp: what only moves elements
/// @{
Value writeTranspose(OperatorWriter &writer, const Value &value);
Value writePad(OperatorWriter &writer, const Value &value);
Value writeConcat(OperatorWriter &writer, const Value &value);
Value writeBroadcast(OperatorWriter &writer, const Value &value);
/// `value` with dimension `first` and the next as one, or with `dim` as two.
Value mergeDims(OperatorWriter &writer, const Value &value, unsigned first);
Value splitDim(OperatorWriter &writer, const Value &value, unsigned dim);
Value writeReshape(OperatorWriter &writer, const Value &value);
Value writeSlice(OperatorWriter &writer, const Value &value);
/// Rows that another tensor names.
Value writeGather(OperatorWriter &writer, const Value &value);
/// Elements along the innermost dimension that another tensor names.
Value writeLookUp(OperatorWriter &writer, const Value &value);
/// @}

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORFAMILIES_H
