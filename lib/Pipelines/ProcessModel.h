//===- ProcessModel.h - A cost model in another process ---------*- C++ -*-===//
//
// For models that are not written in C++: `cost-model=python:FILE.py:CLASS`, or
// `cost-model=command:PROGRAM ARGUMENT...`. One child serves all tasks of a
// search, over the channel of a worker: a line of JSON a message, arrays in
// base64 (docs/Python.md has the protocol;
// python/sched_opt/cost_model_server.py is the other end). Where it fails,
// hangs or answers wrongly, it is ended with one warning and the analytic model
// takes over.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_LIB_PIPELINES_PROCESSMODEL_H
#define SCHEDOPT_LIB_PIPELINES_PROCESSMODEL_H

#include "SchedOpt/CostModel/AnalyticModel.h"
#include "SchedOpt/Measure/WorkerProcess.h"
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace sched {

/// The child, and what it has said of its model.
class ModelProcess {
public:
  /// Whether the option `cost-model` asks for a process.
  static bool isAskedFor(llvm::StringRef costModel);

  /// Starts the process that `costModel` names and asks it for its model. Fails
  /// where the option is malformed, or names no file or program, or the model
  /// cannot begin; one that fails later is a matter of `warn`. `stop`, where
  /// given, ends a wait.
  static llvm::Expected<std::shared_ptr<ModelProcess>>
  start(llvm::StringRef costModel, const Target &target,
        std::function<void(const llvm::Twine &)> warn,
        const std::atomic<bool> *stop);

  /// Tells the model that nothing will be asked any more, unless the search was
  /// stopped, and ends the process.
  ~ModelProcess();

  llvm::StringRef getName() const { return name; }
  bool readsBlocks() const { return isReadingBlocks; }

  /// The answer to a request; nullopt where there is none, now and from then
  /// on.
  std::optional<llvm::json::Object> ask(llvm::json::Object message);

  /// Ends the process for what it has answered.
  void reject(const llvm::Twine &reason);

private:
  ModelProcess(std::unique_ptr<WorkerProcess> process, double replyS,
               std::function<void(const llvm::Twine &)> warn,
               const std::atomic<bool> *stop)
      : process(std::move(process)), replyS(replyS), warn(std::move(warn)),
        stop(stop) {}
  llvm::Error introduce(const Target &target);
  /// The answer of the process that there is; nullopt where it has none, and
  /// `failure` says why, or is empty where the search was stopped.
  std::optional<llvm::json::Object> request(llvm::json::Object message,
                                            std::string &failure);
  void giveUp(const llvm::Twine &reason);

  /// Several threads may predict; one asks at a time.
  std::mutex mutex;
  /// Null once it was given up.
  std::unique_ptr<WorkerProcess> process;
  /// Seconds that it has for an answer.
  double replyS;
  std::function<void(const llvm::Twine &)> warn;
  const std::atomic<bool> *stop;
  std::string name = "process";
  bool isReadingBlocks = false;
};

/// The model as one task sees it.
class ProcessModel final : public CostModel {
public:
  /// `task`: the workload's hash, for the model to tell tasks apart.
  ProcessModel(std::shared_ptr<ModelProcess> process, const Target &target,
               llvm::StringRef task)
      : process(std::move(process)), fallback(target), task(task.str()) {}

  llvm::StringRef name() const override { return process->getName(); }
  bool readsBlocks() const override { return process->readsBlocks(); }
  void predict(const FeatureBatch &batch,
               llvm::MutableArrayRef<double> scores) const override;
  void predictWithDoubt(const FeatureBatch &batch,
                        llvm::MutableArrayRef<double> scores,
                        llvm::MutableArrayRef<double> doubts) const override;
  llvm::Error update(const FeatureBatch &batch, llvm::ArrayRef<double> seconds,
                     llvm::StringRef task) override;

private:
  bool ask(const FeatureBatch &batch, llvm::MutableArrayRef<double> scores,
           llvm::MutableArrayRef<double> doubts) const;

  std::shared_ptr<ModelProcess> process;
  AnalyticModel fallback;
  std::string task;
};

} // namespace sched

#endif // SCHEDOPT_LIB_PIPELINES_PROCESSMODEL_H
