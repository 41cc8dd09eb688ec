//===- UnsignedRows.cpp - Signed bytes that are copied anyway -------------===//

#include "UnsignedRows.h"
#include "Buffers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace sched;

/// Adds 128 to a signed byte, taken as an unsigned one.
static constexpr int8_t kSignBit = int8_t(0x80);

/// Whether it makes a view of the same elements, be it a thread's part of an
/// allocation of bytes.
static bool isViewOfElements(Operation *op) {
  if (auto bytes = dyn_cast<memref::ViewOp>(op))
    return getElementTypeOrSelf(bytes.getSource()) ==
           getElementTypeOrSelf(bytes.getType());
  return isView(op);
}

using Products = llvm::DenseMap<Operation *, NarrowContraction>;

namespace {
/// The uses of a buffer, through views.
class Uses {
public:
  explicit Uses(const Products &products) : products(products) {}

  /// Whether all are known, and all reads are the products' left-hand sides.
  bool collect(Value memory) {
    return llvm::all_of(memory.getUses(),
                        [&](OpOperand &use) { return collect(use); });
  }

  SmallVector<Operation *> writers, readers;

private:
  bool collect(OpOperand &use) {
    Operation *op = use.getOwner();
    if (isViewOfElements(op))
      return collect(op->getResult(0));
    if (isa<memref::DeallocOp, memref::PrefetchOp>(op))
      return true;
    if (isa<linalg::FillOp, linalg::CopyOp>(op)) {
      writers.push_back(op);
      // Others are converted on the way.
      return cast<linalg::LinalgOp>(op).isDpsInit(&use) &&
             getElementTypeOrSelf(op->getOperand(0)) ==
                 getElementTypeOrSelf(use.get());
    }
    if (auto write = dyn_cast<vector::TransferWriteOp>(op)) {
      writers.push_back(op);
      return use.get() == write.getBase();
    }
    auto read = dyn_cast<vector::TransferReadOp>(op);
    return read && collectRead(read);
  }

  bool collectRead(vector::TransferReadOp read) {
    if (read.getMask() || read.hasOutOfBoundsDim())
      return false;
    for (Operation *widening : read->getUsers()) {
      if (!isa<arith::ExtSIOp>(widening))
        return false;
      for (OpOperand &use : widening->getUses()) {
        auto found = products.find(use.getOwner());
        if (found == products.end())
          return false;
        NarrowContraction product = found->second;
        if (product.lhs != read.getVector() ||
            product.rhs == read.getVector() || use.get() == product.op.getAcc())
          return false;
        readers.push_back(use.getOwner());
      }
    }
    return true;
  }

  const Products &products;
};
} // namespace

/// Lets it write bytes with another sign bit.
static void flipSigns(Operation *writer) {
  ImplicitLocOpBuilder b(writer->getLoc(), writer);
  auto flip = [&](Value value) -> Value {
    const Type type = value.getType();
    TypedAttr bit = b.getI8IntegerAttr(kSignBit);
    if (auto vector = dyn_cast<VectorType>(type))
      bit = DenseElementsAttr::get(vector, Attribute(bit));
    return b.createOrFold<arith::XOrIOp>(value,
                                         arith::ConstantOp::create(b, bit));
  };
  if (auto write = dyn_cast<vector::TransferWriteOp>(writer)) {
    write.getValueToStoreMutable().assign(flip(write.getValueToStore()));
    return;
  }
  if (auto fill = dyn_cast<linalg::FillOp>(writer)) {
    fill.getInputsMutable().assign(flip(fill.getInputs().front()));
    return;
  }
  auto copy = cast<linalg::CopyOp>(writer);
  const unsigned rank =
      cast<MemRefType>(copy.getOutputs().front().getType()).getRank();
  const SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(rank));
  const SmallVector<utils::IteratorType> loops(rank,
                                               utils::IteratorType::parallel);
  linalg::GenericOp::create(
      b, copy.getInputs(), copy.getOutputs(), maps, loops,
      [&](OpBuilder &, Location, ValueRange elements) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(elements.front().getParentBlock());
        linalg::YieldOp::create(b, flip(elements.front()));
      });
  copy.erase();
}

llvm::DenseSet<Operation *>
sched::makeRowsUnsigned(llvm::ArrayRef<NarrowContraction> products) {
  Products candidates;
  llvm::DenseSet<Operation *> done;
  llvm::SetVector<Operation *> buffers;
  for (const NarrowContraction &product : products) {
    auto read = product.lhs.getDefiningOp<vector::TransferReadOp>();
    if (!read)
      continue;
    candidates.try_emplace(product.op, product);
    if (auto buffer = getRoot(read.getBase()).getDefiningOp<memref::AllocOp>())
      buffers.insert(buffer);
  }
  for (Operation *buffer : buffers) {
    Uses uses(candidates);
    if (!uses.collect(buffer->getResult(0)))
      continue;
    for (Operation *writer : uses.writers)
      flipSigns(writer);
    done.insert_range(uses.readers);
  }
  return done;
}
