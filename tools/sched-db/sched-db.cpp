//===- sched-db.cpp - Looks at records of searches ------------------------===//
//
//   sched-db features DIR... [--payload=in.mlir]... [--format=csv|json] [-o F]
//
//   sched-db list DIR...
//   sched-db merge DIR... -o DIR
//   sched-db best DIR... -o DIR
//
// DIR is a work directory of searches (records.jsonl, workloads/), or a file of
// records.
//
// Read next: FeatureTable.h, RecordCommands.h, Pipelines/TrainingSet.h.
//
//===----------------------------------------------------------------------===//

#include "../sched-worker/TransformDialects.h"
#include "FeatureTable.h"
#include "RecordCommands.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Model/SketchCompiler.h"
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

  cl::list<std::string> places{
      cl::Positional, cl::OneOrMore, cl::cat(category), cl::sub(features),
      cl::desc("DIR...: work directories, or files of records")};
  cl::list<std::string> payloads{
      "payload", cl::cat(category), cl::sub(features), cl::value_desc("FILE"),
      cl::desc("A module that was tuned, for records without its workloads "
               "beside them (may be repeated)")};
  cl::opt<TableFormat> format{
      "format",
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

static Error printFeatures(const Options &options, MLIRContext &context) {
  Database records;
  Payloads payloads(&context);
  for (const std::string &place : options.places)
    if (Error error = load(place, records, payloads))
      return error;
  for (const std::string &path : options.payloads)
    if (Error error = payloads.addModule(path))
      return error;
  auto tasks = makeTrainingSet(records, payloads, warn);
  if (!tasks)
    return tasks.takeError();
  return writeToOutput(options.output, [&](raw_ostream &os) {
    (options.format == TableFormat::CSV ? printCSV : printJSON)(os, *tasks);
    return Error::success();
  });
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  Options options;
  RecordCommands recordCommands(options.category);
  cl::ParseCommandLineOptions(argc, argv, "Looks at records of searches.\n");
  if (recordCommands)
    return report(recordCommands.run(outs(), warn));
  if (!options.features) {
    WithColor::error(errs(), "sched-db")
        << "expected a command: features, list, merge or best; see --help\n";
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
  return report(printFeatures(options, context));
}
