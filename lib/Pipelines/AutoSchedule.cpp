//===- AutoSchedule.cpp - The small passes, and the pipelines -------------===//

#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "CheckedOptions.h"
#include "ConvolutionForms.h"
#include "Effort.h"
#include "GivenSpaces.h"
#include "LocatedError.h"
#include "ModuleScript.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleBlocks.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Measure/FindDevice.h"
#include "SchedOpt/Pipelines/Extensions.h"
#include "SchedOpt/Pipelines/History.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/SpaceGenerator.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"

namespace sched {
#define GEN_PASS_DEF_SCHEDULEGENERATESPACE
#define GEN_PASS_DEF_SCHEDULEAPPLYHISTORY
#define GEN_PASS_DEF_SCHEDULEDROPSCRIPT
#include "SchedOpt/Pipelines/Passes.h.inc"
} // namespace sched

using namespace mlir;
using namespace sched;

/// The target of a spec, and the spec that stands for it everywhere.
static llvm::Expected<Target> resolveAndParse(llvm::StringRef spec,
                                              bool allowTF32, int threads,
                                              std::string &resolved) {
  auto name = resolveTarget(spec, allowTF32);
  if (!name)
    return name.takeError();
  resolved = std::move(*name);
  return Target::parse(resolved, threads);
}

namespace {

struct GenerateSpace : sched::impl::ScheduleGenerateSpaceBase<GenerateSpace> {
  using ScheduleGenerateSpaceBase::ScheduleGenerateSpaceBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string spec;
    auto parsed = resolveAndParse(target, allowTF32, threads, spec);
    if (!parsed) {
      emitError(module.getLoc()) << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    auto tasks = extractTasks(module);
    if (!tasks) {
      llvm::consumeError(tasks.takeError());
      return signalPassFailure();
    }
    auto rules = collectSketchRules(&getContext());
    SmallVector<schedule::SpaceOp> given =
        llvm::to_vector(module.getOps<schedule::SpaceOp>());
    SymbolTable symbols(module);
    for (const Task &task : *tasks) {
      const Target own = task.getTarget(*parsed);
      // One that is there may have been edited.
      if (llvm::any_of(given, [&](schedule::SpaceOp space) {
            return space.getWorkload() == llvm::StringRef(task.hash) &&
                   isForTarget(space, own);
          }))
        continue;
      auto space = generateSpace(task, own, rules, &getContext());
      if (!space) {
        emitError(task.getFunction().getLoc())
            << llvm::toString(space.takeError());
        return signalPassFailure();
      }
      if ((*space)->getBody()->empty())
        remarkNoRule(task);
      for (Operation &op : (*space)->getBody()->getOperations())
        symbols.insert(op.clone());
    }
  }
};

struct ApplyHistory : sched::impl::ScheduleApplyHistoryBase<ApplyHistory> {
  using ScheduleApplyHistoryBase::ScheduleApplyHistoryBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string spec;
    auto parsed = resolveAndParse(target, allowTF32, threads, spec);
    if (!parsed) {
      emitError(module.getLoc()) << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    auto form = FormOptions::parse(winograd, im2col, *parsed);
    if (!form) {
      emitError(module.getLoc()) << llvm::toString(form.takeError());
      return signalPassFailure();
    }
    auto script = loadBestScript(module, *parsed, workDir, *form, space);
    if (!script) {
      emitOnce(module, script.takeError());
      return signalPassFailure();
    }
    attachScript(module, **script, spec, parsed->threads);
  }
};

struct DropScript : sched::impl::ScheduleDropScriptBase<DropScript> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto sequence : llvm::make_early_inc_range(
             module.getOps<transform::NamedSequenceOp>()))
      sequence.erase();
    module->removeAttr(transform::TransformDialect::kWithNamedSequenceAttrName);
    module->removeAttr(kLoweredTosaAttrName);
    module.walk([](Operation *op) {
      op->removeAttr(schedule::kBlockAttrName);
      op->removeAttr(kLeftToDefaultAttrName);
    });
    if (failed(inlineTasks(module)))
      signalPassFailure();
  }
};

/// The options of schedule-search, and where to stop.
struct AutoScheduleOptions : CheckedOptions<AutoScheduleOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("What the code is for"),
                             llvm::cl::init("native")};
  Value<int> threads{*this, "threads",
                     llvm::cl::desc("Threads that a schedule may use (0: one "
                                    "a core)"),
                     llvm::cl::init(0)};
  Value<bool> allowTF32{*this, "allow-tf32",
                        llvm::cl::desc("On a GPU, products of f32 may round "
                                       "their operands to tf32"),
                        llvm::cl::init(false)};
  Option<std::string> effort{*this, "effort",
                             llvm::cl::desc("quick, normal or thorough"),
                             llvm::cl::init("normal")};
  Option<std::string> strategy{
      *this, "strategy",
      llvm::cl::desc("evolutionary, random, grid, replay or none"),
      llvm::cl::init("evolutionary")};
  Option<std::string> replayDir{
      *this, "replay-dir", llvm::cl::desc("Directory of the records to replay"),
      llvm::cl::init("")};
  Value<unsigned> trials{*this, "trials",
                         llvm::cl::desc("Candidates to measure"),
                         llvm::cl::init(64)};
  Value<uint64_t> seed{*this, "seed", llvm::cl::desc("Seed of the search"),
                       llvm::cl::init(0)};
  Option<std::string> workDir{*this, "work-dir",
                              llvm::cl::desc("Directory of the records"),
                              llvm::cl::init("")};
  Value<double> timeBudget{*this, "time-budget",
                           llvm::cl::desc("Seconds after which no new "
                                          "measurement starts (0: no limit)"),
                           llvm::cl::init(0)};
  Value<unsigned> earlyStopping{
      *this, "early-stopping",
      llvm::cl::desc("Stop after this many trials without improvement (0: "
                     "never)"),
      llvm::cl::init(0)};
  Value<unsigned> earlyStop{*this, "early-stop",
                            llvm::cl::desc("The same as early-stopping"),
                            llvm::cl::init(0)};
  Value<double> plateau{*this, "plateau",
                        llvm::cl::desc("Stop when less than this share is "
                                       "expected to be gained (0: never; -1: "
                                       "as effort says)"),
                        llvm::cl::init(-1)};
  Value<unsigned> batch{*this, "batch", llvm::cl::desc("Candidates a round"),
                        llvm::cl::init(16)};
  Value<unsigned> jobs{*this, "jobs",
                       llvm::cl::desc("Builder processes (0: one a core)"),
                       llvm::cl::init(0)};
  Value<bool> isolate{*this, "isolate",
                      llvm::cl::desc("On a GPU, a process of its own for each "
                                     "candidate"),
                      llvm::cl::init(false)};
  Value<double> minRepeatMs{*this, "min-repeat-ms",
                            llvm::cl::desc("Least milliseconds of one timed "
                                           "repeat (-1: 3; on a GPU 300)"),
                            llvm::cl::init(-1)};
  Value<unsigned> repeats{*this, "repeats",
                          llvm::cl::desc("Most timed repeats of a candidate"),
                          llvm::cl::init(3)};
  Value<double> buildTimeout{*this, "build-timeout",
                             llvm::cl::desc("Seconds after which the build of "
                                            "a candidate has failed"),
                             llvm::cl::init(30)};
  Value<double> runTimeout{*this, "run-timeout",
                           llvm::cl::desc("Seconds after which a candidate "
                                          "that runs has failed"),
                           llvm::cl::init(10)};
  Option<std::string> costModel{
      *this, "cost-model",
      llvm::cl::desc("auto, analytic, xgboost, ensemble, xgboost-fresh, "
                     "ensemble-fresh, random, or a model's file"),
      llvm::cl::init(ScheduleSearchOptions().costModel)};
  Option<std::string> logLevel{*this, "log-level",
                               llvm::cl::desc("progress, info or debug"),
                               llvm::cl::init("progress")};
  Value<bool> quiet{*this, "quiet",
                    llvm::cl::desc("Report warnings and errors only"),
                    llvm::cl::init(false)};
  Option<std::string> space{*this, "space",
                            llvm::cl::desc("File of the spaces to search"),
                            llvm::cl::init("")};
  Option<std::string> winograd{*this, "winograd",
                               llvm::cl::desc("Form of 3x3 convolutions: auto, "
                                              "off, or a tile, 2 or 4"),
                               llvm::cl::init("auto")};
  Option<std::string> im2col{
      *this, "im2col",
      llvm::cl::desc("Convolutions as products with the "
                     "image's columns: off, auto, or on"),
      llvm::cl::init("off")};
  Value<bool> scriptOnly{*this, "script-only",
                         llvm::cl::desc("Leave the script in the module "
                                        "instead of applying it"),
                         llvm::cl::init(false)};
};

struct ApplyHistoryBestOptions : CheckedOptions<ApplyHistoryBestOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("What the code is for"),
                             llvm::cl::init("native")};
  Value<int> threads{*this, "threads",
                     llvm::cl::desc("Threads that a schedule may use (0: one "
                                    "a core)"),
                     llvm::cl::init(0)};
  Value<bool> allowTF32{*this, "allow-tf32",
                        llvm::cl::desc("On a GPU, products of f32 may round "
                                       "their operands to tf32"),
                        llvm::cl::init(false)};
  Option<std::string> workDir{*this, "work-dir",
                              llvm::cl::desc("Directory of the records"),
                              llvm::cl::init("")};
  Option<std::string> space{*this, "space",
                            llvm::cl::desc("File of the spaces to search"),
                            llvm::cl::init("")};
  Option<std::string> winograd{*this, "winograd",
                               llvm::cl::desc("Form of 3x3 convolutions: auto, "
                                              "off, or a tile, 2 or 4"),
                               llvm::cl::init("auto")};
  Option<std::string> im2col{
      *this, "im2col",
      llvm::cl::desc("Convolutions as products with the "
                     "image's columns: off, auto, or on"),
      llvm::cl::init("off")};
  Value<bool> scriptOnly{*this, "script-only",
                         llvm::cl::desc("Leave the script in the module "
                                        "instead of applying it"),
                         llvm::cl::init(false)};
};

/// Which options were given is known here only: the pass then has a value for
/// each. A name that is none is left to the pass to refuse.
void applyEffort(const AutoScheduleOptions &options,
                 ScheduleSearchOptions &search) {
  llvm::Expected<Effort> effort = Effort::parse(options.effort);
  if (!effort) {
    llvm::consumeError(effort.takeError());
    search.effort = options.effort;
    return;
  }
  auto set = [](auto &option, const auto &given, auto value) {
    if (!given.hasValue())
      option = value;
  };
  set(search.trials, options.trials, effort->trials);
  set(search.batch, options.batch, effort->batch);
  set(search.repeats, options.repeats, effort->repeats);
  set(search.minRepeatMs, options.minRepeatMs,
      effort->getMinRepeatMs(isGraphicsProcessor(options.target)));
  if (!options.earlyStopping.hasValue())
    set(search.earlyStop, options.earlyStop, effort->earlyStop);
  if (search.plateau == -1)
    search.plateau = effort->getPlateau(options.trials.hasValue());
}

void addTosaLowering(OpPassManager &pm) {
  ScheduleLowerTosaOptions options;
  options.note = true;
  pm.addPass(createScheduleLowerTosa(options));
}

void applyScript(OpPassManager &pm) {
  pm.addPass(transform::createInterpreterPass());
  pm.addPass(createScheduleDropScript());
}

constexpr llvm::StringLiteral kAutoSchedule = "auto-schedule",
                              kApplyHistoryBest = "apply-history-best";

/// As PassPipelineRegistration, with the messages of CheckedOptions.
template <typename Options>
void registerPipeline(llvm::StringRef name, llvm::StringRef description,
                      void (*build)(OpPassManager &, const Options &)) {
  registerPassPipeline(
      name, description,
      [name,
       build](OpPassManager &pm, llvm::StringRef text,
              llvm::function_ref<LogicalResult(const llvm::Twine &)> report) {
        Options options;
        if (llvm::Error error = options.parse(text))
          return report(name + ": " + llvm::toString(std::move(error)));
        build(pm, options);
        return success();
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(Options());
      });
}

} // namespace

llvm::Error sched::checkPipelineOptions(llvm::StringRef name,
                                        llvm::StringRef options) {
  if (name == kAutoSchedule)
    return AutoScheduleOptions().parse(options);
  assert(name == kApplyHistoryBest && "there are two pipelines");
  return ApplyHistoryBestOptions().parse(options);
}

template <typename Options>
static std::string parseTarget(llvm::StringRef text) {
  Options options;
  llvm::cantFail(options.parse(text));
  return options.target;
}

std::string sched::getPipelineTarget(llvm::StringRef name,
                                     llvm::StringRef options) {
  return name == kAutoSchedule ? parseTarget<AutoScheduleOptions>(options)
                               : parseTarget<ApplyHistoryBestOptions>(options);
}

void sched::registerAutoSchedulePipelines() {
  registerSchedPipelinesPasses();
  registerPipeline<AutoScheduleOptions>(
      kAutoSchedule, "Find a fast schedule of each task and apply it",
      [](OpPassManager &pm, const AutoScheduleOptions &options) {
        ScheduleSearchOptions search;
        search.target = options.target;
        search.threads = options.threads;
        search.allowTF32 = options.allowTF32;
        search.trials = options.trials;
        search.seed = options.seed;
        search.workDir = options.workDir;
        search.timeBudget = options.timeBudget;
        search.earlyStop = options.earlyStop;
        search.earlyStopping = options.earlyStopping;
        search.batch = options.batch;
        search.jobs = options.jobs;
        search.isolate = options.isolate;
        search.minRepeatMs = options.minRepeatMs;
        search.repeats = options.repeats;
        search.buildTimeout = options.buildTimeout;
        search.runTimeout = options.runTimeout;
        search.costModel = options.costModel;
        search.space = options.space;
        search.winograd = options.winograd;
        search.im2col = options.im2col;
        search.strategy = options.strategy;
        search.replayDir = options.replayDir;
        search.plateau = options.plateau;
        search.logLevel = options.logLevel;
        search.quiet = options.quiet;
        applyEffort(options, search);
        addTosaLowering(pm);
        pm.addPass(createScheduleSearch(search));
        if (!options.scriptOnly)
          applyScript(pm);
      });
  registerPipeline<ApplyHistoryBestOptions>(
      kApplyHistoryBest,
      "Apply the best recorded schedule of each task, without any search",
      [](OpPassManager &pm, const ApplyHistoryBestOptions &options) {
        ScheduleApplyHistoryOptions history;
        history.target = options.target;
        history.threads = options.threads;
        history.allowTF32 = options.allowTF32;
        history.workDir = options.workDir;
        history.space = options.space;
        history.winograd = options.winograd;
        history.im2col = options.im2col;
        addTosaLowering(pm);
        pm.addPass(createScheduleApplyHistory(history));
        if (!options.scriptOnly)
          applyScript(pm);
      });
}
