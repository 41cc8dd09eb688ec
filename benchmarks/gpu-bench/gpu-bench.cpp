//===- gpu-bench.cpp - The project's bars on a GPU ------------------------===//
//
//   gpu-bench [--trials=64] [--output=FILE] [CASE...]
//
// Tunes each case from nothing on the GPU of this machine, and times the result
// beside cuBLAS, cuDNN or a copy on the device, taking turns. It needs the
// driver alone: libraries that are not installed are left out. Exits with 0,
// with 1 after an error, with 2 where --check was given and a bar is not met,
// and with 3 where there is no GPU.
//
// Read next: Case.h, Tuning.h, Contest.h, Vendor.h, Report.h.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "SchedOpt/Measure/Checker.h"
#include "SchedOpt/Measure/TensorData.h"
#include "Tuning.h"
#include "Vendor.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace sched;
using namespace sched::bench;

namespace {
/// Constructed in main, once the options that libLLVM registers by itself are
/// out of the way.
struct Options {
  cl::OptionCategory category{"gpu-bench"};
  cl::list<std::string> names{cl::Positional, cl::cat(category),
                              cl::desc("[case...]")};
  cl::opt<unsigned> trials{"trials", cl::cat(category), cl::init(64),
                           cl::desc("Candidates to measure of each case (64)")};
  cl::opt<uint64_t> seed{"seed", cl::cat(category), cl::init(0),
                         cl::desc("Seed of the search (0)")};
  cl::opt<unsigned> rounds{"rounds", cl::cat(category), cl::init(7),
                           cl::desc("Turns of each contender; the median "
                                    "counts (7)")};
  cl::opt<double> minRepeatMs{
      "min-repeat-ms", cl::cat(category), cl::init(300),
      cl::desc("Milliseconds that a turn lasts at least (300)")};
  cl::opt<std::string> target{"target", cl::cat(category),
                              cl::init("nvvm:native"),
                              cl::desc("What to compile for (nvvm:native)")};
  cl::opt<std::string> folder{
      "work-dir", cl::cat(category), cl::init("gpu-bench"),
      cl::desc("Folder of kernels and records (gpu-bench)")};
  cl::opt<std::string> output{"output", cl::cat(category), cl::init(""),
                              cl::value_desc("FILE"),
                              cl::desc("JSON report (WORK-DIR/report.json)")};
  cl::opt<int64_t> extent{
      "extent", cl::cat(category), cl::init(4096),
      cl::desc("Rows and columns of products and rows (4096)")};
  cl::opt<int64_t> channels{"channels", cl::cat(category), cl::init(512),
                            cl::desc("Channels of the convolution (512)")};
  cl::opt<bool> check{"check", cl::cat(category),
                      cl::desc("Exit with 2 where a bar is not met")};
};

enum Status { kDone = 0, kFailed = 1, kMissed = 2, kNoDevice = 3 };

/// The operands of a case, here and on the device.
struct Memory {
  std::vector<GuardedTensor> tensors;
  std::vector<DeviceBuffer> buffers;
  std::vector<Driver::Address> addresses;
};
} // namespace

static char anchor;

/// sched-opt beside this program.
static std::string findSchedOpt() {
  SmallString<128> path(
      sys::path::parent_path(sys::fs::getMainExecutable(nullptr, &anchor)));
  sys::path::append(path, "sched-opt");
  return path.str().str();
}

static Error provide(const Device &device, const Case &task, Memory &memory) {
  for (auto [position, spec] : enumerate(task.operands)) {
    GuardedTensor &tensor = memory.tensors.emplace_back(spec, position);
    if (!spec.isResult)
      fillFromSeed(spec, position, /*seed=*/1, tensor.data());
    Expected<DeviceBuffer> buffer = device.allocate(tensor.size());
    if (!buffer)
      return buffer.takeError();
    if (!spec.isResult)
      if (Error error = device.upload(*buffer, tensor.data()))
        return error;
    memory.addresses.push_back(buffer->getAddress());
    memory.buffers.push_back(std::move(*buffer));
  }
  return Error::success();
}

static std::vector<Contender>
makeOpponents(const Device &device, const Case &task, const Memory &memory) {
  switch (task.opponent) {
  case Opponent::Cublas:
    return {makeCublas(device, task, memory.addresses)};
  case Opponent::Cudnn:
    return makeCudnn(device, task, memory.addresses);
  case Opponent::Copy:
    break;
  }
  Contender copy;
  copy.name = "copy on the device";
  copy.call = [&]() -> Error {
    const Driver &driver = device.getDriver();
    return driver.check(driver.memcpyDtoDAsync(
                            memory.addresses.back(), memory.addresses.front(),
                            memory.tensors.back().size(), device.getStream()),
                        "copying");
  };
  return {std::move(copy)};
}

/// One call of each; whether the library's results are ours.
static Expected<std::optional<bool>>
compareResults(Device &device, const Case &task, Memory &memory,
               std::vector<Contender> &contenders) {
  if (task.opponent == Opponent::Copy || contenders.size() < 2 ||
      !contenders[1].problem.empty())
    return std::nullopt;
  GuardedTensor &result = memory.tensors.back();
  std::vector<char> ours(result.size());
  if (Error error = contenders[0].call())
    return std::move(error);
  if (Error error = device.download(memory.buffers.back(), ours.data()))
    return std::move(error);
  if (Error error = contenders[1].call()) {
    // One that does not run is left out of the contest.
    contenders[1].problem = toString(std::move(error));
    return std::nullopt;
  }
  if (Error error = device.download(memory.buffers.back(), result.data()))
    return std::move(error);
  const TensorSpec &spec = task.operands.back();
  return compare(spec, ours.data(), result.data(), toleranceFor(spec)).agree;
}

static std::string describe(const LoadedProgram &program) {
  std::string text;
  raw_string_ostream os(text);
  for (const KernelLaunch &launch : program.getLaunches()) {
    const KernelResources &taken = program.getResources().at(launch.kernel);
    os << (text.empty() ? "" : "; ") << launch.kernel << ": " << taken.registers
       << " registers, " << taken.sharedBytes + launch.sharedBytes
       << " bytes shared, " << taken.stackBytes << " local";
  }
  return text;
}

/// Tunes and times one case. An error is of the device, and ends it all.
static Error measure(const Case &task, const Options &options,
                     Outcome &outcome) {
  TuningSettings settings;
  settings.schedOpt = findSchedOpt();
  settings.folder = options.folder;
  settings.target = options.target;
  settings.trials = options.trials;
  settings.seed = options.seed;
  Expected<TunedCase> tuned = tune(task, settings);
  if (!tuned) {
    outcome.problem = toString(tuned.takeError());
    return Error::success();
  }
  outcome.tuningS = tuned->seconds;
  // Only now: the tuner's workers had the device for themselves.
  Expected<std::unique_ptr<Device>> opened = Device::open();
  if (!opened)
    return opened.takeError();
  Device &device = **opened;
  Expected<LoadedProgram> program =
      LoadedProgram::load(device, tuned->program, "f");
  if (!program) {
    outcome.problem = toString(program.takeError());
    return Error::success();
  }
  outcome.kernels = describe(*program);
  Memory memory;
  if (Error error = provide(device, task, memory))
    return error;
  // What they call lives no longer than this.
  scope_exit release([&] {
    for (Contender &contender : outcome.contenders)
      contender.call = nullptr;
  });
  Contender ours;
  ours.name = "sched-opt";
  ours.call = [&] { return program->launch(memory.addresses); };
  outcome.contenders.push_back(std::move(ours));
  for (Contender &opponent : makeOpponents(device, task, memory))
    outcome.contenders.push_back(std::move(opponent));
  Expected<std::optional<bool>> agrees =
      compareResults(device, task, memory, outcome.contenders);
  if (!agrees)
    return agrees.takeError();
  outcome.agrees = *agrees;
  return compete(device, outcome.contenders, options.rounds,
                 options.minRepeatMs * 1e-3);
}

static int fail(Error error, Status status) {
  WithColor::error() << toString(std::move(error)) << "\n";
  return status;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv, "The project's bars on a GPU\n");

  CaseSizes sizes;
  sizes.matmul = sizes.rows = options.extent;
  sizes.channels = options.channels;
  const std::vector<Case> cases = makeCases(sizes);
  std::vector<const Case *> chosen;
  for (const Case &task : cases)
    if (options.names.empty() || is_contained(options.names, task.name))
      chosen.push_back(&task);
  for (const std::string &name : options.names)
    if (none_of(cases, [&](const Case &task) { return task.name == name; })) {
      std::string known;
      for (const Case &task : cases)
        known += " " + task.name;
      return fail(createStringError("found no case '" + name +
                                    "', expected one of:" + known),
                  kFailed);
    }

  Expected<std::unique_ptr<Device>> device = Device::open();
  if (!device) {
    outs() << "no GPU to measure on: " << toString(device.takeError()) << "\n";
    return kNoDevice;
  }
  const DeviceProperties properties = (*device)->getProperties();
  device->reset();
  if (std::error_code code = sys::fs::create_directories(options.folder))
    return fail(createFileError(options.folder, code), kFailed);
  std::vector<Outcome> outcomes;
  Error error = Error::success();
  for (const Case *task : chosen) {
    Outcome &outcome = outcomes.emplace_back();
    outcome.task = task;
    error = measure(*task, options, outcome);
    if (!error)
      continue;
    // What was measured before is told all the same.
    outcome.problem = toString(std::move(error));
    error = createStringError(task->name + ": " + outcome.problem);
    break;
  }
  printTable(outs(), properties, outcomes);
  const auto [met, missed] = countBars(outcomes);
  outs() << met << " bars met, " << missed << " not met\n";
  std::string path = options.output;
  if (path.empty())
    path = options.folder + "/report.json";
  std::error_code code;
  raw_fd_ostream report(path, code);
  if (code)
    return fail(joinErrors(std::move(error), createFileError(path, code)),
                kFailed);
  report << formatv("{0:2}\n", toJSON(properties, outcomes, options.trials));
  outs() << "report: " << path << "\n";
  if (error)
    return fail(std::move(error), kFailed);
  return options.check && missed != 0 ? kMissed : kDone;
}
