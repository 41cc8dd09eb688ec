//===- JoinReaders.cpp - One op for several readers of a product ----------===//
//
// x * sigmoid(x), as an activation, reads the product x twice: the sigmoid does
// and the multiplication. An epilogue is computed where only it reads the
// product; so the sigmoid goes into the multiplication, by upstream's fusion,
// and whatever else lies between the product and the op where all its readers
// meet.
//
//===----------------------------------------------------------------------===//

#include "JoinReaders.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "TaskGrouping.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sched;

/// Whether `op` is elementwise and reads `values` element by element.
static bool isPointwiseReader(linalg::LinalgOp op,
                              const llvm::SetVector<Value> &values) {
  return op && sched::isElementwise(op) && !op->hasAttr(kAloneAttrName) &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return !values.contains(operand.get()) ||
                  op.getMatchingIndexingMap(&operand).isIdentity();
         });
}

/// The ops through which `value` is read, in program order, up to the first one
/// behind which it is not needed any more. Empty if there is no such op, or one
/// of them is more than elementwise.
static SmallVector<linalg::LinalgOp> collectReaders(Value value) {
  SmallVector<linalg::LinalgOp> readers;
  llvm::SetVector<Value> values;
  values.insert(value);
  for (Operation *op = value.getDefiningOp()->getNextNode(); op;
       op = op->getNextNode()) {
    if (llvm::none_of(op->getOperands(),
                      [&](Value operand) { return values.contains(operand); }))
      continue;
    auto reader = dyn_cast<linalg::LinalgOp>(op);
    if (!isPointwiseReader(reader, values))
      return {};
    readers.push_back(reader);
    if (llvm::all_of(values, [&](Value read) {
          return llvm::all_of(read.getUsers(), [&](Operation *user) {
            return llvm::is_contained(readers, user);
          });
        }))
      return readers;
    values.insert(op->getResult(0));
  }
  return {};
}

/// Computes `ops` in the last of them, which is replaced; as many as upstream
/// fuses. Returns what took its place, null if that is not generic.
static linalg::LinalgOp join(ArrayRef<linalg::LinalgOp> ops) {
  IRRewriter rewriter(ops.back());
  FailureOr<linalg::GenericOp> reader = makeGeneric(rewriter, ops.back());
  // By its turn, an op has no other reader left.
  for (linalg::LinalgOp op : llvm::reverse(ops.drop_back())) {
    if (failed(reader))
      return nullptr;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> producer = makeGeneric(rewriter, op);
    // Each input is to be read once.
    rewriter.setInsertionPoint(*reader);
    reader = linalg::deduplicateOperandsAndRemoveDeadResults(
        rewriter, *reader, /*removeOutputs=*/false);
    if (failed(producer) || failed(reader))
      return nullptr;
    OpOperand *read = llvm::find_singleton<OpOperand>(
        reader->getDpsInputOperands(), [&](OpOperand *operand, bool) {
          return operand->get() == producer->getResult(0) ? operand : nullptr;
        });
    // The result would be kept where one between the two that is not fused
    // reads it as well, or where it begins with what is in the output.
    if (!read || !producer->getResult(0).hasOneUse() ||
        producer->payloadUsesValueFromOperand(producer->getDpsInitOperand(0)) ||
        !linalg::areElementwiseOpsFusable(read))
      continue;
    auto fused = linalg::fuseElementwiseOps(rewriter, read);
    if (failed(fused))
      continue;
    assert(fused->fusedOp->getNumResults() == 1 && "the reader's alone");
    rewriter.replaceOp(*reader, fused->fusedOp->getResults());
    rewriter.eraseOp(*producer);
    reader = cast<linalg::GenericOp>(fused->fusedOp);
  }
  if (succeeded(reader))
    reader = linalg::deduplicateOperandsAndRemoveDeadResults(
        rewriter, *reader, /*removeOutputs=*/false);
  return succeeded(reader) ? linalg::LinalgOp(*reader) : nullptr;
}

bool sched::joinReaders(func::FuncOp function) {
  bool isChanged = false;
  SmallVector<linalg::LinalgOp> products = collectLinalgOps(function);
  llvm::erase_if(products, [](linalg::LinalgOp op) {
    return !isMovable(op) || !matchContraction(op);
  });
  for (linalg::LinalgOp op : products)
    for (SmallVector<linalg::LinalgOp> readers;
         op && !(readers = collectReaders(op->getResult(0))).empty();) {
      isChanged |= readers.size() > 1;
      op = readers.size() > 1 ? join(readers) : readers.front();
    }
  return isChanged;
}
