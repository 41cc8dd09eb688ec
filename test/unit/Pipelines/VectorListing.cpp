//===- VectorListing.cpp - Vector code as lines to compare ----------------===//

#include "VectorListing.h"
#include "NestListing.h"
#include "RandomTask.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Model/NestWalker.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace mlir;
using namespace sched;
using namespace sched::test;

//===----------------------------------------------------------------------===//
// Parts of a script
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kMark = "vectors_begin";

void test::markVectors(const TaskSpace &space) {
  for (unsigned i = 0; i != space.getNumSketches(); ++i) {
    Operation *first = nullptr;
    space.getSketch(i)->walk([&](Operation *op) {
      if (!isa<mlir::schedule::UnrollPointsOp, mlir::schedule::VectorizeOp>(op))
        return WalkResult::advance();
      first = op;
      return WalkResult::interrupt();
    });
    ASSERT_TRUE(first) << "the sketch makes no vectors";
    OpBuilder builder(first);
    transform::AnnotateOp::create(builder, first->getLoc(),
                                  first->getOperand(0), kMark, Value());
  }
}

/// `script` without the ops outside of [begin, end), which are counted in the
/// block of its named sequence. What is left acts on all functions.
static OwningOpRef<ModuleOp> cut(ModuleOp script, unsigned begin,
                                 unsigned end) {
  OwningOpRef<ModuleOp> part = script.clone();
  Block *body = nullptr;
  part->walk([&](transform::NamedSequenceOp sequence) {
    body = &sequence.getBody().front();
  });
  SmallVector<Operation *> ops;
  for (Operation &op : body->without_terminator())
    ops.push_back(&op);
  OpBuilder builder = OpBuilder::atBlockBegin(body);
  auto function =
      transform::MatchOp::create(builder, script.getLoc(), body->getArgument(0),
                                 ArrayRef<StringRef>{"func.func"});
  for (unsigned i = ops.size(); i-- > 0;) {
    if (i >= begin && i < end)
      continue;
    // What crosses a cut is the function.
    for (Value result : ops[i]->getResults())
      result.replaceAllUsesWith(function.getResult());
    ops[i]->erase();
  }
  return part;
}

VectorRun::VectorRun(ModuleOp script) {
  unsigned count = 0, mark = 0, vectorizer = 0;
  script.walk([&](transform::NamedSequenceOp sequence) {
    for (Operation &op : sequence.getBody().front()) {
      ++count;
      auto annotation = dyn_cast<transform::AnnotateOp>(op);
      if (annotation && annotation.getName() == kMark)
        mark = count;
      if (isa<transform::VectorizeOp>(op))
        vectorizer = count;
    }
  });
  EXPECT_TRUE(mark != 0 && mark < vectorizer);
  parts[0] = cut(script, 0, mark - 1);
  parts[1] = cut(script, mark, vectorizer);
  parts[2] = cut(script, vectorizer, count);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Without dimensions of size 1.
static VectorSizes getSizes(ArrayRef<int64_t> all) {
  VectorSizes sizes;
  llvm::copy_if(all, std::back_inserter(sizes),
                [](int64_t size) { return size != 1; });
  return sizes;
}

static VectorSizes getSizes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return getSizes(vector ? vector.getShape() : ArrayRef<int64_t>());
}

static std::string writeSizes(const VectorSizes &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : ",") + std::to_string(size);
  return "[" + text + "]";
}

static std::string writeLine(const std::string &block,
                             const BlockVectors &vectors) {
  std::string text = block + " writes";
  for (const auto &[sizes, count] : vectors.writes)
    text += " " + std::to_string(count) + " x " + writeSizes(sizes);
  text += " computes";
  // In any order: transposes move through elementwise products.
  std::set<VectorSizes> computes;
  for (VectorSizes sizes : vectors.computes) {
    llvm::sort(sizes);
    computes.insert(std::move(sizes));
  }
  for (const VectorSizes &sizes : computes)
    text += " " + writeSizes(sizes);
  return text + " products " + std::to_string(vectors.products);
}

//===----------------------------------------------------------------------===//
// What the model says
//===----------------------------------------------------------------------===//

namespace {
struct VectorVisitor {
  ArrayRef<int64_t> registers;
  std::vector<BlockVectors> blocks, helpers;

  void enterLoop(const WalkState &) {}
  void exitLoop(const WalkState &) {}
  void block(const BlockPlan &plan, const WalkState &state) {
    // Copies are made where tensors become buffers.
    if (plan.kind == BlockKind::CacheCopy)
      return;
    unsigned numPoints = 1;
    SmallVector<int64_t> all, result;
    for (uint8_t dim : plan.dims) {
      const int64_t size = state.extents[dim];
      if (llvm::is_contained(plan.points, dim)) {
        numPoints *= size;
        continue;
      }
      all.push_back(size);
      if (llvm::is_contained(plan.accesses.back().dims, dim))
        result.push_back(size);
    }
    const bool isPartial =
        plan.keepsPartials != kNoReg && registers[plan.keepsPartials] != 0;
    if (isPartial) {
      // A fill of all partial results, and the reduction of them.
      SmallVector<int64_t> partials;
      for (uint8_t dim : getPartialDims(plan))
        if (!llvm::is_contained(plan.points, dim))
          partials.push_back(state.extents[dim]);
      SmallVector<int64_t> sums;
      for (uint8_t dim : plan.accesses.back().dims)
        if (!llvm::is_contained(plan.points, dim))
          sums.push_back(state.extents[dim]);
      BlockVectors start, end;
      start.writes[getSizes(partials)] = 1;
      end.writes[getSizes(sums)] = 1;
      end.computes.insert(getSizes(partials));
      helpers.push_back(std::move(start));
      helpers.push_back(std::move(end));
    }
    BlockVectors vectors;
    vectors.writes[getSizes(isPartial ? all : result)] = numPoints;
    if (plan.flopsPerPoint != 0)
      vectors.computes.insert(getSizes(all));
    if (plan.kind == BlockKind::Contraction)
      vectors.products = numPoints;
    blocks.push_back(std::move(vectors));
  }
};
} // namespace

std::vector<std::string> test::listModelVectors(const Program &program,
                                                ArrayRef<uint16_t> choices) {
  std::vector<int64_t> registers(program.getNumRegisters());
  program.run(choices, registers);
  VectorVisitor visitor{registers, {}, {}};
  NestWalker<VectorVisitor> walker(program.getNest(), registers, visitor);
  walker.walk();
  const NestListing nest = listModel(program, choices);
  std::vector<std::string> lines;
  for (auto [block, vectors] : llvm::zip_equal(nest.blocks, visitor.blocks))
    lines.push_back(writeLine(block, vectors));
  for (auto [helper, vectors] : llvm::zip_equal(nest.helpers, visitor.helpers))
    lines.push_back(writeLine(helper, vectors));
  return lines;
}

//===----------------------------------------------------------------------===//
// What the IR says
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kTag = "block#";

/// The block that `op` comes from; "" for none.
static std::string getTag(Operation *op) {
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name && name.getName().getValue().starts_with(kTag)
             ? name.getName().str()
             : "";
}

static void tagBlocks(ModuleOp module) {
  unsigned number = 0;
  module.walk([&](linalg::LinalgOp block) {
    Location tag = NameLoc::get(
        StringAttr::get(module.getContext(), kTag + llvm::Twine(number++)));
    block->walk([&](Operation *op) { op->setLoc(tag); });
  });
}

/// The vectorizer's write of a constant is where the constant is. But right
/// before it reads the old values, at the block's place.
static std::string getTagOfWrite(vector::TransferWriteOp write) {
  std::string tag = getTag(write);
  for (Operation *op = write->getPrevNode(); op && tag.empty();
       op = op->getPrevNode()) {
    auto read = dyn_cast<vector::TransferReadOp>(op);
    if (read && read.getBase() == write.getBase())
      tag = getTag(read);
  }
  return tag;
}

/// The size along the innermost dimension of the tensor that is more than one
/// element of the vector. Vectors themselves are in the order of the block's
/// loops.
static int64_t getRow(vector::TransferWriteOp write) {
  int64_t row = 1;
  unsigned innermost = 0;
  for (auto [expr, size] :
       llvm::zip_equal(write.getPermutationMap().getResults(),
                       write.getVectorType().getShape())) {
    const unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    if (size == 1 || dim < innermost)
      continue;
    innermost = dim;
    row = size;
  }
  return row;
}

static void listWrites(ModuleOp module,
                       std::map<std::string, BlockVectors> &vectors) {
  module.walk([&](vector::TransferWriteOp write) {
    BlockVectors &block = vectors[getTagOfWrite(write)];
    ++block.writes[getSizes(write.getVectorType())];
    block.row = getRow(write);
  });
  // A row that is moved from one place to another is a slice.
  module.walk([&](tensor::InsertSliceOp slice) {
    BlockVectors &block = vectors[getTag(slice)];
    if (block.writes.empty())
      block.writes[getSizes(slice.getSourceType().getShape())] = 1;
  });
}

/// Sizes of the operands of arithmetic; nothing of other ops.
static std::optional<VectorSizes> getComputedSizes(Operation *op) {
  if (auto contraction = dyn_cast<vector::ContractionOp>(op)) {
    SmallVector<int64_t> bounds;
    contraction.getIterationBounds(bounds);
    return getSizes(bounds);
  }
  if (op->getNumOperands() != 0 &&
      (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
       isa<vector::MultiDimReductionOp, vector::ReductionOp>(op)))
    return getSizes(op->getOperand(0).getType());
  return std::nullopt;
}

/// `part` is `whole` without one or more dimensions.
static bool isPartOf(const VectorSizes &part, const VectorSizes &whole) {
  auto at = part.begin();
  for (int64_t size : whole)
    at += at != part.end() && *at == size;
  return part.size() < whole.size() && at == part.end();
}

static void listComputed(ModuleOp module,
                         std::map<std::string, BlockVectors> &vectors) {
  std::map<std::string, std::set<VectorSizes>> computed;
  module.walk([&](Operation *op) {
    if (auto sizes = getComputedSizes(op))
      computed[getTag(op)].insert(*sizes);
  });
  for (auto &[block, all] : computed)
    for (const VectorSizes &sizes : all) {
      auto isWholeOf = [part = sizes](const VectorSizes &whole) {
        return isPartOf(part, whole);
      };
      // What is the same along a dimension is computed before it is broadcast,
      // and sums of several rows, listed before, become one of each row.
      if (llvm::none_of(all, isWholeOf) &&
          llvm::none_of(vectors[block].computes, isWholeOf))
        vectors[block].computes.insert(sizes);
    }
}

static void listProducts(ModuleOp module,
                         std::map<std::string, BlockVectors> &vectors) {
  module.walk([&](Operation *op) {
    if (isa<vector::ContractionOp, arith::MulFOp>(op))
      ++vectors[getTag(op)].products;
  });
}

OwningOpRef<ModuleOp> VectorRun::makeBlocks(const Task &task) {
  payload = applyScript(task, *parts[0]);
  if (!payload)
    return nullptr;
  tagBlocks(*payload);
  return payload->clone();
}

OwningOpRef<ModuleOp> VectorRun::makeVectors() {
  payload = applyScript(std::move(payload), *parts[1]);
  if (!payload)
    return nullptr;
  listWrites(*payload, vectors);
  listComputed(*payload, vectors);
  payload = applyScript(std::move(payload), *parts[2]);
  if (!payload)
    return nullptr;
  listComputed(*payload, vectors);
  listProducts(*payload, vectors);
  return std::move(payload);
}

static llvm::StringRef getName(linalg::LinalgOp block) {
  auto name = block->getAttrOfType<StringAttr>(mlir::schedule::kBlockAttrName);
  return name ? name.getValue() : "";
}

static bool isContraction(linalg::LinalgOp block) {
  return getName(block).ends_with("anchor");
}

/// A row that only moves is nothing at all where its reader takes it from where
/// it was.
static bool isMovedRow(linalg::LinalgOp block) {
  return !isa<linalg::FillOp>(block) &&
         llvm::hasSingleElement(*block.getBlock()) &&
         block.getNumReductionLoops() == 0 &&
         llvm::count_if(block.getStaticLoopRanges(),
                        [](int64_t size) { return size != 1; }) <= 1;
}

std::vector<std::string> VectorRun::list(ModuleOp module) const {
  const NestListing nest = listIR(module);
  std::vector<std::string> blocks, helpers;
  module.walk([&](linalg::LinalgOp block) {
    const auto found = vectors.find(getTag(block));
    BlockVectors made = found == vectors.end() ? BlockVectors() : found->second;
    if (!isContraction(block))
      made.products = 0;
    if (made.writes.empty() && isMovedRow(block))
      made.writes[getSizes(block.getStaticLoopRanges())] = 1;
    const llvm::StringRef name = getName(block);
    if (name.starts_with(mlir::schedule::kPartialPrefix) ||
        name.starts_with(mlir::schedule::kCombinePrefix))
      helpers.push_back(writeLine(nest.helpers[helpers.size()], made));
    else
      blocks.push_back(writeLine(nest.blocks[blocks.size()], made));
  });
  blocks.insert(blocks.end(), helpers.begin(), helpers.end());
  return blocks;
}

RegisterTile VectorRun::getMainTile(ModuleOp module,
                                    unsigned elementBytes) const {
  RegisterTile tile{0, 0, 0, elementBytes};
  module.walk([&](linalg::LinalgOp block) {
    const auto found = vectors.find(getTag(block));
    if (!isContraction(block) || found == vectors.end() ||
        found->second.writes.empty() || found->second.computes.empty())
      return WalkResult::advance();
    auto multiply = [](const VectorSizes &sizes) {
      return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                             std::multiplies<int64_t>());
    };
    const auto &[result, count] = *found->second.writes.begin();
    tile.n = found->second.row;
    tile.m = multiply(result) / tile.n * count;
    tile.unroll = multiply(*found->second.computes.begin()) / multiply(result);
    return WalkResult::interrupt();
  });
  return tile;
}
