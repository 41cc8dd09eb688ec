//===- ElementReader.h - Elements of tensors, computed where needed -*- C++
//-*-===//
//
// Emits the code for some element of a tensor of the payload. Elements that are
// in memory or registers are taken from there. Views (slices, reshapes, pads,
// transpositions) turn the place into one in their source, and elementwise ops
// are inlined. So producers are fused without a copy.
//
// A guard says where the element is needed: where it does not hold, memory is
// not touched, and the element is any value. Failures have been reported, and
// are null values.
//
// Read next: KernelState.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_CODEGEN_ELEMENTREADER_H
#define SCHEDOPT_LIB_CODEGEN_ELEMENTREADER_H

#include "KernelState.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <map>
#include <vector>

namespace sched {

class ElementReader {
public:
  explicit ElementReader(KernelState &state) : state(state) {}

  /// The lanes at `indices`: a scalar, or a vector of `lanes.width`.
  mlir::Value read(mlir::Value tensor, llvm::ArrayRef<mlir::Value> indices,
                   Lanes lanes = {}, mlir::Value guard = {});

  /// What a linalg op reads of an operand at one point of its loops, or at
  /// `width` points along `laneLoop`: a scalar where that changes nothing.
  mlir::Value readOperand(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                          llvm::ArrayRef<mlir::Value> loops, int64_t laneLoop,
                          int64_t width, mlir::Value guard);
  /// The value of linalg.index there.
  mlir::Value getLoopIndex(llvm::ArrayRef<mlir::Value> loops, int64_t loop,
                           int64_t laneLoop, int64_t width);

  /// Tells what the elements at `indices` are: a stage has computed them.
  void provide(mlir::Value tensor, llvm::ArrayRef<mlir::Value> indices,
               Lanes lanes, mlir::Value elements);

  /// A place in memory: what the lanes are when they are only moved there.
  struct Place {
    mlir::Value memory, position;
    /// Where it does not hold, the element is zero.
    mlir::Value inside;
  };
  /// Follows views, and pads by zeros, to memory. None if something has to be
  /// computed, if lanes are apart, or if only some of them may be padding.
  std::optional<Place> findPlace(mlir::Value tensor,
                                 llvm::ArrayRef<mlir::Value> indices,
                                 Lanes lanes);
  /// Elements of vectors that can be moved at once there, at most `limit`.
  int64_t getWidth(const Place &place, int64_t limit) const;

  /// Forgets what was read: the payload's scalars have got other values.
  void forget() { cache.clear(); }

  /// What is there; zero where it is not inside.
  mlir::Value loadPlace(const Place &place, Lanes lanes, mlir::Value guard);

  /// Size of a dimension as a value of the kernel; its facts have the bound.
  mlir::Value getSize(mlir::Value tensor, int64_t dim);
  /// A scalar of the payload.
  mlir::Value getScalar(mlir::Value scalar);
  mlir::Value getScalar(mlir::OpFoldResult scalar);

  /// Loads or stores lanes at a position of flat memory, by vectors as wide as
  /// alignment allows.
  mlir::Value load(mlir::Value memory, mlir::Value position, int64_t width);
  void store(mlir::Value elements, mlir::Value memory, mlir::Value position);
  mlir::Value getPosition(const MemoryView &view,
                          llvm::ArrayRef<mlir::Value> indices);

  /// `index` + `lane`, of which it remembers where it comes from.
  mlir::Value getLaneIndex(mlir::Value index, int64_t lane);
  mlir::Value splat(mlir::Value scalar, int64_t width);
  mlir::Value extract(mlir::Value vector, int64_t lane);
  /// Lanes [begin, begin + width) of a vector.
  mlir::Value slice(mlir::Value vector, int64_t begin, int64_t width);
  mlir::Value join(llvm::ArrayRef<mlir::Value> elements);

  /// Emits an op of scalars, on vectors of `width` if an operand is one.
  /// `values` maps its operands and gets its results.
  mlir::LogicalResult
  emitScalarOp(mlir::Operation *op, int64_t width,
               llvm::DenseMap<mlir::Value, mlir::Value> &values,
               mlir::Value guard);

private:
  /// Keeps the ranges of indices that an op of the payload has computed, and
  /// marks the kernel where they may have more than 32 bits.
  void noteIndices(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                   mlir::ValueRange results);
  void checkIndex(mlir::Value index);

  mlir::Value readElement(mlir::Value tensor,
                          llvm::ArrayRef<mlir::Value> indices, Lanes lanes,
                          mlir::Value guard);
  mlir::Value readLanes(mlir::Value tensor, llvm::ArrayRef<mlir::Value> indices,
                        Lanes lanes, mlir::Value guard);
  mlir::Value readRegisters(mlir::Value tensor, RegisterTensor &tile,
                            llvm::ArrayRef<mlir::Value> indices, Lanes lanes);
  mlir::Value readPadded(mlir::Operation *op,
                         llvm::ArrayRef<mlir::Value> indices, Lanes lanes,
                         mlir::Value guard);
  mlir::Value readInserted(mlir::Operation *op,
                           llvm::ArrayRef<mlir::Value> indices, Lanes lanes,
                           mlir::Value guard);
  mlir::Value readConcatenated(mlir::tensor::ConcatOp op,
                               llvm::ArrayRef<mlir::Value> indices, Lanes lanes,
                               mlir::Value guard);
  mlir::Value readGenerated(mlir::Operation *op,
                            llvm::ArrayRef<mlir::Value> indices, Lanes lanes,
                            mlir::Value guard);
  mlir::Value readElementwise(mlir::linalg::LinalgOp op, unsigned result,
                              llvm::ArrayRef<mlir::Value> indices, Lanes lanes,
                              mlir::Value guard);
  mlir::Value readConstant(mlir::Value tensor,
                           llvm::ArrayRef<mlir::Value> indices, Lanes lanes,
                           mlir::Value guard);
  /// One step through a view. False if the tensor is none, or if its lanes are
  /// apart in its source.
  bool step(mlir::Value &tensor, llvm::SmallVectorImpl<mlir::Value> &indices,
            Lanes &lanes);
  /// Where lanes of a padded tensor are inside of its source. False if only
  /// some of them may be.
  bool enterPad(mlir::Operation *op,
                llvm::SmallVectorImpl<mlir::Value> &indices, Lanes lanes,
                mlir::Value &inside);

  KernelState &state;
  /// What was read before, by block: code in it, or in a block inside of it,
  /// can use it again.
  using Key = std::vector<const void *>;
  llvm::DenseMap<mlir::Block *, std::map<Key, mlir::Value>> cache;
  mlir::Value findCached(const Key &key);
  void keep(Key key, mlir::Value value);
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, int64_t>> laneOf;
};

} // namespace sched

#endif // SCHEDOPT_LIB_CODEGEN_ELEMENTREADER_H
