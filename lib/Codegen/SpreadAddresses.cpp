//===- SpreadAddresses.cpp - Addresses as variables plus a constant -------===//

#include "KernelTypes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace {
/// Variables with their factors, and a constant.
struct Sum {
  llvm::MapVector<Value, int64_t> terms;
  int64_t constant = 0;
  bool isTooLarge = false;

  /// Adds `factor` times `value`, taken apart as far as nothing overflows.
  void add(Value value, int64_t factor) {
    if (!llvm::isInt<31>(factor)) {
      isTooLarge = true;
      return;
    }
    if (std::optional<int64_t> number = getConstant(value)) {
      constant += factor * *number;
      return;
    }
    Operation *op = value.getDefiningOp();
    auto flags = dyn_cast_or_null<LLVM::IntegerOverflowFlagsInterface>(op);
    if (flags && flags.hasNoSignedWrap()) {
      Value lhs = op->getOperand(0), rhs = op->getOperand(1);
      if (isa<LLVM::AddOp, LLVM::SubOp>(op)) {
        add(lhs, factor);
        return add(rhs, isa<LLVM::SubOp>(op) ? -factor : factor);
      }
      std::optional<int64_t> number = getConstant(rhs);
      if (isa<LLVM::MulOp>(op) && !number) {
        number = getConstant(lhs);
        lhs = rhs;
      }
      if (isa<LLVM::MulOp>(op) && number && llvm::isInt<31>(*number))
        return add(lhs, factor * *number);
      if (isa<LLVM::ShlOp>(op) && number && *number >= 0 && *number < 31)
        return add(lhs, factor << *number);
    }
    terms[value] += factor;
  }

private:
  static std::optional<int64_t> getConstant(Value value) {
    llvm::APInt number;
    if (!matchPattern(value, m_ConstantInt(&number)))
      return std::nullopt;
    return number.getSExtValue();
  }
};
} // namespace

void sched::spreadAddresses(gpu::GPUModuleOp kernels) {
  // What is computed first is added first, as it is the same in more places;
  // the counters of loops come last.
  llvm::DenseMap<Value, unsigned> places;
  unsigned counters = 1u << 31;
  SmallVector<LLVM::GEPOp> addresses;
  kernels.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          places[argument] = block.isEntryBlock() ? places.size() : counters++;
    for (Value result : op->getResults())
      places[result] = places.size();
    if (auto address = dyn_cast<LLVM::GEPOp>(op);
        address && address.getIndices().size() == 1 &&
        address.getDynamicIndices().size() == 1)
      addresses.push_back(address);
  });
  for (LLVM::GEPOp address : addresses) {
    const Value index = address.getDynamicIndices()[0];
    Sum sum;
    sum.add(index, 1);
    auto terms = sum.terms.takeVector();
    llvm::erase_if(terms, [](const auto &term) { return term.second == 0; });
    if (sum.isTooLarge || terms.empty() || !llvm::isInt<31>(sum.constant) ||
        !llvm::all_of(terms, [](const auto &term) {
          return llvm::isInt<31>(term.second);
        }))
      continue;
    llvm::sort(terms, [&](const auto &a, const auto &b) {
      return places.lookup(a.first) < places.lookup(b.first);
    });
    OpBuilder builder(address);
    const Location loc = address.getLoc();
    const Type type = index.getType();
    const auto flags = LLVM::IntegerOverflowFlags::nsw;
    Value variables;
    for (auto [value, factor] : terms) {
      Value term = value;
      if (factor != 1) {
        Value number = LLVM::ConstantOp::create(
            builder, loc, type, builder.getIntegerAttr(type, factor));
        term = LLVM::MulOp::create(builder, loc, value, number, flags);
      }
      variables =
          variables ? LLVM::AddOp::create(builder, loc, variables, term, flags)
                    : term;
    }
    Value base = LLVM::GEPOp::create(builder, loc, address.getType(),
                                     address.getElemType(), address.getBase(),
                                     ArrayRef<LLVM::GEPArg>{variables});
    if (sum.constant != 0)
      base = LLVM::GEPOp::create(builder, loc, address.getType(),
                                 address.getElemType(), base,
                                 ArrayRef<LLVM::GEPArg>{int32_t(sum.constant)});
    address.getResult().replaceAllUsesWith(base);
    address.erase();
  }
}
