//===- ScheduleTileOps.cpp - What the tiling actions expand to ------------===//
//
// The upstream ops of `tile_parallel` and `tile`, which the other actions in
// ScheduleActionOps.cpp prepare. Model/TileModels.cpp says the same of the
// loop-nest model.
//
//===----------------------------------------------------------------------===//

#include "ActionSupport.h"
#include "ScriptFragment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::schedule;

//===----------------------------------------------------------------------===//
// TileParallelOp
//===----------------------------------------------------------------------===//

LogicalResult TileParallelOp::verify() {
  if (getUnits().size() != getDims().size())
    return emitOpError("needs one unit a dimension; found ")
           << getDims().size() << " dimensions and " << getUnits().size()
           << " units";
  return verifyDims(*this, getRank(), getDims(), getExtents().size());
}

LogicalResult TileParallelOp::expand(RewriterBase &rewriter) {
  auto units = getConstants(*this, getUnits());
  auto extents = getConstants(*this, getExtents());
  auto params = getConstants(*this, {getWhich(), getThreads()});
  if (failed(units) || failed(extents) || failed(params))
    return failure();
  const int64_t which = (*params)[0], threads = (*params)[1];
  if (threads <= 1)
    return success();
  if (which < 0 || which >= static_cast<int64_t>(getDims().size()))
    return emitOpError("has no dimension ")
           << which << " to parallelize; it has " << getDims().size();
  const int64_t extent = (*extents)[which];
  const int64_t chunk = std::max<int64_t>((*units)[which], 1) * threads;
  const int64_t main = extent / chunk * chunk;
  if (main == 0)
    return emitOpError("has fewer than one tile of ")
           << (*units)[which] << " a thread: extent " << extent << ", "
           << threads << " threads; use fewer threads or a smaller tile";

  ScriptFragment script;
  SmallVector<StringRef> blocks = toStrings(getFuse());
  blocks.insert(blocks.begin(), getRoot());
  SmallVector<int64_t> sizes(getRank(), 0);
  if (main < extent) {
    // Upstream tiles what does not divide into chunks of dynamic size. Cutting
    // the rest off first keeps both parts static. (structured.split would do,
    // but its second part starts from the first one's result.)
    sizes[getDims()[which]] = main;
    std::string root = script.matchBlock(getRoot());
    script.peel(script.tile(root, /*fuse=*/true, sizes, {}).front());
    script.cleanup();
  }
  SmallVector<std::string> parallel;
  for (StringRef block : blocks) {
    std::string all = script.matchBlock(block);
    parallel.push_back(main < extent ? script.split(all, 2).front() : all);
  }
  sizes[getDims()[which]] = threads;
  std::string tiled = script.name(), loop = script.name();
  script.line(tiled + ", " + loop +
              " = transform.structured.tile_using_forall " + parallel.front() +
              " num_threads " + printList(sizes) +
              " : (!transform.any_op) -> (!transform.any_op, "
              "!transform.any_op)");
  for (const std::string &block : llvm::drop_begin(parallel))
    loop = script.fuseInto(block, loop);
  script.cleanup();
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}

//===----------------------------------------------------------------------===//
// TileOp
//===----------------------------------------------------------------------===//

LogicalResult TileOp::verify() {
  if (getSizes().size() != getDims().size())
    return emitOpError("needs one size a dimension; found ")
           << getDims().size() << " dimensions and " << getSizes().size()
           << " sizes";
  if (!getOrder().empty() && getOrder().size() != getDims().size())
    return emitOpError("needs an order of all its ")
           << getDims().size() << " loops, or none; found "
           << getOrder().size();
  if (getExactly() && (!getOrder().empty() || getFuse().empty()))
    return emitOpError("computes exactly some blocks inside of loops in their "
                       "listed order; found ")
           << getFuse().size() << " blocks and an order of "
           << getOrder().size() << " loops";
  if (!getExactly() && (!getEnable().empty() || getReshaped()))
    return emitOpError("can leave out only what `exactly` names; what else is "
                       "fused follows from the payload");
  if (!getEnable().empty() && getEnable().size() != getFuse().size())
    return emitOpError("needs one condition a block, or none; found ")
           << getFuse().size() << " blocks and " << getEnable().size()
           << " conditions";
  return verifyDims(*this, getRank(), getDims(), getExtents().size());
}

/// Tiles the blocks `roots` and computes those of `producers`, one a root in
/// the same order, inside of the innermost new loop. Returns the loops.
static SmallVector<std::string>
tileExactly(ScriptFragment &script, StringRef roots,
            ArrayRef<StringRef> producers, bool reshaped,
            ArrayRef<int64_t> sizes, ArrayRef<int64_t> interchange) {
  const StringRef op = "!transform.any_op";
  SmallVector<std::string> handles{roots.str()};
  for (StringRef producer : producers)
    handles.push_back(script.matchBlock(producer));
  std::string types = op.str(), arguments = "%root: " + op.str();
  for (size_t i = 0; i != producers.size(); ++i) {
    types += ", " + op.str();
    arguments += ", %producer" + std::to_string(i) + ": " + op.str();
  }
  const size_t count = llvm::count_if(sizes, [](int64_t s) { return s != 0; });
  std::string results = script.name(),
              resultTypes = llvm::join(SmallVector<StringRef>(count, op), ", ");
  script.line(results + ":" + Twine(count) + " = transform.foreach " +
              llvm::join(handles, ", ") + " : " + types + " -> " + resultTypes +
              " {");
  script.line("^bb0(" + arguments + "):");
  SmallVector<std::string> loops =
      script.tile("%root", /*fuse=*/false, sizes, interchange);
  if (reshaped) {
    // Slices of what is reshaped become reshapes of slices.
    script.line("transform.apply_patterns to " + loops.back() + " {");
    script.line("  transform.apply_patterns.tensor.bubble_up_extract_slice");
    script.line("  transform.apply_patterns.tensor."
                "merge_consecutive_insert_extract_slice");
    script.line("} : !transform.any_op");
  }
  for (size_t i = 0; i != producers.size(); ++i)
    loops.back() =
        script.fuseInto("%producer" + std::to_string(i), loops.back());
  script.line("transform.yield " + llvm::join(loops, ", ") + " : " +
              resultTypes);
  script.line("}");
  loops.clear();
  for (size_t i = 0; i != count; ++i)
    loops.push_back(results + "#" + std::to_string(i));
  return loops;
}

LogicalResult TileOp::expand(RewriterBase &rewriter) {
  auto sizes = getConstants(*this, getSizes());
  auto extents = getConstants(*this, getExtents());
  auto order = getConstants(*this, getOrder());
  auto enable = getConstants(*this, getEnable());
  if (failed(sizes) || failed(extents) || failed(order) || failed(enable))
    return failure();
  if (order->empty())
    for (int64_t i = 0, e = getDims().size(); i != e; ++i)
      order->push_back(i);

  SmallVector<int64_t> tileSizes(getRank(), 0), interchange;
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t position : *order) {
    if (position < 0 || position >= static_cast<int64_t>(getDims().size()) ||
        !seen.insert(position).second)
      return emitOpError("needs an order that is a permutation of its loops; "
                         "found position ")
             << position;
    const int64_t size = (*sizes)[position];
    if (size < 0)
      return emitOpError("needs sizes of at least 0; found ") << size;
    const int64_t dim = getDims()[position];
    if (size < (*extents)[position])
      tileSizes[dim] = size;
    interchange.push_back(dim);
  }
  const int64_t loops =
      llvm::count_if(tileSizes, [](int64_t size) { return size != 0; });
  if (loops == 0)
    return success();
  for (int64_t dim = 0; dim < static_cast<int64_t>(getRank()); ++dim)
    if (!llvm::is_contained(interchange, dim))
      interchange.push_back(dim);
  if (llvm::is_sorted(interchange))
    interchange.clear();

  ScriptFragment script;
  const std::string root = script.matchBlock(getRoot());
  // Of those listed `exactly`, the ones that exist.
  SmallVector<StringRef> inside;
  bool reshaped = false;
  for (auto [i, block] : llvm::enumerate(toStrings(getFuse()))) {
    if (!getExactly() || (!enable->empty() && (*enable)[i] == 0))
      continue;
    inside.push_back(block);
    reshaped |=
        getReshaped() && llvm::is_contained(toStrings(*getReshaped()), block);
  }
  SmallVector<std::string> handles;
  if (inside.empty())
    handles = script.tile(root, !getExactly() && !getFuse().empty(), tileSizes,
                          interchange);
  else
    handles =
        tileExactly(script, root, inside, reshaped, tileSizes, interchange);
  // From the inside out: peeling a loop copies the loops in it, peeled.
  for (const std::string &loop : llvm::reverse(handles))
    script.peel(loop);
  script.cleanup();
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}

//===----------------------------------------------------------------------===//
// FillTailsOp
//===----------------------------------------------------------------------===//

LogicalResult FillTailsOp::verify() {
  if (getPadding().empty())
    return emitOpError("needs a value to pad with for each operand");
  if (getMasked() && getInit())
    return emitOpError("has an init only in front of loops, where nothing is "
                       "masked");
  return verifyDims(*this, getRank(), {static_cast<int64_t>(getDim())}, 1);
}

LogicalResult FillTailsOp::expand(RewriterBase &rewriter) {
  auto enable = getConstants(*this, {getEnable()});
  if (failed(enable))
    return failure();
  if (enable->front() == 0)
    return success();
  ScriptFragment script;
  std::string padding;
  llvm::raw_string_ostream os(padding);
  os << getPadding();
  const StringRef op = "!transform.any_op";
  const std::string blocks = script.matchBlock(getBlock());
  script.line("transform.foreach " + blocks + " : " + op + " {");
  script.line("^bb0(%one: " + op + "):");
  // What has a whole number of vectors is not padded.
  script.line("  transform.sequence %one : " + op + " failures(suppress) {");
  script.line("  ^bb1(%tail: " + op + "):");
  script.line("  %padded, %pads, %copies = transform.structured.pad %tail "
              "pad_to_multiple_of [" +
              Twine(getMultiple()) + "] {padding_values = " + padding +
              ", padding_dimensions = [" + Twine(getDim()) +
              "], copy_back_op = \"none\"} : (" + op + ") -> (" + op + ", " +
              op + ", " + op + ")");
  script.annotate("%padded", getBlock());
  script.line("  }");
  script.line("}");
  script.cleanup();
  if (getInit()) {
    // Folding the pad into a fill has made a new op.
    std::string fills = script.name();
    script.line(fills +
                " = transform.structured.match ops{[\"linalg.fill\"]} in "
                "%func : (!transform.any_op) -> !transform.any_op");
    script.annotate(fills, *getInit());
  }
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}
