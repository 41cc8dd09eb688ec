//===- OutlineTiles.cpp - A function for each shape of tiles --------------===//
//
// A step before LowerTileProducts.cpp. LLVM gives a tile register one shape in
// all of a function, so products of lower tiles, or of fewer steps, can have
// such registers only where all others agree (TileShape.h). The layers of a
// network do not: so those whose tiles are not whole move to functions of their
// own.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "NarrowContraction.h"
#include "SchedOpt/Codegen/Passes.h"
#include "TileShape.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace sched {
#define GEN_PASS_DEF_OUTLINETILESPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// The products in each op of the body of `function`.
static llvm::MapVector<Operation *, SmallVector<NarrowContraction>>
collectNests(func::FuncOp function, const DotProducts &dots) {
  llvm::MapVector<Operation *, SmallVector<NarrowContraction>> nests;
  Block &body = function.getBody().front();
  for (const NarrowContraction &product : collectTileProducts(function, dots))
    nests[body.findAncestorOpInBlock(*product.op)].push_back(product);
  return nests;
}

/// What `nest` uses of the function around it, and, in their order, the ops
/// that can be computed again in front of it: views, constants, numbers.
static std::pair<llvm::SetVector<Value>, SmallVector<Operation *>>
collectUses(Operation *nest) {
  llvm::SetVector<Value> uses(nest->operand_begin(), nest->operand_end());
  getUsedValuesDefinedAbove(nest->getRegions(), uses);
  llvm::SetVector<Value> captured;
  llvm::SetVector<Operation *> again;
  for (unsigned i = 0; i != uses.size(); ++i) {
    Operation *op = uses[i].getDefiningOp();
    if (!op || op->getNumRegions() != 0 || !isPure(op)) {
      captured.insert(uses[i]);
      continue;
    }
    again.insert(op);
    uses.insert(op->operand_begin(), op->operand_end());
  }
  SmallVector<Operation *> ordered(again.begin(), again.end());
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return {captured, ordered};
}

/// Whether a function can take `value` as a pointer, which overlaps no other
/// one, or a number.
static bool isArgument(Value value) {
  auto memory = dyn_cast<MemRefType>(value.getType());
  return memory ? memory.hasStaticShape() && memory.getLayout().isIdentity() &&
                      isOwnBuffer(value)
                : value.getType().isIntOrIndexOrFloat();
}

/// Moves `nest` to a function of its own, which is called in its place, if a
/// function can take what it uses.
static void outline(Operation *nest, SymbolTable &symbols) {
  auto around = nest->getParentOfType<func::FuncOp>();
  const Location loc = nest->getLoc();
  const auto [captured, again] = collectUses(nest);
  if (nest->getNumResults() != 0 || !llvm::all_of(captured, isArgument))
    return;
  OpBuilder builder(around);
  const SmallVector<Type> types(
      llvm::map_range(captured, [](Value value) { return value.getType(); }));
  auto function =
      func::FuncOp::create(builder, loc, (around.getName() + "_tiles").str(),
                           builder.getFunctionType(types, {}));
  function.setPrivate();
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  symbols.insert(function);
  Block *body = function.addEntryBlock();
  for (auto [i, value] : llvm::enumerate(captured))
    if (isa<MemRefType>(value.getType()))
      function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
  builder.setInsertionPoint(nest);
  func::CallOp::create(builder, loc, function, captured.getArrayRef());

  IRMapping mapping;
  mapping.map(captured.getArrayRef(), body->getArguments());
  builder.setInsertionPointToStart(body);
  for (Operation *op : again)
    builder.clone(*op, mapping);
  builder.clone(*nest, mapping);
  func::ReturnOp::create(builder, loc);
  nest->erase();
}

namespace {
struct OutlineTiles : sched::impl::OutlineTilesPassBase<OutlineTiles> {
  using OutlineTilesPassBase::OutlineTilesPassBase;

  void runOnOperation() override {
    DotProducts dots;
    llvm::append_range(dots.features, instructions);
    SymbolTable symbols(getOperation());
    for (func::FuncOp function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (function.isDeclaration() || !function.getBody().hasOneBlock())
        continue;
      auto nests = collectNests(function, dots);
      if (nests.empty())
        continue;
      const TileShape together =
          chooseTileShape(collectTileProducts(function, dots));
      if (llvm::all_of(nests, [&](const auto &nest) {
            return chooseTileShape(nest.second) == together;
          }))
        continue;
      for (auto &[nest, products] : nests)
        if (!(chooseTileShape(products) == TileShape()))
          outline(nest, symbols);
    }
  }
};
} // namespace
