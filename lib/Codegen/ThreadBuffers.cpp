//===- ThreadBuffers.cpp - One allocation for all threads of a loop -------===//
//
// A buffer that each thread allocates for itself is mapped anew in every call,
// page by page: only one of the threads would find the one that was kept
// (KeepScratch.cpp). So the threads' buffers are cut out of one allocation
// before the parallel loop.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Support/PageOffset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_THREADBUFFERSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Smaller ones come from the C library's heap, which keeps them.
static constexpr int64_t kLeastBytes = 64 << 10;

/// The bytes of a buffer that is worth it and whose size is known, else 0.
static int64_t getBytes(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat() || type.getMemorySpace())
    return 0;
  const int64_t bytes = type.getNumElements() *
                        llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  // Threads must not write to the same page, which a memory node owns.
  return bytes < kLeastBytes ? 0 : llvm::alignTo(bytes, sched::kPageBytes);
}

/// The number of threads, if `loop` counts them from 0.
static int64_t getThreads(scf::ForallOp loop) {
  auto isAll = [](ArrayRef<int64_t> values, int64_t expected) {
    return llvm::all_of(values,
                        [&](int64_t value) { return value == expected; });
  };
  if (!isAll(loop.getStaticLowerBound(), 0) || !isAll(loop.getStaticStep(), 1))
    return 0;
  int64_t threads = 1;
  for (int64_t bound : loop.getStaticUpperBound()) {
    if (ShapedType::isDynamic(bound))
      return 0;
    threads *= bound;
  }
  return threads;
}

static void shareBuffer(scf::ForallOp loop, memref::AllocOp alloc,
                        int64_t threads, int64_t bytes) {
  Location loc = alloc.getLoc();
  OpBuilder builder(loop);
  auto type = MemRefType::get({threads * bytes}, builder.getI8Type());
  Value all =
      memref::AllocOp::create(builder, loc, type, ValueRange(),
                              builder.getI64IntegerAttr(sched::kPageBytes));
  builder.setInsertionPoint(alloc);
  Value thread = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [id, bound] :
       llvm::zip_equal(loop.getInductionVars(), loop.getStaticUpperBound())) {
    Value extent = arith::ConstantIndexOp::create(builder, loc, bound);
    thread = arith::MulIOp::create(builder, loc, thread, extent);
    thread = arith::AddIOp::create(builder, loc, thread, id);
  }
  Value size = arith::ConstantIndexOp::create(builder, loc, bytes);
  Value offset = arith::MulIOp::create(builder, loc, thread, size);
  Value own = memref::ViewOp::create(builder, loc, alloc.getType(), all, offset,
                                     ValueRange());
  alloc.replaceAllUsesWith(own);
  alloc.erase();
}

namespace {
struct ThreadBuffers : sched::impl::ThreadBuffersPassBase<ThreadBuffers> {
  void runOnOperation() override {
    getOperation()->walk([](scf::ForallOp loop) {
      const int64_t threads = getThreads(loop);
      if (threads <= 1 || loop->getParentOfType<scf::ForallOp>())
        return;
      for (auto alloc : llvm::make_early_inc_range(
               loop.getBody()->getOps<memref::AllocOp>()))
        if (const int64_t bytes = getBytes(alloc))
          shareBuffer(loop, alloc, threads, bytes);
    });
  }
};
} // namespace
