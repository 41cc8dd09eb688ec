//===- Prefetch.cpp - What passes that fetch ahead share ------------------===//

#include "Prefetch.h"
#include "BufferRoot.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace sched;

int64_t sched::countBytes(ShapedType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

bool sched::readsLargeBuffer(vector::TransferReadOp read, scf::ForOp loop,
                             uint64_t minBytes) {
  auto type = dyn_cast<MemRefType>(read.getBase().getType());
  if (!type || read.getVectorType().getRank() == 0 ||
      read.getVectorType().isScalable() ||
      !read.getPermutationMap().isMinorIdentity() ||
      !type.areTrailingDimsContiguous(1))
    return false;
  Value root = getRoot(read.getBase());
  auto buffer = dyn_cast<MemRefType>(root.getType());
  return loop.isDefinedOutsideOfLoop(root) && buffer &&
         buffer.hasStaticShape() && buffer.getElementType().isIntOrFloat() &&
         buffer.getElementTypeBitWidth() % 8 == 0 &&
         uint64_t(countBytes(buffer)) >= minBytes;
}

std::optional<ReadPlace> ReadPlace::get(vector::TransferReadOp read,
                                        scf::ForOp loop) {
  SetVector<Operation *> steps;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  SmallVector<Value> values = {read.getBase()};
  llvm::append_range(values, read.getIndices());
  for (Value value : values)
    if (Operation *op = value.getDefiningOp();
        op && loop->isProperAncestor(op) &&
        failed(getBackwardSlice(op, &steps, options)))
      return std::nullopt;
  for (Operation *op : steps)
    if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
      return std::nullopt;
  return ReadPlace(read, topologicalSort(steps));
}

bool ReadPlace::dependsOn(Value index) const {
  return llvm::is_contained(indices, index) ||
         llvm::any_of(steps, [&](Operation *op) {
           return llvm::is_contained(op->getOperands(), index);
         });
}

std::pair<Value, SmallVector<Value>> ReadPlace::clone(OpBuilder &builder,
                                                      IRMapping mapping) const {
  for (Operation *op : steps)
    builder.clone(*op, mapping);
  return {mapping.lookupOrDefault(buffer),
          llvm::map_to_vector(indices, [&](Value index) {
            return mapping.lookupOrDefault(index);
          })};
}
