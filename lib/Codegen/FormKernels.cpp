//===- FormKernels.cpp - Loops over blocks become kernels -----------------===//
//
// Each `scf.forall` at the top of a function on tensors becomes a kernel, and
// the function becomes one on buffers that launches them in order. The code of
// a block is BlockEmitter's; here are the kernels' arguments, grids and
// buffers.
//
// Read next: KernelState.h, BlockEmitter.h.
//
//===----------------------------------------------------------------------===//

#include "BlockCoverage.h"
#include "BlockEmitter.h"
#include "ElementTypes.h"
#include "LocatedMessage.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SimtOptions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

namespace sched {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

namespace {
/// One function of the input, on its way to kernels and a host function.
class FunctionFormer {
public:
  FunctionFormer(func::FuncOp function, gpu::GPUModuleOp module,
                 const Target &target)
      : function(function), module(module), target(target), builder(function) {}

  LogicalResult run();

private:
  LogicalResult checkOps();
  LogicalResult placeResults();
  LogicalResult formKernel(scf::ForallOp loop);
  FailureOr<Value> computeGrid(scf::ForallOp loop, KernelState &state,
                               int64_t &blocks);
  /// Buffers of the function that a loop may read.
  llvm::SetVector<Value> findInputs(scf::ForallOp loop);

  func::FuncOp function;
  gpu::GPUModuleOp module;
  const Target &target;
  OpBuilder builder;
  func::FuncOp host;
  /// Of inputs and of loops' results.
  llvm::DenseMap<Value, Value> buffers;
  unsigned kernels = 0;
};
} // namespace

static MemRefType getBufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

/// Follows views that keep all elements in their order.
static Value skipReshapes(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            op))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

LogicalResult FunctionFormer::checkOps() {
  if (failed(checkElementTypes(function)))
    return failure();
  const FunctionType type = function.getFunctionType();
  for (Type each :
       llvm::concat<const Type>(type.getInputs(), type.getResults())) {
    auto tensor = dyn_cast<RankedTensorType>(each);
    if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding() ||
        tensor.getNumElements() == 0)
      return function.emitError("a function for a GPU takes and returns dense "
                                "tensors of static shape with at least one "
                                "element; found ")
             << each;
  }
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("a function for a GPU has no branches");
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (isa<scf::ForallOp>(op) || op.getNumRegions() == 0 ||
        isa<linalg::LinalgOp, tensor::PadOp>(op))
      continue;
    return op.emitError("a kernel has no form for this op: expected loops over "
                        "blocks, linalg and tensor ops");
  }
  return success();
}

LogicalResult FunctionFormer::placeResults() {
  Operation *terminator = function.getBody().front().getTerminator();
  const unsigned inputs = function.getNumArguments();
  for (auto [i, returned] : llvm::enumerate(terminator->getOperands())) {
    const Value source = skipReshapes(returned);
    if (!source.getDefiningOp<scf::ForallOp>() || buffers.count(source))
      return terminator->emitError("result ")
             << i << " is not computed by a loop over blocks of its own; run "
             << "sched-bind-blocks before";
    buffers[source] = host.getArgument(inputs + i);
  }
  return success();
}

LogicalResult FunctionFormer::run() {
  if (failed(checkOps()))
    return failure();
  const Location loc = function.getLoc();
  SmallVector<Type> types;
  const FunctionType type = function.getFunctionType();
  for (Type each :
       llvm::concat<const Type>(type.getInputs(), type.getResults()))
    types.push_back(getBufferType(each));
  host = func::FuncOp::create(builder, loc, function.getName(),
                              builder.getFunctionType(types, {}));
  host.setVisibility(function.getVisibility());
  Block *entry = host.addEntryBlock();
  for (auto [argument, buffer] :
       llvm::zip(function.getArguments(), entry->getArguments()))
    buffers[argument] = buffer;
  if (failed(placeResults()))
    return failure();
  builder.setInsertionPointToEnd(entry);
  for (auto loop : function.getBody().getOps<scf::ForallOp>())
    if (failed(formKernel(loop)))
      return failure();
  func::ReturnOp::create(builder, loc);
  function.erase();
  return success();
}

llvm::SetVector<Value> FunctionFormer::findInputs(scf::ForallOp loop) {
  llvm::SetVector<Value> inputs, seen;
  SmallVector<Value> open;
  auto visit = [&](Operation *root) {
    root->walk([&](Operation *op) {
      for (Value operand : op->getOperands()) {
        Operation *owner = operand.getParentBlock()->getParentOp();
        if (owner == function && seen.insert(operand))
          open.push_back(operand);
      }
    });
  };
  visit(loop);
  while (!open.empty()) {
    const Value value = open.pop_back_val();
    if (buffers.count(value))
      inputs.insert(value);
    else if (Operation *op = value.getDefiningOp();
             op && !isa<scf::ForallOp>(op))
      visit(op);
  }
  // In the function's order.
  llvm::SetVector<Value> ordered;
  for (Value argument : function.getArguments())
    if (inputs.contains(argument))
      ordered.insert(argument);
  ordered.insert_range(inputs);
  return ordered;
}

/// Number of the block in the order of the loop. Blocks run in the order of
/// their own numbers, more or less: taken in groups of a few rows, column by
/// column, those that run together read few rows and columns of the operands,
/// which the second level of cache then has.
static FailureOr<Value> orderBlocks(scf::ForallOp loop, KernelState &state,
                                    Value block, int64_t blocks) {
  SmallVector<int64_t> raster;
  Operation *owner = nullptr;
  const WalkResult found = loop.getBody()->walk([&](linalg::LinalgOp op) {
    const FailureOr<SimtOptions> options = SimtOptions::get(op);
    if (failed(options))
      return WalkResult::interrupt();
    if (options->raster.empty())
      return WalkResult::advance();
    if (owner && options->raster != raster) {
      InFlightDiagnostic error = op.emitError("sched.simt: raster is [");
      llvm::interleaveComma(options->raster, error);
      error << "], and another op of the block has [";
      llvm::interleaveComma(raster, error);
      error << "]; expected one order of the blocks";
      error.attachNote(owner->getLoc()) << "the other op";
      return WalkResult::interrupt();
    }
    raster = options->raster;
    owner = op;
    return WalkResult::advance();
  });
  if (found.wasInterrupted())
    return failure();
  if (!owner)
    return block;
  const int64_t columns = raster[1], rows = blocks / columns,
                group = std::min(raster[0], rows);
  if (blocks % columns != 0)
    return owner->emitError("sched.simt: raster is of rows of ")
           << columns << " blocks, and the grid has " << blocks
           << "; expected a number that divides it";
  if (group == 1 || columns == 1)
    return block;
  IndexMath &index = state.index;
  const Value within = index.remainder(block, group * columns);
  Value row = index.remainder(within, group),
        column = index.divide(within, group);
  // The last rows may be fewer.
  if (const int64_t rest = rows % group; rest != 0) {
    const Value isWhole =
        index.less(block, index.constant((rows - rest) * columns));
    row = index.select(isWhole, row, index.remainder(within, rest));
    column = index.select(isWhole, column, index.divide(within, rest));
  }
  row = index.add(row,
                  index.multiply(index.divide(block, group * columns), group));
  const Value ordered = index.add(index.multiply(row, columns), column);
  state.index.setFacts(ordered, {0, blocks - 1, 1});
  return ordered;
}

FailureOr<Value> FunctionFormer::computeGrid(scf::ForallOp loop,
                                             KernelState &state,
                                             int64_t &blocks) {
  const unsigned rank = loop.getRank();
  const std::optional<ArrayAttr> mapping = loop.getMapping();
  // Loops from the slowest to the fastest.
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq(rank));
  if (mapping && !mapping->empty()) {
    SmallVector<int64_t> ids;
    for (Attribute each : *mapping) {
      auto block = dyn_cast<gpu::GPUBlockMappingAttr>(each);
      if (!block)
        return loop.emitError("a kernel's loop is mapped to blocks; found ")
               << each;
      ids.push_back(block.getMappingId());
    }
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return ids[a] != ids[b] ? ids[a] > ids[b] : a < b;
    });
  }
  SmallVector<int64_t> trips(rank), lows(rank), steps(rank);
  blocks = 1;
  for (unsigned i = 0; i != rank; ++i) {
    const auto low = getConstantIntValue(loop.getMixedLowerBound()[i]),
               high = getConstantIntValue(loop.getMixedUpperBound()[i]),
               step = getConstantIntValue(loop.getMixedStep()[i]);
    if (!low || !high || !step || *high <= *low || *step <= 0)
      return loop.emitError("a kernel's loop has constant bounds and at least "
                            "one iteration");
    lows[i] = *low;
    steps[i] = *step;
    trips[i] = llvm::divideCeil(*high - *low, *step);
    blocks *= trips[i];
    if (blocks > INT32_MAX)
      return loop.emitError("a kernel's loop has more than 2^31 - 1 blocks");
  }
  const Value block =
      gpu::BlockIdOp::create(state.builder, state.loc, gpu::Dimension::x);
  state.index.setFacts(block, {0, blocks - 1, 1});
  SmallVector<int64_t> sizes;
  for (unsigned i : order)
    sizes.push_back(trips[i]);
  const FailureOr<Value> ordered = orderBlocks(loop, state, block, blocks);
  if (failed(ordered))
    return failure();
  const SmallVector<Value> ids = state.index.delinearize(*ordered, sizes);
  for (auto [i, id] : llvm::zip_equal(order, ids))
    state.scalars[loop.getInductionVar(i)] =
        state.index.add(state.index.multiply(id, steps[i]), lows[i]);
  return block;
}

/// The least that the loop or one of its ops asks for; these are valid.
static std::optional<int64_t> findMaxRegisters(scf::ForallOp loop) {
  std::optional<int64_t> least;
  loop->walk([&](Operation *op) {
    const FailureOr<SimtOptions> options = SimtOptions::get(op);
    if (succeeded(options) && options->maxRegisters)
      least = std::min(*options->maxRegisters,
                       least.value_or(*options->maxRegisters));
  });
  return least;
}

LogicalResult FunctionFormer::formKernel(scf::ForallOp loop) {
  const Location loc = loop.getLoc();
  MLIRContext *context = builder.getContext();
  const FailureOr<int64_t> blockSize = BlockEmitter::getBlockSize(loop);
  if (failed(SimtOptions::get(loop)) || failed(blockSize))
    return failure();
  const llvm::SetVector<Value> inputs = findInputs(loop);
  SmallVector<Value> tensors(inputs.getArrayRef());
  for (OpResult result : loop->getResults()) {
    Value &buffer = buffers[result];
    if (!buffer)
      buffer = memref::AllocOp::create(builder, loc,
                                       getBufferType(result.getType()));
    tensors.push_back(result);
  }
  SmallVector<Type> types;
  for (Value tensor : tensors)
    types.push_back(buffers[tensor].getType());

  OpBuilder kernelBuilder(context);
  kernelBuilder.setInsertionPointToEnd(module.getBody());
  const std::string name =
      (function.getName() + "_kernel_" + Twine(kernels++)).str();
  auto kernel = gpu::GPUFuncOp::create(kernelBuilder, loc, name,
                                       FunctionType::get(context, types, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  if (const auto most = findMaxRegisters(loop))
    kernel->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                    builder.getI32IntegerAttr(*most));

  KernelState state(kernel, loc, *blockSize, target);
  SmallVector<Operation *> flat;
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    auto type = cast<RankedTensorType>(tensor.getType());
    const Value argument = kernel.getArgument(i);
    const int64_t count = type.getNumElements();
    auto cast = memref::ReinterpretCastOp::create(
        state.builder, loc, MemRefType::get({count}, type.getElementType()),
        argument, /*offset=*/0, /*sizes=*/ArrayRef<int64_t>{count},
        /*strides=*/ArrayRef<int64_t>{1});
    flat.push_back(cast);
    MemoryView view;
    view.memory = cast.getResult();
    view.strides = computeSuffixProduct(type.getShape());
    state.memory[tensor] = view;
    kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
    kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(16));
    if (i < inputs.size())
      kernel.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                        builder.getUnitAttr());
  }
  int64_t blocks = 0;
  if (failed(computeGrid(loop, state, blocks)) || failed(checkCoverage(loop)))
    return failure();
  ElementReader reader(state);
  if (failed(BlockEmitter(state, reader).emit(loop)))
    return failure();
  gpu::ReturnOp::create(state.builder, loc);
  const int64_t bytes = state.shared.getBytes(),
                limit = target.gpu.maxBlockSharedBytes;
  if (bytes > limit) {
    InFlightDiagnostic error = loop.emitError("a block needs ");
    error << bytes << " bytes of shared memory; " << target.mcpu
          << " has at most " << limit << ": use smaller tiles or fewer stages";
    markBeyondLimit(*error.getUnderlyingDiagnostic());
    return error;
  }

  // Arguments that nothing reads.
  llvm::BitVector unused(tensors.size());
  SmallVector<Value> arguments;
  for (auto [i, cast] : llvm::enumerate(flat)) {
    if (!cast->use_empty()) {
      arguments.push_back(buffers[tensors[i]]);
      continue;
    }
    cast->erase();
    unused.set(i);
  }
  if (failed(kernel.eraseArguments(unused)))
    return failure();
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({int32_t(*blockSize), 1, 1}));
  kernel.setKnownGridSizeAttr(
      builder.getDenseI32ArrayAttr({int32_t(blocks), 1, 1}));

  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  const Value one = constant(1);
  const Value shared =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(bytes));
  gpu::LaunchFuncOp::create(
      builder, loc, kernel, gpu::KernelDim3{constant(blocks), one, one},
      gpu::KernelDim3{constant(*blockSize), one, one}, shared, arguments);
  return success();
}

namespace {
struct FormKernelsPass : sched::impl::FormKernelsPassBase<FormKernelsPass> {
  using FormKernelsPassBase::FormKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::Expected<Target> target = Target::parse("nvvm:" + chip);
    if (!target) {
      // Of an option, not of the module, which would be printed.
      emitError(module.getLoc(), llvm::toString(target.takeError()));
      return signalPassFailure();
    }
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    UnitAttr::get(&getContext()));
    OpBuilder builder(&getContext());
    builder.setInsertionPointToStart(module.getBody());
    auto kernels =
        gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (function.isDeclaration())
        continue;
      if (failed(FunctionFormer(function, kernels, *target).run()))
        return signalPassFailure();
    }
  }
};
} // namespace
