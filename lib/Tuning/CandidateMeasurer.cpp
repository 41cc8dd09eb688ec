//===- CandidateMeasurer.cpp - Measuring on worker processes --------------===//

#include "SchedOpt/Tuning/CandidateMeasurer.h"
#include <cassert>
#include <utility>

using namespace sched;

CandidateMeasurer::~CandidateMeasurer() = default;

llvm::Error CandidateMeasurer::build(llvm::ArrayRef<std::string>, Sink) {
  return llvm::createStringError("found no builder that runs nothing");
}

WorkerPool::~WorkerPool() = default;

llvm::Expected<Measurer *> WorkerPool::get() {
  if (!measurer) {
    if (beforeStart)
      std::exchange(beforeStart, {})();
    llvm::Expected<std::unique_ptr<Measurer>> made = Measurer::create(options);
    if (!made)
      return made.takeError();
    measurer = std::move(*made);
  }
  return measurer.get();
}

llvm::Error WorkerMeasurer::prepare(double bestS) {
  llvm::Expected<Measurer *> measurer = pool.get();
  if (!measurer)
    return measurer.takeError();
  task.bestS = bestS;
  llvm::Expected<Measurer::TaskId> prepared = (*measurer)->prepare(task);
  if (!prepared)
    return prepared.takeError();
  id = *prepared;
  return llvm::Error::success();
}

void WorkerMeasurer::recall(const MeasureResult &result) {
  assert(id && "prepare first");
  pool.getIfStarted()->recall(*id, result);
}

static std::vector<MeasureInput>
makeInputs(llvm::ArrayRef<std::string> scripts) {
  std::vector<MeasureInput> inputs(scripts.size());
  for (size_t i = 0, e = scripts.size(); i != e; ++i)
    inputs[i].script = scripts[i];
  return inputs;
}

llvm::Error WorkerMeasurer::measure(llvm::ArrayRef<std::string> scripts,
                                    Sink sink) {
  assert(id && "prepare first");
  return pool.getIfStarted()->measure(*id, makeInputs(scripts), sink);
}

llvm::Error
WorkerMeasurer::measureInterleaved(llvm::ArrayRef<std::string> scripts,
                                   const InterleavedRounds &rounds, Sink sink) {
  assert(id && "prepare first");
  return pool.getIfStarted()->measureInterleaved(*id, makeInputs(scripts),
                                                 rounds, sink);
}

llvm::Error WorkerMeasurer::build(llvm::ArrayRef<std::string> scripts,
                                  Sink sink) {
  llvm::Expected<Measurer *> measurer = pool.get();
  if (!measurer)
    return measurer.takeError();
  return (*measurer)->buildOnly(task, makeInputs(scripts), sink);
}

double WorkerMeasurer::getReferenceSeconds() const {
  return id ? pool.getIfStarted()->getReference(*id).seconds : 0;
}

MeasureStats WorkerMeasurer::getStats() const {
  Measurer *measurer = pool.getIfStarted();
  return measurer ? measurer->getStats() : MeasureStats();
}
