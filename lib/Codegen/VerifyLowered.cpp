//===- VerifyLowered.cpp - Nothing is left but the LLVM dialect -----------===//
//
// The last step of the pipeline: what no pattern knew is named where it stands,
// rather than in the translation, which no longer knows of locations.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace sched {
#define GEN_PASS_DEF_VERIFYLOWEREDPASS
#include "SchedOpt/Codegen/Passes.h.inc"
} // namespace sched

using namespace mlir;

namespace {
struct VerifyLowered : sched::impl::VerifyLoweredPassBase<VerifyLowered> {
  void runOnOperation() override {
    for (Operation &function : getOperation().getOps()) {
      if (!isa<FunctionOpInterface>(function))
        continue;
      WalkResult result = function.walk([](Operation *op) {
        if (isa_and_nonnull<LLVM::LLVMDialect, omp::OpenMPDialect>(
                op->getDialect()))
          return WalkResult::advance();
        if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ComplexType>) ||
            llvm::any_of(op->getResultTypes(), llvm::IsaPred<ComplexType>))
          op->emitError("found arithmetic on complex numbers, which has no "
                        "lowering; expected real and imaginary parts as "
                        "tensors of their own, or a dimension of two");
        else
          op->emitOpError("has no lowering for a CPU; expected ops of linalg, "
                          "tensor, vector, scf, arith and math");
        return WalkResult::interrupt();
      });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
  }
};
} // namespace
