//===- Compile.cpp - From MLIR to objects and assembly --------------------===//

#include "SchedOpt/Codegen/Compile.h"
#include "JoinNaNChecks.h"
#include "KeepScratch.h"
#include "LocatedMessage.h"
#include "Machine.h"
#include "OrderSteps.h"
#include "RequestTiles.h"
#include "SchedOpt/Codegen/CPU.h"
#include "SchedOpt/Codegen/JIT.h"
#include "SchedOpt/Support/DotProduct.h"
#include "SplitVectors.h"
#include "StageElements.h"
#include "WidenExtremes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace sched;

/// `_sched_packed_f(void **)` that calls `f` with the pointers of the array. As
/// these are loaded, a copy of `f` for them would gain nothing: where nothing
/// else calls it, `f` is not to be duplicated until it is optimised, or LLVM's
/// function specialisation asks how long each of its instructions takes before
/// it looks at the call.
static void addPackedWrapper(llvm::Function &function) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  auto *wrapper = llvm::Function::Create(
      FunctionType::get(Type::getVoidTy(context), {pointer}, false),
      GlobalValue::ExternalLinkage, getPackedName(function.getName()), module);
  IRBuilder<> builder(BasicBlock::Create(context, "", wrapper));
  SmallVector<Value *> arguments;
  for (auto [i, argument] : llvm::enumerate(function.args())) {
    Value *slot = builder.CreateConstGEP1_64(pointer, wrapper->getArg(0), i);
    Value *value = builder.CreateLoad(pointer, slot);
    // A scalar is passed by its address.
    if (!argument.getType()->isPointerTy())
      value = builder.CreateLoad(argument.getType(), value);
    arguments.push_back(value);
  }
  builder.CreateCall(&function, arguments);
  builder.CreateRetVoid();
  if (function.hasOneUse())
    function.addFnAttr(Attribute::NoDuplicate);
}

/// Values of bfloat16 become integers: LowerBFloat.cpp leaves nothing but moves
/// of them. LLVM would otherwise keep floats in registers, and round them by a
/// call of `__truncsfbf2`, which few runtimes have. Instructions on them take
/// them as what they are.
static void moveBFloatAsIntegers(mlir::ModuleOp module) {
  SmallVector<std::pair<mlir::OpOperand *, mlir::Type>> instructionOperands;
  module.walk([&](mlir::LLVM::CallIntrinsicOp op) {
    for (mlir::OpOperand &operand : op->getOpOperands())
      if (mlir::Type type = operand.get().getType();
          mlir::getElementTypeOrSelf(type).isBF16())
        instructionOperands.push_back({&operand, type});
  });
  const mlir::Type integer = mlir::IntegerType::get(module.getContext(), 16);
  mlir::AttrTypeReplacer types;
  types.addReplacement([&](mlir::BFloat16Type) { return integer; });
  auto convert = [&](mlir::Value value) {
    value.setType(types.replace(value.getType()));
  };
  module.walk([&](mlir::Operation *op) {
    if (op->getParentOfType<mlir::LLVM::GlobalOp>())
      return;
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments())
          convert(argument);
    for (mlir::Value result : op->getResults())
      convert(result);
    auto constant = dyn_cast<mlir::LLVM::ConstantOp>(op);
    if (!constant)
      return;
    if (auto value = dyn_cast<mlir::FloatAttr>(constant.getValue());
        value && value.getType().isBF16())
      constant.setValueAttr(
          mlir::IntegerAttr::get(integer, value.getValue().bitcastToAPInt()));
    else if (auto values =
                 dyn_cast<mlir::DenseElementsAttr>(constant.getValue());
             values && values.getElementType().isBF16())
      constant.setValueAttr(values.bitcast(integer));
  });
  for (auto [operand, type] : instructionOperands) {
    mlir::OpBuilder builder(operand->getOwner());
    operand->set(mlir::LLVM::BitcastOp::create(
        builder, operand->getOwner()->getLoc(), type, operand->get()));
  }
}

Expected<std::unique_ptr<Module>>
sched::compileToLLVM(mlir::ModuleOp module, LLVMContext &context,
                     const sched::Target &target, const CompileOptions &options,
                     CompileTimes *times) {
  Stopwatch watch;
  ErrorCollector errors(module.getContext());
  Expected<std::unique_ptr<TargetMachine>> machine =
      createMachine(target, options.optLevel);
  if (!machine)
    return machine.takeError();
  mlir::PassManager pm(module.getContext(), mlir::ModuleOp::getOperationName());
  pm.enableVerifier(options.verify);
  LowerToCPUOptions lowering;
  lowering.threads = std::max(1, options.threads);
  for (const std::string &feature : findDotProducts(target).features)
    lowering.dotProducts.push_back(feature);
  // A product takes its element out of a vector there.
  lowering.vectorBytes = target.byElement ? 0 : target.vectorBytes;
  lowering.vectorRegisters = target.vectorRegisters;
  lowering.widenHalf = addsHalfInFloat(target);
  lowering.prefetchAbove = target.getNearBytes();
  if (target.hasServerCache())
    lowering.l1Bytes = target.l1Bytes;
  lowering.prefetchFarAbove = target.getFarBytes();
  lowering.prefetchSlicesAbove = target.l2Bytes;
  if (Triple(target.triple).isX86()) {
    lowering.streamAbove = target.getKeptBytes();
    lowering.streamBesideAbove = target.getKeptBesideBytes();
    // Beside much larger ones, one thread gains by going past the caches.
    if (options.threads > 1)
      lowering.streamFarAbove = target.l3Bytes;
  }
  buildLowerToCPUPipeline(pm, lowering);
  if (mlir::failed(pm.run(module)))
    return errors.take("lowering to the LLVM dialect failed");
  watch.lap(times ? &times->lower : nullptr);

  moveBFloatAsIntegers(module);
  std::unique_ptr<Module> result =
      mlir::translateModuleToLLVMIR(module, context);
  if (!result)
    return errors.take("translation to LLVM IR failed");
  result->setDataLayout((*machine)->createDataLayout());
  result->setTargetTriple(Triple(target.triple));
  SmallVector<llvm::Function *> entries;
  for (llvm::Function &function : *result) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.mcpu);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    // LLVM prefers half the width on some processors, for fear of the clock.
    if (target.vectorBytes >= 64)
      function.addFnAttr("prefer-vector-width",
                         std::to_string(target.vectorBytes * 8));
    if (!function.hasLocalLinkage())
      entries.push_back(&function);
  }
  keepScratch(*result, /*releasable=*/options.packedWrapper);
  requestTiles(*result, /*callable=*/options.packedWrapper);
  if (options.packedWrapper)
    for (llvm::Function *function : entries)
      addPackedWrapper(*function);
  watch.lap(times ? &times->translate : nullptr);
  optimize(*result, **machine, options.optLevel);
  for (llvm::Function &function : *result)
    function.removeFnAttr(Attribute::NoDuplicate);
  if (lowering.widenHalf)
    widenExtremes(*result);
  splitVectorsBetweenBlocks(*result, target.vectorBytes);
  if (options.optLevel > 0) {
    orderSteps(*result);
    if ((*machine)->getTargetTriple().isX86())
      joinNaNChecks(*result);
    if (!target.byElement)
      stageElements(*result);
  }
  watch.lap(times ? &times->optimize : nullptr);
  return std::move(result);
}

Error sched::emitCode(Module &module, const sched::Target &target,
                      CodeFile kind, int optLevel,
                      SmallVectorImpl<char> &output) {
  Expected<std::unique_ptr<TargetMachine>> machine =
      createMachine(target, optLevel);
  if (!machine)
    return machine.takeError();
  raw_svector_ostream stream(output);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      kind == CodeFile::Object
                                          ? CodeGenFileType::ObjectFile
                                          : CodeGenFileType::AssemblyFile))
    return createStringError("LLVM cannot emit this kind of file for " +
                             target.triple);
  passes.run(module);
  return Error::success();
}

Error sched::compileToObject(mlir::ModuleOp module, const sched::Target &target,
                             const CompileOptions &options,
                             SmallVectorImpl<char> &object,
                             CompileTimes *times) {
  LLVMContext context;
  Expected<std::unique_ptr<Module>> llvmModule =
      compileToLLVM(module, context, target, options, times);
  if (!llvmModule)
    return llvmModule.takeError();
  Stopwatch watch;
  Error error = emitCode(**llvmModule, target, CodeFile::Object,
                         options.optLevel, object);
  watch.lap(times ? &times->codegen : nullptr);
  return error;
}
