//===- TargetConversion.cpp - Target and #schedule.target -----------------===//

#include "SchedOpt/Dialect/Schedule/IR/TargetConversion.h"
#include "llvm/TargetParser/Triple.h"
#include <cassert>
#include <cmath>

using namespace mlir;
using namespace mlir::schedule;

TargetAttr mlir::schedule::getTargetAttr(MLIRContext *context,
                                         const ::sched::Target &target) {
  auto text = [&](const std::string &value) {
    return value.empty() ? StringAttr() : StringAttr::get(context, value);
  };
  if (target.kind == ::sched::Target::Kind::NVVM) {
    return TargetAttr::get(
        context, TargetKind::NVVM, StringAttr(), StringAttr(),
        text(target.features),
        /*cores=*/1, /*threads=*/1, /*vector_bytes=*/16,
        /*vector_registers=*/16, /*fma_ports=*/1, /*fma_latency=*/4,
        /*l1=*/32768, /*l2=*/262144, /*l3=*/0, /*line=*/64, /*clock_mhz=*/0,
        std::llround(target.memoryGBs * 1000), text(target.mcpu),
        target.gpu.multiprocessors, target.gpu.sharedBytes,
        target.gpu.registers, target.gpu.maxBlockThreads, target.gpu.warp);
  }
  return TargetAttr::get(
      context, TargetKind::CPU, text(target.triple), text(target.mcpu),
      text(target.features), target.cores, target.threads, target.vectorBytes,
      target.vectorRegisters, target.hasFMA ? target.fmaPorts : 0,
      target.fmaLatency, target.l1Bytes, target.l2Bytes, target.l3Bytes,
      target.cacheLineBytes, std::llround(target.clockGHz * 1000),
      std::llround(target.memoryGBs * 1000), /*arch=*/StringAttr(),
      /*multiprocessors=*/0, /*shared_memory=*/0, /*registers=*/0,
      /*max_threads=*/0, /*warp=*/0);
}

llvm::Expected<::sched::Target>
mlir::schedule::getTarget(TargetAttr attribute) {
  if (attribute.getKind() == TargetKind::NVVM) {
    // The chip's other parameters are in no attribute.
    std::string spec = ("nvvm:" + attribute.getArch().getValue()).str();
    if (StringAttr features = attribute.getFeatures())
      spec += (",features=" + features.getValue()).str();
    auto target = ::sched::Target::parse(spec);
    if (!target)
      return target.takeError();
    target->gpu.multiprocessors = attribute.getMultiprocessors();
    target->gpu.sharedBytes = attribute.getSharedMemory();
    target->gpu.maxBlockSharedBytes =
        std::max<int64_t>(target->gpu.sharedBytes - 1024, 1024);
    target->gpu.registers = attribute.getRegisters();
    target->gpu.maxBlockThreads = attribute.getMaxThreads();
    target->gpu.warp = attribute.getWarp();
    if (attribute.getMemoryMbs())
      target->memoryGBs = attribute.getMemoryMbs() / 1000.0;
    return target;
  }
  auto text = [](StringAttr value) {
    return value ? value.getValue().str() : std::string();
  };
  ::sched::Target target;
  target.triple = text(attribute.getTriple());
  target.mcpu = text(attribute.getMcpu());
  target.features = text(attribute.getFeatures());
  target.cores = attribute.getCores();
  target.threads = attribute.getThreads();
  target.vectorBytes = attribute.getVectorBytes();
  target.vectorRegisters = attribute.getVectorRegisters();
  // Without FMA the ports take a multiplication or an addition each.
  target.hasFMA = attribute.getFmaPorts() > 0;
  if (target.hasFMA)
    target.fmaPorts = attribute.getFmaPorts();
  target.byElement = llvm::Triple(target.triple).isAArch64();
  target.fmaLatency = attribute.getFmaLatency();
  target.l1Bytes = attribute.getL1();
  target.l2Bytes = attribute.getL2();
  target.l3Bytes = attribute.getL3();
  target.cacheLineBytes = attribute.getLine();
  if (attribute.getClockMhz())
    target.clockGHz = attribute.getClockMhz() / 1000.0;
  if (attribute.getMemoryMbs())
    target.memoryGBs = attribute.getMemoryMbs() / 1000.0;
  return target;
}
