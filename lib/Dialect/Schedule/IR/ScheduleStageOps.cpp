//===- ScheduleStageOps.cpp - What the actions for stages expand to -------===//
//
// As ScheduleActionOps.cpp, for ops without a contraction.
// Model/StageModels.cpp says the same of the loop-nest model.
//
//===----------------------------------------------------------------------===//

#include "ActionSupport.h"
#include "ScriptFragment.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::schedule;

//===----------------------------------------------------------------------===//
// FuseStagesOp
//===----------------------------------------------------------------------===//

LogicalResult FuseStagesOp::verify() {
  if (getSizes().size() != getDims().size())
    return emitOpError("needs one size a dimension; found ")
           << getDims().size() << " dimensions and " << getSizes().size()
           << " sizes";
  return verifyDims(*this, getRank(), getDims(), getExtents().size());
}

LogicalResult FuseStagesOp::expand(RewriterBase &rewriter) {
  auto sizes = getConstants(*this, getSizes());
  auto extents = getConstants(*this, getExtents());
  auto params = getConstants(*this, {getWhich(), getThreads()});
  if (failed(sizes) || failed(extents) || failed(params))
    return failure();
  const int64_t which = (*params)[0], threads = (*params)[1];
  if (which < 0 || which >= static_cast<int64_t>(getDims().size()))
    return emitOpError("has no dimension ")
           << which << " to parallelize; it has " << getDims().size();
  const int64_t extent = (*extents)[which];
  if (threads > extent)
    return emitOpError("has an extent of ")
           << extent << " for " << threads << " threads; use fewer threads";

  ScriptFragment script;
  const bool hasStages = !getStages().empty();
  SmallVector<int64_t> shares(getRank(), 0), tiles(getRank(), 0);
  for (auto [dim, size, whole] : llvm::zip_equal(getDims(), *sizes, *extents)) {
    if (size < 0)
      return emitOpError("needs sizes of at least 0; found ") << size;
    if (size < whole)
      tiles[dim] = size;
  }
  const int64_t dim = getDims()[which];
  if (threads > 1) {
    std::string root = script.matchBlock(getRoot());
    if (const int64_t main = extent / threads * threads; main < extent) {
      // As in tile_parallel: the rest is cut off first.
      shares[dim] = main;
      script.peel(script.tile(root, /*fuse=*/true, shares, {}).front());
      script.cleanup();
      root = script.split(script.matchBlock(getRoot()), 2).front();
    }
    // The root alone: upstream would give a stage that is fused here the shared
    // result as its start value, and copy a thread's share of it. The loops
    // below reach the stages from inside.
    shares[dim] = threads;
    std::string tiled = script.name(), loop = script.name();
    script.line(tiled + ", " + loop +
                " = transform.structured.tile_using_forall " + root +
                " num_threads " + printList(shares) +
                " : (!transform.any_op) -> (!transform.any_op, "
                "!transform.any_op)");
    script.cleanup();
    // Only a loop fetches the stages, if but one of a single trip.
    if (hasStages && tiles[dim] == 0)
      tiles[dim] = extent;
  }
  if (llvm::any_of(tiles, [](int64_t size) { return size != 0; })) {
    SmallVector<std::string> loops =
        script.tile(script.matchBlock(getRoot()), hasStages, tiles, {});
    for (const std::string &loop : llvm::reverse(loops))
      script.peel(loop);
    script.cleanup();
  }
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}

//===----------------------------------------------------------------------===//
// SplitReductionOp
//===----------------------------------------------------------------------===//

LogicalResult SplitReductionOp::verify() {
  if (static_cast<int64_t>(getExtent()) < 1)
    return emitOpError("needs a positive extent; found ") << getExtent();
  if (getLines() && getAround().empty())
    return emitOpError("has lines at once of no dimension; say which one the "
                       "lines are along: around [...]");
  SmallVector<int64_t> dims(getAround());
  dims.push_back(getDim());
  return verifyDims(*this, getRank(), dims, dims.size());
}

/// Splits the reduction of the one op `handle` into steps of `width` as far as
/// they go; returns the handle of what is left, and its extent. With dimensions
/// around, a step may be the whole extent.
static std::pair<std::string, int64_t>
splitOnce(ScriptFragment &script, SplitReductionOp op, std::string handle,
          int64_t extent, int64_t width, int64_t lines, bool keep,
          const Twine &name) {
  if (!op.getAround().empty())
    width = std::min(width, extent);
  else if (width >= extent)
    return {handle, extent};
  if (width <= 0)
    return {handle, extent};
  const int64_t main = extent / width * width;
  std::string rest;
  if (main < extent) {
    std::string parts = script.name();
    script.line(parts + " = transform.structured.split " + handle + " after " +
                Twine(main) + " {dimension = " + Twine(op.getDim()) +
                "} : !transform.any_op");
    SmallVector<std::string> handles = script.split(parts, 2);
    handle = handles[0];
    rest = handles[1];
  }
  SmallVector<int64_t> sizes(op.getRank(), 0);
  sizes[op.getDim()] = width;
  for (int64_t dim : op.getAround())
    sizes[dim] = dim == op.getAround().back() ? lines : 1;
  if (!keep) {
    SmallVector<int64_t> order(op.getAround());
    order.push_back(op.getDim());
    std::string step = script.name(), loops = script.name();
    std::string results = " -> (!transform.any_op";
    for (size_t i = 0; i != order.size(); ++i)
      results += ", !transform.any_op";
    script.line(step + ", " + loops +
                (order.size() > 1 ? ":" + std::to_string(order.size()) : "") +
                " = transform.structured.tile_using_for " + handle +
                " tile_sizes " + printList(sizes) + " : (!transform.any_op)" +
                results + ")");
    script.annotate(step, name.str());
    return {rest, extent - main};
  }
  std::string fill = script.name(), partial = script.name(),
              combine = script.name(), loop = script.name();
  script.line(fill + ", " + partial + ", " + combine + ", " + loop +
              " = transform.structured.tile_reduction_using_for " + handle +
              " by tile_sizes = " + printList(sizes) +
              " : (!transform.any_op) -> (!transform.any_op, "
              "!transform.any_op, !transform.any_op, !transform.any_op)");
  script.annotate(fill, (kPartialPrefix + name).str());
  script.annotate(partial, name.str());
  script.annotate(combine, (kCombinePrefix + name).str());
  return {rest, extent - main};
}

LogicalResult SplitReductionOp::expand(RewriterBase &rewriter) {
  auto params = getConstants(*this, {getWidth(), getRestWidth(), getKeep()});
  if (failed(params))
    return failure();
  int64_t extent = getExtent();
  if (getShares()) {
    auto shares = getConstants(*this, {getShares()});
    if (failed(shares))
      return failure();
    extent /= std::max<int64_t>(shares->front(), 1);
  }
  int64_t lines = 1;
  if (getLines()) {
    auto atOnce = getConstants(*this, {getLines()});
    if (failed(atOnce))
      return failure();
    lines = std::max<int64_t>(atOnce->front(), 1);
  }
  const int64_t width = (*params)[0];
  const bool keep = (*params)[2] != 0;
  if (width <= 0 || (width >= extent && getAround().empty()))
    return success();
  ScriptFragment script;
  std::string blocks = script.matchBlock(getBlock());
  script.line("transform.foreach " + blocks + " : !transform.any_op {");
  script.line("^bb0(%one: !transform.any_op):");
  auto [tail, left] =
      splitOnce(script, *this, "%one", extent, width, lines, keep, getBlock());
  if (left > 0) {
    auto [rest, end] = splitOnce(script, *this, tail, left, (*params)[1], lines,
                                 keep, kTailPrefix + getBlock());
    // Steps of less than a vector's elements go around, too.
    if (end > 0 && !getAround().empty())
      splitOnce(script, *this, rest, end, end, lines, keep,
                kRestPrefix + getBlock());
    else if (end > 0) // Nothing was split, or all.
      script.annotate(
          rest, ((end == left ? kTailPrefix : kRestPrefix) + getBlock()).str());
  }
  script.line("}");
  script.cleanup();
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}

//===----------------------------------------------------------------------===//
// ShareReductionOp
//===----------------------------------------------------------------------===//

LogicalResult ShareReductionOp::verify() {
  if (static_cast<int64_t>(getExtent()) < 1)
    return emitOpError("needs a positive extent; found ") << getExtent();
  return verifyDims(*this, getRank(), {static_cast<int64_t>(getDim())}, 1);
}

LogicalResult ShareReductionOp::expand(RewriterBase &rewriter) {
  auto params = getConstants(*this, {getThreads()});
  if (failed(params))
    return failure();
  const int64_t threads = params->front();
  if (threads <= 1)
    return success();
  const int64_t extent = getExtent(), left = extent % threads;
  if (threads > extent)
    return emitOpError("has an extent of ")
           << extent << " for " << threads << " threads; use fewer threads";
  ScriptFragment script;
  std::string block = script.matchBlock(getBlock());
  if (left != 0) {
    std::string parts = script.name();
    script.line(parts + " = transform.structured.split " + block + " after " +
                Twine(extent - left) + " {dimension = " + Twine(getDim()) +
                "} : !transform.any_op");
    SmallVector<std::string> handles = script.split(parts, 2);
    block = handles[0];
    script.annotate(handles[1], (kLeftPrefix + getBlock()).str());
  }
  SmallVector<int64_t> shares(getRank(), 0);
  shares[getDim()] = threads;
  std::string start = script.name(), part = script.name(), join = script.name(),
              loop = script.name();
  script.line(start + ", " + part + ", " + join + ", " + loop +
              " = transform.structured.tile_reduction_using_forall " + block +
              " reduction_dims = [" + Twine(getDim()) +
              "] by num_threads = " + printList(shares) +
              " : (!transform.any_op) -> (!transform.any_op, "
              "!transform.any_op, !transform.any_op, !transform.any_op)");
  script.annotate(start, (kStartPrefix + getBlock()).str());
  script.annotate(part, getBlock());
  script.annotate(join, (kJoinPrefix + getBlock()).str());
  script.cleanup();
  if (getBuffered()) {
    std::string shared = script.matchBlock(getBlock()), init = script.name(),
                buffer = script.name();
    script.line(init + " = transform.get_operand " + shared +
                "[-1] : (!transform.any_op) -> !transform.any_value");
    script.line(buffer + " = transform.structured.promote_tensor " + init +
                " : !transform.any_value");
  }
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}
