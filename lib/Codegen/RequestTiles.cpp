//===- RequestTiles.cpp - Asks Linux for tile registers -------------------===//

#include "RequestTiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

/// See arch_prctl(2) and Linux's Documentation/arch/x86/xstate.rst.
static constexpr int64_t kArchPrctl = 158, kRequestPermission = 0x1023,
                         kTileData = 18;

void sched::requestTiles(Module &module, bool callable) {
  const Triple &triple = module.getTargetTriple();
  const bool usesTiles = llvm::any_of(module, [](const Function &function) {
    return function.getName().starts_with("llvm.x86.tile");
  });
  if (!usesTiles || !triple.isOSLinux() || triple.getArch() != Triple::x86_64)
    return;
  LLVMContext &context = module.getContext();
  Function *request = Function::Create(
      FunctionType::get(Type::getVoidTy(context), /*isVarArg=*/false),
      callable ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage,
      kRequestTilesName, module);
  IRBuilder<> builder(BasicBlock::Create(context, "", request));
  Type *word = builder.getInt64Ty();
  // A refusal shows where the first tile is used, as it would without asking.
  builder.CreateCall(
      InlineAsm::get(FunctionType::get(word, {word, word, word}, false),
                     "syscall",
                     "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory}",
                     /*hasSideEffects=*/true),
      {builder.getInt64(kArchPrctl), builder.getInt64(kRequestPermission),
       builder.getInt64(kTileData)});
  builder.CreateRetVoid();
  if (!callable)
    appendToGlobalCtors(module, request, /*Priority=*/65535);
}
