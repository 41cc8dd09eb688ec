//===- LoopModelInterface.td - What an op does to the model -*- tablegen -*-===//
//
// The interface that makes the abstract interpreter open: an op of a script
// says what it does to the loop-nest model. Upstream ops and ours get it as
// external models (UpstreamModels.cpp, ActionModels.cpp), so that the dialects
// do not depend on the model.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MODEL_LOOPMODELINTERFACE_TD
#define SCHEDOPT_MODEL_LOOPMODELINTERFACE_TD

include "mlir/IR/OpBase.td"

def LoopModelOpInterface : OpInterface<"LoopModelOpInterface"> {
  let cppNamespace = "::sched";
  let description = [{
    An op with a known effect on the loop-nest model of the payload.
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/[{
        Applies the op to the model: defines the expressions of its parameter
        results and the blocks of its handles, and edits the nest. Reports what
        it cannot do at the op.
      }],
      /*retTy=*/"::llvm::LogicalResult",
      /*methodName=*/"applyToModel",
      /*args=*/(ins "::sched::ModelState &":$state)>
  ];
}

#endif // SCHEDOPT_MODEL_LOOPMODELINTERFACE_TD
