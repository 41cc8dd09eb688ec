//===- TileProduct.h - What threads do with tiles in shared memory *- C++
//-*-===//
//
// The inner part of a contraction: sums in registers, to which the product of
// two tiles is added. SimtProduct.cpp does it by fused multiply-adds,
// MatrixProduct.cpp by matrix instructions of a warp.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_TILEPRODUCT_H
#define SCHEDOPT_LIB_CODEGEN_TILEPRODUCT_H

#include "TileFetch.h"

namespace sched {

class TileProduct {
public:
  virtual ~TileProduct() = default;

  /// Rows of M and of N that threads read, if more than the tile has.
  virtual int64_t getCovered(unsigned side) const = 0;
  /// Reports tiles that cannot be read from shared memory as they are.
  virtual mlir::LogicalResult checkRows(const SharedTile & /*lhs*/,
                                        const SharedTile & /*rhs*/) {
    return mlir::success();
  }
  /// The sums at the start; failures have been reported.
  virtual mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  start(mlir::Value init) = 0;
  /// Adds the product of the tiles of a slot.
  virtual mlir::LogicalResult
  multiply(const SharedTile &lhs, const SharedTile &rhs, mlir::Value slot,
           llvm::SmallVector<mlir::Value> &sums) = 0;
  /// \name Operands that are loaded ahead
  /// A product that has parts takes each tile in so many, one after another:
  /// the operands of one are on their way to registers while those of the one
  /// before are multiplied, also from a tile to the next.
  /// @{
  virtual int64_t countParts() const { return 0; }
  virtual llvm::SmallVector<mlir::Value> loadPart(const SharedTile & /*lhs*/,
                                                  const SharedTile & /*rhs*/,
                                                  mlir::Value /*slot*/,
                                                  int64_t /*part*/) {
    return {};
  }
  virtual void multiplyPart(llvm::ArrayRef<mlir::Value> /*operands*/,
                            llvm::MutableArrayRef<mlir::Value> /*sums*/) {}
  /// @}
  /// After the last step, with the tiles' memory released: sums that threads
  /// share are added up, to `init` where `start` left it out.
  virtual mlir::LogicalResult
  finish(mlir::Value /*init*/, llvm::SmallVector<mlir::Value> & /*sums*/) {
    return mlir::success();
  }
  /// Matrix instructions of a warp in a step; 0: there are none.
  virtual int64_t countAtOnce() const { return 0; }
  /// The groups of elements that a thread has of the result.
  virtual mlir::LogicalResult forEach(llvm::ArrayRef<mlir::Value> sums,
                                      RegisterTensor::Body body) = 0;
};

/// None, and an error, where the options do not fit the tile.
std::unique_ptr<TileProduct> createSimtProduct(ContractionTile &tile);
std::unique_ptr<TileProduct> createMatrixProduct(ContractionTile &tile);

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_TILEPRODUCT_H
