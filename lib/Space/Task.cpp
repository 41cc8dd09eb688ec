//===- Task.cpp - What is tuned as one piece ------------------------------===//

#include "SchedOpt/Space/Task.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace sched;

StringRef sched::stringifyBlockRole(BlockRole role) {
  switch (role) {
  case BlockRole::Init:
    return "init";
  case BlockRole::Anchor:
    return "anchor";
  case BlockRole::Epilogue:
    return "epilogue";
  case BlockRole::Producer:
    return "producer";
  case BlockRole::Other:
    return "other";
  case BlockRole::Root:
    return "root";
  case BlockRole::Stage:
    return "stage";
  }
  llvm_unreachable("unknown role");
}

Target Task::getTarget(const Target &target) const {
  Target own = target;
  if (inParallel)
    own.threads = 1;
  return own;
}

func::FuncOp Task::getFunction() const {
  return *const_cast<OwningOpRef<ModuleOp> &>(module)
              ->getOps<func::FuncOp>()
              .begin();
}

static bool isArithmetic(Operation &op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op.getDialect()) &&
         !op.hasTrait<OpTrait::ConstantLike>() &&
         !isa<CastOpInterface, arith::SelectOp>(op);
}

std::string sched::toStringLiteral(llvm::StringRef text) {
  std::string literal;
  llvm::raw_string_ostream os(literal);
  os << '"';
  llvm::printEscapedString(text, os);
  os << '"';
  return literal;
}

double sched::countFlops(func::FuncOp function) {
  double flops = 0;
  function.walk([&](linalg::LinalgOp op) {
    double iterations = 1;
    for (int64_t extent : op.getStaticLoopRanges())
      iterations *= ShapedType::isDynamic(extent) ? 0 : extent;
    flops += iterations * llvm::count_if(*op.getBlock(), isArithmetic);
  });
  return flops;
}

/// Bits of one element in memory.
static int64_t getBits(Type type) {
  if (type.isIntOrFloat())
    return type.getIntOrFloatBitWidth();
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getBits(complex.getElementType());
  return 64;
}

int64_t sched::countBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return llvm::divideCeil(getBits(type), 8);
  return llvm::divideCeil(
      tensor.getNumElements() * getBits(tensor.getElementType()), 8);
}

/// Whether an op reads the contents of `value`, and not its shape alone.
static bool isRead(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return !op || op.payloadUsesValueFromOperand(&use);
  });
}

int64_t sched::countTrafficBytes(func::FuncOp function) {
  int64_t bytes = 0;
  for (Value argument : function.getArguments())
    if (isRead(argument))
      bytes += countBytes(argument.getType());
  for (Operation &op : function.getOps()) {
    DenseElementsAttr splat;
    if (op.hasTrait<OpTrait::ConstantLike>() &&
        isa<RankedTensorType>(op.getResult(0).getType()) &&
        !(matchPattern(&op, m_Constant(&splat)) && splat.isSplat()) &&
        isRead(op.getResult(0)))
      bytes += countBytes(op.getResult(0).getType());
  }
  for (Type type : function.getResultTypes())
    bytes += countBytes(type);
  return bytes;
}
