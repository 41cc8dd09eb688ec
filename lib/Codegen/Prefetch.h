//===- Prefetch.h - What passes that fetch ahead share ----------*- C++ -*-===//
//
// How far ahead to fetch, and how the place of a read is computed for another
// iteration.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_PREFETCH_H
#define SCHEDOPT_LIB_CODEGEN_PREFETCH_H

#include "Buffers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace sched {

/// Bytes that are fetched ahead, at least: what a core reads from memory while
/// one line is on its way.
constexpr int64_t kBytesAhead = 2048;

/// On the loops over a row that share what they fetch of another one, between
/// sched-prefetch-rows and sched-prefetch-slices.
constexpr llvm::StringLiteral kSharesRowAttrName = "sched.shares_row";

/// Whether `transfer` is of vectors along the elements of a buffer of at least
/// `minBytes` that is there before `loop`. `anyRows`: of any of its dimensions
/// besides, not only the last ones.
bool isInLargeBuffer(mlir::VectorTransferOpInterface transfer,
                     mlir::scf::ForOp loop, uint64_t minBytes,
                     bool anyRows = false);

/// Where a read or a write takes place, as something that can be computed anew.
class TransferPlace {
public:
  /// None if what computes the place of `transfer` inside of `loop` cannot be
  /// computed again, for any iteration: it may trap, or is carried from one
  /// iteration to the next.
  static std::optional<TransferPlace>
  get(mlir::VectorTransferOpInterface transfer, mlir::scf::ForOp loop);

  /// Whether the place changes with `index`, an index of `loop` or of a loop
  /// inside of it.
  bool dependsOn(mlir::Value index) const;

  /// The buffer and the indices in it for the iteration that `mapping` says.
  std::pair<mlir::Value, llvm::SmallVector<mlir::Value>>
  clone(mlir::OpBuilder &builder, mlir::IRMapping mapping) const;

private:
  TransferPlace(mlir::VectorTransferOpInterface transfer,
                llvm::SetVector<mlir::Operation *> steps)
      : buffer(transfer.getBase()), indices(transfer.getIndices()),
        steps(std::move(steps)) {}

  mlir::Value buffer;
  llvm::SmallVector<mlir::Value> indices;
  /// In their order.
  llvm::SetVector<mlir::Operation *> steps;
};

/// Iterations of `loop`, at most; none if that is not known, or they are no
/// indices.
std::optional<int64_t> countTrips(mlir::scf::ForOp loop);

/// The indices of `loops`, innermost first, `ahead` iterations of the first one
/// later, which are no more than it has: where it ends, in the next iteration
/// of the second one, and so on. At the end of all of them, any iteration.
mlir::IRMapping getLater(mlir::OpBuilder &builder, mlir::Location loc,
                         llvm::ArrayRef<mlir::scf::ForOp> loops, int64_t ahead);

/// `loops`, innermost first, up to the first whose bounds are computed: those
/// that `getLater` takes.
llvm::ArrayRef<mlir::scf::ForOp>
takeCountable(llvm::ArrayRef<mlir::scf::ForOp> loops);

/// Which of how many iterations of several loops one is.
struct Turn {
  /// From 0, of `operands` as dimensions.
  mlir::AffineExpr number;
  llvm::SmallVector<mlir::Value> operands;
  /// At most, where the bounds of loops are computed.
  int64_t count = 1;

  /// In the iterations of `loops`, innermost first. `asIfUncut`: where a bound
  /// is computed, as at the border of an image, the iterations count that it
  /// leaves out, which needs no arithmetic.
  static std::optional<Turn> get(mlir::Builder &builder,
                                 llvm::ArrayRef<mlir::scf::ForOp> loops,
                                 bool asIfUncut = false);
};

/// The lines of the cache that a vector has, as a grid of places.
struct LineGrid {
  /// For each dimension of the vector: how many places, and how many elements
  /// they are apart.
  llvm::SmallVector<int64_t> counts, steps;

  explicit LineGrid(mlir::VectorType type);
  /// Fetches them, where the vector is at `begins` in `buffer`. `locality` and
  /// `isWrite` as of `memref.prefetch`: 3 is the first level of caches, 2 the
  /// second one.
  void prefetch(mlir::OpBuilder &builder, mlir::Location loc,
                mlir::Value buffer, llvm::ArrayRef<mlir::Value> begins,
                unsigned locality, bool isWrite = false) const;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_PREFETCH_H
