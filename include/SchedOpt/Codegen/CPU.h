//===- CPU.h - From a scheduled payload to the LLVM dialect -----*- C++ -*-===//
//
// Codegen knows nothing of schedules: its input is any module of public
// functions on tensors of static shape, scheduled or not. It may use Support.
// This header is the MLIR half; Compile.h goes on to objects.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CODEGEN_CPU_H
#define SCHEDOPT_CODEGEN_CPU_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace sched {

struct LowerToCPUOptions : public mlir::PassPipelineOptions<LowerToCPUOptions> {
  Option<unsigned> threads{
      *this, "threads",
      llvm::cl::desc("Threads of a parallel loop (1, the default: parallel "
                     "loops run serially)"),
      llvm::cl::init(1)};
  ListOption<std::string> dotProducts{
      *this, "dot-products",
      llvm::cl::desc("Dot products that the target has; see "
                     "sched-lower-dot-products")};
  Option<int64_t> vectorBytes{
      *this, "vector-bytes",
      llvm::cl::desc("Of a vector register (0: unknown); see "
                     "sched-share-pixels and sched-lower-vectors"),
      llvm::cl::init(0)};
  Option<int64_t> vectorRegisters{
      *this, "vector-registers",
      llvm::cl::desc("Vector registers of the target; see sched-share-pixels"),
      llvm::cl::init(16)};
  Option<bool> widenHalf{
      *this, "widen-half",
      llvm::cl::desc("Compute on f16 in f32; see sched-lower-bfloat"),
      llvm::cl::init(false)};
  Option<uint64_t> prefetchAbove{
      *this, "prefetch-above",
      llvm::cl::desc("Bytes of the smallest buffer that windows and rows fetch "
                     "ahead (0: none); see sched-prefetch-windows and "
                     "sched-prefetch-rows"),
      llvm::cl::init(8 << 20)};
  Option<uint64_t> prefetchFarAbove{
      *this, "prefetch-far-above",
      llvm::cl::desc("The same of windows that are fetched step by step, as "
                     "other tiles come between (0: none); see "
                     "sched-prefetch-windows"),
      llvm::cl::init(8 << 20)};
  Option<uint64_t> l1Bytes{
      *this, "l1-bytes",
      llvm::cl::desc("Of the first level of caches, where memory answers late "
                     "(0: it does not); see sched-prefetch-rows"),
      llvm::cl::init(0)};
  Option<uint64_t> prefetchSlicesAbove{
      *this, "prefetch-slices-above",
      llvm::cl::desc("Bytes of the smallest operand or result that tiles of a "
                     "product or a transpose fetch ahead (0: none); see "
                     "sched-prefetch-slices, sched-prefetch-tiles and "
                     "sched-lower-tile-products"),
      llvm::cl::init(2 << 20)};
  Option<uint64_t> streamAbove{
      *this, "stream-above",
      llvm::cl::desc("Bytes of the smallest result that is stored past the "
                     "caches (0: none); x86 only; see sched-stream-results"),
      llvm::cl::init(0)};
  Option<uint64_t> streamBesideAbove{
      *this, "stream-beside-above",
      llvm::cl::desc("The same beside an argument of as many to twice as many "
                     "(0: as stream-above); see sched-stream-results"),
      llvm::cl::init(0)};
  Option<uint64_t> streamFarAbove{
      *this, "stream-far-above",
      llvm::cl::desc("The same beside an argument of more than twice as many "
                     "(0: as stream-above); see sched-stream-results"),
      llvm::cl::init(0)};
};

/// Appends the passes of `sched-lower-to-cpu`: module of functions on tensors
/// to module in the LLVM dialect, whose public functions take one pointer a
/// tensor (inputs, then results).
void buildLowerToCPUPipeline(mlir::OpPassManager &pm,
                             const LowerToCPUOptions &options);

/// Registers the pipeline and the passes it is made of.
void registerCodegenPasses();

} // namespace sched

#endif // SCHEDOPT_CODEGEN_CPU_H
