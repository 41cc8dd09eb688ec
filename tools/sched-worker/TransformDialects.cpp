//===- TransformDialects.cpp - Ops that scripts may use -------------------===//
//
// A file of its own: it needs one header of each dialect and compiles slowly.
//
//===----------------------------------------------------------------------===//

#include "TransformDialects.h"
#include "SchedOpt/Space/Passes.h"
#include "mlir/Dialect/Affine/TransformOps/AffineTransformOps.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/ArmNeon/TransformOps/ArmNeonVectorTransformOps.h"
#include "mlir/Dialect/ArmSVE/TransformOps/ArmSVEVectorTransformOps.h"
#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/DLTI/TransformOps/DLTITransformOps.h"
#include "mlir/Dialect/Func/TransformOps/FuncTransformOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/MemRef/TransformOps/MemRefTransformOps.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/TransformOps/TensorTransformOps.h"
#include "mlir/Dialect/Transform/DebugExtension/DebugExtension.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/LoopExtension/LoopExtension.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtension.h"
#include "mlir/Dialect/Vector/TransformOps/VectorTransformOps.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Dialect/X86Vector/TransformOps/X86VectorTransformOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace sched::worker {

void registerTransformDialects(mlir::DialectRegistry &registry) {
  // For transform.apply_registered_pass.
  mlir::registerTransformsPasses();
  mlir::affine::registerAffinePasses();
  mlir::registerLinalgPasses();
  mlir::registerSCFPasses();
  mlir::vector::registerVectorPasses();
  registerSpacePasses();
  registry.insert<mlir::transform::TransformDialect>();
  mlir::affine::registerTransformDialectExtension(registry);
  mlir::arm_neon::registerTransformDialectExtension(registry);
  mlir::arm_sve::registerTransformDialectExtension(registry);
  mlir::bufferization::registerTransformDialectExtension(registry);
  mlir::dlti::registerTransformDialectExtension(registry);
  mlir::func::registerTransformDialectExtension(registry);
  mlir::linalg::registerTransformDialectExtension(registry);
  mlir::memref::registerTransformDialectExtension(registry);
  mlir::scf::registerTransformDialectExtension(registry);
  mlir::tensor::registerTransformDialectExtension(registry);
  mlir::transform::registerDebugExtension(registry);
  mlir::transform::registerLoopExtension(registry);
  mlir::transform::registerTuneExtension(registry);
  mlir::vector::registerTransformDialectExtension(registry);
  mlir::x86vector::registerTransformDialectExtension(registry);
}

} // namespace sched::worker
