//===- rank-bench.cpp - How well cost models rank what they do not know ---===//
//
//   rank-bench DIR... [--payload=in.mlir]... [--folds=8] [--known=0,16,32,48]
//              [--start=FILE] [--set=NAME=VALUE]... [--json]
//   rank-bench --within DIR... [--random=DIR]... [--again=DIR]...
//              [--start=FILE]
//
// DIR: work directories of searches. Whole tasks are held out by turns: a model
// is trained on the others, and ranks their trials, knowing none of them, or
// some that were drawn by chance. Beside it: the analytic model, and both with
// what the search adds to them (Search/Calibration.h); of a model that knows
// none, that is the formulas' part of a score. --start: what learning begins
// with must not have learned from DIR. Three figures each, means over tasks:
// rank correlation; the least time over that of the candidate that is ranked
// first; and over the best of the first four.
//
// --within: tasks are known, and a fifth of their trials is held out
// (WithinTasks.h); ../ranks.py makes what it wants. Of the first form are the
// figures of docs/Rationale.md in "The learned cost model".
//
//===----------------------------------------------------------------------===//

#include "../../tools/sched-worker/TransformDialects.h"
#include "MeasuredSpace.h"
#include "Ranking.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/CostModel/XGBoostModel.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "Scores.h"
#include "WithinTasks.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <optional>
#include <random>

using namespace mlir;
using namespace sched;
using namespace sched::bench;
namespace cl = llvm::cl;

/// Tasks with fewer trials tell nothing of a rank.
static constexpr size_t kLeastTrials = 24;

namespace {

struct Options {
  cl::list<std::string> places{cl::Positional, cl::OneOrMore,
                               cl::desc("DIR...")};
  cl::list<std::string> payloads{"payload",
                                 cl::desc("A module that was tuned")};
  cl::opt<unsigned> folds{"folds", cl::init(8),
                          cl::desc("Parts of the tasks, held out by turns")};
  cl::list<unsigned> known{"known", cl::CommaSeparated,
                           cl::desc("Trials that are known of a held-out task "
                                    "(0,16,32,48)")};
  cl::opt<unsigned> draws{"draws", cl::init(2),
                          cl::desc("Draws of what is known")};
  cl::opt<bool> onlyPretrained{"only-pretrained",
                               cl::desc("Nothing to compare with")};
  cl::opt<bool> within{"within", cl::desc("Hold out trials, not tasks")};
  cl::list<std::string> random{"random",
                               cl::desc("Work directory of random candidates")};
  cl::list<std::string> again{
      "again", cl::desc("Work directory of second measurements")};
  cl::opt<std::string> start{
      "start", cl::desc("Model that learning begins with (none)")};
  cl::list<std::string> set{"set", cl::desc("NAME=VALUE of the learning")};
  cl::opt<bool> json{"json", cl::desc("One object")};
};

class Bench {
public:
  Bench(std::vector<MeasuredSpace> spaces, const Options &arguments,
        const LearningOptions &options,
        std::shared_ptr<const XGBoostLibrary> library, const ModelFile *start)
      : spaces(std::move(spaces)), arguments(arguments), folds(arguments.folds),
        options(options), library(std::move(library)), start(start) {
    // By chance, so that a family of operators is in all folds.
    for (size_t i = 0; i != this->spaces.size(); ++i)
      foldOf.push_back(i % folds);
    std::shuffle(foldOf.begin(), foldOf.end(), std::mt19937_64(0));
  }

  llvm::Error run() {
    for (unsigned fold = 0; fold != folds; ++fold) {
      auto trained = train(fold);
      if (!trained)
        return trained.takeError();
      for (size_t i = 0; i != spaces.size(); ++i)
        if (foldOf[i] == fold && spaces[i].size() >= kLeastTrials)
          if (llvm::Error error = judge(spaces[i], (*trained)->getFile()))
            return error;
    }
    return llvm::Error::success();
  }

  /// By model, then by how many trials were known.
  std::map<std::string, std::map<size_t, Ranking>> rankings;

private:
  llvm::Expected<std::unique_ptr<XGBoostModel>> train(unsigned fold) const {
    auto model =
        XGBoostModel::create(library, spaces.front().machine, options, start);
    if (!model)
      return model;
    for (size_t i = 0; i != spaces.size(); ++i) {
      if (foldOf[i] == fold)
        continue;
      std::vector<size_t> all(spaces[i].size());
      std::iota(all.begin(), all.end(), 0);
      (*model)->add(spaces[i].describe(all), spaces[i].seconds,
                    spaces[i].workload, spaces[i].machine);
    }
    if (llvm::Error error = (*model)->train())
      return std::move(error);
    return model;
  }

  llvm::Error judge(const MeasuredSpace &space, const ModelFile &file) {
    std::mt19937_64 bits(1);
    for (size_t known : arguments.known)
      for (unsigned draw = 0, e = known ? unsigned(arguments.draws) : 1;
           draw != e; ++draw) {
        std::vector<size_t> order(space.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), bits);
        if (order.size() < known + kLeastTrials / 2)
          continue;
        if (llvm::Error error =
                judge(space, file, llvm::ArrayRef(order).take_front(known),
                      llvm::ArrayRef(order).drop_front(known)))
          return error;
      }
    return llvm::Error::success();
  }

  llvm::Error judge(const MeasuredSpace &space, const ModelFile &file,
                    llvm::ArrayRef<size_t> known,
                    llvm::ArrayRef<size_t> unknown) {
    AnalyticModel analytic(space.machine);
    if (!arguments.onlyPretrained)
      rank("analytic", space, analytic, known, unknown);
    for (const ModelFile *start :
         {&file, static_cast<const ModelFile *>(nullptr)})
      for (bool learns : {false, true}) {
        if ((learns && known.empty()) || (!learns && !start) ||
            (!start && arguments.onlyPretrained))
          continue;
        auto model = createModel(library, options, start, space,
                                 learns ? known : llvm::ArrayRef<size_t>());
        if (!model)
          return model.takeError();
        rank(std::string(start ? "pretrained" : "fresh") +
                 (learns ? ", learning" : ""),
             space, **model, known, unknown);
      }
    return llvm::Error::success();
  }

  void rank(const std::string &name, const MeasuredSpace &space,
            const CostModel &model, llvm::ArrayRef<size_t> known,
            llvm::ArrayRef<size_t> unknown) {
    const std::vector<double> seconds = space.getSeconds(unknown);
    std::vector<double> scores = scoreUnknown(space, model, unknown);
    rankings[name][known.size()].add(scores, seconds);
    calibrate(space, model, known, unknown, scores);
    rankings[name + ", calibrated"][known.size()].add(scores, seconds);
  }

  std::vector<MeasuredSpace> spaces;
  const Options &arguments;
  unsigned folds;
  LearningOptions options;
  std::shared_ptr<const XGBoostLibrary> library;
  const ModelFile *start;
  std::vector<unsigned> foldOf;
};

} // namespace

static llvm::Error set(LearningOptions &options, llvm::StringRef text) {
  auto [name, value] = text.split('=');
  double number;
  if (value.getAsDouble(number))
    return llvm::createStringError("--set=" + text + " has no number");
  if (name == "members")
    options.members = number;
  else if (name == "train-rounds")
    options.trainRounds = number;
  else if (name == "run-rounds")
    options.runRounds = number;
  else if (name == "train-share")
    options.trainShare = number;
  else if (name == "run-share")
    options.runShare = number;
  else if (name == "rank")
    options.objective = number ? ObjectiveKind::Rank : ObjectiveKind::PackSum;
  else {
    const bool run = name.consume_front("run-");
    if (!run)
      name.consume_front("train-");
    TreeOptions &trees = run ? options.runTrees : options.trainTrees;
    if (name == "depth")
      trees.maxDepth = number;
    else if (name == "eta")
      trees.eta = number;
    else if (name == "lambda")
      trees.lambda = number;
    else if (name == "weight")
      trees.minChildWeight = number;
    else if (name == "columns")
      trees.columnShare = number;
    else if (name == "bins")
      trees.maxBins = number;
    else
      return llvm::createStringError("--set=" + text + ": unknown name");
  }
  return llvm::Error::success();
}

/// The tasks of some work directories.
static llvm::Expected<std::vector<MeasuredSpace>>
load(llvm::ArrayRef<std::string> places, Payloads &payloads) {
  Database records;
  for (const std::string &place : places) {
    payloads.addWorkDir(place);
    if (llvm::Error error = records.load(
            RecordFile::pathIn(place), [](const llvm::Twine &warning) {
              llvm::errs() << "rank-bench: " << warning << "\n";
            }))
      return std::move(error);
  }
  return loadSpaces(records, payloads);
}

/// What --start names; nothing without it.
static llvm::Expected<std::optional<ModelFile>>
loadStart(const Options &arguments, const XGBoostLibrary &library) {
  if (arguments.start.empty())
    return std::nullopt;
  auto buffer = llvm::MemoryBuffer::getFile(arguments.start);
  if (!buffer)
    return llvm::createStringError("cannot read '" + arguments.start +
                                   "': " + buffer.getError().message());
  auto parsed = ModelFile::parse((*buffer)->getBuffer(), arguments.start,
                                 library.getVersion());
  if (!parsed)
    return parsed.takeError();
  return std::move(*parsed);
}

static llvm::Error judgeWithin(std::vector<MeasuredSpace> tuned,
                               const Options &arguments,
                               const LearningOptions &options,
                               Payloads &payloads) {
  auto random = load(arguments.random, payloads);
  if (!random)
    return random.takeError();
  auto again = load(arguments.again, payloads);
  if (!again)
    return again.takeError();
  auto library = XGBoostLibrary::load();
  if (!library)
    return library.takeError();
  auto start = loadStart(arguments, **library);
  if (!start)
    return start.takeError();
  WithinTasks within(*library, options, *start ? &**start : nullptr);
  for (const WithinTask &task :
       joinTasks(std::move(tuned), std::move(*random), std::move(*again)))
    if (llvm::Error error = within.add(task))
      return error;
  if (arguments.json)
    llvm::outs() << llvm::json::Value(within.toJSON()) << "\n";
  else
    within.print(llvm::outs());
  return llvm::Error::success();
}

static llvm::Error run(const Options &arguments, MLIRContext &context) {
  LearningOptions options;
  for (const std::string &text : arguments.set)
    if (llvm::Error error = set(options, text))
      return error;
  Payloads payloads(&context);
  for (const std::string &path : arguments.payloads)
    if (llvm::Error error = payloads.addModule(path))
      return error;
  auto spaces = load(arguments.places, payloads);
  if (!spaces)
    return spaces.takeError();
  if (arguments.within)
    return judgeWithin(std::move(*spaces), arguments, options, payloads);
  if (spaces->size() < arguments.folds)
    return llvm::createStringError(
        "found %zu tasks that were tuned for this machine; expected at least "
        "as many as folds, %u",
        spaces->size(), unsigned(arguments.folds));
  auto library = XGBoostLibrary::load();
  if (!library)
    return library.takeError();
  auto start = loadStart(arguments, **library);
  if (!start)
    return start.takeError();
  Bench bench(std::move(*spaces), arguments, options, *library,
              *start ? &**start : nullptr);
  if (llvm::Error error = bench.run())
    return error;
  if (arguments.json) {
    llvm::json::Object result;
    for (const auto &[name, byKnown] : bench.rankings) {
      llvm::json::Object entry;
      for (const auto &[known, ranking] : byKnown)
        entry[std::to_string(known)] = ranking.toJSON();
      result[name] = std::move(entry);
    }
    llvm::outs() << llvm::json::Value(std::move(result)) << "\n";
    return llvm::Error::success();
  }
  for (const auto &[name, byKnown] : bench.rankings)
    for (const auto &[known, ranking] : byKnown)
      llvm::outs() << llvm::left_justify(name, 34) << " "
                   << llvm::format("%3zu known, %3zu ", known, ranking.tasks)
                   << ranking.str() << "\n";
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  Options options;
  cl::ParseCommandLineOptions(argc, argv,
                              "How well cost models rank what they do not "
                              "know.\n");
  if (options.known.empty())
    for (unsigned known : {0, 16, 32, 48})
      options.known.push_back(known);
  DialectRegistry registry;
  registerCodegenDialects(registry);
  worker::registerTransformDialects(registry);
  registry.insert<mlir::schedule::ScheduleDialect, mlir::tosa::TosaDialect>();
  registerLoopModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  if (llvm::Error error = run(options, context)) {
    llvm::errs() << "rank-bench: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
