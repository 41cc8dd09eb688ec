//===- GatherLines.cpp - Rows of a table line by line ---------------------===//
//
// A gather is a `tensor.gather`, or a generic op that does nothing but read a
// tensor at places that it computes. Where the places of the innermost
// dimensions are those of the loops, as in a look-up of rows, what is read is a
// line for each point of the outer loops. Read next: Decompose.cpp.
//
//===----------------------------------------------------------------------===//

#include "GatherPlaces.h"
#include "LineWriter.h"
#include "MoveLines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace mlir;
using namespace sched;

static bool isStatic(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.hasStaticShape();
}

tensor::ExtractOp sched::matchGather(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op->getNumResults() != 1 || !op.isAllParallelLoops() ||
      !cast<linalg::LinalgOp>(*op).hasOnlyProjectedPermutations() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return {};
  auto extract = op.getBlock()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract->getBlock() != op.getBlock() ||
      !isStatic(extract.getTensor()))
    return {};
  return extract;
}

/// How many of the innermost dimensions `extract` reads at the places of as
/// many innermost loops, all of the dimension.
static int64_t countLineDimensions(linalg::GenericOp op,
                                   tensor::ExtractOp extract) {
  const SmallVector<int64_t> loops = op.getStaticLoopRanges();
  const ArrayRef<int64_t> extents =
      cast<RankedTensorType>(extract.getTensor().getType()).getShape();
  int64_t count = 0;
  for (auto [place, extent, loop] :
       llvm::zip(llvm::reverse(extract.getIndices()), llvm::reverse(extents),
                 llvm::reverse(loops))) {
    auto index = place.getDefiningOp<linalg::IndexOp>();
    if (!index || index.getDim() != loops.size() - 1 - count || extent != loop)
      break;
    ++count;
  }
  return count;
}

std::optional<LineGather> sched::matchLineGather(linalg::GenericOp op) {
  tensor::ExtractOp extract = matchGather(op);
  if (!extract)
    return std::nullopt;
  LineGather gather{op, extract, countLineDimensions(op, extract)};
  gather.outerDims = op.getNumLoops() - gather.lineDims;
  const ValueRange places =
      ValueRange(extract.getIndices()).drop_back(gather.lineDims);
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  if (result.getNumElements() == 0 || gather.lineDims == 0 ||
      dependsOnLoops(op, places, gather.outerDims))
    return std::nullopt;
  return gather;
}

SmallVector<Value> sched::findLine(OpBuilder &builder, const LineGather &gather,
                                   ValueRange loops) {
  PlaceWriter writer(builder, gather.op, loops);
  SmallVector<Value> line;
  tensor::ExtractOp extract = gather.extract;
  for (Value place :
       ValueRange(extract.getIndices()).drop_back(gather.lineDims))
    line.push_back(writer.get(place));
  return line;
}

LogicalResult sched::gatherByLines(IRRewriter &rewriter, linalg::GenericOp op,
                                   int64_t threads) {
  auto gather = matchAnyGather(op);
  if (!gather)
    return failure();
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, op.getLoc(), result.getShape(), result.getElementType());
  LineWriter lines(rewriter, op, threads);
  const std::function<Value(Value, LineWriter::Places, ArrayRef<Value>)> write =
      [&](Value dest, LineWriter::Places outer,
          ArrayRef<Value> loops) -> Value {
    const int64_t dim = outer.size();
    if (dim < gather->outerDims)
      return lines.loop(
          dest, outer, 0, result.getDimSize(dim), 1,
          [&](Value own, LineWriter::Places place, OpFoldResult number) {
            SmallVector<Value> inside(loops);
            inside.push_back(
                getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), number));
            return write(own, place, inside);
          });
    if (gather->isOfElements())
      return writeElements(rewriter, *gather, lines, dest, outer, loops);
    SmallVector<OpFoldResult> place(outer);
    SmallVector<OpFoldResult> from =
        getAsOpFoldResult(findLine(rewriter, *gather, loops));
    place.push_back(lines.index(0));
    from.push_back(lines.index(0));
    return lines.copy(dest, place, gather->extract.getTensor(), from,
                      result.getDimSize(dim));
  };
  rewriter.replaceOp(op, write(empty, {}, {}));
  return success();
}

FailureOr<linalg::GenericOp> sched::generalizeGather(IRRewriter &rewriter,
                                                     tensor::GatherOp gather) {
  const RankedTensorType result = gather.getResultType(),
                         table = gather.getSourceType(),
                         indices = gather.getIndicesType();
  if (!result.hasStaticShape() || !table.hasStaticShape() ||
      !indices.hasStaticShape())
    return failure();
  const Location loc = gather.getLoc();
  const int64_t rank = result.getRank(), batch = indices.getRank() - 1;
  // Dimensions that are looked up may be left out of the result.
  const bool isReduced =
      rank == batch + table.getRank() - int64_t(gather.getGatherDims().size());
  Value empty = tensor::EmptyOp::create(rewriter, loc, result.getShape(),
                                        result.getElementType());
  const AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
  // Single elements of a line: their places are read side by side.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  if (table.getRank() == 1 && isReduced && batch > 0) {
    SmallVector<ReassociationIndices> groups(batch);
    for (int64_t dim = 0; dim != batch; ++dim)
      groups[dim].push_back(dim);
    groups.back().push_back(batch);
    inputs.push_back(tensor::CollapseShapeOp::create(
        rewriter, loc, gather.getIndices(), groups));
    maps.push_back(identity);
  }
  maps.push_back(identity);
  auto op = linalg::GenericOp::create(
      rewriter, loc, TypeRange(result), inputs, ValueRange(empty), maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location, ValueRange arguments) {
        SmallVector<Value> coordinate, places(table.getRank());
        for (int64_t dim = 0; dim != batch; ++dim)
          coordinate.push_back(linalg::IndexOp::create(builder, loc, dim));
        coordinate.emplace_back();
        for (auto [number, dim] : llvm::enumerate(gather.getGatherDims())) {
          coordinate.back() =
              arith::ConstantIndexOp::create(builder, loc, number);
          Value place =
              inputs.empty()
                  ? Value(tensor::ExtractOp::create(
                        builder, loc, gather.getIndices(), coordinate))
                  : arguments.front();
          if (!place.getType().isIndex())
            place = arith::IndexCastOp::create(builder, loc,
                                               builder.getIndexType(), place);
          places[dim] = place;
        }
        int64_t loop = batch;
        for (Value &place : places) {
          if (!place)
            place = linalg::IndexOp::create(builder, loc, loop++);
          else if (!isReduced)
            ++loop;
        }
        Value element =
            tensor::ExtractOp::create(builder, loc, gather.getSource(), places);
        linalg::YieldOp::create(builder, loc, element);
      });
  rewriter.replaceOp(gather, op);
  return op;
}
