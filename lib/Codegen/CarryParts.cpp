//===- CarryParts.cpp - Vectors carried in another form -------------------===//

#include "CarryParts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

ValueRange sched::takeApart(OpBuilder &builder, Location loc, Value vector,
                            TypeRange types) {
  return UnrealizedConversionCastOp::create(builder, loc, types, vector)
      .getResults();
}

Value sched::putTogether(OpBuilder &builder, Location loc, ValueRange parts,
                         Type type) {
  return UnrealizedConversionCastOp::create(builder, loc, type, parts)
      .getResult(0);
}

static bool isTakenApart(UnrealizedConversionCastOp op) {
  return op && op.getNumOperands() == 1 &&
         isa<VectorType>(op.getOperand(0).getType());
}

/// Passes the parts of `loop`'s iteration argument `number` on, if each
/// iteration takes it apart and puts the next one together.
static bool carry(scf::ForOp loop, unsigned number, IRRewriter &rewriter) {
  BlockArgument argument = loop.getRegionIterArg(number);
  if (!argument.hasOneUse())
    return false;
  auto apart = dyn_cast<UnrealizedConversionCastOp>(*argument.user_begin());
  auto together = loop.getYieldedValues()[number]
                      .getDefiningOp<UnrealizedConversionCastOp>();
  if (!isTakenApart(apart) || !together ||
      together.getOperandTypes() != apart.getResultTypes())
    return false;
  const Location loc = loop.getLoc();
  const Type type = argument.getType();
  rewriter.setInsertionPoint(loop);
  ValueRange inits = takeApart(rewriter, loc, loop.getInitArgs()[number],
                               apart.getResultTypes());
  const SmallVector<Value> parts(together.getOperands());
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return parts; });
  if (failed(replaced))
    return false;
  auto carried = cast<scf::ForOp>(replaced->getOperation());
  rewriter.replaceOp(apart,
                     carried.getRegionIterArgs().take_back(parts.size()));
  // What the loop had before passes through and goes away as dead. It begins
  // with anything, or the loop around would have one more use of its argument
  // and carry no parts.
  carried.getBody()->getTerminator()->setOperand(
      number, carried.getRegionIterArg(number));
  rewriter.setInsertionPoint(carried);
  carried.getInitArgsMutable()[number].assign(
      ub::PoisonOp::create(rewriter, loc, type));
  rewriter.setInsertionPointAfter(carried);
  Value result = carried.getResult(number);
  rewriter.replaceAllUsesWith(
      result, putTogether(rewriter, loc,
                          carried.getResults().take_back(parts.size()), type));
  return true;
}

/// Replaces parts that were just put together, and drops what is unused.
static void foldCasts(Operation *root) {
  SmallVector<UnrealizedConversionCastOp> casts;
  root->walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  for (UnrealizedConversionCastOp op : casts)
    if (isTakenApart(op))
      if (auto before =
              op.getOperand(0).getDefiningOp<UnrealizedConversionCastOp>();
          before && before.getOperandTypes() == op.getResultTypes())
        op.replaceAllUsesWith(before.getOperands());
  for (UnrealizedConversionCastOp op : llvm::reverse(casts))
    if (op.use_empty())
      op.erase();
}

SmallVector<UnrealizedConversionCastOp> sched::carryParts(Operation *root) {
  IRRewriter rewriter(root->getContext());
  bool changed = true;
  while (changed) {
    changed = false;
    foldCasts(root);
    // From the inside out: a loop takes apart what the one around it carries.
    root->walk([&](scf::ForOp loop) {
      for (unsigned i = 0; i != loop.getNumRegionIterArgs(); ++i)
        if (carry(loop, i, rewriter)) {
          changed = true;
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
  }
  SmallVector<UnrealizedConversionCastOp> left;
  root->walk([&](UnrealizedConversionCastOp op) { left.push_back(op); });
  return left;
}
