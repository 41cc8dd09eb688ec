//===- sched-db.cpp - Looks at records of searches ------------------------===//
//
//   sched-db features DIR... [--payload=in.mlir]... [--format=csv|json] [-o F]
//   sched-db train DIR... [--payload=in.mlir]... -o MODEL [--from=MODEL]
//                  [--validate=SHARE]
//   sched-db list DIR...
//   sched-db merge DIR... -o DIR
//   sched-db best DIR... -o DIR
//
// DIR is a work directory of searches (records.jsonl, workloads/), or a file of
// records.
//
// Read next: FeatureTable.h, Training.h, RecordCommands.h,
// Pipelines/TrainingSet.h.
//
//===----------------------------------------------------------------------===//

#include "../sched-worker/TransformDialects.h"
#include "FeatureTable.h"
#include "RecordCommands.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Support/ChoiceParser.h"
#include "Training.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace mlir;
using namespace sched;
using namespace sched::db;

namespace {
enum class TableFormat { CSV, JSON };

/// Constructed in main, once the options that libLLVM registers by itself are
/// out of the way.
struct Options {
  cl::OptionCategory category{"sched-db"};
  cl::SubCommand features{
      "features", "Prints what cost models read of each recorded candidate"};
  cl::SubCommand train{"train", "Trains a cost model, for cost-model=FILE"};

  cl::list<std::string> places{
      cl::Positional,
      cl::OneOrMore,
      cl::cat(category),
      cl::sub(features),
      cl::sub(train),
      cl::desc("DIR...: work directories, or files of records")};
  cl::list<std::string> payloads{
      "payload",
      cl::cat(category),
      cl::sub(features),
      cl::sub(train),
      cl::value_desc("FILE"),
      cl::desc("A module that was tuned, for records without its workloads "
               "beside them (may be repeated)")};
  cl::opt<TableFormat, /*ExternalStorage=*/false, ChoiceParser<TableFormat>>
      format{"format",
             cl::cat(category),
             cl::sub(features),
             cl::init(TableFormat::CSV),
             cl::desc("Of the output (csv):"),
             cl::values(clEnumValN(TableFormat::CSV, "csv", "a line a block"),
                        clEnumValN(TableFormat::JSON, "json",
                                   "an object a candidate and line"))};
  cl::opt<std::string> output{"o",
                              cl::cat(category),
                              cl::sub(features),
                              cl::init("-"),
                              cl::value_desc("FILE"),
                              cl::desc("Where to write (standard output)")};
  cl::opt<std::string> model{"o",
                             cl::cat(category),
                             cl::sub(train),
                             cl::Required,
                             cl::value_desc("MODEL"),
                             cl::desc("Where to write the model")};
  cl::opt<std::string> from{
      "from", cl::cat(category), cl::sub(train), cl::value_desc("MODEL"),
      cl::desc("A model to go on with, by records that it has not seen")};
  cl::opt<double> validate{
      "validate",
      cl::cat(category),
      cl::sub(train),
      cl::init(0),
      cl::value_desc("SHARE"),
      cl::desc("Part of the tasks to try a model of the others on, first; of "
               "one task, part of its candidates (0)")};
  cl::opt<ObjectiveKind, /*ExternalStorage=*/false, ChoiceParser<ObjectiveKind>>
      objective{"objective",
                cl::cat(category),
                cl::sub(train),
                cl::init(LearningOptions().objective),
                cl::desc("What the trees are grown for (rank):"),
                cl::values(clEnumValN(ObjectiveKind::PackSum, "pack-sum",
                                      "least squares of log(1 / seconds)"),
                           clEnumValN(ObjectiveKind::Rank, "rank",
                                      "pairs in the right order"))};
  cl::opt<unsigned> members{"members", cl::cat(category), cl::sub(train),
                            cl::init(LearningOptions().members),
                            cl::desc("Boosters (4)")};
  cl::opt<unsigned> seed{"seed", cl::cat(category), cl::sub(train), cl::init(0),
                         cl::desc("Of the trees (0)")};
};
} // namespace

static void warn(const Twine &message) {
  WithColor::warning(errs(), "sched-db") << message << "\n";
}

/// The exit status.
static int report(Error error) {
  if (!error)
    return 0;
  WithColor::error(errs(), "sched-db") << toString(std::move(error)) << "\n";
  return 1;
}

/// Adds the records of `place`, and the payloads beside them.
static Error load(StringRef place, Database &records, Payloads &payloads) {
  payloads.addWorkDir(getWorkDir(place));
  return loadRecords(place, records, warn);
}

static Expected<std::vector<TrainingTask>> loadAll(const Options &options,
                                                   MLIRContext &context) {
  Database records;
  Payloads payloads(&context);
  for (const std::string &place : options.places)
    if (Error error = load(place, records, payloads))
      return std::move(error);
  for (const std::string &path : options.payloads)
    if (Error error = payloads.addModule(path))
      return std::move(error);
  return makeTrainingSet(records, payloads, warn);
}

static Error printFeatures(const Options &options, MLIRContext &context) {
  auto tasks = loadAll(options, context);
  if (!tasks)
    return tasks.takeError();
  return writeToOutput(options.output, [&](raw_ostream &os) {
    (options.format == TableFormat::CSV ? printCSV : printJSON)(os, *tasks);
    return Error::success();
  });
}

static Error train(const Options &options, MLIRContext &context) {
  // NaN is refused, too.
  if (!(options.validate >= 0 && options.validate < 1))
    return createStringError("--validate must be a part of the tasks, at least "
                             "0 and below 1; found %g",
                             double(options.validate));
  if (options.members == 0 || options.members > kMaxBoosters)
    return createStringError("--members must be from 1 to %u; found %u",
                             kMaxBoosters, unsigned(options.members));
  if (!options.from.empty())
    for (const cl::Option *option :
         {static_cast<const cl::Option *>(&options.objective),
          static_cast<const cl::Option *>(&options.members)})
      if (option->getNumOccurrences() != 0)
        return createStringError("found --from with --" + option->ArgStr +
                                 ", which the model to go on with has already; "
                                 "leave that out");
  auto tasks = loadAll(options, context);
  if (!tasks)
    return tasks.takeError();
  TrainingOptions training;
  training.learning.objective = options.objective;
  training.learning.members = options.members;
  training.learning.seed = options.seed;
  training.from = options.from;
  training.validate = options.validate;
  return trainModel(*tasks, training, options.model, outs());
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  Options options;
  RecordCommands recordCommands(options.category);
  cl::ParseCommandLineOptions(argc, argv, "Looks at records of searches.\n");
  if (recordCommands)
    return report(recordCommands.run(outs(), warn));
  if (!options.features && !options.train) {
    WithColor::error(errs(), "sched-db")
        << "expected a command: features, train, list, merge or best; see "
           "--help\n";
    return 1;
  }
  DialectRegistry registry;
  registerCodegenDialects(registry);
  worker::registerTransformDialects(registry);
  registry.insert<mlir::schedule::ScheduleDialect, mlir::tosa::TosaDialect>();
  registerLoopModels(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  return report(options.train ? train(options, context)
                              : printFeatures(options, context));
}
