//===- Emulator.cpp - Runs kernels without a GPU --------------------------===//
//
// Checks a launch plan against the module and the chip, decodes the kernels and
// runs the blocks of each launch one after another.
//
// Read next: Program.h.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Emulator/Emulator.h"
#include "Decoder.h"
#include "Machine.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <chrono>
#include <numeric>

using namespace llvm;
using namespace sched;
using namespace sched::emulator;

/// Replaces calls by the bodies of what they call.
static Error inlineCalls(Function &kernel) {
  // A chain of calls that comes back to itself has no end.
  constexpr unsigned kMostCalls = 10000;
  unsigned count = 0;
  SmallVector<CallBase *> calls;
  while (true) {
    calls.clear();
    for (Instruction &instruction : instructions(kernel))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = call->getCalledFunction();
            callee && !callee->isDeclaration())
          calls.push_back(call);
    if (calls.empty())
      return Error::success();
    for (CallBase *call : calls) {
      Function *callee = call->getCalledFunction();
      InlineFunctionInfo info;
      if (++count > kMostCalls || callee == &kernel ||
          !InlineFunction(*call, info).isSuccess())
        return createStringError(
            "kernel '" + kernel.getName() + "' calls '" + callee->getName() +
            "', which cannot be emulated: expected functions that do not call "
            "themselves, not even through others");
    }
  }
}

/// A function attribute such as "32,4,1".
static bool readSizes(const Function &kernel, StringRef name,
                      std::array<uint32_t, 3> &sizes) {
  if (!kernel.hasFnAttribute(name))
    return false;
  SmallVector<StringRef, 3> parts;
  kernel.getFnAttribute(name).getValueAsString().split(parts, ',');
  sizes = {1, 1, 1};
  for (auto [i, part] : llvm::enumerate(ArrayRef(parts).take_front(3)))
    if (part.trim().getAsInteger(10, sizes[i]))
      return false;
  return true;
}

static std::string describe(const std::array<uint32_t, 3> &sizes) {
  return (Twine(sizes[0]) + " x " + Twine(sizes[1]) + " x " + Twine(sizes[2]))
      .str();
}

/// What the chip and the kernel allow.
static Error checkLaunch(const KernelLaunch &launch, const Function &kernel,
                         const Program &program, const LaunchFunction &function,
                         const sched::Target &target) {
  auto fail = [&](const Twine &what) {
    return createStringError("launch of kernel '" + launch.kernel +
                             "': " + what);
  };
  const uint64_t threads =
      uint64_t(launch.block[0]) * launch.block[1] * launch.block[2];
  if (threads == 0 || launch.block[2] > 64 ||
      threads > uint64_t(target.gpu.maxBlockThreads))
    return fail("found blocks of " + describe(launch.block) +
                " threads; expected 1 to " + Twine(target.gpu.maxBlockThreads) +
                ", and at most 64 along z");
  if (launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0 ||
      launch.grid[0] > 0x7fffffff || launch.grid[1] > 65535 ||
      launch.grid[2] > 65535)
    return fail("found a grid of " + describe(launch.grid) +
                " blocks; expected 1 to 2147483647 along x, and at most 65535 "
                "along y and z");
  // More than this must be dynamic.
  constexpr uint64_t kStaticLimit = 48 << 10;
  const uint64_t shared = program.dynamicSharedStart + launch.sharedBytes;
  if (program.staticSharedBytes > kStaticLimit)
    return fail("found " + Twine(program.staticSharedBytes) +
                " bytes of static shared memory; expected at most " +
                Twine(kStaticLimit));
  if (shared > uint64_t(target.gpu.maxBlockSharedBytes))
    return fail("found " + Twine(shared) +
                " bytes of shared memory a block; a block of " + target.mcpu +
                " has " + Twine(target.gpu.maxBlockSharedBytes));
  std::array<uint32_t, 3> sizes;
  if (readSizes(kernel, "nvvm.reqntid", sizes) && sizes != launch.block)
    return fail("found blocks of " + describe(launch.block) +
                " threads; the kernel is compiled for " + describe(sizes));
  if (readSizes(kernel, "nvvm.maxntid", sizes) &&
      uint64_t(sizes[0]) * sizes[1] * sizes[2] < threads)
    return fail("found blocks of " + describe(launch.block) +
                " threads; the kernel is compiled for at most " +
                describe(sizes));
  if (launch.arguments.size() != program.numArguments)
    return fail("found " + Twine(launch.arguments.size()) +
                " arguments; the kernel has " + Twine(program.numArguments));
  for (auto [position, buffer] : llvm::enumerate(launch.arguments)) {
    if (buffer >= function.buffers.size())
      return fail("argument " + Twine(position) + " is buffer " +
                  Twine(buffer) + "; '" + function.name + "' has " +
                  Twine(function.buffers.size()));
    const uint64_t claimed =
        kernel.getParamAlign(position).valueOrOne().value();
    if (claimed > function.buffers[buffer].alignment)
      return fail("argument " + Twine(position) + " is aligned to " +
                  Twine(function.buffers[buffer].alignment) +
                  " bytes; the kernel demands " + Twine(claimed));
  }
  return Error::success();
}

namespace {
/// Buffers and variables of one call of a function.
class Run {
public:
  Run(const LaunchFunction &function, const sched::Target &target)
      : function(function), target(target) {}

  Error prepare(const Module &original,
                ArrayRef<MutableArrayRef<char>> arguments);
  Error launch(const KernelLaunch &launch, const EmulationOptions &options,
               EmulationReport &report);
  Error checkWritten() const;

private:
  Error addBuffers(ArrayRef<MutableArrayRef<char>> arguments);
  Error addVariables();

  const LaunchFunction &function;
  const sched::Target &target;
  std::unique_ptr<Module> module;
  Memory memory;
  std::vector<uint64_t> addresses;
  GlobalAddresses variables;
  /// Of scratch buffers and variables.
  std::vector<std::vector<uint8_t>> storage;
  StringMap<Program> programs;
};
} // namespace

static std::string describeBuffer(const LaunchFunction &function,
                                  unsigned position) {
  const LaunchBuffer &buffer = function.buffers[position];
  unsigned number = 0;
  for (unsigned i = 0; i != position; ++i)
    number += function.buffers[i].role == buffer.role;
  StringRef role = buffer.role == LaunchBuffer::Role::Input    ? "input "
                   : buffer.role == LaunchBuffer::Role::Output ? "result "
                                                               : "scratch ";
  return (role + Twine(number) + " (" + buffer.type + ")").str();
}

Error Run::addBuffers(ArrayRef<MutableArrayRef<char>> arguments) {
  unsigned given = 0;
  for (auto [position, buffer] : llvm::enumerate(function.buffers)) {
    const std::string name = describeBuffer(function, position);
    if (!isPowerOf2_32(buffer.alignment))
      return createStringError(name + " of '" + function.name +
                               "' is aligned to " + Twine(buffer.alignment) +
                               " bytes; expected a power of two");
    memory.granule = std::gcd(memory.granule, buffer.alignment);
    uint8_t *data;
    Region::Kind kind = Region::Kind::Scratch;
    if (buffer.role == LaunchBuffer::Role::Scratch) {
      data = storage.emplace_back(buffer.bytes, 0xff).data();
    } else {
      if (given == arguments.size() || arguments[given].size() != buffer.bytes)
        return createStringError(
            name + " of '" + function.name + "' has " + Twine(buffer.bytes) +
            " bytes; found " +
            (given == arguments.size()
                 ? std::string("no argument for it")
                 : std::to_string(arguments[given].size()) + " bytes"));
      data = reinterpret_cast<uint8_t *>(arguments[given++].data());
      kind = buffer.role == LaunchBuffer::Role::Input ? Region::Kind::Input
                                                      : Region::Kind::Output;
    }
    addresses.push_back(memory.addBuffer(kind, name, data, buffer.bytes,
                                         buffer.alignment,
                                         kind == Region::Kind::Input));
  }
  if (given != arguments.size())
    return createStringError("'" + function.name + "' has " + Twine(given) +
                             " inputs and results; found " +
                             Twine(arguments.size()) + " arguments");
  return Error::success();
}

Error Run::addVariables() {
  const DataLayout &layout = module->getDataLayout();
  for (const GlobalVariable &variable : module->globals()) {
    if (variable.getAddressSpace() == kShared ||
        variable.getName().starts_with("llvm."))
      continue;
    if (variable.isDeclaration())
      return createStringError("variable @" + variable.getName() +
                               " is declared and has no definition");
    const uint64_t alignment =
        std::max(variable.getAlign().valueOrOne(),
                 layout.getABITypeAlign(variable.getValueType()))
            .value();
    std::vector<uint8_t> &data = storage.emplace_back(
        layout.getTypeAllocSize(variable.getValueType()).getFixedValue(), 0);
    memory.granule = std::gcd(memory.granule, unsigned(alignment));
    variables[&variable] = memory.addBuffer(
        variable.isConstant() ? Region::Kind::Constant : Region::Kind::Scratch,
        ("variable @" + variable.getName()).str(), data.data(), data.size(),
        alignment, !isa<UndefValue>(variable.getInitializer()));
  }
  // They may name each other.
  Constants constants(layout, variables, variables);
  for (const auto &[variable, address] : variables)
    if (Error error =
            constants.store(variable->getInitializer(),
                            memory.regions[address >> kRegionShift].data))
      return createStringError("variable @" + variable->getName() + " " +
                               toString(std::move(error)));
  return Error::success();
}

Error Run::prepare(const Module &original,
                   ArrayRef<MutableArrayRef<char>> arguments) {
  module = CloneModule(original);
  if (Error error = addBuffers(arguments))
    return error;
  if (Error error = addVariables())
    return error;
  for (const KernelLaunch &launch : function.launches) {
    if (programs.contains(launch.kernel))
      continue;
    Function *kernel = module->getFunction(launch.kernel);
    if (!kernel || kernel->isDeclaration())
      return createStringError("found no kernel '" + launch.kernel +
                               "' in the module, which '" + function.name +
                               "' launches");
    if (Error error = inlineCalls(*kernel))
      return error;
    Expected<Program> program = Decoder(*kernel, variables).decode();
    if (!program)
      return program.takeError();
    memory.granule = std::gcd(memory.granule, program->granule);
    programs[launch.kernel] = std::move(*program);
  }
  memory.makeCells();
  return Error::success();
}

Error Run::launch(const KernelLaunch &launch, const EmulationOptions &options,
                  EmulationReport &report) {
  const Program &program = programs[launch.kernel];
  if (Error error = checkLaunch(launch, *module->getFunction(launch.kernel),
                                program, function, target))
    return error;
  SmallVector<uint64_t> pointers;
  for (uint32_t buffer : launch.arguments)
    pointers.push_back(addresses[buffer]);
  std::vector<uint8_t> shared(program.dynamicSharedStart + launch.sharedBytes);
  memory.setShared(shared.data(), shared.size());
  memory.launchStart = ++memory.now;
  Machine machine(program, memory, launch.grid, launch.block, pointers);
  machine.limit = options.maxThreadInstructions - report.threadInstructions;
  memory.allowUnwritten = options.allowUnwrittenShared;
  if (options.countTraffic)
    machine.traffic = &report.traffic;
  std::array<uint32_t, 3> block;
  for (block[2] = 0; block[2] != launch.grid[2]; ++block[2])
    for (block[1] = 0; block[1] != launch.grid[1]; ++block[1])
      for (block[0] = 0; block[0] != launch.grid[0]; ++block[0])
        if (!machine.runBlock(block))
          return createStringError(machine.describeError());
  report.threadInstructions += machine.executed;
  if (report.firstUnwrittenRead.empty())
    report.firstUnwrittenRead = machine.firstUnwritten;
  return Error::success();
}

Error Run::checkWritten() const {
  for (const Region &region : memory.regions) {
    if (region.kind != Region::Kind::Output)
      continue;
    if (uint64_t byte = memory.findUnwritten(region); byte < region.size)
      return createStringError("'" + function.name + "' does not write byte " +
                               Twine(byte) + " of " + region.name);
  }
  return Error::success();
}

Expected<EmulationReport>
sched::emulate(const Module &module, const LaunchFunction &function,
               ArrayRef<MutableArrayRef<char>> arguments, const Target &target,
               const EmulationOptions &options) {
  const auto begin = std::chrono::steady_clock::now();
  EmulationReport report;
  Run run(function, target);
  if (Error error = run.prepare(module, arguments))
    return std::move(error);
  for (const KernelLaunch &launch : function.launches)
    if (Error error = run.launch(launch, options, report))
      return std::move(error);
  if (Error error = run.checkWritten())
    return std::move(error);
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return report;
}
