//===- SchedOptPlugin.cpp - Our dialect and passes for mlir-opt -----------===//
//
// A shared library for the options --load-dialect-plugin and --load-pass-plugin
// of stock mlir-opt. MLIR itself comes from the host process.
//
//===----------------------------------------------------------------------===//

#include "Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "SchedOpt", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            sched::registerSchedOptDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "SchedOpt", LLVM_VERSION_STRING,
          [] { sched::registerSchedOptPasses(); }};
}
