//===- SplitVectors.cpp - Odd vectors between basic blocks ----------------===//
//
// A step of Compile.cpp, on LLVM IR after it is optimised. Within a block, LLVM
// computes a vector of 24 floats in three AVX2 registers. From block to block,
// the accumulators of a reduction among them, it passes such a vector element
// by element, since 24 is no power of two: a 4 x 24 register tile then takes
// apart and rebuilds its 96 sums in every iteration. Three vectors of 8 it
// passes as they are. What is less than a register is passed in a vector of the
// next power of two, as that is what LLVM computes it in.
//
//===----------------------------------------------------------------------===//

#include "SplitVectors.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;

/// Where `phis` have values from `block` already, adds the same for one more
/// edge.
template <typename Range>
static bool copyKnownEdge(const Range &phis, BasicBlock *block) {
  bool isKnown = false;
  for (Value *value : phis) {
    auto *phi = cast<PHINode>(value);
    if (int edge = phi->getBasicBlockIndex(block); edge >= 0) {
      phi->addIncoming(phi->getIncomingValue(edge), block);
      isKnown = true;
    }
  }
  return isKnown;
}

namespace {
class Splitter {
public:
  Splitter(Function &function, unsigned registerBits)
      : function(function), registerBits(registerBits),
        builder(function.getContext()) {}

  void run() {
    SmallVector<PHINode *> phis;
    for (Instruction &instruction : instructions(function))
      if (auto *phi = dyn_cast<PHINode>(&instruction); phi && isOdd(*phi))
        phis.push_back(phi);
    // All of them first: they are incoming values of each other.
    for (PHINode *phi : phis)
      parts[phi] = makePhis(*phi);

    SmallVector<Instruction *> others;
    for (Instruction &instruction : instructions(function))
      if (!isa<PHINode>(instruction) && isOdd(instruction) &&
          llvm::any_of(instruction.uses(), isElsewhere))
        others.push_back(&instruction);
    for (Instruction *value : others) {
      builder.SetInsertPoint(value->getNextNode());
      parts[value] = split(*value);
    }

    for (PHINode *phi : phis)
      for (auto [incoming, block] :
           llvm::zip_equal(phi->incoming_values(), phi->blocks())) {
        // A switch may come here by several edges, with one value.
        if (copyKnownEdge(parts[phi], block))
          continue;
        builder.SetInsertPoint(block->getTerminator());
        auto known = parts.find(incoming);
        const SmallVector<Value *> values =
            known != parts.end() ? known->second : split(*incoming);
        for (auto [part, value] : llvm::zip_equal(parts[phi], values))
          cast<PHINode>(part)->addIncoming(value, block);
      }
    for (Instruction *value : others)
      joinElsewhere(*value);
    for (PHINode *phi : phis)
      joinElsewhere(*phi);
    for (PHINode *phi : phis)
      phi->replaceAllUsesWith(PoisonValue::get(phi->getType()));
    for (PHINode *phi : phis)
      phi->eraseFromParent();
  }

private:
  static unsigned getLength(const Value &value) {
    return cast<FixedVectorType>(value.getType())->getNumElements();
  }

  static bool isOdd(const Value &value) {
    auto *type = dyn_cast<FixedVectorType>(value.getType());
    return type && !isPowerOf2_32(type->getNumElements());
  }

  static bool isElsewhere(const Use &use) {
    const auto *user = cast<Instruction>(use.getUser());
    return isa<PHINode>(user) ||
           user->getParent() != cast<Instruction>(use.get())->getParent();
  }

  /// Lengths of the parts of `value`: whole registers, and the next power of
  /// two of what they leave over. Each begins where the ones before it end.
  SmallVector<unsigned> getPartLengths(const Value &value) const {
    const unsigned bits = std::max(1u, value.getType()->getScalarSizeInBits()),
                   lanes = llvm::bit_floor(std::max(1u, registerBits / bits));
    SmallVector<unsigned> lengths(getLength(value) / lanes, lanes);
    if (const unsigned rest = getLength(value) % lanes)
      lengths.push_back(llvm::bit_ceil(rest));
    return lengths;
  }

  SmallVector<Value *> makePhis(PHINode &phi) {
    SmallVector<Value *> result;
    builder.SetInsertPoint(&phi);
    for (unsigned length : getPartLengths(phi))
      result.push_back(builder.CreatePHI(
          FixedVectorType::get(phi.getType()->getScalarType(), length),
          phi.getNumIncomingValues()));
    return result;
  }

  SmallVector<Value *> split(Value &value) {
    const int end = static_cast<int>(getLength(value));
    SmallVector<Value *> result;
    int first = 0;
    for (unsigned length : getPartLengths(value)) {
      SmallVector<int> lanes(length, PoisonMaskElem);
      for (int &lane : lanes)
        lane = first < end ? first : PoisonMaskElem, ++first;
      result.push_back(builder.CreateShuffleVector(&value, lanes));
    }
    return result;
  }

  /// `values` one after the other, of which `type` has the first.
  Value *join(ArrayRef<Value *> values, FixedVectorType *type) {
    const unsigned length = type->getNumElements();
    unsigned end = 0;
    for (Value *part : values)
      end += getLength(*part);
    // Where there is something over, the whole in which LLVM computes.
    auto *wide = FixedVectorType::get(
        type->getElementType(), end == length ? end : llvm::bit_ceil(end));
    Value *whole = PoisonValue::get(wide);
    uint64_t lane = 0;
    for (Value *part : values) {
      whole = part->getType() == wide
                  ? part
                  : builder.CreateInsertVector(wide, whole, part, lane);
      lane += getLength(*part);
    }
    if (wide == type)
      return whole;
    return builder.CreateShuffleVector(
        whole, llvm::to_vector(llvm::seq<int>(0, length)));
  }

  /// What uses a value in another block, or a phi at all, uses its parts, put
  /// together once a block.
  void joinElsewhere(Instruction &value) {
    std::map<BasicBlock *, Value *> joined;
    SmallVector<Use *> uses;
    for (Use &use : value.uses()) {
      const auto *user = cast<Instruction>(use.getUser());
      // Phis have parts of their own by now; so has the value, by its own.
      if (isa<PHINode>(user) || llvm::is_contained(parts[&value], user))
        continue;
      if (isa<PHINode>(value) || user->getParent() != value.getParent())
        uses.push_back(&use);
    }
    for (Use *use : uses) {
      BasicBlock *block = cast<Instruction>(use->getUser())->getParent();
      Value *&whole = joined[block];
      if (!whole) {
        builder.SetInsertPoint(block, block->getFirstInsertionPt());
        whole = join(parts[&value], cast<FixedVectorType>(value.getType()));
      }
      use->set(whole);
    }
  }

  Function &function;
  const unsigned registerBits;
  IRBuilder<> builder;
  DenseMap<Value *, SmallVector<Value *>> parts;
};
} // namespace

/// Sums of several rows that start from a constant are an array from iteration
/// to iteration: passes its vectors instead.
static void splitArrays(Function &function) {
  SmallVector<PHINode *> phis;
  for (Instruction &instruction : instructions(function))
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      if (auto *type = dyn_cast<ArrayType>(phi->getType());
          type && type->getElementType()->isVectorTy())
        phis.push_back(phi);
  if (phis.empty())
    return;
  IRBuilder<> builder(function.getContext());
  for (PHINode *phi : phis) {
    auto *type = cast<ArrayType>(phi->getType());
    SmallVector<PHINode *> rows;
    builder.SetInsertPoint(phi);
    for (uint64_t i = 0; i != type->getNumElements(); ++i)
      rows.push_back(builder.CreatePHI(type->getElementType(),
                                       phi->getNumIncomingValues()));
    for (auto [value, block] :
         llvm::zip_equal(phi->incoming_values(), phi->blocks())) {
      if (copyKnownEdge(rows, block))
        continue;
      builder.SetInsertPoint(block->getTerminator());
      for (auto [i, row] : llvm::enumerate(rows)) {
        const unsigned index = i;
        Value *known = FindInsertedValue(value, index);
        row->addIncoming(
            known ? known : builder.CreateExtractValue(value, index), block);
      }
    }
    builder.SetInsertPoint(phi->getParent(),
                           phi->getParent()->getFirstInsertionPt());
    Value *whole = PoisonValue::get(type);
    for (auto [i, row] : llvm::enumerate(rows))
      whole = builder.CreateInsertValue(whole, row, i);
    phi->replaceAllUsesWith(whole);
    phi->eraseFromParent();
  }
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *extract = dyn_cast<ExtractValueInst>(&instruction))
      if (Value *known = FindInsertedValue(extract->getAggregateOperand(),
                                           extract->getIndices())) {
        extract->replaceAllUsesWith(known);
        extract->eraseFromParent();
      }
}

void sched::splitVectorsBetweenBlocks(Module &module, unsigned vectorBytes) {
  for (Function &function : module)
    if (!function.isDeclaration()) {
      splitArrays(function);
      Splitter(function, vectorBytes * 8).run();
    }
}
