//===- sched-opt.cpp - mlir-opt with schedules ----------------------------===//
//
// All of mlir-opt, plus the dialect and passes of this project
// (Registration.cpp).
//
//===----------------------------------------------------------------------===//

#include "Registration.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  sched::registerSchedOptDialects(registry);
  sched::registerSchedOptPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "sched-opt: schedules for MLIR\n", registry));
}
