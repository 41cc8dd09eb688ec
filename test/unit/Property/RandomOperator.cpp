//===- RandomOperator.cpp - One random operator ---------------------------===//

#include "RandomOperator.h"
#include "OperatorFamilies.h"
#include "llvm/ADT/STLExtras.h"

using namespace sched;
using namespace sched::test;

/// A step on a value of its own.
template <Value (*write)(OperatorWriter &, const Value &)>
static Value startWith(OperatorWriter &w) {
  // Lines of pages, of which several are read at once.
  if (w.oneIn(10)) {
    const int64_t page = 4096 / byteSize(w.sumType);
    return write(w, w.operand({w.between(1, 2), 2 * w.between(1, 4),
                               w.between(page, page + 20)},
                              w.sumType));
  }
  const unsigned rank = 1 + w.below(4);
  return write(w, w.operand(w.drawSizes(rank, OperatorWriter::kMaxElements / 2),
                            w.sumType));
}

/// The same for floats: integers have no such function.
template <Value (*write)(OperatorWriter &, const Value &)>
static Value startWithFloats(OperatorWriter &w) {
  if (isFloat(w.sumType))
    return startWith<write>(w);
  return startWith<writeReduction>(w);
}

llvm::ArrayRef<Source> test::getSources() {
  static const Source sources[] = {
      {"matmul", writeMatmul},
      {"batch_matmul", writeBatchMatmul},
      {"vector_product", writeVectorProduct},
      {"tiled_product", writeTiledProduct},
      {"quantized_matmul", writeQuantizedMatmul},
      {"contraction", writeContraction},
      {"attention", writeAttention},
      {"convolution", writeConvolution},
      {"square_convolution", writeSquareConvolution},
      {"transposed_convolution", writeTransposedConvolution},
      {"grouped_convolution", writeGroupedConvolution},
      {"depthwise_convolution", writeDepthwiseConvolution},
      {"pooling", writePooling},
      {"reduction", startWith<writeReduction>},
      {"argmax", startWith<writeArgmax>, /*needsExact=*/true},
      {"statistics", startWith<writeStatistics>},
      {"softmax", startWithFloats<writeSoftmax>},
      {"large_columns", writeLargeColumns},
      {"layer_norm", startWithFloats<writeLayerNorm>},
      {"rms_norm", startWithFloats<writeRMSNorm>},
      {"elementwise", startWith<writeElementwise>},
      {"transpose", startWith<writeTranspose>},
      {"broadcast", startWith<writeBroadcast>},
      {"concat", startWith<writeConcat>},
      {"gather", startWith<writeGather>},
      {"look_up", startWith<writeLookUp>}};
  return sources;
}

static bool hasDims(const Value &value) { return value.rank() != 0; }
static bool hasFewDims(const Value &value) {
  return value.rank() != 0 && value.rank() < 6;
}
static bool isFloatTensor(const Value &value) {
  return hasDims(value) && isFloat(value.type);
}
static bool isImage(const Value &value) { return value.rank() == 4; }

static const Step kPooling = {"pooling", writePoolingStep, isImage};

llvm::ArrayRef<Step> test::getSteps() {
  static const Step steps[] = {{"projection", writeProjection, hasDims},
                               kPooling,
                               {"reduction", writeReduction, hasDims},
                               {"argmax", writeArgmax, hasDims,
                                /*needsExact=*/true},
                               {"statistics", writeStatistics, hasDims},
                               {"softmax", writeSoftmax, isFloatTensor},
                               {"layer_norm", writeLayerNorm, isFloatTensor},
                               {"rms_norm", writeRMSNorm, isFloatTensor},
                               {"gated", writeGated},
                               {"transpose", writeTranspose, hasDims},
                               {"pad", writePad, hasDims},
                               {"concat", writeConcat, hasDims},
                               {"broadcast", writeBroadcast, hasFewDims},
                               {"reshape", writeReshape, hasFewDims},
                               {"slice", writeSlice, hasDims},
                               {"gather", writeGather, hasDims},
                               {"look_up", writeLookUp, hasDims}};
  return steps;
}

/// The element types of operands and of sums, by how often they are met.
static std::pair<ElementType, ElementType> drawTypes(std::mt19937_64 &bits) {
  using E = ElementType;
  static const std::pair<E, E> types[] = {
      {E::F32, E::F32},  {E::F32, E::F32},   {E::F32, E::F32}, {E::F32, E::F32},
      {E::F32, E::F32},  {E::F64, E::F64},   {E::F16, E::F16}, {E::F16, E::F32},
      {E::BF16, E::F32}, {E::BF16, E::BF16}, {E::I32, E::I32}, {E::I8, E::I32},
      {E::I8, E::I32}};
  return types[bits() % std::size(types)];
}

RandomOperator RandomOperator::draw(std::mt19937_64 &bits) {
  const auto [element, sum] = drawTypes(bits);
  OperatorWriter w(bits, element, sum);
  const Source &source = w.pick(getSources());
  RandomOperator result{"", {source.name.str()}, element, sum, true};
  std::vector<Value> results = {source.write(w)};
  static const unsigned lengths[] = {0, 0, 0, 1, 1, 1, 2, 2, 3};
  result.tellsApart = source.needsExact;
  for (unsigned i = w.pick(llvm::ArrayRef(lengths));
       i != 0 && !result.tellsApart; --i) {
    const Value &last = results.back();
    Step step = {"elementwise", writeElementwise};
    if (w.oneIn(2)) {
      // Images are rare enough.
      const Step &drawn =
          isImage(last) && w.oneIn(4) ? kPooling : w.pick(getSteps());
      const bool applies = !drawn.applies || drawn.applies(last);
      if (applies && (w.isExact() || !drawn.needsExact))
        step = drawn;
    }
    result.tellsApart = step.needsExact;
    const Value next = step.write(w, last);
    result.families.push_back(step.name.str());
    // What more than one op uses is another matter.
    if (!w.oneIn(8))
      results.pop_back();
    results.push_back(next);
  }
  result.text = w.finish(results);
  result.isExact = w.isExact();
  return result;
}
