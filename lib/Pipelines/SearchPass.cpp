//===- SearchPass.cpp - schedule-search -----------------------------------===//

#include "CheckedOptions.h"
#include "ConvolutionForms.h"
#include "DeviceSearch.h"
#include "Effort.h"
#include "GivenSpaces.h"
#include "Interrupt.h"
#include "LocatedError.h"
#include "ModuleScript.h"
#include "ProcessModel.h"
#include "SchedOpt/Codegen/NVVM.h"
#include "SchedOpt/Codegen/Toolkit.h"
#include "SchedOpt/CostModel/AnalyticModel.h"
#include "SchedOpt/CostModel/CostModelFactory.h"
#include "SchedOpt/Database/PayloadFile.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Measure/FindDevice.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Pipelines/Extensions.h"
#include "SchedOpt/Pipelines/TaskSpace.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/SpaceGenerator.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "SchedOpt/Support/ModuleText.h"
#include "SchedOpt/Tuning/Tuner.h"
#include "ScheduledReference.h"
#include "TaskModels.h"
#include "WholeCheck.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <thread>

namespace sched {
#define GEN_PASS_DEF_SCHEDULESEARCH
#include "SchedOpt/Pipelines/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// Of the best candidates for a GPU that a search found, those that descend.
/// Many of their decisions, as the width of a fetch, are a percent each.
static constexpr unsigned kFinishes = 8;

namespace {

/// A task of the module with all that works on it.
struct Job {
  const Task *task;
  std::unique_ptr<TaskSpace> space;
  std::unique_ptr<SearchTask> search;
  /// A model in another process, as this task sees it; null for the others.
  std::unique_ptr<CostModel> processModel;
  /// Drafts candidates, for another model to rank; null where that is the same.
  std::unique_ptr<CostModel> draft;
  std::unique_ptr<WorkerMeasurer> measurer;
};

struct Search : sched::impl::ScheduleSearchBase<Search> {
  using ScheduleSearchBase::ScheduleSearchBase;

  void runOnOperation() override {
    if (llvm::Error error = run()) {
      emitOnce(getOperation(), std::move(error));
      signalPassFailure();
    }
  }

private:
  /// What `target` stands for on this machine.
  std::string targetSpec;
  /// Whether this machine runs code for the target.
  bool canRun = true;

  void applyEffort(const Effort &level) {
    // Options that were given as a struct have no mark of it.
    auto isGiven = [](auto &option) {
      return option.hasValue() ||
             !option.getDefault().compare(option.getValue());
    };
    auto set = [&](auto &option, auto value) {
      if (!isGiven(option))
        option = value;
    };
    if (plateau == -1)
      plateau = level.getPlateau(isGiven(trials));
    set(trials, level.trials);
    set(batch, level.batch);
    set(repeats, level.repeats);
    if (minRepeatMs == -1)
      minRepeatMs = level.getMinRepeatMs(isGraphicsProcessor(target));
    if (!isGiven(earlyStopping))
      set(earlyStop, level.earlyStop);
  }

  /// What one run of the pass has for all of its searches.
  struct Session {
    const Target &target;
    const InterruptScope &interrupt;
    ProgressReporter &reporter;
    WorkerPool &pool;
    RecordFile *file;
    std::chrono::steady_clock::time_point begin;
    /// Null for the models of this process.
    std::shared_ptr<ModelProcess> modelProcess;
  };

  static double getSeconds(std::chrono::steady_clock::time_point since) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         since)
        .count();
  }

  llvm::Error run() {
    ModuleOp module = getOperation();
    auto given = Effort::parse(effort);
    if (!given)
      return given.takeError();
    applyEffort(*given);
    if (llvm::Error error = checkOptions())
      return error;
    auto spec = resolveTarget(this->target, allowTF32);
    if (!spec)
      return spec.takeError();
    targetSpec = std::move(*spec);
    auto target = Target::parse(targetSpec, threads);
    if (!target)
      return target.takeError();
    auto form = FormOptions::parse(winograd, im2col, *target);
    if (!form)
      return form.takeError();
    InterruptScope interrupt;
    ProgressReporter reporter = ProgressReporter::makeDefault(quiet);
    canRun = trials == 0 || canRunHere(*target, interrupt.getFlag(), reporter);
    // Each search has its own; this one tells of what is wrong with them all.
    // Nobody has asked for what `auto` stands for: TaskModels tells of that.
    if (!ModelProcess::isAskedFor(costModel))
      if (llvm::Error error =
              makeCostModel(&getContext(), costModel, *target, seed,
                            [&](const llvm::Twine &warning) {
                              if (costModel != kAutoCostModel)
                                reporter.warn(warning);
                            })
                  .takeError())
        return error;
    WorkerPool pool(getMeasureOptions(interrupt), [&] {
      // Of the last minute. A GPU has a clock of its own.
      double load = 0;
      if (!isGraphicsProcessor(targetSpec) && getloadavg(&load, 1) == 1)
        reporter.warnIfBusy(load, std::thread::hardware_concurrency());
    });
    std::vector<ConvolutionTask> convolutions;
    // Spaces are for tasks of the module as it is.
    if (form->chooses() && !hasSpaces(module, space))
      convolutions = collectConvolutionTasks(module, *target, *form);
    std::optional<RecordFile> file;
    if (!workDir.empty()) {
      auto opened = RecordFile::open(workDir);
      if (!opened)
        return opened.takeError();
      file.emplace(std::move(*opened));
    }
    Session session{*target,
                    interrupt,
                    reporter,
                    pool,
                    file ? &*file : nullptr,
                    std::chrono::steady_clock::now(),
                    /*modelProcess=*/nullptr};
    if (ModelProcess::isAskedFor(costModel)) {
      auto started = ModelProcess::start(
          costModel, *target,
          [&](const llvm::Twine &text) { reporter.warn(text); },
          interrupt.getFlag());
      if (!started)
        return started.takeError();
      session.modelProcess = std::move(*started);
    }
    SmallVector<int64_t> forms;
    if (form->tile != 0)
      forms.push_back(form->tile);
    unsigned spent = 0;
    if (llvm::Error error = chooseForms(session, convolutions, forms, spent))
      return error;
    WholeCheck whole(module, *target);
    applyConvolutionForms(module, forms, *target, *form, whole.rewritten);

    TuningOptions options = getTuningOptions(interrupt);
    if (timeBudget > 0)
      options.timeBudgetS =
          std::max(1e-3, timeBudget - getSeconds(session.begin));
    if (trials > 0)
      options.trials = trials > spent ? trials - spent : 1;
    auto scripts = search(module, session, options, session.file,
                          /*remarks=*/true, &whole.rewritten);
    if (!scripts)
      return scripts.takeError();
    if (trials > 0 && canRun) {
      WorkerPool wholePool(getWholeOptions(interrupt, scripts->size()));
      if (llvm::Error error = whole.compare(module, *scripts, wholePool,
                                            getMeasureTask(*target),
                                            session.file, session.reporter))
        return error;
    }
    attachScript(module, *joinScripts(&getContext(), *scripts), targetSpec,
                 target->threads);
    return llvm::Error::success();
  }

  /// The form of each of `convolutions`. `spent`: trials that went into that.
  llvm::Error chooseForms(const Session &session,
                          ArrayRef<ConvolutionTask> convolutions,
                          SmallVectorImpl<int64_t> &forms, unsigned &spent) {
    Database records;
    if (session.file && !convolutions.empty())
      if (llvm::Error error =
              records.load(session.file->getPath(), [](const llvm::Twine &) {
                // The tuner warns of it.
              }))
        return error;
    double flops = 0;
    for (const ConvolutionTask &task : convolutions)
      flops += task.flops;
    llvm::StringSet<> seen;
    for (const ConvolutionTask &task : convolutions) {
      std::optional<int64_t> form =
          findConvolutionForm(records, task, session.target);
      const unsigned count = task.getForms().size();
      if (count > 1 && trials > 0) {
        // A quarter of its trials for its forms, which differ by more than
        // their schedules. It counts in a second run, too, so that this one
        // measures nothing anew.
        const double share = 0.25 / count * task.flops / flops;
        const unsigned cost = count * getTrials(share);
        // A quarter of all trials; the rule is right for most of the others.
        if (!form && spent + cost > std::max(count, trials / 4)) {
          forms.push_back(task.suggested);
          continue;
        }
        if (seen.insert(task.hash).second)
          spent += cost;
        if (!form && getInterruptSignal() == 0) {
          auto comparison = compareForms(session, task, share);
          if (!comparison)
            return comparison.takeError();
          for (const Record &record : comparison->records) {
            if (session.file)
              if (llvm::Error error = session.file->append(record))
                return error;
            records.add(record);
          }
          form = findConvolutionForm(records, task, session.target);
          report(task, *comparison);
        }
      } else if (task.suggested != 0 && !form) {
        form = task.suggested;
        if (!quiet)
          emitRemark(task.loc)
              << "computed by Winograd's transforms, as there are enough tiles "
                 "of "
              << *form << " for its weights: nothing was measured";
      }
      forms.push_back(form.value_or(kDirectForm));
    }
    return llvm::Error::success();
  }

  unsigned getTrials(double share) const {
    return std::max(1u, static_cast<unsigned>(share * trials));
  }

  /// Each form gets a `share` of the trials and of the time. Its trials are no
  /// records: its task has another name here, and so another object.
  llvm::Expected<FormComparison> compareForms(const Session &session,
                                              const ConvolutionTask &task,
                                              double share) {
    TuningOptions options = getTuningOptions(session.interrupt);
    options.trials = getTrials(share);
    options.timeBudgetS *= share;
    // The forms themselves are compared.
    options.contenders = 0;
    options.logLevel = LogLevel::Progress;
    options.searchLogPath.clear();
    return compareConvolutionForms(
        task, session.target, session.pool, getMeasureTask(session.target),
        [&](ModuleOp form) { return searchForm(form, session, options); });
  }

  llvm::Expected<OwningOpRef<ModuleOp>>
  searchForm(ModuleOp form, const Session &session,
             const TuningOptions &options) {
    auto scripts = search(form, session, options, /*file=*/nullptr,
                          /*remarks=*/false, /*rewritten=*/nullptr);
    if (!scripts)
      return scripts.takeError();
    return joinScripts(&getContext(), *scripts);
  }

  void report(const ConvolutionTask &task, const FormComparison &comparison) {
    if (comparison.records.empty() || quiet)
      return;
    InFlightDiagnostic remark = emitRemark(task.loc);
    remark << "computed "
           << (comparison.best == kDirectForm    ? "directly"
               : comparison.best == kColumnsForm ? "with the image's columns"
                                                 : "by Winograd's transforms");
    // The direct form last.
    llvm::StringRef separator = ": ";
    for (auto [form, seconds] : llvm::reverse(comparison.seconds)) {
      remark << separator << ProgressReporter::formatSeconds(seconds) << " "
             << describeForm(form);
      separator = ", ";
    }
    if (!comparison.problem.empty())
      remark << "; " << comparison.problem;
  }

  /// Scripts for the tasks of `module`, which it outlines.
  llvm::Expected<std::vector<TaskScript>>
  search(ModuleOp module, const Session &session, const TuningOptions &options,
         RecordFile *file, bool remarks, llvm::StringSet<> *rewritten) {
    auto spaces = GivenSpaces::create(module, space);
    if (!spaces)
      return spaces.takeError();
    if (llvm::Error error =
            outlineTasks(module, rewritten, OutlineOptions::of(session.target)))
      return markEmitted(std::move(error));
    if (session.target.kind == Target::Kind::NVVM &&
        failed(checkKernelInput(module)))
      return markEmitted(llvm::createStringError("there is no kernel for it"));
    auto tasks = extractTasks(module, {remarks});
    if (!tasks)
      return markEmitted(tasks.takeError());
    std::deque<Job> jobs;
    if (llvm::Error error = spaces->assign(*tasks, session.target))
      return std::move(error);
    if (llvm::Error error = makeJobs(*tasks, session, *spaces, jobs))
      return std::move(error);
    spaces->warnOfUnused();
    if (file)
      for (const Job &job : jobs)
        if (llvm::Error error =
                storePayload(workDir, job.task->hash, printPayload(*job.task)))
          return std::move(error);

    // What is learned of one task helps the others. A search knows nothing of
    // those before it, which are not repeated where records are there.
    auto models = TaskModels::create(
        &getContext(),
        session.modelProcess ? "analytic" : llvm::StringRef(costModel),
        session.target, seed);
    if (!models)
      return models.takeError();
    std::vector<Tuner::Job> tunerJobs;
    for (Job &job : jobs)
      tunerJobs.push_back(giveModels(job, *models, session.target));
    if (remarks)
      models->report(session.reporter, quiet,
                     options.logLevel != LogLevel::Progress);
    Tuner tuner(options, session.reporter);
    std::vector<TaskScript> scripts;
    if (!jobs.empty()) {
      auto results = tuner.tuneAll(tunerJobs, file);
      if (!results)
        return results.takeError();
      // What no task can do is no matter of one of them.
      if (llvm::all_of(*results, [](const TuningResult &result) {
            return result.reason == StopReason::Unmeasurable && !result.best &&
                   !result.isLeftUnscheduled;
          }))
        return locate(llvm::createStringError(results->front().diagnosis),
                      getLoc(*jobs.front().task));
      for (auto [job, result] : llvm::zip_equal(jobs, *results)) {
        // The reporter has said so.
        if (result.isLeftUnscheduled)
          continue;
        if (!result.best) {
          leaveToDefault(*job.task, getLoc(*job.task), result.diagnosis);
          continue;
        }
        auto taskScript = job.space->makeScript(*result.best);
        if (!taskScript)
          return locate(taskScript.takeError(), getLoc(*job.task));
        scripts.emplace_back(*job.task, std::move(*taskScript));
      }
    }
    return scripts;
  }

  llvm::Error checkOptions() const {
    if (batch == 0)
      return llvm::createStringError("batch must be above 0; found 0");
    if (repeats == 0)
      return llvm::createStringError("repeats must be above 0; found 0");
    if (auto kind = parseStrategy(strategy); !kind)
      return kind.takeError();
    if (strategy != "replay" && !replayDir.empty())
      return llvm::createStringError(
          "found replay-dir with strategy=" + strategy +
          "; it is for strategy=replay alone");
    if (strategy == "replay" && replayDir.empty() && workDir.empty())
      return llvm::createStringError(
          "strategy=replay needs records; give replay-dir, or work-dir");
    if (!parseLogLevel(logLevel))
      return llvm::createStringError("unknown log-level '" + logLevel +
                                     "'; expected progress, info or debug");
    if (earlyStop != 0 && earlyStopping != 0 && earlyStop != earlyStopping)
      return llvm::createStringError(
          "early-stop and early-stopping are one option; found %u and %u",
          unsigned(earlyStop), unsigned(earlyStopping));
    if (llvm::Error error =
            checkTime("plateau", plateau, "0 (never) or a share above 0"))
      return error;
    if (llvm::Error error = checkTime("time-budget", timeBudget,
                                      "0 (no limit) or a number of seconds"))
      return error;
    if (llvm::Error error = checkTime("min-repeat-ms", minRepeatMs,
                                      "0 or a number of milliseconds"))
      return error;
    for (auto [name, value] : {std::pair("build-timeout", double(buildTimeout)),
                               std::pair("run-timeout", double(runTimeout))}) {
      const llvm::StringRef expected = "a number of seconds above 0";
      if (llvm::Error error = checkTime(name, value, expected))
        return error;
      if (value == 0)
        return llvm::createStringError("%s must be %s; found 0", name,
                                       expected.data());
    }
    return llvm::Error::success();
  }

  static std::optional<LogLevel> parseLogLevel(llvm::StringRef name) {
    return llvm::StringSwitch<std::optional<LogLevel>>(name)
        .Case("progress", LogLevel::Progress)
        .Case("info", LogLevel::Info)
        .Case("debug", LogLevel::Debug)
        .Default(std::nullopt);
  }

  /// Of its anchor or last op in the user's module.
  static Location getLoc(const Task &task) {
    return task.getFunction().getLoc();
  }

  /// Correct code is better than none: the task stays as it was.
  static void leaveToDefault(const Task &task, Location loc,
                             llvm::StringRef reason) {
    emitWarning(loc) << "task " << task.text
                     << " is left to the default, without a schedule: "
                     << reason;
  }

  llvm::Error makeJobs(llvm::ArrayRef<Task> tasks, const Session &session,
                       const GivenSpaces &spaces, std::deque<Job> &jobs) {
    for (const Task &task : tasks) {
      const Target own = task.getTarget(session.target);
      schedule::SpaceOp given = spaces.get(task);
      auto taskSpace = TaskSpace::create(task, own, given);
      if (!taskSpace) {
        llvm::Error error = taskSpace.takeError();
        // One of several does not keep the others from being searched.
        const Location loc = given ? given.getLoc() : getLoc(task);
        if (tasks.size() == 1)
          return locate(std::move(error), loc);
        leaveToDefault(task, loc, llvm::toString(std::move(error)));
        continue;
      }
      if (!*taskSpace) {
        remarkNoRule(task);
        continue;
      }
      Job job;
      job.task = &task;
      job.space = std::move(*taskSpace);
      job.search = std::make_unique<SearchTask>(job.space->makeSearchTask());
      if (session.modelProcess)
        job.processModel = std::make_unique<ProcessModel>(
            session.modelProcess, own, job.search->workloadHash);
      job.measurer = std::make_unique<WorkerMeasurer>(
          session.pool, getMeasureTask(task, own));
      jobs.push_back(std::move(job));
    }
    return llvm::Error::success();
  }

  /// What ranks the candidates of `job`, and what drafts them.
  static Tuner::Job giveModels(Job &job, TaskModels &models,
                               const Target &target) {
    const Target own = job.task->getTarget(target);
    CostModel *model = job.processModel.get();
    if (!model)
      model = &models.choose(*job.search, own, getLoc(*job.task));
    // Models that cost next to nothing draft by themselves.
    const bool isCheap =
        model->name() == "analytic" || model->name() == "random";
    if (job.processModel || !isCheap)
      job.draft = std::make_unique<AnalyticModel>(own);
    return {job.search.get(), model, job.measurer.get(), job.draft.get()};
  }

  /// What is timed of `task`.
  static std::string printPayload(const Task &task) {
    const mlir::OwningOpRef<ModuleOp> &timed =
        task.padded ? task.padded : task.module;
    return printForProcess(
        const_cast<mlir::OwningOpRef<ModuleOp> &>(timed).get());
  }

  MeasureTask getMeasureTask(const Task &task, const Target &own) const {
    MeasureTask result = getMeasureTask(own);
    result.payload = printPayload(task);
    if (trials > 0 && canRun)
      scheduleReference(task, own, result);
    return result;
  }

  /// Of no payload yet.
  MeasureTask getMeasureTask(const Target &own) const {
    MeasureTask result;
    result.target = targetSpec;
    result.threads = own.threads;
    result.seed = seed;
    return result;
  }

  MeasureOptions getMeasureOptions(const InterruptScope &interrupt) const {
    MeasureOptions options;
    options.jobs = jobs;
    options.isolate = isolate;
    options.minRepeatMs = minRepeatMs;
    options.buildTimeoutS = buildTimeout;
    options.runTimeoutS = runTimeout;
    options.repeats = repeats;
    options.takesTurns = !isGraphicsProcessor(targetSpec);
    options.agreement =
        options.takesTurns ? Effort::kTurnAgreement : Effort::kAgreement;
    options.stop = interrupt.getFlag();
    if (timeBudget > 0)
      options.referenceTimeoutS =
          std::min<double>(options.referenceTimeoutS, timeBudget);
    return options;
  }

  /// A function as a whole is timed to be told of, which takes no longer.
  static constexpr double kWholeRepeatMs = 5;

  /// Of what compares functions as a whole: one build of `numTasks` tasks, and
  /// few calls.
  MeasureOptions getWholeOptions(const InterruptScope &interrupt,
                                 size_t numTasks) const {
    MeasureOptions options = getMeasureOptions(interrupt);
    options.jobs = 1;
    options.buildTimeoutS *= std::max<size_t>(1, numTasks);
    options.repeats = 3;
    options.takesTurns = false;
    options.minRepeatMs = options.warmupMs = kWholeRepeatMs;
    return options;
  }

  TuningOptions getTuningOptions(const InterruptScope &interrupt) {
    TuningOptions options;
    options.trials = trials;
    options.buildOnly = !canRun;
    options.expectsUsage = !canRun && hasAssembler();
    options.batch = batch;
    options.seed = seed;
    options.timeBudgetS = timeBudget;
    options.earlyStopTrials = std::max<unsigned>(earlyStop, earlyStopping);
    options.plateau = plateau;
    options.strategy = llvm::cantFail(parseStrategy(strategy));
    if (!replayDir.empty())
      options.replayPath = RecordFile::pathIn(replayDir);
    if (const Extensions *extensions = Extensions::get(&getContext()))
      for (const std::unique_ptr<Mutation> &move : extensions->getMutations())
        options.evolution.mutations.push_back(move.get());
    if (isGraphicsProcessor(targetSpec))
      options.evolution.finishes = kFinishes;
    options.logLevel = *parseLogLevel(logLevel);
    if (!workDir.empty())
      options.searchLogPath = workDir + "/search-log.jsonl";
    options.stop = interrupt.getFlag();
    return options;
  }
};

} // namespace
