//===- SketchTails.cpp - Tails in whole vectors ---------------------------===//
//
// What whole vectors leave over of the columns is computed in its own size,
// which the compiler takes apart into smaller vectors, or in a whole vector: of
// a padded copy that serves all rows, or with lanes left out at each access.
// Which of them is a decision, %tails.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Support/VectorMasks.h"
#include "SketchWriter.h"
#include "StageWriter.h"
#include "TaskGrouping.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace sched;

/// A list of zeros, one an operand; "" where not all are tensors.
static std::string printZeros(mlir::linalg::LinalgOp op) {
  mlir::Builder builder(op.getContext());
  llvm::SmallVector<std::string> zeros;
  for (mlir::Type type : op->getOperandTypes()) {
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    if (!tensor)
      return "";
    llvm::raw_string_ostream(zeros.emplace_back())
        << builder.getZeroAttr(tensor.getElementType());
  }
  return "[" + llvm::join(zeros, ", ") + "]";
}

/// Whether all operands that loop `dim` indexes have elements for which
/// `target` has masks.
static bool hasMasks(mlir::linalg::LinalgOp op, unsigned dim,
                     const Target &target) {
  return llvm::all_of(op->getOpOperands(), [&](mlir::OpOperand &operand) {
    return !op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim) ||
           hasVectorMasks(target, mlir::getElementTypeOrSelf(operand.get())
                                      .getIntOrFloatBitWidth());
  });
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

void SketchWriter::findTails() {
  const ContractionShape &shape = *task.blocks.shape;
  const auto anchor = llvm::find(task.roles, BlockRole::Anchor);
  if (anchor == task.roles.end() ||
      llvm::any_of(shape.outer,
                   [](const OuterLoop &loop) { return loop.isReduction; }) ||
      shape.overlaps || shape.isWindowed || shape.rowStep != 1 || group > 1 ||
      shape.n == 1 || shape.n % shape.countLanes(target) == 0)
    return;
  auto ops = collectLinalgOps(task.getFunction());
  mlir::linalg::LinalgOp op = ops[anchor - task.roles.begin()];
  // What is fused into it may change its operands.
  if (task.blocks.isFused && (llvm::isa<mlir::linalg::GenericOp>(op) ||
                              llvm::is_contained(task.blocks.generalize,
                                                 op->getName().getStringRef())))
    return;
  // In batches, the unit dimension that is between a tile and what is cut from
  // it keeps upstream's patterns from folding both into one masked access, and
  // sums from staying in registers.
  const bool masks =
      shape.outer.empty() && hasMasks(op, shape.loops[kN], target);
  if (packed && !masks)
    return;
  tailZeros = printZeros(op);
  for (size_t i = 0; i != ops.size(); ++i)
    startsFromFill |= task.roles[i] == BlockRole::Init &&
                      llvm::isa<mlir::linalg::FillOp>(ops[i].getOperation());
  tailChoices = {kPeeledTails};
  if (masks)
    tailChoices.push_back(kMaskedTails);
  if (!packed)
    tailChoices.push_back(kPaddedTails);
}

void SketchWriter::decideTails() {
  if (!fillsTails())
    return;
  decide("tails", tailChoices, kPeeledTails);
  constant("masked", kMaskedTails);
  line("%masks = schedule.cmp eq %tails, %masked");
  line("%unmasked = schedule.cmp eq %masks, %zero");
  line("%two_steps = schedule.sum %ku, %ku");
  line("%has_steps = schedule.cmp le %two_steps, %k");
  line("%loads_steps = schedule.or %unmasked, %has_steps");
  line("schedule.require \"masks are for the steps of a loop\" %loads_steps");
  if (packed)
    return;
  constant("padded", kPaddedTails);
  line("%pads = schedule.cmp eq %tails, %padded");
  line("%fills = schedule.or %masks, %pads");
  line("%narrow = schedule.cmp le %nr, %n");
  line("%covers_n = schedule.or %narrow, %fills");
  line("schedule.require \"tiles wider than the result are filled\" "
       "%covers_n");
}

void SketchWriter::fillTails(llvm::StringRef block, bool masked,
                             llvm::StringRef init) {
  const ContractionShape &shape = *task.blocks.shape;
  line("schedule.fill_tails %f \"" + block + "\"" + (masked ? " masked" : "") +
       (init.empty() ? "" : " init \"" + init + "\"") + " rank " +
       llvm::Twine(shape.loops.size()) + " dim " +
       llvm::Twine(shape.loops[kN]) + " multiple " +
       llvm::Twine(shape.countLanes(target)) + " padding " + tailZeros +
       " if " + (masked ? "%masks" : "%pads"));
}
