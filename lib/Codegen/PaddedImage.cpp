//===- PaddedImage.cpp - What of a padded tensor is padding ---------------===//

#include "PaddedImage.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

std::optional<sched::Interval> sched::getImageBetweenZeros(tensor::PadOp pad,
                                                           int64_t dim) {
  Value padding = pad.getConstantPaddingValue();
  if (!padding || (!matchPattern(padding, m_AnyZeroFloat()) &&
                   !matchPattern(padding, m_Zero())))
    return std::nullopt;
  const int64_t low = pad.getStaticLow()[dim],
                size = pad.getSourceType().getDimSize(dim),
                padded = pad.getResultType().getDimSize(dim);
  if (ShapedType::isDynamic(low) || ShapedType::isDynamic(size) || low < 0 ||
      size == padded || low + size > padded)
    return std::nullopt;
  return Interval{low, low + size - 1};
}

std::optional<sched::PaddedRead>
sched::describeRead(vector::TransferReadOp read, int64_t dim) {
  PaddedRead found{read, dim, std::nullopt, 1, {}};
  if (read.getMask() || read.hasOutOfBoundsDim() ||
      !found.first.add(read.getIndices()[dim], 1))
    return std::nullopt;
  if (auto at = read.getPermutationMap().getResultPosition(
          getAffineDimExpr(dim, read.getContext()))) {
    found.vectorDim = *at;
    found.rows = read.getVectorType().getDimSize(*at);
  }
  return found;
}

void sched::findReads(Value value, int64_t dim,
                      SmallVectorImpl<PaddedRead> &found) {
  for (Operation *user : value.getUsers()) {
    if (auto view = dyn_cast<tensor::ExpandShapeOp>(user)) {
      const ReassociationIndices group = view.getReassociationIndices()[dim];
      if (group.size() == 1)
        findReads(view.getResult(), group.front(), found);
    } else if (auto read = dyn_cast<vector::TransferReadOp>(user)) {
      if (std::optional<PaddedRead> described = describeRead(read, dim))
        found.push_back(std::move(*described));
    }
  }
}

scf::ForOp sched::getLoopOver(Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : nullptr;
  return loop && loop.getInductionVar() == index ? loop : nullptr;
}
