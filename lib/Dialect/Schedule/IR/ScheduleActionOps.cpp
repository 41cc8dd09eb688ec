//===- ScheduleActionOps.cpp - What the actions expand to -----------------===//
//
// The upstream ops of each action. The sequences are those that were found to
// give right and fast code for every shape; the comments name the traps of
// MLIR 22 that the order avoids. Model/ActionModels.cpp says the same of the
// loop-nest model, and a property test compares the two.
//
//===----------------------------------------------------------------------===//

#include "ActionSupport.h"
#include "ScriptFragment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::schedule;

//===----------------------------------------------------------------------===//
// NameBlocksOp
//===----------------------------------------------------------------------===//

LogicalResult NameBlocksOp::verify() {
  llvm::StringSet<> seen;
  for (StringRef name : toStrings(getNames()))
    if (!name.empty() && !seen.insert(name).second)
      return emitOpError("names two blocks '")
             << name << "'; give each block a name of its own";
  if (getNames().empty())
    return emitOpError("names no block");
  return success();
}

LogicalResult NameBlocksOp::expand(RewriterBase &rewriter) {
  ScriptFragment script;
  std::string all = script.name();
  script.line(all + " = transform.structured.match interface{LinalgOp} in "
                    "%func : (!transform.any_op) -> !transform.any_op");
  SmallVector<StringRef> names = toStrings(getNames());
  SmallVector<std::string> handles = script.split(all, names.size());
  for (auto [name, handle] : llvm::zip_equal(names, handles))
    if (!name.empty())
      script.annotate(handle, name);
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}

//===----------------------------------------------------------------------===//
// FuseElementwiseOp
//===----------------------------------------------------------------------===//

LogicalResult FuseElementwiseOp::verify() {
  const int64_t at = getAt(), of = getOf();
  if (at < 0 || at >= of)
    return emitOpError("keeps apart one of so many ops; found number ")
           << at << " of " << of;
  if (getDims() && getDims()->empty())
    return emitOpError("needs dimensions of the op that is kept apart");
  return success();
}

LogicalResult FuseElementwiseOp::expand(RewriterBase &rewriter) {
  ScriptFragment script;
  // Transforms/FuseElementwise.cpp does the same to the model's payload.
  if (!getGeneralize().empty()) {
    std::string named = script.name(), generic = script.name(), ops;
    llvm::raw_string_ostream os(ops);
    os << getGeneralize();
    script.line(named + " = transform.structured.match ops{" + ops +
                "} in %func : (!transform.any_op) -> !transform.any_op");
    script.line(generic + " = transform.structured.generalize " + named +
                " : (!transform.any_op) -> !transform.any_op");
  }
  if (getApart()) {
    std::string all = script.name();
    script.line(all + " = transform.structured.match ops{[\"" + *getApart() +
                "\"]} in %func : (!transform.any_op) -> !transform.any_op");
    script.shield(script.split(all, getOf())[getAt()], *getDims());
  }
  script.line("%fused = transform.apply_registered_pass "
              "\"linalg-fuse-elementwise-ops\" to %func : "
              "(!transform.any_op) -> !transform.any_op");
  script.canonicalize("%fused");
  return script.inlineWithResult(rewriter, *this, getTarget(), "%fused");
}

//===----------------------------------------------------------------------===//
// DeferOp
//===----------------------------------------------------------------------===//

LogicalResult DeferOp::expand(RewriterBase &rewriter) {
  auto enable = getConstants(*this, {getEnable()});
  if (failed(enable))
    return failure();
  if (enable->front() == 0)
    return success();
  ScriptFragment script;
  script.annotate(script.matchBlock(getBlock()),
                  (kLatePrefix + getBlock()).str());
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}

//===----------------------------------------------------------------------===//
// CacheReadOp and CacheWriteOp
//===----------------------------------------------------------------------===//

/// Puts operand number `operand` of each op called `block` into a buffer of its
/// own, if `enable` is not 0. Upstream copies what was there if the op reads
/// it. Negative numbers count from the last operand.
static LogicalResult promoteOperand(RewriterBase &rewriter, Operation *action,
                                    Value target, StringRef block,
                                    int64_t operand, Value enable) {
  auto constants = getConstants(action, {enable});
  if (failed(constants))
    return failure();
  if (constants->front() == 0)
    return success();
  ScriptFragment script;
  std::string blocks = script.matchBlock(block);
  script.line("transform.foreach " + blocks + " : !transform.any_op {");
  script.line("^bb0(%one: !transform.any_op):");
  script.line("  %operand = transform.get_operand %one[" + Twine(operand) +
              "] : (!transform.any_op) -> !transform.any_value");
  script.line("  %copy = transform.structured.promote_tensor %operand : "
              "!transform.any_value");
  script.line("}");
  return success(succeeded(script.inlineAt(rewriter, action, target)));
}

LogicalResult CacheReadOp::expand(RewriterBase &rewriter) {
  return promoteOperand(rewriter, *this, getTarget(), getBlock(), getOperand(),
                        getEnable());
}

LogicalResult CacheWriteOp::expand(RewriterBase &rewriter) {
  // A block writes to the last of its operands.
  return promoteOperand(rewriter, *this, getTarget(),
                        getInit().value_or(getBlock()), /*operand=*/-1,
                        getEnable());
}

//===----------------------------------------------------------------------===//
// UnrollPointsOp
//===----------------------------------------------------------------------===//

/// Upstream leaves a loop with fewer trips than the factor as it is, and makes
/// a loop of what one with more trips leaves over. So a power of two after the
/// other unrolls every loop of fewer than twice as many trips as the first.
static constexpr int64_t kMaxUnrollFactor = 64;
static constexpr llvm::StringLiteral kPointsAttrName = "schedule.points";

LogicalResult UnrollPointsOp::verify() {
  return verifyDims(*this, getRank(), getDims(), getDims().size());
}

LogicalResult UnrollPointsOp::expand(RewriterBase &rewriter) {
  ScriptFragment script;
  SmallVector<int64_t> sizes(getRank(), 0);
  for (int64_t dim : getDims())
    sizes[dim] = 1;
  // From the inside out: unrolling a loop copies the loops in it, unrolled.
  SmallVector<std::string> loops =
      script.tile(script.matchBlock(getBlock()), /*fuse=*/false, sizes, {});
  for (const std::string &loop : llvm::reverse(loops)) {
    script.line("transform.annotate " + loop + " \"" + kPointsAttrName +
                "\" : !transform.any_op");
    for (int64_t factor = kMaxUnrollFactor; factor > 1; factor /= 2) {
      std::string rest = script.name();
      script.line(rest +
                  " = transform.structured.match ops{[\"scf.for\"]} "
                  "attributes {" +
                  kPointsAttrName +
                  "} in %func : (!transform.any_op) -> !transform.any_op");
      script.line("transform.loop.unroll " + rest +
                  " {factor = " + Twine(factor) + "} : !transform.any_op");
    }
  }
  script.cleanup();
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}

//===----------------------------------------------------------------------===//
// VectorizeOp
//===----------------------------------------------------------------------===//

LogicalResult VectorizeOp::expand(RewriterBase &rewriter) {
  auto filled =
      getConstants(*this, getFilled() ? ValueRange(getFilled()) : ValueRange());
  if (failed(filled))
    return failure();
  ScriptFragment script;
  for (StringRef block : toStrings(getGeneralize())) {
    std::string named = script.matchBlock(block), generic = script.name();
    script.line(generic + " = transform.structured.generalize " + named +
                " : (!transform.any_op) -> !transform.any_op");
  }
  // Panels leave a unit dimension in the tile; contractions lower well only
  // without. `cast_away_vector_leading_one_dim` would do it too, but does not
  // end together with `transfer_permutation_patterns` (test/Upstream).
  script.line("transform.apply_patterns to %func {");
  script.line(
      "  transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices");
  script.line("  transform.apply_patterns.linalg.tiling_canonicalization");
  script.line("  transform.apply_patterns.canonicalization");
  script.line("} : !transform.any_op");
  script.cleanup();
  // Hoisting before and after vectorisation turns accumulators into loop
  // carried values.
  auto hoist = [&] {
    std::string loops = script.name();
    script.line(loops + " = transform.structured.match ops{[\"scf.for\"]} in "
                        "%func : (!transform.any_op) -> !transform.any_op");
    script.line("transform.loop.hoist_loop_invariant_subsets " + loops +
                " : !transform.any_op");
  };
  hoist();
  script.cleanup();
  script.line("%ops = transform.structured.match interface{LinalgOp} in %func "
              ": (!transform.any_op) -> !transform.any_op");
  script.line("transform.structured.vectorize %ops : !transform.any_op");
  if (!filled->empty() && filled->front() != 0) {
    script.line("transform.apply_patterns to %func {");
    script.line("  transform.apply_patterns.linalg.pad_vectorization");
    script.line("  transform.apply_patterns.canonicalization");
    script.line("} : !transform.any_op");
  }
  script.line("transform.apply_patterns to %func {");
  // Operands narrower than the sum are widened after they are broadcast; a
  // contraction is recognised only where that comes first.
  script.line("  transform.apply_patterns.vector.sink_ops");
  script.line("  transform.apply_patterns.vector.reduction_to_contract");
  script.line(
      "  transform.apply_patterns.vector.transfer_permutation_patterns");
  script.line("  transform.apply_patterns.tensor."
              "fold_tensor_subset_ops_into_vector_transfers");
  script.line("  transform.apply_patterns.canonicalization");
  script.line("} : !transform.any_op");
  script.line("transform.apply_cse to %func : !transform.any_op");
  script.line("%loops = transform.structured.match "
              "interface{LoopLikeInterface} in %func : (!transform.any_op) -> "
              "!transform.any_op");
  script.line("transform.apply_licm to %loops : !transform.any_op");
  hoist();
  script.canonicalize("%func");
  return success(succeeded(script.inlineAt(rewriter, *this, getTarget())));
}
