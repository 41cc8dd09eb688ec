//===- OrderSteps.cpp - Unrolled reductions step by step ------------------===//
//
// A contraction of vectors is lowered row by row, each with all of its steps,
// so that every vector of the right-hand side would have to stay in a register
// until the last row. See OrderSteps.h. Called by Compile.cpp.
//
//===----------------------------------------------------------------------===//

#include "OrderSteps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The sum that `instruction` adds to, if it multiplies and adds vectors: FMAs,
/// and the instructions of LowerDotProducts.cpp and LowerSquareProducts.cpp.
static Value *getAccumulator(Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || !call->getType()->isVectorTy())
    return nullptr;
  switch (call->getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return call->getArgOperand(2);
  case Intrinsic::x86_avx512bf16_dpbf16ps_128:
  case Intrinsic::x86_avx512bf16_dpbf16ps_256:
  case Intrinsic::x86_avx512bf16_dpbf16ps_512:
  case Intrinsic::x86_avx512_vpdpbusd_128:
  case Intrinsic::x86_avx512_vpdpbusd_256:
  case Intrinsic::x86_avx512_vpdpbusd_512:
  case Intrinsic::x86_avx2_vpdpbssd_128:
  case Intrinsic::x86_avx2_vpdpbssd_256:
  case Intrinsic::x86_avx2_vpdpbuud_128:
  case Intrinsic::x86_avx2_vpdpbuud_256:
  case Intrinsic::aarch64_neon_sdot:
  case Intrinsic::aarch64_neon_udot:
  case Intrinsic::aarch64_neon_usdot:
  case Intrinsic::aarch64_neon_bfdot:
  case Intrinsic::aarch64_neon_smmla:
  case Intrinsic::aarch64_neon_ummla:
  case Intrinsic::aarch64_neon_usmmla:
  case Intrinsic::aarch64_neon_bfmmla:
    return call->getArgOperand(0);
  default:
    return nullptr;
  }
}

namespace {
/// Instructions in a row that may change places as far as their operands allow.
class Segment {
public:
  void add(Instruction &instruction) {
    waiting.insert(&instruction);
    order.push_back(&instruction);
    Value *sum = getAccumulator(instruction);
    if (!sum)
      return;
    const unsigned step = steps.lookup(sum) + 1;
    steps[&instruction] = step;
    Value *factor = nullptr;
    for (Value *operand : instruction.operands())
      // Of whatever vector the element is taken.
      if (auto *shuffle = dyn_cast<ShuffleVectorInst>(operand);
          shuffle && shuffle->getMaskValue(0) >= 0 &&
          all_equal(shuffle->getShuffleMask()))
        factor = operand;
    if (factor && factorSteps.try_emplace(factor, step).first->second != step)
      (factor == lastFactor ? sharesFactors : strewsFactors) = true;
    lastFactor = factor;
    if (step > multiplications.size())
      multiplications.emplace_back();
    multiplications[step - 1].push_back(&instruction);
  }

  /// Moves all of them before `end`.
  void writeBefore(Instruction &end) {
    if (multiplications.size() > 1 && (!sharesFactors || strewsFactors)) {
      for (ArrayRef<Instruction *> step : multiplications)
        for (Instruction *instruction : step)
          place(*instruction, end);
      for (Instruction *instruction : order)
        place(*instruction, end);
    }
    *this = Segment();
  }

private:
  /// `instruction` after what it needs. Chains are as deep as one step.
  void place(Instruction &instruction, Instruction &end) {
    if (!waiting.erase(&instruction))
      return;
    for (Value *operand : instruction.operands())
      if (auto *needed = dyn_cast<Instruction>(operand))
        place(*needed, end);
    instruction.moveBefore(end.getIterator());
  }

  SmallVector<Instruction *> order;
  /// By their steps.
  SmallVector<SmallVector<Instruction *>, 8> multiplications;
  /// Those that have not been placed yet.
  DenseSet<Instruction *> waiting;
  /// How many multiplications of this segment a sum has behind it.
  DenseMap<Value *, unsigned> steps;
  /// The step of the first multiplication by an element, and the element of the
  /// last one. Where there are others in further steps, and all of them follow
  /// one another, the order is SharePixels.cpp's, of columns of a window that
  /// share pixels. Pixels that LLVM finds to be the same are strewn instead.
  DenseMap<Value *, unsigned> factorSteps;
  Value *lastFactor = nullptr;
  bool sharesFactors = false, strewsFactors = false;
};
} // namespace

void sched::orderSteps(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function) {
      Segment segment;
      for (Instruction &instruction : make_early_inc_range(block)) {
        if (isa<PHINode>(instruction))
          continue;
        // Reads do not pass writes.
        if (instruction.isTerminator() || instruction.mayHaveSideEffects() ||
            instruction.mayWriteToMemory())
          segment.writeBefore(instruction);
        else
          segment.add(instruction);
      }
    }
}
