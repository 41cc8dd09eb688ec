//===- JoinOnce.cpp - One barrier at the end of a parallel loop -----------===//
//
// Threads wait for each other at the end of a shared loop, and again where the
// parallel region around it ends. The second wait is enough.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace sched {
#define GEN_PASS_DEF_JOINONCEPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

namespace {
struct JoinOnce : sched::impl::JoinOncePassBase<JoinOnce> {
  void runOnOperation() override {
    getOperation()->walk([](omp::WsloopOp loop) {
      // Nothing but the end of the region may follow.
      Operation *next = loop->getNextNode();
      while (isa_and_nonnull<memref::AllocaScopeReturnOp>(next) &&
             isa<memref::AllocaScopeOp>(next->getParentOp()))
        next = next->getParentOp()->getNextNode();
      if (isa_and_nonnull<omp::TerminatorOp>(next) &&
          isa<omp::ParallelOp>(next->getParentOp()))
        loop.setNowait(true);
    });
  }
};
} // namespace
