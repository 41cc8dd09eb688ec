//===- StencilSizes.cpp - Blocks of stencils ------------------------------===//
//
// What a block of a chain takes of each tensor, and how many rows it has.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Space/Task.h"
#include "StencilChain.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace sched;

/// What a block's tensors may take together, to stay in the second-level cache
/// of most of today's cores.
static constexpr int64_t kBlockBytes = 512 << 10;
/// Larger blocks, of rows that are too long, would save nothing.
static constexpr int64_t kMostBlockBytes = 2 << 20;
/// A block has so many times the rows that it computes beside its neighbours.
static constexpr int64_t kLeastShare = 4;
static constexpr int64_t kLeastRows = 16;

SmallVector<int64_t> sched::getStencilShape(RankedTensorType type,
                                            const BlockedDims &dims,
                                            ArrayRef<HaloRange> box) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, dim] : llvm::zip_equal(shape, dims))
    if (dim)
      size = box[*dim].size();
  return shape;
}

std::optional<StencilChain::Boxes>
StencilChain::getBoxes(const StencilPart &part) const {
  Boxes boxes;
  auto take = [&](Value value, ArrayRef<HaloRange> box) {
    auto [found, isNew] = boxes.insert({value, HaloBox(box)});
    if (isNew)
      return;
    for (auto [all, own] : llvm::zip_equal(found->second, box))
      all = {std::min(all.low, own.low), std::max(all.high, own.high)};
  };
  HaloBox block;
  for (unsigned loop = 0; loop != extents.size(); ++loop)
    block.push_back({0, loop == rowLoop ? part.size : getBlockSize(loop)});
  if (part.isOneBlock())
    block[rowLoop] = {part.first, part.end};
  for (Operation *op : outputs)
    take(op->getResult(0), block);
  const SmallVector<Operation *> order = getOpsInOrder();
  for (Operation *op : llvm::reverse(order)) {
    const HaloBox own = boxes.lookup(op->getResult(0));
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      const StencilView view = *getView(operand);
      std::optional<HaloBox> read = getRead(operand, own, part);
      if (!read)
        return std::nullopt;
      for (auto [dim, blocked] : llvm::enumerate(view.dims))
        if (blocked) {
          (*read)[*blocked].low += view.offsets[dim];
          (*read)[*blocked].high += view.offsets[dim];
        }
      take(view.root, *read);
    }
  }
  // What is used outside is computed by one block.
  for (Operation *op : outputs)
    for (auto [own, all] :
         llvm::zip_equal(boxes.lookup(op->getResult(0)), block))
      if (own.size() != all.size())
        return std::nullopt;
  return boxes;
}

std::optional<HaloBox> StencilChain::getRead(OpOperand &operand,
                                             ArrayRef<HaloRange> own,
                                             const StencilPart &part) const {
  HaloBox read(own);
  const StencilView view = *getView(operand);
  auto pad = dyn_cast<tensor::PadOp>(operand.getOwner());
  for (auto [dim, blocked] : llvm::enumerate(view.dims)) {
    if (!blocked)
      continue;
    HaloRange &range = read[*blocked];
    range.high += view.spans[*blocked];
    if (!pad || *blocked < rowLoop)
      continue;
    const int64_t before = pad.getStaticLow()[dim],
                  size = pad.getSourceType().getDimSize(dim);
    range = {range.low - before, range.high - before};
    const bool isRow = *blocked == rowLoop;
    if (isRow && part.isOneBlock()) {
      range.low = std::clamp<int64_t>(range.low, 0, size);
      range.high = std::clamp<int64_t>(range.high, 0, size);
    } else {
      const int64_t first = isRow ? part.first : 0,
                    last = isRow ? part.end - part.size
                                 : extents[*blocked] - columns;
      if (first + range.low < 0 || last + range.high > size)
        return std::nullopt;
    }
    // Zeros alone.
    if (range.size() <= 0)
      return std::nullopt;
  }
  return read;
}

StencilChain::Tensors StencilChain::collectTensors() const {
  Tensors tensors;
  for (Operation *op : getOpsInOrder()) {
    tensors[op->getResult(0)] = getResultDims(op);
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType())) {
        const StencilView view = *getView(operand);
        if (!view.root.getDefiningOp<tensor::EmptyOp>())
          tensors[view.root] = view.dims;
      }
  }
  return tensors;
}

int64_t StencilChain::countRowBytes() const {
  HaloBox row;
  for (unsigned loop = 0; loop != extents.size(); ++loop)
    row.push_back({0, loop == rowLoop ? 1 : getBlockSize(loop)});
  int64_t bytes = 0;
  for (const auto &[value, dims] : collectTensors()) {
    auto type = cast<RankedTensorType>(value.getType());
    if (llvm::is_contained(dims, std::optional(rowLoop)))
      bytes += countBytes(type.clone(getStencilShape(type, dims, row)));
  }
  return std::max<int64_t>(bytes, 1);
}

int64_t StencilChain::countLeastRows() const {
  const int64_t rows = extents[rowLoop];
  int64_t halo = 0;
  // Any size will do to see what is computed beside it.
  if (const auto boxes = getBoxes({0, rows, rows}))
    for (Operation *op : llvm::make_first_range(ops))
      halo = std::max(halo,
                      boxes->lookup(op->getResult(0))[rowLoop].size() - rows);
  return halo == 0 ? 1
                   : std::min(rows, std::max(kLeastRows, kLeastShare * halo));
}

int64_t StencilChain::chooseRows() const {
  const int64_t rows = extents[rowLoop], least = countLeastRows();
  int64_t batches = 1;
  for (unsigned loop = 0; loop != extents.size(); ++loop)
    if (loop != rowLoop)
      batches *= extents[loop] / getBlockSize(loop);
  const int64_t shared = std::max<int64_t>(rows * batches / kLeastBlocks, 1);
  const int64_t most =
      std::clamp(std::min(kBlockBytes / countRowBytes(), shared), least, rows);
  return findEvenRows(rows, llvm::divideCeil(rows, most), least).value_or(most);
}

SmallVector<StencilPart> StencilChain::getParts() const {
  const int64_t rows = extents[rowLoop], size = chooseRows();
  SmallVector<StencilPart> parts;
  for (int64_t first = 0; first < rows; first += size) {
    const StencilPart block = {first, std::min(first + size, rows),
                               std::min(size, rows - first)};
    // With those before it, if a loop of both is one.
    if (!parts.empty() && parts.back().size == block.size) {
      const StencilPart joined = {parts.back().first, block.end, size};
      if (getBoxes(joined)) {
        parts.back() = joined;
        continue;
      }
    }
    parts.push_back(block);
  }
  return parts;
}

/// Whether a block does, with enough rows to share what is beside them. What a
/// chain has no room for is a chain of its own.
bool StencilChain::fitsCache() const {
  return countRowBytes() * countLeastRows() <= kMostBlockBytes;
}

bool StencilChain::fitsSmallCache() const {
  return countRowBytes() * countLeastRows() <= kBlockBytes;
}
