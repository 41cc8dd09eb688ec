//===- Places.cpp - Arguments that are places in a tensor -----------------===//

#include "Places.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

using namespace mlir;
using namespace sched;

namespace {
/// Finds the values that places are made of.
class PlaceFinder {
public:
  PlaceFinder(func::FuncOp function, MutableArrayRef<TensorSpec> specs)
      : function(function), module(function->getParentOfType<ModuleOp>()),
        specs(specs) {}

  void run() {
    Operation *root = module ? module.getOperation() : function;
    root->walk([&](Operation *op) { addPlaces(op); });
    while (!open.empty())
      follow(open.pop_back_val());
  }

private:
  /// `value` is a place below `below`, or made of such.
  void add(Value value, int64_t below) {
    if (ShapedType::isDynamic(below) || below <= 0 ||
        !getElementTypeOrSelf(value.getType()).isIntOrIndex())
      return;
    auto [entry, isNew] = known.try_emplace(value, below);
    if (!isNew && entry->second <= below)
      return;
    entry->second = below;
    open.push_back(value);
  }

  void addIndices(RankedTensorType tensor, ValueRange indices) {
    for (auto [index, extent] : llvm::zip_equal(indices, tensor.getShape()))
      add(index, extent);
  }

  template <typename SliceOp> void addOffsets(SliceOp op, Type whole) {
    for (auto [offset, size, extent] :
         llvm::zip_equal(op.getMixedOffsets(), op.getStaticSizes(),
                         cast<RankedTensorType>(whole).getShape()))
      if (auto value = dyn_cast<Value>(offset); value &&
                                                !ShapedType::isDynamic(size) &&
                                                !ShapedType::isDynamic(extent))
        add(value, extent - size + 1);
  }

  void addPlaces(Operation *op) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      if (auto type = dyn_cast<RankedTensorType>(extract.getTensor().getType()))
        addIndices(type, extract.getIndices());
    } else if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
      addIndices(insert.getDest().getType(), insert.getIndices());
    } else if (auto gather = dyn_cast<tensor::GatherOp>(op)) {
      for (int64_t dim : gather.getGatherDims())
        add(gather.getIndices(), gather.getSourceType().getDimSize(dim));
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      addOffsets(slice, slice.getSourceType());
    } else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
      addOffsets(slice, slice.getDestType());
    }
  }

  void follow(Value value) {
    const int64_t below = known.lookup(value);
    if (auto argument = dyn_cast<BlockArgument>(value))
      followArgument(argument, below);
    else
      followResult(cast<OpResult>(value), below);
  }

  void followArgument(BlockArgument argument, int64_t below) {
    Operation *owner = argument.getOwner()->getParentOp();
    const unsigned number = argument.getArgNumber();
    if (owner == function) {
      int64_t &least = specs[number].below;
      least = least == 0 ? below : std::min(least, below);
    } else if (auto callee = dyn_cast<func::FuncOp>(owner)) {
      if (auto uses = SymbolTable::getSymbolUses(callee, module))
        for (const SymbolTable::SymbolUse &use : *uses)
          if (auto call = dyn_cast<func::CallOp>(use.getUser()))
            add(call.getOperand(number), below);
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(owner)) {
      add(owner->getOperand(number), below);
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(owner)) {
      if (OpOperand *start = loop.getTiedLoopInit(argument))
        add(start->get(), below);
      if (OpOperand *next = loop.getTiedLoopYieldedValue(argument))
        add(next->get(), below);
    }
  }

  void followResult(OpResult result, int64_t below) {
    Operation *op = result.getOwner();
    const unsigned number = result.getResultNumber();
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (callee && !callee.isExternal())
        add(callee.getBody().back().getTerminator()->getOperand(number), below);
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      add(linalgOp.getBlock()->getTerminator()->getOperand(number), below);
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      // As what an iteration starts from, which the next one is made of.
      if (BlockArgument element = loop.getTiedLoopRegionIterArg(result))
        add(element, below);
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      add(extract.getTensor(), below);
    } else if (auto gather = dyn_cast<tensor::GatherOp>(op)) {
      add(gather.getSource(), below);
    } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
      add(select.getTrueValue(), below);
      add(select.getFalseValue(), below);
    } else if (isa_and_present<arith::ArithDialect>(op->getDialect())
                   ? !isa<arith::CmpIOp>(op)
                   : isa_and_present<tensor::TensorDialect>(op->getDialect())) {
      // Arithmetic, and other shapes of the same elements.
      for (Value operand : op->getOperands())
        if (isa<TensorType>(operand.getType()) ==
            isa<TensorType>(result.getType()))
          add(operand, below);
    }
  }

  func::FuncOp function;
  ModuleOp module;
  MutableArrayRef<TensorSpec> specs;
  llvm::DenseMap<Value, int64_t> known;
  SmallVector<Value> open;
};
} // namespace

void sched::findPlaces(func::FuncOp function,
                       MutableArrayRef<TensorSpec> specs) {
  PlaceFinder(function, specs).run();
}
