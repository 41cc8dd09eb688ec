//===- StreamResults.cpp - Large results go past the caches ---------------===//
//
// A line of the cache is read from memory before a part of it is written. Of a
// result that is larger than the last cache, and written a line at a time, that
// is a third of the traffic, for nothing: nontemporal stores leave it out, and
// leave in the caches what is there.
//
// Such a store needs an aligned address. Where the place in a result is a whole
// number of lines, all depends on where the result begins, which the caller
// chooses: the store asks for it, by a condition that LLVM moves out of loops.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

namespace sched {
#define GEN_PASS_DEF_STREAMRESULTSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using sched::kLineBytes;

/// Sums of more terms have no divisor that is known.
static constexpr unsigned kMostSteps = 16;

/// A number that divides `index`: 0 if that is 0, and 1 if nothing is known
/// after so many steps.
static int64_t getDivisor(Value index, unsigned steps = kMostSteps) {
  if (auto number = getConstantIntValue(index))
    return std::abs(*number);
  if (steps-- == 0)
    return 1;
  auto both = [&](Value lhs, Value rhs) {
    return std::gcd(getDivisor(lhs, steps), getDivisor(rhs, steps));
  };
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent);
        loop && loop.getInductionVar() == index)
      return both(loop.getLowerBound(), loop.getStep());
    if (auto loops = dyn_cast<omp::LoopNestOp>(parent)) {
      const unsigned number = argument.getArgNumber();
      return both(loops.getLoopLowerBounds()[number],
                  loops.getLoopSteps()[number]);
    }
    return 1;
  }
  Operation *op = index.getDefiningOp();
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp,
          arith::RemSIOp>(op))
    return both(op->getOperand(0), op->getOperand(1));
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return both(select.getTrueValue(), select.getFalseValue());
  if (isa<arith::MulIOp>(op)) {
    // Beyond a line it does not matter, and the product stays small.
    auto bounded = [&](Value value) {
      return std::gcd(getDivisor(value, steps), kLineBytes);
    };
    return bounded(op->getOperand(0)) * bounded(op->getOperand(1));
  }
  return 1;
}

/// Whether `store` writes whole lines, if its buffer begins with one. The
/// buffer itself is returned; null if it is not known to.
static Value getBufferOfLines(vector::StoreOp store) {
  const MemRefType type = store.getMemRefType();
  const VectorType vector = store.getVectorType();
  const Type element = type.getElementType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (vector.getRank() != 1 || vector.isScalable() ||
      vector.getElementType() != element || !element.isIntOrFloat() ||
      element.getIntOrFloatBitWidth() % 8 != 0 ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return {};
  const int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  if (vector.getNumElements() * bytes % kLineBytes != 0)
    return {};
  Value buffer = store.getBase();
  int64_t divisor = 0;
  if (auto view = buffer.getDefiningOp<memref::ReinterpretCastOp>()) {
    OpFoldResult begin = view.getMixedOffsets().front();
    if (auto value = dyn_cast<Value>(begin))
      divisor = getDivisor(value);
    else
      divisor = std::abs(*getConstantIntValue(begin));
    buffer = view.getSource();
    if (auto parts = buffer.getDefiningOp<memref::ExtractStridedMetadataOp>())
      buffer = parts.getSource();
  }
  for (auto [index, stride] : llvm::zip_equal(store.getIndices(), strides))
    divisor = std::gcd(divisor, getDivisor(index) * stride);
  return divisor * bytes % kLineBytes == 0 ? buffer : Value();
}

/// What fetches lines of `buffer` to write to them, if it is written and never
/// read, be it through views.
static std::optional<SmallVector<memref::PrefetchOp>>
matchWrittenOnly(Value buffer) {
  SmallVector<memref::PrefetchOp> fetches;
  llvm::SetVector<Value> views;
  views.insert(buffer);
  for (unsigned i = 0; i != views.size(); ++i) {
    for (OpOperand &use : views[i].getUses()) {
      Operation *user = use.getOwner();
      if (isa<memref::ExtractStridedMetadataOp, ViewLikeOpInterface>(user)) {
        for (Value result : user->getResults())
          if (isa<MemRefType>(result.getType()))
            views.insert(result);
      } else if (auto store = dyn_cast<vector::StoreOp>(user)) {
        if (store.getBase() != views[i])
          return std::nullopt;
      } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
        if (store.getMemRef() != views[i])
          return std::nullopt;
      } else if (auto fetch = dyn_cast<memref::PrefetchOp>(user)) {
        if (!fetch.getIsWrite())
          return std::nullopt;
        fetches.push_back(fetch);
      } else if (!isa<vector::MaskedStoreOp>(user)) {
        return std::nullopt;
      }
    }
  }
  return fetches;
}

/// Whether threads that run `op` are OpenMP's, of which each ends its own.
static bool isInKnownRegions(Operation *op) {
  for (op = op->getParentOp(); !isa<func::FuncOp>(op); op = op->getParentOp())
    if (!isa<scf::ForOp, scf::IfOp, omp::ParallelOp, omp::WsloopOp,
             omp::LoopNestOp>(op))
      return false;
  return true;
}

/// Bytes of a buffer as a whole; 0 if they are not next to one another.
static uint64_t countBytes(MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat())
    return 0;
  return sched::countBytes(type);
}

/// Whether `buffer` begins with a line, at the start of `function`.
static Value makeCondition(func::FuncOp function, Value buffer) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  const Location loc = buffer.getLoc();
  auto index = [&](int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  Value rest =
      arith::AndIOp::create(builder, loc, address, index(kLineBytes - 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                               index(0));
}

static void stream(vector::StoreOp store, Value condition) {
  OpBuilder builder(store);
  auto choice = scf::IfOp::create(builder, store.getLoc(), condition,
                                  /*withElseRegion=*/true);
  builder = choice.getThenBodyBuilder();
  auto past = cast<vector::StoreOp>(builder.clone(*store));
  past.setNontemporal(true);
  past.setAlignment(kLineBytes);
  store->moveBefore(choice.elseBlock()->getTerminator());
}

/// Such stores become visible to others in any order: before a thread says that
/// it is done, all are.
static void endStreams(Operation *region) {
  region->walk([&](Operation *op) {
    const bool ends =
        isa<func::FuncOp>(region)
            ? isa<func::ReturnOp>(op)
            : isa<omp::TerminatorOp>(op) && op->getParentOp() == region;
    if (!ends)
      return;
    OpBuilder builder(op);
    LLVM::CallIntrinsicOp::create(builder, op->getLoc(),
                                  builder.getStringAttr("llvm.x86.sse.sfence"),
                                  ValueRange());
  });
}

/// Bytes of the largest other argument that `function` reads, beside a result
/// of `bytes`. 0 where it may be a table that is looked up by the numbers in
/// another one: no more of it is read than is written.
static uint64_t getLargestRead(func::FuncOp function, uint64_t bytes) {
  bool isLookup = false;
  uint64_t largest = 0;
  for (BlockArgument argument : function.getArguments()) {
    auto buffer = dyn_cast<MemRefType>(argument.getType());
    if (!buffer || argument.use_empty() || matchWrittenOnly(argument))
      continue;
    const Type type = buffer.getElementType();
    isLookup |= countBytes(buffer) < bytes &&
                (type.isIndex() || type.isInteger(32) || type.isInteger(64));
    largest = std::max<uint64_t>(largest, countBytes(buffer));
  }
  return isLookup ? 0 : largest;
}

namespace {
struct StreamResults : sched::impl::StreamResultsPassBase<StreamResults> {
  using StreamResultsPassBase::StreamResultsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // What a function of the module itself writes, others may read.
    if (minBytes == 0 || function.isDeclaration() || function.isPrivate())
      return;
    llvm::MapVector<Value, SmallVector<vector::StoreOp>> stores;
    function.walk([&](vector::StoreOp store) {
      auto buffer = dyn_cast_if_present<BlockArgument>(getBufferOfLines(store));
      if (buffer && isInKnownRegions(store) &&
          buffer.getOwner() == &function.getBody().front())
        stores[buffer].push_back(store);
    });
    llvm::SetVector<Operation *> regions;
    for (auto &[buffer, writes] : stores) {
      const uint64_t bytes = countBytes(cast<MemRefType>(buffer.getType()));
      const auto fetches = matchWrittenOnly(buffer);
      if (bytes < minBytes || staysBesideOthers(bytes) || !fetches)
        continue;
      for (memref::PrefetchOp fetch : *fetches)
        fetch.erase();
      Value condition = makeCondition(function, buffer);
      for (vector::StoreOp store : writes) {
        auto threads = store->getParentOfType<omp::ParallelOp>();
        regions.insert(threads ? threads : function.getOperation());
        stream(store, condition);
      }
    }
    for (Operation *region : regions)
      endStreams(region);
  }

private:
  /// Whether the last level has room for a result of so many bytes, and memory
  /// is busy with what is read. With results of a quarter of the image, two
  /// threads took 1.25 times as long with nontemporal stores, for a pooling and
  /// for a depthwise convolution.
  bool staysBesideOthers(uint64_t bytes) {
    const uint64_t largest = getLargestRead(getOperation(), bytes);
    return largest >= bytes &&
           bytes < (largest > 2 * bytes ? farBytes : besideBytes);
  }
};
} // namespace
