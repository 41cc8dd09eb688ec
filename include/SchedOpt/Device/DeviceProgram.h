//===- DeviceProgram.h - Kernels in a file, and on a device -----*- C++ -*-===//
//
// What a builder leaves for a runner: how a function's kernels are launched,
// their machine code, and their PTX, which the driver assembles where there is
// no machine code for its device. In a file that is a line of JSON, the PTX and
// the machine code, one behind the other.
//
// Read next: Codegen/LaunchPlan.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_DEVICE_DEVICEPROGRAM_H
#define SCHEDOPT_DEVICE_DEVICEPROGRAM_H

#include "SchedOpt/Codegen/LaunchPlan.h"
#include "SchedOpt/Codegen/Toolkit.h"
#include "SchedOpt/Device/Device.h"
#include "llvm/ADT/ArrayRef.h"

namespace sched {

struct DeviceProgram {
  LaunchPlan plan;
  std::string ptx;
  /// Empty where nothing here could assemble.
  std::vector<char> cubin;

  /// As it is in a file.
  std::string str() const;
  /// The inverse; `name` is for errors.
  static llvm::Expected<DeviceProgram> parse(llvm::StringRef content,
                                             llvm::StringRef name);
};

/// A function's kernels in a context, with the scratch memory they need.
class LoadedProgram {
public:
  /// `device` must outlive it. Errors are DeviceErrors.
  static llvm::Expected<LoadedProgram> load(const Device &device,
                                            const DeviceProgram &program,
                                            llvm::StringRef function);
  LoadedProgram(LoadedProgram &&other) = default;
  ~LoadedProgram();

  /// The function's inputs and results, in their order.
  llvm::ArrayRef<LaunchBuffer> getOperands() const;

  /// In their order.
  llvm::ArrayRef<KernelLaunch> getLaunches() const { return function.launches; }

  /// By kernel, what the driver says of registers, static shared memory and
  /// local memory (`stackBytes`); `spill...` where it was this driver that
  /// assembled and said so.
  const llvm::StringMap<KernelResources> &getResources() const {
    return resources;
  }

  /// Asks for all launches of one call, with the addresses of the operands.
  /// What they do wrong may come out later, when the device is waited for.
  llvm::Error launch(llvm::ArrayRef<Driver::Address> operands) const;

private:
  struct Unload {
    const Device *device;
    void operator()(Driver::Module module) const;
  };
  LoadedProgram() = default;
  llvm::Error loadModule(const DeviceProgram &program);
  llvm::Error addLaunch(const KernelLaunch &plan);

  const Device *device = nullptr;
  std::unique_ptr<std::remove_pointer_t<Driver::Module>, Unload> module{
      nullptr, Unload{nullptr}};
  LaunchFunction function;
  unsigned numOperands = 0;
  /// One a launch.
  std::vector<Driver::Function> kernels;
  std::vector<DeviceBuffer> scratch;
  llvm::StringMap<KernelResources> resources;
};

} // namespace sched

#endif // SCHEDOPT_DEVICE_DEVICEPROGRAM_H
