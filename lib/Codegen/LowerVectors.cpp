//===- LowerVectors.cpp - One-dimensional vectors -------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "ShortRows.h"
#include "StridedReads.h"
#include "SumLanes.h"
#include "TransposeTiles.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace sched {
#define GEN_PASS_DEF_LOWERVECTORSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

/// Elements of a copy that is done at once: as many as the vector registers of
/// AVX2 hold of f32.
static constexpr int64_t kMaxCopied = 128;

/// Rows shorter than this that follow one another in memory are moved together,
/// as the results of a channel in a depthwise convolution.
static constexpr unsigned kShortRowBits = 128;

namespace {
/// A copy of few elements, as tiles of what is only moved become, as vectors.
/// Element by element, the compiler would have to show first that the buffers
/// do not overlap.
struct VectorizeCopy : OpRewritePattern<linalg::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::CopyOp op,
                                PatternRewriter &rewriter) const override {
    Value from = op.getInputs().front(), to = op.getOutputs().front();
    auto source = dyn_cast<MemRefType>(from.getType()),
         target = dyn_cast<MemRefType>(to.getType());
    if (!source || !target || !source.hasStaticShape() ||
        source.getRank() == 0 || source.getShape() != target.getShape() ||
        source.getElementType() != target.getElementType() ||
        source.getNumElements() > kMaxCopied || source.getShape().back() == 1 ||
        !VectorType::isValidElementType(source.getElementType()) ||
        // Bits are stored as bytes, but not in vectors.
        source.getElementType().isInteger(1) ||
        !source.areTrailingDimsContiguous(1) ||
        !target.areTrailingDimsContiguous(1))
      return failure();
    const Location loc = op.getLoc();
    auto type = VectorType::get(source.getShape(), source.getElementType());
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    const SmallVector<Value> indices(source.getRank(), zero);
    const SmallVector<bool> inBounds(source.getRank(), true);
    Value value = vector::TransferReadOp::create(
        rewriter, loc, type, from, indices, std::nullopt, ArrayRef(inBounds));
    vector::TransferWriteOp::create(rewriter, loc, value, to, indices,
                                    ArrayRef(inBounds));
    rewriter.eraseOp(op);
    return success();
  }
};

/// Loads the elements of a vector one by one where nothing else is done with
/// it, as with the left-hand side of a product: a multiplication by one of them
/// takes it from memory as it is. Lengths that are a power of two LLVM treats
/// as the target wants it; of others it loads pairs and shuffles them.
struct LoadElements : OpRewritePattern<vector::LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::LoadOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    auto isElement = [](Operation *user) {
      auto extract = dyn_cast<vector::ExtractOp>(user);
      return extract && extract.getNumIndices() == 1 &&
             !extract.hasDynamicPosition();
    };
    if (type.getRank() != 1 || type.isScalable() || op->use_empty() ||
        llvm::isPowerOf2_64(type.getNumElements()) ||
        type.getElementType() != op.getMemRefType().getElementType() ||
        !llvm::all_of(op->getUsers(), isElement))
      return failure();
    const Location loc = op.getLoc();
    SmallVector<Value> indices(op.getIndices());
    const Value first = indices.back();
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      auto extract = cast<vector::ExtractOp>(user);
      // Where the vector was loaded: what it is read from may change.
      rewriter.setInsertionPoint(op);
      Value offset = arith::ConstantIndexOp::create(
          rewriter, loc, extract.getStaticPosition().front());
      indices.back() = arith::AddIOp::create(rewriter, loc, first, offset);
      rewriter.replaceOp(extract, memref::LoadOp::create(
                                      rewriter, loc, op.getBase(), indices));
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// A vector without dimensions is an element. Upstream moves it as a vector of
/// one, which needs neighbours next to each other in memory.
struct LoadElement : OpRewritePattern<vector::TransferReadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransferReadOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getVectorType().getRank() != 0 || op.getMask() ||
        !isa<MemRefType>(op.getBase().getType()))
      return failure();
    Value element = memref::LoadOp::create(rewriter, op.getLoc(), op.getBase(),
                                           op.getIndices());
    rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, op.getVectorType(),
                                                     element);
    return success();
  }
};
struct StoreElement : OpRewritePattern<vector::TransferWriteOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransferWriteOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getVectorType().getRank() != 0 || op.getMask() ||
        !isa<MemRefType>(op.getBase().getType()))
      return failure();
    Value element = vector::ExtractOp::create(
        rewriter, op.getLoc(), op.getVector(), ArrayRef<int64_t>());
    rewriter.replaceOpWithNewOp<memref::StoreOp>(op, element, op.getBase(),
                                                 op.getIndices());
    return success();
  }
};

/// A vector that reaches beyond the end of its buffer, where that is known:
/// what is inside is taken out and written. A masked store is many instructions
/// on some processors, and what reads after it waits until it is done.
struct WriteInside : OpRewritePattern<vector::TransferWriteOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransferWriteOp op,
                                PatternRewriter &rewriter) const override {
    auto buffer = dyn_cast<MemRefType>(op.getBase().getType());
    const VectorType type = op.getVectorType();
    if (!buffer || op.getMask() || !op.hasOutOfBoundsDim() ||
        !op.getPermutationMap().isMinorIdentity() || type.isScalable())
      return failure();
    const unsigned outer = buffer.getRank() - type.getRank();
    SmallVector<int64_t> sizes(type.getShape());
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      if (op.isDimInBounds(dim))
        continue;
      std::optional<int64_t> first =
          getConstantIntValue(op.getIndices()[outer + dim]);
      if (!first || buffer.isDynamicDim(outer + dim))
        return failure();
      size = std::min(size, buffer.getDimSize(outer + dim) - *first);
      if (size <= 0)
        return failure();
    }
    const SmallVector<int64_t> zeros(sizes.size(), 0), ones(sizes.size(), 1);
    Value inside = op.getVector();
    if (ArrayRef(sizes) != type.getShape())
      inside = vector::ExtractStridedSliceOp::create(
          rewriter, op.getLoc(), inside, zeros, sizes, ones);
    const SmallVector<bool> inBounds(sizes.size(), true);
    rewriter.replaceOpWithNewOp<vector::TransferWriteOp>(
        op, inside, op.getBase(), op.getIndices(), ArrayRef(inBounds));
    return success();
  }
};

/// A sum of products lane by lane, as of the squares of columns: no operand has
/// a dimension to broadcast along, for which upstream takes elements.
struct MultiplyLanes : OpRewritePattern<vector::ContractionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    const VectorType type = op.getLhsType();
    auto sums = dyn_cast<VectorType>(op.getAccType());
    if (!sums || op.isMasked() || op.getKind() != vector::CombiningKind::ADD ||
        maps[0] != maps[1] || type != op.getRhsType() ||
        type.getElementType() != sums.getElementType() ||
        maps[0].getResults().back() != maps[2].getResults().back())
      return failure();
    SmallVector<bool> isReduced;
    SmallVector<AffineExpr> kept;
    for (AffineExpr dim : maps[0].getResults()) {
      isReduced.push_back(!maps[2].getResultPosition(dim));
      if (!isReduced.back())
        kept.push_back(dim);
    }
    if (ArrayRef(kept) != maps[2].getResults())
      return failure();
    const Location loc = op.getLoc();
    Value products =
        isa<FloatType>(type.getElementType())
            ? arith::MulFOp::create(rewriter, loc, op.getLhs(), op.getRhs())
                  .getResult()
            : arith::MulIOp::create(rewriter, loc, op.getLhs(), op.getRhs())
                  .getResult();
    rewriter.replaceOpWithNewOp<vector::MultiDimReductionOp>(
        op, products, op.getAcc(), isReduced, op.getKind());
    return success();
  }
};

/// Upstream makes outer products of what has the rows on the left. Where the
/// first operand has the columns, as the image of a convolution with channels
/// outside, it takes operands and sums apart, element by element.
struct RowsFirst : OpRewritePattern<vector::ContractionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ContractionOp op,
                                PatternRewriter &rewriter) const override {
    const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<unsigned> parallel;
    for (auto [dim, type] : llvm::enumerate(op.getIteratorTypesArray()))
      if (type == vector::IteratorType::parallel)
        parallel.push_back(dim);
    if (parallel.size() != 2 || maps[2].getNumResults() != 2)
      return failure();
    const unsigned rows = parallel[0], columns = parallel[1];
    if (maps[0].isFunctionOfDim(rows) || !maps[0].isFunctionOfDim(columns) ||
        !maps[1].isFunctionOfDim(rows) || maps[1].isFunctionOfDim(columns))
      return failure();
    rewriter.replaceOpWithNewOp<vector::ContractionOp>(
        op, op.getRhs(), op.getLhs(), op.getAcc(),
        rewriter.getAffineMapArrayAttr({maps[1], maps[0], maps[2]}),
        op.getIteratorTypes(), op.getKind());
    return success();
  }
};

/// Elements that are gathered where they do not follow one another, as in a
/// column: an instruction has no factor for the distance.
struct GatherApart : OpRewritePattern<vector::GatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::GatherOp op,
                                PatternRewriter &rewriter) const override {
    auto memory = dyn_cast<MemRefType>(op.getBase().getType());
    DenseElementsAttr mask;
    if (!memory || memory.isLastDimUnitStride() ||
        op.getVectorType().getRank() != 1 || op.getVectorType().isScalable() ||
        !matchPattern(op.getMask(), m_Constant(&mask)) || !mask.isSplat() ||
        !mask.getSplatValue<bool>())
      return failure();
    const Location loc = op.getLoc();
    Value result = op.getPassThru();
    for (int64_t lane = 0; lane != op.getVectorType().getDimSize(0); ++lane) {
      Value number =
          vector::ExtractOp::create(rewriter, loc, op.getIndices(), lane);
      if (!number.getType().isIndex())
        number = arith::IndexCastOp::create(rewriter, loc,
                                            rewriter.getIndexType(), number);
      SmallVector<Value> place(op.getOffsets());
      place.back() = arith::AddIOp::create(rewriter, loc, place.back(), number);
      Value element =
          memref::LoadOp::create(rewriter, loc, op.getBase(), place);
      result = vector::InsertOp::create(rewriter, loc, element, result, lane);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct LowerVectors : sched::impl::LowerVectorsPassBase<LowerVectors> {
  using LowerVectorsPassBase::LowerVectorsPassBase;

  /// The patterns are collected once, not for every function.
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    // Dot products or parallel arithmetic reach a tenth of the speed.
    vector::populateVectorContractLoweringPatterns(
        set, vector::VectorContractLowering::OuterProduct);
    vector::populateVectorTransferPermutationMapLoweringPatterns(set);
    vector::populateVectorMultiReductionLoweringPatterns(
        set, vector::VectorMultiReductionLowering::InnerParallel);
    vector::populateFlattenVectorTransferPatterns(set, kShortRowBits,
                                                  /*benefit=*/10);
    VectorTransferToSCFOptions transfers;
    transfers.enableFullUnroll(true).setTargetRank(1);
    populateVectorToSCFConversionPatterns(set, transfers);
    vector::populateVectorTransferLoweringPatterns(set, /*maxTransferRank=*/1);
    vector::populateVectorShapeCastLoweringPatterns(set);
    sched::populateTransposeTilePatterns(set);
    sched::populateSumLanesPatterns(set, vectorBytes);
    sched::populateStridedReadPatterns(set, vectorBytes);
    set.add<VectorizeCopy, LoadElements, LoadElement, StoreElement, WriteInside,
            GatherApart>(context);
    set.add<MultiplyLanes, RowsFirst>(context, /*benefit=*/2);
    vector::populateVectorTransposeLoweringPatterns(
        set, vector::VectorTransposeLowering::Shuffle1D);
    vector::populateVectorOuterProductLoweringPatterns(set);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    // A shape cast is lowered to elements, and the canonical form of elements
    // in the order of another vector is a shape cast: the two would never end.
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (op.getStringRef() != vector::FromElementsOp::getOperationName())
        op.getCanonicalizationPatterns(set, context);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    if (vectorBytes > 0)
      sched::flattenShortRows(getOperation(), vectorBytes);
    if (failed(applyPatternsGreedily(getOperation(), patterns))) {
      getOperation()->emitError("vectors could not be lowered: the patterns "
                                "did not come to an end");
      signalPassFailure();
    }
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
