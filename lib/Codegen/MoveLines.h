//===- MoveLines.h - Pads, concatenations, gathers line by line -*- C++ -*-===//
//
// What only moves elements has nothing to tune: each byte is read and written
// once, in the order of memory, by all threads. So Decompose.cpp writes it as
// loops over lines of contiguous elements (LineWriter.h). All change nothing
// where they fail; loops run on at most `threads` threads.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_MOVELINES_H
#define SCHEDOPT_LIB_CODEGEN_MOVELINES_H

#include "LineWriter.h"
#include "SchedOpt/Codegen/Gathers.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace sched {

/// Whether `value` is computed for its only user, by an op that can write it
/// anywhere.
bool isComputedInPlace(mlir::Value value);

/// Whether `pad` is more than its source in dimension `dim`, or less.
bool isPadded(mlir::tensor::PadOp pad, int64_t dim);

/// The constant that `pad` pads with, put before it: it may be in the region,
/// which goes with the pad. Null if there is none.
mlir::Value takeOutPadding(mlir::tensor::PadOp pad);

/// Whether what is inside of dimension `dim` is worth a move of its own.
bool hasLongLines(mlir::RankedTensorType type, int64_t dim);

/// Replaces `pad` by loops. Fails where its result is not of constant sizes, or
/// borders are known at run time only in more than one dimension or in one
/// without long lines, or where
/// its source is computed for it alone, which is best written in the middle of
/// the result.
llvm::LogicalResult padByLines(mlir::IRRewriter &rewriter,
                               mlir::tensor::PadOp pad, int64_t threads);

/// Replaces `concat`, which is of constant sizes. A source that is computed for
/// it alone is written where it belongs; the others are copied by loops.
llvm::LogicalResult concatByLines(mlir::IRRewriter &rewriter,
                                  mlir::tensor::ConcatOp concat,
                                  int64_t threads);

/// Replaces `op` by loops. Fails where it is no gather of lines, or of elements
/// along one (isGatherByVectors).
llvm::LogicalResult gatherByLines(mlir::IRRewriter &rewriter,
                                  mlir::linalg::GenericOp op, int64_t threads);

/// A gather of lines. The innermost `lineDims` dimensions of what `extract`
/// reads are a line; all others are looked up, for each point of the
/// `outerDims` outer loops of `op`. Or one of single elements, which are looked
/// up one by one along the innermost loop, and there in the innermost dimension
/// of what is read alone: `lineDims` is 0, and all other loops are outer ones.
struct LineGather {
  mlir::linalg::GenericOp op;
  mlir::tensor::ExtractOp extract;
  int64_t lineDims = 0, outerDims = 0;

  bool isOfElements() const { return lineDims == 0; }
};

/// None where `op` is no gather of contiguous elements.
std::optional<LineGather> matchLineGather(mlir::linalg::GenericOp op);

/// None where `op` is no gather of single elements, or its lines are too short
/// for vectors, or an element is of a type whose vectors lie otherwise in
/// memory than its tensors.
std::optional<LineGather> matchElementGather(mlir::linalg::GenericOp op);

/// Either of them.
std::optional<LineGather> matchAnyGather(mlir::linalg::GenericOp op);

/// The `lanes` elements of a gather of such from `loops` on, as a vector. All
/// of these points are in the loops of the op.
mlir::Value gatherElements(mlir::OpBuilder &builder, const LineGather &gather,
                           mlir::ValueRange loops, int64_t lanes);

/// Writes all elements along the innermost loop of such a gather, by vectors,
/// to `dest`, of which `outer` is the place of the outer loops at `loops`.
mlir::Value writeElements(mlir::OpBuilder &builder, const LineGather &gather,
                          LineWriter &lines, mlir::Value dest,
                          LineWriter::Places outer,
                          llvm::ArrayRef<mlir::Value> loops);

/// Where the line of a point of the outer loops is: one place for each outer
/// dimension of what is read.
llvm::SmallVector<mlir::Value> findLine(mlir::OpBuilder &builder,
                                        const LineGather &gather,
                                        mlir::ValueRange loops);

/// Replaces `gather`, which is of constant sizes, by a generic op.
llvm::FailureOr<mlir::linalg::GenericOp>
generalizeGather(mlir::IRRewriter &rewriter, mlir::tensor::GatherOp gather);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_MOVELINES_H
