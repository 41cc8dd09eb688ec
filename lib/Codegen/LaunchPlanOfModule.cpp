//===- LaunchPlanOfModule.cpp - What a module of kernels launches ---------===//
//
// Reads the functions that launch kernels. They are straight-line code of a few
// kinds of ops; anything else could not be written down as a plan.
//
//===----------------------------------------------------------------------===//

#include "ElementTypes.h"
#include "KernelUses.h"
#include "LocatedMessage.h"
#include "SchedOpt/Codegen/LaunchPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace sched;

static llvm::Error fail(Operation *op, const llvm::Twine &message) {
  return llvm::createStringError(printLocated(op->getLoc(), message));
}

static llvm::Expected<LaunchBuffer> describe(Operation *op, Type type,
                                             LaunchBuffer::Role role) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || !buffer.hasStaticShape() || !buffer.getLayout().isIdentity() ||
      !buffer.getElementType().isIntOrIndexOrFloat()) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return fail(op, "a kernel's buffer has type " + text +
                        "; expected a memref of static shape, identity layout "
                        "and elements that are numbers");
  }
  LaunchBuffer result;
  result.role = role;
  llvm::raw_string_ostream(result.type)
      << RankedTensorType::get(buffer.getShape(), buffer.getElementType());
  result.bytes =
      buffer.getNumElements() * getElementBytes(buffer.getElementType());
  return result;
}

/// The buffer that a view of all of it is of.
static Value getBuffer(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::MemorySpaceCastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// A size of a launch; nothing where it is not a constant of 32 bits.
static std::optional<uint32_t> getSize(Value value) {
  llvm::APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) || !constant.isIntN(32))
    return std::nullopt;
  return uint32_t(constant.getZExtValue());
}

namespace {
/// Builds the plan of one function.
class FunctionReader {
public:
  FunctionReader(func::FuncOp function, SymbolTableCollection &symbols)
      : function(function), symbols(symbols) {}

  llvm::Expected<LaunchFunction> read() {
    if (!function.getBody().hasOneBlock())
      return fail(function, "launches kernels in more than one block; expected "
                            "straight-line code");
    findWritten();
    LaunchFunction result;
    result.name = function.getName().str();
    for (BlockArgument argument : function.getArguments())
      if (llvm::Error error =
              add(result, function, argument,
                  written.contains(argument) ? LaunchBuffer::Role::Output
                                             : LaunchBuffer::Role::Input))
        return std::move(error);
    for (auto alloc : function.getOps<memref::AllocOp>())
      if (llvm::Error error =
              add(result, alloc, alloc, LaunchBuffer::Role::Scratch))
        return std::move(error);
    for (Operation &op : function.getBody().front()) {
      if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
        llvm::Expected<KernelLaunch> read = readLaunch(launch);
        if (!read)
          return read.takeError();
        result.launches.push_back(std::move(*read));
      } else if (!isa<func::ReturnOp, memref::AllocOp, memref::DeallocOp,
                      memref::CastOp, memref::CollapseShapeOp,
                      memref::ExpandShapeOp, memref::MemorySpaceCastOp,
                      arith::ConstantOp>(op)) {
        return fail(&op, "'" + op.getName().getStringRef() +
                             "' stands among the launches of @" +
                             function.getName() +
                             "; expected buffers and launches only");
      }
    }
    return result;
  }

private:
  /// The buffers that a kernel writes to.
  void findWritten() {
    for (auto launch : function.getOps<gpu::LaunchFuncOp>()) {
      auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
          launch, launch.getKernel());
      for (auto [i, operand] : llvm::enumerate(launch.getKernelOperands()))
        if (!kernel || !isReadOnly(kernel, i))
          written.insert(getBuffer(operand));
    }
  }

  llvm::Error add(LaunchFunction &result, Operation *op, Value value,
                  LaunchBuffer::Role role) {
    llvm::Expected<LaunchBuffer> buffer = describe(op, value.getType(), role);
    if (!buffer)
      return buffer.takeError();
    if (!result.buffers.empty() && role < result.buffers.back().role)
      return fail(op, "argument #" + llvm::Twine(result.buffers.size()) +
                          " of @" + function.getName() +
                          " is only read, but stands after a result; expected "
                          "inputs, then results");
    positions[value] = result.buffers.size();
    result.buffers.push_back(std::move(*buffer));
    return llvm::Error::success();
  }

  llvm::Expected<KernelLaunch> readLaunch(gpu::LaunchFuncOp launch) {
    KernelLaunch result;
    result.kernel = launch.getKernelName().str();
    const gpu::KernelDim3 grid = launch.getGridSizeOperandValues(),
                          block = launch.getBlockSizeOperandValues();
    for (auto [sizes, values] :
         {std::pair(&result.grid, &grid), std::pair(&result.block, &block)}) {
      const Value all[] = {values->x, values->y, values->z};
      for (auto [i, value] : llvm::enumerate(all)) {
        std::optional<uint32_t> size = getSize(value);
        if (!size || *size == 0)
          return fail(launch, "launch of @" + result.kernel +
                                  " has a size that is no positive constant "
                                  "of 32 bits; expected constants");
        (*sizes)[i] = *size;
      }
    }
    if (Value shared = launch.getDynamicSharedMemorySize()) {
      std::optional<uint32_t> bytes = getSize(shared);
      if (!bytes)
        return fail(launch, "launch of @" + result.kernel +
                                " has dynamic shared memory of a size that is "
                                "no constant; expected a constant");
      result.sharedBytes = *bytes;
    }
    for (Value operand : launch.getKernelOperands()) {
      auto it = positions.find(getBuffer(operand));
      if (it == positions.end())
        return fail(launch, "launch of @" + result.kernel +
                                " takes a value that is no buffer of @" +
                                function.getName() +
                                "; expected an argument or a memref.alloc");
      result.arguments.push_back(it->second);
    }
    return result;
  }

  func::FuncOp function;
  SymbolTableCollection &symbols;
  llvm::DenseMap<Value, uint32_t> positions;
  llvm::DenseSet<Value> written;
};
} // namespace

llvm::Expected<LaunchPlan> sched::getLaunchPlan(ModuleOp module,
                                                llvm::StringRef chip) {
  LaunchPlan plan;
  plan.chip = chip.str();
  SymbolTableCollection symbols;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isDeclaration() || !function.isPublic())
      continue;
    llvm::Expected<LaunchFunction> read =
        FunctionReader(function, symbols).read();
    if (!read)
      return read.takeError();
    plan.functions.push_back(std::move(*read));
  }
  return plan;
}
