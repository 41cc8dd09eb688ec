//===- Tuning.cpp - A case as kernels of ours -----------------------------===//

#include "Tuning.h"
#include "SchedOpt/Measure/Timer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sched::bench {

static Expected<std::string> readFile(StringRef path) {
  auto file = MemoryBuffer::getFile(path);
  if (!file)
    return createFileError(path, file.getError());
  return (*file)->getBuffer().str();
}

Expected<TunedCase> tune(const Case &task, const TuningSettings &settings) {
  SmallString<128> folder(settings.folder);
  sys::path::append(folder, task.name);
  sys::fs::remove_directories(folder);
  if (std::error_code code = sys::fs::create_directories(folder))
    return createFileError(folder, code);
  auto in = [&](StringRef name) { return (folder + "/" + name).str(); };
  const std::string payload = in("payload.mlir"), ptx = in("kernels.ptx"),
                    launch = in("launch.json"), records = in("records");
  {
    std::error_code code;
    raw_fd_ostream stream(payload, code);
    stream << task.payload;
    if (code)
      return createFileError(payload, code);
  }
  const std::string schedule = "--auto-schedule=target=" + settings.target +
                               " trials=" + std::to_string(settings.trials) +
                               " seed=" + std::to_string(settings.seed) +
                               " work-dir=" + records;
  const std::string emitLaunch = "--emit-launch=" + launch;
  const double begin = monotonicSeconds();
  std::string problem;
  const int status = sys::ExecuteAndWait(settings.schedOpt,
                                         {settings.schedOpt, schedule, payload,
                                          "--emit=ptx", "-o", ptx, emitLaunch},
                                         std::nullopt, {}, 0, 0, &problem);
  if (status != 0)
    return createStringError("the tuner ended with status " + Twine(status) +
                             (problem.empty() ? "" : ": " + problem));
  TunedCase tuned;
  tuned.seconds = monotonicSeconds() - begin;
  Expected<std::string> text = readFile(ptx), planText = readFile(launch);
  if (!text || !planText)
    return joinErrors(text.takeError(), planText.takeError());
  Expected<LaunchPlan> plan = parseLaunchPlan(*planText);
  if (!plan)
    return plan.takeError();
  tuned.program.plan = std::move(*plan);
  tuned.program.ptx = std::move(*text);
  // What the tuner measured was assembled by a toolkit, if there is one.
  Expected<AssembledCode> assembled =
      assemblePTX(tuned.program.ptx, tuned.program.plan.chip);
  if (assembled)
    tuned.program.cubin = std::move(assembled->cubin);
  else
    consumeError(assembled.takeError());
  return tuned;
}

} // namespace sched::bench
