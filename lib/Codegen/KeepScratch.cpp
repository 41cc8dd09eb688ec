//===- KeepScratch.cpp - Large buffers live from call to call -------------===//
//
// A step of Compile.cpp, on LLVM IR before it is optimised. A packed operand or
// an intermediate tensor is megabytes; C libraries map those anew for each
// allocation, and the kernel then pays a page fault for every 4 KiB: a quarter
// of the time of matmul + add 1024^3 with two such buffers.
//
//===----------------------------------------------------------------------===//

#include "KeepScratch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {
/// Smaller buffers come from the C library's heap, which keeps them.
constexpr uint64_t kLeastBytes = 64 << 10;
constexpr AtomicOrdering kOrdering = AtomicOrdering::AcquireRelease;

class Keeper {
public:
  explicit Keeper(Module &module)
      : module(module), builder(module.getContext()),
        pointer(PointerType::get(module.getContext(), 0)) {}

  void run() {
    Function *allocate = module.getFunction("aligned_alloc");
    Function *release = module.getFunction("free");
    if (!allocate || !release)
      return;
    SmallVector<CallInst *> calls;
    for (User *user : allocate->users())
      if (auto *call = dyn_cast<CallInst>(user))
        if (call->getCalledFunction() == allocate && isLarge(*call))
          calls.push_back(call);
    for (CallInst *call : calls)
      keep(*call, *release);
  }

  ArrayRef<GlobalVariable *> getSlots() const { return slots; }

  /// Empties `slot` and returns what was in it.
  Value *takeFrom(Value *slot) {
    return builder.CreateAtomicRMW(AtomicRMWInst::Xchg, slot,
                                   ConstantPointerNull::get(pointer),
                                   MaybeAlign(), kOrdering);
  }

  void defineRelease() {
    define(sched::kReleaseScratchName, Type::getVoidTy(module.getContext()), {},
           GlobalValue::ExternalLinkage);
    for (GlobalVariable *slot : slots)
      builder.CreateCall(module.getFunction("free"), takeFrom(slot));
    builder.CreateRetVoid();
  }

private:
  static bool isLarge(CallInst &call) {
    auto *bytes = dyn_cast<ConstantInt>(call.getArgOperand(1));
    return bytes && bytes->getZExtValue() >= kLeastBytes;
  }

  static SmallVector<CallInst *> getFrees(CallInst &call, Function &release) {
    SmallVector<CallInst *> frees;
    for (User *user : call.users())
      if (auto *free = dyn_cast<CallInst>(user))
        if (free->getCalledFunction() == &release)
          frees.push_back(free);
    return frees;
  }

  Function *define(StringRef name, Type *result, ArrayRef<Type *> arguments,
                   GlobalValue::LinkageTypes linkage) {
    Function *function = Function::Create(
        FunctionType::get(result, arguments, false), linkage, name, module);
    builder.SetInsertPoint(
        BasicBlock::Create(module.getContext(), "", function));
    return function;
  }

  /// `ptr take(ptr slot, size alignment, size bytes)`: the slot's buffer, or a
  /// new one where another call has it.
  Function *getTake(Function &allocate) {
    if (take)
      return take;
    Type *size = allocate.getArg(0)->getType();
    take = define("_sched_take", pointer, {pointer, size, size},
                  GlobalValue::InternalLinkage);
    Value *kept = takeFrom(take->getArg(0));
    BasicBlock *entry = builder.GetInsertBlock();
    BasicBlock *fresh = BasicBlock::Create(module.getContext(), "", take);
    BasicBlock *done = BasicBlock::Create(module.getContext(), "", take);
    builder.CreateCondBr(builder.CreateIsNull(kept), fresh, done);
    builder.SetInsertPoint(fresh);
    Value *made =
        builder.CreateCall(&allocate, {take->getArg(1), take->getArg(2)});
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    PHINode *phi = builder.CreatePHI(pointer, 2);
    phi->addIncoming(kept, entry);
    phi->addIncoming(made, fresh);
    builder.CreateRet(phi);
    return take;
  }

  /// `void give(ptr slot, ptr buffer)`: keeps the buffer for the next call.
  Function *getGive(Function &release) {
    if (give)
      return give;
    give = define("_sched_give", Type::getVoidTy(module.getContext()),
                  {pointer, pointer}, GlobalValue::InternalLinkage);
    Value *other =
        builder.CreateAtomicRMW(AtomicRMWInst::Xchg, give->getArg(0),
                                give->getArg(1), MaybeAlign(), kOrdering);
    builder.CreateCall(&release, other);
    builder.CreateRetVoid();
    return give;
  }

  void keep(CallInst &call, Function &release) {
    SmallVector<CallInst *> frees = getFrees(call, release);
    if (frees.empty())
      return;
    auto *slot = new GlobalVariable(
        module, pointer, /*isConstant=*/false, GlobalValue::InternalLinkage,
        ConstantPointerNull::get(pointer), "_sched_scratch");
    slots.push_back(slot);
    Function *taker = getTake(*call.getCalledFunction());
    Function *giver = getGive(release);
    builder.SetInsertPoint(&call);
    Value *buffer = builder.CreateCall(
        taker, {slot, call.getArgOperand(0), call.getArgOperand(1)});
    for (CallInst *free : frees) {
      builder.SetInsertPoint(free);
      builder.CreateCall(giver, {slot, buffer});
      free->eraseFromParent();
    }
    call.replaceAllUsesWith(buffer);
    call.eraseFromParent();
  }

  Module &module;
  IRBuilder<> builder;
  PointerType *pointer;
  Function *take = nullptr;
  Function *give = nullptr;
  SmallVector<GlobalVariable *> slots;
};
} // namespace

void sched::keepScratch(Module &module, bool releasable) {
  Keeper keeper(module);
  keeper.run();
  if (releasable && !keeper.getSlots().empty())
    keeper.defineRelease();
}
