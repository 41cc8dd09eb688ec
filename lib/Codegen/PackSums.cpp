//===- PackSums.cpp - Sums of weights that are packed beforehand ----------===//
//
// Products of signed bytes on x86 add 128 times the sum of each column of the
// weights, which are taken off again (LowerDotProducts.cpp). Of weights whose
// layout is free, these sums do not change from one call to the next, either:
// the function that packs the weights computes them, and puts them behind,
// where OutlinePacking.cpp leaves room.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "CarriedSums.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Codegen/SymbolNames.h"
#include "SumsTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

namespace sched {
#define GEN_PASS_DEF_PACKSUMSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
/// An argument of a function, and the function that fills its buffer.
class PackedArgument {
public:
  /// None if nothing packs it, or it is not a flat buffer of bytes.
  static std::optional<PackedArgument>
  find(func::FuncOp function, unsigned position, const SymbolTable &symbols);

  /// Moves the sums of it into its buffer, as far as there is room.
  void moveSums();

private:
  PackedArgument(BlockArgument argument, func::FuncOp pack)
      : argument(argument), pack(pack) {}

  std::optional<int64_t> findEnd() const;
  void move(scf::ForOp nest, int64_t &end);

  BlockArgument argument;
  func::FuncOp pack;
};
} // namespace

std::optional<PackedArgument> PackedArgument::find(func::FuncOp function,
                                                   unsigned position,
                                                   const SymbolTable &symbols) {
  auto pack =
      symbols.lookup<func::FuncOp>(getPackName(function.getName(), position));
  BlockArgument argument = function.getArgument(position);
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!pack || pack.isDeclaration() || !pack.getBody().hasOneBlock() || !type ||
      !type.hasStaticShape() || type.getRank() != 1 ||
      !type.getElementType().isInteger(8) || !type.getLayout().isIdentity() ||
      pack.getNumArguments() != 2 || pack.getArgument(1).getType() != type)
    return std::nullopt;
  return PackedArgument(argument, pack);
}

/// Where what is packed ends; none where that cannot be told.
std::optional<int64_t> PackedArgument::findEnd() const {
  int64_t end = 0;
  for (Operation *user : argument.getUsers()) {
    auto part = dyn_cast<memref::SubViewOp>(user);
    if (!part || !part.hasUnitStride() ||
        ShapedType::isDynamic(part.getStaticOffset(0)) ||
        ShapedType::isDynamic(part.getStaticSize(0)))
      return std::nullopt;
    end = std::max(end, part.getStaticOffset(0) + part.getStaticSize(0));
  }
  return end;
}

/// Moves what `nest` sums up behind `end`, which moves on, if there is room.
void PackedArgument::move(scf::ForOp nest, int64_t &end) {
  std::optional<SumsTable> table =
      SumsTable::find(nest, argument.getOwner()->getParentOp());
  if (!table || table->getArguments() != ArrayRef<Value>(argument))
    return;
  const int64_t offset = llvm::alignTo(end, kLineBytes),
                last = offset + countBytes(table->getType());
  if (last > countBytes(cast<MemRefType>(argument.getType())))
    return;
  end = last;
  auto getTable = [&](ImplicitLocOpBuilder &b, Value buffer) {
    Value at = arith::ConstantIndexOp::create(b, offset);
    return memref::ViewOp::create(b, table->getType(), buffer, at,
                                  ValueRange());
  };
  nest->removeAttr(kSumsAttrName);
  Value filled = pack.getArgument(1);
  ImplicitLocOpBuilder b(nest.getLoc(), pack.getBody().front().getTerminator());
  IRMapping map;
  map.map(argument, filled);
  table->fill(getTable(b, filled), map, b);
  b.setInsertionPoint(nest);
  nest->replaceAllUsesWith(table->read(getTable(b, argument), b));
  nest.erase();
}

static SmallVector<scf::ForOp> collectSums(func::FuncOp function) {
  SmallVector<scf::ForOp> nests;
  function.walk([&](scf::ForOp nest) {
    if (nest->hasAttr(kSumsAttrName))
      nests.push_back(nest);
  });
  return nests;
}

void PackedArgument::moveSums() {
  std::optional<int64_t> end = findEnd();
  if (!end)
    return;
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  for (scf::ForOp nest : collectSums(function))
    move(nest, *end);
}

namespace {
struct PackSums : sched::impl::PackSumsPassBase<PackSums> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (unsigned i = 0, e = function.getBody().getNumArguments(); i != e;
           ++i)
        if (auto packed = PackedArgument::find(function, i, symbols))
          packed->moveSums();
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (scf::ForOp nest : collectSums(function)) {
        nest->removeAttr(kSumsAttrName);
        tabulateSums(nest);
      }
  }
};
} // namespace
