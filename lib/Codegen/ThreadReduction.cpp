//===- ThreadReduction.cpp - Partial results of threads, combined ---------===//

#include "ThreadReduction.h"
#include "BlockEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

static constexpr int64_t kWarp = 32;

/// The value of the thread whose number differs by the bit `offset`. Hardware
/// shuffles words of 32 bits.
static Value shuffle(KernelState &state, Value value, int64_t offset) {
  OpBuilder &builder = state.builder;
  const Location loc = state.loc;
  const Type type = value.getType(), word = builder.getI32Type();
  auto exchange = [&](Value bits) -> Value {
    return gpu::ShuffleOp::create(builder, loc, bits, int32_t(offset),
                                  int32_t(kWarp), gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  if (type.isF32() || type == word)
    return exchange(value);
  if (type.isIndex()) {
    const Type wide = builder.getI64Type();
    Value bits = arith::IndexCastOp::create(builder, loc, wide, value);
    return arith::IndexCastOp::create(builder, loc, type,
                                      shuffle(state, bits, offset));
  }
  if (isa<FloatType>(type)) {
    const Type integer = builder.getIntegerType(type.getIntOrFloatBitWidth());
    Value bits = arith::BitcastOp::create(builder, loc, integer, value);
    return arith::BitcastOp::create(builder, loc, type,
                                    shuffle(state, bits, offset));
  }
  const unsigned width = type.getIntOrFloatBitWidth();
  if (width < 32) {
    Value bits = arith::ExtUIOp::create(builder, loc, word, value);
    return arith::TruncIOp::create(builder, loc, type, exchange(bits));
  }
  // In halves.
  const Value half = state.literal(builder.getIntegerAttr(type, 32));
  Value low = arith::TruncIOp::create(builder, loc, word, value);
  Value high = arith::TruncIOp::create(
      builder, loc, word,
      arith::ShRUIOp::create(builder, loc, value, half).getResult());
  low = arith::ExtUIOp::create(builder, loc, type, exchange(low));
  high = arith::ExtUIOp::create(builder, loc, type, exchange(high));
  return arith::OrIOp::create(
      builder, loc, low,
      arith::ShLIOp::create(builder, loc, high, half).getResult());
}

namespace {
/// The part of a loop's threads that lie in different warps, or that are no
/// power of two: (t / stride) % count.
struct Far {
  int64_t stride, count;
};
} // namespace

LogicalResult
sched::combineThreads(KernelState &state, ElementReader &reader,
                      ArrayRef<LoopLayout> loops, int64_t used,
                      MutableArrayRef<SmallVector<Value>> partials,
                      bool isRepeated, CombineFn combine) {
  SmallVector<Far> far;
  for (const LoopLayout &loop : loops) {
    if (loop.threads == 1)
      continue;
    int64_t near = 1;
    if (llvm::isPowerOf2_64(loop.stride) && loop.stride < kWarp &&
        llvm::isPowerOf2_64(loop.threads))
      near = std::min(loop.threads, kWarp / loop.stride);
    if (loop.threads != near)
      far.push_back({loop.stride * near, loop.threads / near});
    for (int64_t offset = loop.stride; offset < loop.stride * near; offset *= 2)
      for (SmallVector<Value> &values : partials) {
        SmallVector<Value> others;
        for (Value value : values) {
          auto vector = dyn_cast<VectorType>(value.getType());
          SmallVector<Value> lanes;
          for (int64_t i = 0; i != (vector ? vector.getDimSize(0) : 1); ++i)
            lanes.push_back(shuffle(state, reader.extract(value, i), offset));
          others.push_back(reader.join(lanes));
        }
        FailureOr<SmallVector<Value>> both = combine(values, others);
        if (failed(both))
          return failure();
        values = *both;
      }
  }
  if (far.empty())
    return success();

  // Every thread writes its own, and reads those of its group.
  IndexMath &index = state.index;
  Value place = state.thread;
  Value guard;
  int64_t slots = state.blockSize;
  if (slots % used != 0) {
    slots = used;
    place = index.remainder(place, used);
    guard = index.less(state.thread, index.constant(used));
  }
  Value base = place;
  for (auto [stride, count] : far)
    base = index.subtract(
        base, index.multiply(
                  index.remainder(index.divide(place, stride), count), stride));
  SmallVector<SmallVector<SmallVector<Value>>> buffers;
  for (SmallVector<Value> &values : partials) {
    buffers.emplace_back();
    for (Value value : values) {
      auto vector = dyn_cast<VectorType>(value.getType());
      buffers.back().emplace_back();
      for (int64_t i = 0; i != (vector ? vector.getDimSize(0) : 1); ++i)
        buffers.back().back().push_back(state.shared.allocate(
            slots, getElementTypeOrSelf(value.getType())));
    }
  }
  if (isRepeated)
    state.barrier();
  auto write = [&] {
    for (auto [values, ofValues] : llvm::zip_equal(partials, buffers))
      for (auto [value, lanes] : llvm::zip_equal(values, ofValues))
        for (auto [lane, buffer] : llvm::enumerate(lanes))
          reader.store(reader.extract(value, lane), buffer, place);
    return success();
  };
  if (failed(emitWhere(state, guard, write)))
    return failure();
  state.barrier();
  SmallVector<int64_t> offsets = {0};
  for (auto [stride, count] : far) {
    SmallVector<int64_t> next;
    for (int64_t offset : offsets)
      for (int64_t i = 0; i != count; ++i)
        next.push_back(offset + i * stride);
    offsets = std::move(next);
  }
  for (auto [values, ofValues] : llvm::zip_equal(partials, buffers)) {
    SmallVector<SmallVector<Value>> all;
    for (int64_t offset : offsets) {
      const Value from = index.add(base, offset);
      all.emplace_back();
      for (ArrayRef<Value> lanes : ofValues) {
        SmallVector<Value> loaded;
        for (Value buffer : lanes)
          loaded.push_back(reader.load(buffer, from, 1));
        all.back().push_back(reader.join(loaded));
      }
    }
    // In pairs of neighbours, so that few wait for each other.
    while (all.size() > 1) {
      SmallVector<SmallVector<Value>> next;
      for (size_t i = 0; i + 1 < all.size(); i += 2) {
        FailureOr<SmallVector<Value>> both = combine(all[i], all[i + 1]);
        if (failed(both))
          return failure();
        next.push_back(std::move(*both));
      }
      if (all.size() % 2 != 0)
        next.push_back(all.back());
      all = std::move(next);
    }
    values = all.front();
  }
  return success();
}
