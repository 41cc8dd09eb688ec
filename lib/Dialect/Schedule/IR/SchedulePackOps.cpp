//===- SchedulePackOps.cpp - What packing an operand expands to -----------===//
//
// Panels of a right-hand side and a transposed left-hand side, as ops on whole
// tensors. Read next: ScheduleActionOps.cpp, of which this is a part.
//
//===----------------------------------------------------------------------===//

#include "ActionSupport.h"
#include "ScriptFragment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::schedule;

//===----------------------------------------------------------------------===//
// PackLhsOp
//===----------------------------------------------------------------------===//

/// Tiles a copy for vectors, after its first dimension is shared by threads.
static void tilePacking(ScriptFragment &script, std::string pack,
                        int64_t threads, ArrayRef<int64_t> sizes) {
  if (threads > 1) {
    std::string tiled = script.name(), loop = script.name();
    script.line(tiled + ", " + loop +
                " = transform.structured.tile_using_forall " + pack +
                " num_threads [" + Twine(threads) +
                "] : (!transform.any_op) -> (!transform.any_op, "
                "!transform.any_op)");
    pack = tiled;
  }
  // From the inside out: peeling a loop copies the loops in it, peeled.
  SmallVector<std::string> loops = script.tile(pack, /*fuse=*/false, sizes, {});
  for (const std::string &loop : llvm::reverse(loops))
    script.peel(loop);
}

LogicalResult PackLhsOp::verify() {
  // Loops must remain: fusion takes what is not tiled into every tile.
  for (int64_t extent : {getM(), getK()})
    if (extent <= kPackRows)
      return emitOpError("needs extents above ")
             << kPackRows << "; found " << extent;
  return success();
}

LogicalResult PackLhsOp::expand(RewriterBase &rewriter) {
  auto params = getConstants(*this, {getEnable(), getThreads()});
  if (failed(params))
    return failure();
  if (params->front() == 0)
    return success();
  const int64_t threads = std::max<int64_t>(params->back(), 1);
  const StringRef op = "!transform.any_op";
  ScriptFragment script;
  std::string anchor = script.matchBlock(getBlock());
  std::string transposed = script.name(), pack = script.name();
  script.line(transposed + " = transform.structured.transpose_matmul " +
              anchor + " : (" + op + ") -> " + op);
  script.annotate(transposed, getBlock());
  script.line(pack + " = transform.get_producer_of_operand " + transposed +
              "[0] : (" + op + ") -> " + op);
  script.annotate(pack, kPackLhsBlock);
  tilePacking(script, pack, getK() % threads == 0 ? threads : 1,
              {kPackRows, kPackRows});
  script.cleanup();
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}

//===----------------------------------------------------------------------===//
// PackRhsOp
//===----------------------------------------------------------------------===//

LogicalResult PackRhsOp::verify() {
  if (static_cast<int64_t>(getN()) < 1)
    return emitOpError("needs a positive extent of n; found ") << getN();
  const SmallVector<int64_t> loops = getLoopPositions(),
                             result = getResultPositions();
  auto isPermutation = [](SmallVector<int64_t> positions) {
    llvm::sort(positions);
    return llvm::equal(positions,
                       llvm::seq<int64_t>(0, int64_t(positions.size())));
  };
  if (!isPermutation(loops))
    return emitOpError("needs the positions of all loops, each once; found ")
           << printList(loops);
  SmallVector<int64_t> dims;
  llvm::copy_if(result, std::back_inserter(dims),
                [](int64_t dim) { return dim >= 0; });
  if (loops.size() < 3 || result.size() != loops.size() || result[0] < 0 ||
      result[1] != *llvm::max_element(result) || result[2] >= 0 ||
      !isPermutation(dims))
    return emitOpError(
               "needs a dimension of the result for each loop that is no "
               "reduction, the last for n, and a reduction for k; found ")
           << printList(result);
  if (getRhs() && (!llvm::is_contained(*getRhs(), loops[1]) ||
                   !llvm::is_contained(*getRhs(), loops[2]) ||
                   llvm::any_of(*getRhs(), [&](int64_t loop) {
                     return llvm::count(*getRhs(), loop) != 1 ||
                            !llvm::is_contained(loops, loop);
                   })))
    return emitOpError("needs a right-hand side that n, k and other loops "
                       "index, each one dimension; found ")
           << printList(*getRhs());
  if (getRhs() && getRhsTransposed())
    return emitOpError("says twice how the right-hand side is stored");
  if (static_cast<int64_t>(getGroup()) < 1)
    return emitOpError("needs a group of at least one step; found ")
           << static_cast<int64_t>(getGroup());
  // Packed loops follow each other as they did before.
  if (getGroup() > 1 && loops[1] > loops[2])
    return emitOpError("needs a loop of n before that of k where steps are in "
                       "groups; found loops ")
           << printList(loops);
  return success();
}

SmallVector<int64_t> PackRhsOp::getLoopPositions() {
  if (getLoops())
    return SmallVector<int64_t>(*getLoops());
  return {0, 1, 2};
}

SmallVector<int64_t> PackRhsOp::getResultPositions() {
  if (getResultDims())
    return SmallVector<int64_t>(*getResultDims());
  return {0, 1, -1};
}

SmallVector<int64_t> PackRhsOp::getPanelSteps() {
  if (!getRhs())
    return {2};
  SmallVector<int64_t> steps(*getRhs());
  llvm::erase(steps, getLoopPositions()[1]);
  if (getGroup() > 1) {
    const int64_t k = getLoopPositions()[2];
    llvm::erase(steps, k);
    steps.push_back(k);
  }
  return steps;
}

SmallVector<PackRhsOp::TailLoop> PackRhsOp::getTailLoops(bool reductions) {
  const SmallVector<int64_t> loops = getLoopPositions(),
                             result = getResultPositions();
  SmallVector<TailLoop> tail;
  for (auto [i, loop] : llvm::enumerate(loops)) {
    if (i == 1 || (result[i] < 0) != reductions)
      continue;
    tail.push_back({!reductions && getEpilogue() ? result[i] : loop, loop,
                    i == 0   ? TailLoop::Rows
                    : i == 2 ? TailLoop::Steps
                             : TailLoop::One});
  }
  llvm::sort(tail, [](const TailLoop &a, const TailLoop &b) {
    return a.position < b.position;
  });
  return tail;
}

/// Tiles block `name` as getTailLoops says.
static void tileTail(ScriptFragment &script, PackRhsOp op, StringRef name,
                     bool reductions, int64_t rows, int64_t steps) {
  SmallVector<int64_t> sizes;
  for (const PackRhsOp::TailLoop &loop : op.getTailLoops(reductions)) {
    sizes.resize(loop.position, 0);
    sizes.push_back(loop.size == PackRhsOp::TailLoop::Rows    ? rows
                    : loop.size == PackRhsOp::TailLoop::Steps ? steps
                                                              : 1);
  }
  if (llvm::all_of(sizes, [](int64_t size) { return size == 0; }))
    return;
  // From the inside out: peeling a loop copies the loops in it, peeled.
  SmallVector<std::string> loops =
      script.tile(script.matchBlock(("tail_" + name).str()),
                  /*fuse=*/!reductions, sizes, {});
  for (const std::string &loop : llvm::reverse(loops))
    script.peel(loop);
  script.cleanup();
}

/// Cuts what `tile` leaves over of n off as blocks `tail_*`, and tiles those.
static void separateTail(ScriptFragment &script, PackRhsOp op, int64_t main,
                         int64_t tailM, int64_t tailK) {
  SmallVector<StringRef> blocks;
  if (op.getInit())
    blocks.push_back(*op.getInit());
  blocks.push_back(op.getBlock());
  if (op.getEpilogue())
    blocks.push_back(*op.getEpilogue());
  const SmallVector<int64_t> loops = op.getLoopPositions();
  const int64_t n = op.getEpilogue() ? op.getResultPositions()[1] : loops[1];
  SmallVector<int64_t> sizes(op.getEpilogue() ? n + 1 : loops.size(), 0);
  sizes[n] = main;
  std::string root = script.matchBlock(blocks.back());
  script.peel(script.tile(root, /*fuse=*/true, sizes, {}).front());
  script.cleanup();
  for (StringRef block : blocks) {
    SmallVector<std::string> parts = script.split(script.matchBlock(block), 2);
    script.annotate(parts[1], ("tail_" + block).str());
  }
  tileTail(script, op, blocks.back(), /*reductions=*/false, tailM, tailK);
  tileTail(script, op, op.getBlock(), /*reductions=*/true, tailM, tailK);
}

LogicalResult PackRhsOp::expand(RewriterBase &rewriter) {
  auto params =
      getConstants(*this, {getTile(), getThreads(), getTailM(), getTailK()});
  auto defer =
      getConstants(*this, getDefer() ? ValueRange(getDefer()) : ValueRange());
  if (failed(params) || failed(defer))
    return failure();
  const bool isDeferred = !defer->empty() && defer->front() != 0;
  const StringRef pack = isDeferred ? kLatePackBlock : kPackBlock;
  const int64_t tile = (*params)[0], threads = (*params)[1];
  const int64_t n = getN(), panels = tile < 1 ? 0 : n / tile;
  const int64_t group = getGroup();
  if (panels < 1)
    return emitOpError("needs at least one whole panel; found a tile of ")
           << tile << " for " << n << " columns; choose a tile of 1 to " << n;

  ScriptFragment script;
  if (n % tile)
    separateTail(script, *this, panels * tile, (*params)[2], (*params)[3]);
  const StringRef op = "!transform.any_op";
  if (getEpilogue()) {
    // A named op does not take the reshape; a generic does.
    std::string epilogue = script.matchBlock(*getEpilogue());
    std::string generic = script.name();
    script.line(generic + " = transform.structured.generalize " + epilogue +
                " : (" + op + ") -> " + op);
  }
  std::string anchor = script.matchBlock(getBlock());
  const SmallVector<int64_t> loops = getLoopPositions();
  SmallVector<int64_t> packedSizes(loops.size(), 0), panelOrder;
  packedSizes[loops[1]] = tile;
  if (group > 1)
    packedSizes[loops[2]] = group;
  // The right-hand side's dimensions, n first.
  SmallVector<int64_t> rhs{loops[2], loops[1]};
  if (getRhs())
    rhs.assign(getRhs()->begin(), getRhs()->end());
  else if (getRhsTransposed())
    std::swap(rhs[0], rhs[1]);
  panelOrder.push_back(llvm::find(rhs, loops[1]) - rhs.begin());
  for (int64_t step : getPanelSteps())
    panelOrder.push_back(llvm::find(rhs, step) - rhs.begin());
  script.line("%packed = transform.structured.pack " + anchor +
              " packed_sizes = " + printList(packedSizes) +
              " : (!transform.any_op) -> "
              "!transform.op<\"linalg.generic\">");
  script.line("%pack_out = transform.get_producer_of_operand %packed[2] : "
              "(!transform.op<\"linalg.generic\">) -> "
              "!transform.op<\"linalg.pack\">");
  script.line("%unpack = transform.get_consumers_of_result %packed[0] : "
              "(!transform.op<\"linalg.generic\">) -> "
              "!transform.op<\"linalg.unpack\">");
  script.line("%pack_rhs = transform.get_producer_of_operand %packed[1] : "
              "(!transform.op<\"linalg.generic\">) -> "
              "!transform.op<\"linalg.pack\">");
  if (group > 1) {
    // Rows of the left-hand side have the steps of a group side by side anyway:
    // what is left of this is a reshape.
    script.line("%pack_lhs = transform.get_producer_of_operand %packed[0] : "
                "(!transform.op<\"linalg.generic\">) -> "
                "!transform.op<\"linalg.pack\">");
    script.line("%pad_lhs, %expand_lhs, %transpose_lhs = "
                "transform.structured.lower_pack %pack_lhs : "
                "(!transform.op<\"linalg.pack\">) -> "
                "(!transform.op<\"tensor.pad\">, "
                "!transform.op<\"tensor.expand_shape\">, "
                "!transform.op<\"linalg.transpose\">)");
  }
  // Panels of k x tile must be contiguous: [n / tile][k][tile].
  script.line(
      "%contraction, %panels, %none = transform.structured.pack_transpose "
      "%pack_rhs with_compute_op(%packed) outer_perm = " +
      printList(panelOrder) +
      " : (!transform.op<\"linalg.pack\">, "
      "!transform.op<\"linalg.generic\">) -> "
      "(!transform.op<\"linalg.generic\">, !transform.op<\"linalg.pack\">, "
      "!transform.any_op)");
  script.annotate("%contraction", getBlock(),
                  "!transform.op<\"linalg.generic\">");
  script.line("%pad, %expand, %transpose = transform.structured.lower_pack "
              "%panels : (!transform.op<\"linalg.pack\">) -> "
              "(!transform.op<\"tensor.pad\">, "
              "!transform.op<\"tensor.expand_shape\">, "
              "!transform.op<\"linalg.transpose\">)");
  script.annotate("%transpose", pack, "!transform.op<\"linalg.transpose\">");
  script.line("%pad_out, %expand_out, %transpose_out = "
              "transform.structured.lower_pack %pack_out : "
              "(!transform.op<\"linalg.pack\">) -> "
              "(!transform.op<\"tensor.pad\">, "
              "!transform.op<\"tensor.expand_shape\">, "
              "!transform.op<\"linalg.transpose\">)");
  script.line("%empty, %transpose_back, %collapse, %slice = "
              "transform.structured.lower_unpack %unpack : "
              "(!transform.op<\"linalg.unpack\">) -> "
              "(!transform.op<\"tensor.empty\">, "
              "!transform.op<\"linalg.transpose\">, "
              "!transform.op<\"tensor.collapse_shape\">, "
              "!transform.op<\"tensor.extract_slice\">)");
  // Lowering the unpack leaves a copy; as a generic it folds away.
  script.line("%copies = transform.structured.match ops{[\"linalg.copy\"]} in "
              "%func : (!transform.any_op) -> !transform.any_op");
  script.line("%copy = transform.structured.generalize %copies : "
              "(!transform.any_op) -> !transform.any_op");
  script.canonicalize("%func");
  if (getApart()) {
    script.shield(script.matchBlock(getBlock()), {loops[0], loops[1]});
    // Of a reshaped right-hand side, it would become an op of more dimensions.
    script.shield(script.matchBlock(pack), {0});
  }
  // Pulls the reshape of the result through the epilogue, so that it computes
  // on panels as the contraction does.
  script.line("%fused = transform.apply_registered_pass "
              "\"linalg-fuse-elementwise-ops\" to %func : "
              "(!transform.any_op) -> !transform.any_op");
  script.canonicalize("%fused");
  std::string contraction = script.matchBlock(getBlock(), "%fused");
  if (getInit()) {
    // Folding the reshape into the fill has made a new op.
    std::string init = script.name();
    script.line(init + " = transform.get_producer_of_operand " + contraction +
                "[2] : (" + op + ") -> " + op);
    script.annotate(init, *getInit());
  }
  if (getEpilogue()) {
    std::string epilogue = script.name();
    script.line(epilogue + " = transform.get_consumers_of_result " +
                contraction + "[0] : (" + op + ") -> " + op);
    script.annotate(epilogue, *getEpilogue());
  }
  if (!isDeferred) {
    // Eight rows of a panel at a time: small enough to vectorise.
    SmallVector<int64_t> sizes{1};
    for (int64_t step : getPanelSteps())
      sizes.push_back(step == loops[2] ? getPackedRows(group) : 1);
    sizes.push_back(0);
    tilePacking(script, script.matchBlock(pack, "%fused"),
                threads > 1 && panels % threads == 0 ? threads : 1, sizes);
  }
  // Where no later action makes a loop, nothing else would fold the loops of a
  // single trip away, whose sizes are dynamic. The empty tensors of the init
  // and of the epilogue are equal, and must not become one: the partial results
  // would pass through the buffer of the final ones.
  script.foldTiles("%fused");
  return script.inlineWithResult(rewriter, *this, getTarget(), "%fused");
}
