//===- sched-opt.cpp - mlir-opt with schedules ----------------------------===//
//
// All of mlir-opt, plus the dialect and passes of this project
// (Registration.cpp), plus the emission of code (Emission.h):
//
//   sched-opt --auto-schedule="trials=64 work-dir=d" in.mlir --emit=obj -o f.o
//
// Exits with 0, with 1 after an error, and with 128 + the signal (130 for
// Ctrl-C) where a search was interrupted and the best so far written.
//
//===----------------------------------------------------------------------===//

#include "Emission.h"
#include "Registration.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Codegen/Header.h"
#include "SchedOpt/Codegen/SymbolNames.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Support/ChoiceParser.h"
#include "Upstream.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace sched;

static llvm::cl::opt<EmitKind, /*ExternalStorage=*/false,
                     ChoiceParser<EmitKind>>
    emitKind(
        "emit", llvm::cl::desc("What to write"), llvm::cl::init(EmitKind::MLIR),
        llvm::cl::values(
            clEnumValN(EmitKind::MLIR, "mlir",
                       "the scheduled module (default)"),
            clEnumValN(EmitKind::Transform, "transform",
                       "the chosen script alone, for stock mlir-opt-22"),
            clEnumValN(EmitKind::LLVM, "llvm", "optimised LLVM IR"),
            clEnumValN(EmitKind::Assembly, "asm", "assembly"),
            clEnumValN(EmitKind::Object, "obj",
                       "a relocatable object with a C interface"),
            clEnumValN(EmitKind::PTX, "ptx", "kernels of a GPU as PTX"),
            clEnumValN(
                EmitKind::Cubin, "cubin",
                "kernels of a GPU as machine code (takes a CUDA toolkit)")));

static llvm::cl::opt<std::string>
    emitHeader("emit-header", llvm::cl::desc("Also write the C header"),
               llvm::cl::value_desc("F.h"));

static llvm::cl::opt<std::string> emitLaunch(
    "emit-launch",
    llvm::cl::desc("Also write how the kernels of a GPU are launched"),
    llvm::cl::value_desc("F.json"));

/// What the options above ask for.
static EmitRequest getRequest(llvm::StringRef outputFile) {
  return {emitKind, outputFile.str(), emitHeader, emitLaunch};
}

namespace {
/// A pipeline of ours on the command line: `--name`, or `--name=options`.
struct AskedPipeline {
  llvm::StringRef name, options;
  /// Among the arguments.
  unsigned position;
};
} // namespace

static llvm::SmallVector<AskedPipeline>
findPipelines(llvm::ArrayRef<const char *> args) {
  llvm::SmallVector<AskedPipeline> asked;
  for (auto [i, arg] : llvm::enumerate(args)) {
    auto [name, options] = llvm::StringRef(arg).split('=');
    if (!name.consume_front("--") && !name.consume_front("-"))
      continue;
    if (name == "auto-schedule" || name == "apply-history-best")
      asked.push_back({name, options, unsigned(i)});
  }
  return asked;
}

/// Whether the pipelines go together and have the options that they are given.
/// Says what is wrong.
static bool checkPipelines(llvm::ArrayRef<AskedPipeline> asked) {
  if (asked.size() > 1) {
    llvm::WithColor::error()
        << "found --" << asked[0].name << " and --" << asked[1].name
        << ", expected one of them: after the first there is nothing left to "
           "schedule\n";
    return false;
  }
  for (const AskedPipeline &pipeline : asked)
    if (llvm::Error error =
            checkPipelineOptions(pipeline.name, pipeline.options)) {
      llvm::WithColor::error() << "--" << pipeline.name << ": "
                               << llvm::toString(std::move(error)) << "\n";
      return false;
    }
  return true;
}

/// What --emit was given as, in one word or two; empty if it was not.
static llvm::StringRef findEmit(llvm::ArrayRef<const char *> args) {
  llvm::StringRef emit;
  for (auto [i, arg] : llvm::enumerate(args)) {
    llvm::StringRef name(arg);
    if (!name.consume_front("--") && !name.consume_front("-"))
      continue;
    if (name.consume_front("emit="))
      emit = name;
    else if (name == "emit" && i + 1 != args.size())
      emit = args[i + 1];
  }
  return emit;
}

/// Code generation reads what the passes print: its errors are to be at their
/// place in the input.
static void keepLocations(llvm::SmallVectorImpl<const char *> &args) {
  const llvm::StringRef emit = findEmit(args);
  if (emit == "obj" || emit == "asm" || emit == "llvm" || emit == "ptx" ||
      emit == "cubin")
    args.push_back("--mlir-print-debuginfo");
}

/// With --emit=transform the pipelines must leave the script in the module.
static void keepScript(llvm::SmallVectorImpl<const char *> &args,
                       llvm::ArrayRef<AskedPipeline> asked,
                       llvm::StringSaver &saver) {
  if (findEmit(args) != "transform")
    return;
  for (const AskedPipeline &pipeline : asked)
    args[pipeline.position] = saver
                                  .save("--" + pipeline.name + "=" +
                                        pipeline.options + " script-only=true")
                                  .data();
}

namespace {
/// Before any work: code cannot have functions of every name, nor a header
/// parameters of every type.
struct CheckInterface : PassWrapper<CheckInterface, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckInterface)
  void runOnOperation() override {
    if (failed(checkSymbolNames(getOperation())) ||
        (!emitHeader.empty() && failed(checkHeaderTypes(getOperation()))))
      signalPassFailure();
  }
};
} // namespace

/// mlir-opt's configuration, with our checks before the passes asked for.
static MlirOptMainConfig makeConfig() {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (emitKind != EmitKind::Object && emitKind != EmitKind::PTX &&
      emitKind != EmitKind::Cubin && emitHeader.empty())
    return config;
  MlirOptMainConfig asked = config;
  config.setPassPipelineSetupFn([asked](PassManager &pm) {
    pm.addPass(std::make_unique<CheckInterface>());
    return asked.setupPassPipeline(pm);
  });
  return config;
}

/// The exit status of a run that went well: what was interrupted has written
/// the best so far, and says so as shells do.
static int getStatus() {
  const int signal = getInterruptSignal();
  return signal ? 128 + signal : 0;
}

/// Prints what went wrong; the exit status of that.
static int fail(const llvm::Twine &message) {
  llvm::WithColor::error() << message << "\n";
  return 1;
}

/// Whether the module is all that is written.
static bool emitsOnlyModule() {
  return emitKind == EmitKind::MLIR && emitHeader.empty() && emitLaunch.empty();
}

/// Whether -o was given, if but with a '-'.
static bool namesOutput() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("o");
  return found != options.end() && found->second->getNumOccurrences() != 0;
}

/// Refuses outputs that nobody wants, before any work.
static llvm::Error checkOutputs(llvm::StringRef outputFile) {
  const bool isObject = emitKind == EmitKind::Object;
  if ((isObject || emitKind == EmitKind::Cubin) && !namesOutput() &&
      llvm::sys::Process::StandardOutIsDisplayed())
    return llvm::createStringError(
        llvm::StringRef(isObject ? "--emit=obj would write an object"
                                 : "--emit=cubin would write a cubin") +
        " to the terminal; give a file with -o " +
        (isObject ? "F.o" : "F.cubin") + ", or a pipe");
  if (emitKind == EmitKind::Transform && !emitHeader.empty())
    return llvm::createStringError(
        "--emit-header is for code, and --emit=transform writes a script; give "
        "--emit=obj, or leave the header out");
  const std::pair<llvm::StringRef, llvm::StringRef> files[] = {
      {"-o", outputFile},
      {"--emit-header", emitHeader},
      {"--emit-launch", emitLaunch}};
  for (auto [i, file] : llvm::enumerate(files)) {
    // A search may take long; what it is for must be there in the end.
    if (llvm::Error error = checkWritable(file.second))
      return error;
    for (const auto &other : llvm::ArrayRef(files).take_front(i))
      if (!file.second.empty() && isSameFile(other.second, file.second))
        return llvm::createStringError("found '" + other.second +
                                       "' for both " + other.first + " and " +
                                       file.first + ", expected two files");
  }
  return llvm::Error::success();
}

/// Refuses what the target that a pipeline is given has not, before any work.
static llvm::Error checkTarget(llvm::ArrayRef<AskedPipeline> asked) {
  for (const AskedPipeline &pipeline : asked) {
    // What is wrong with it, the pipeline says where it uses it.
    llvm::Expected<Target> target =
        Target::parse(getPipelineTarget(pipeline.name, pipeline.options));
    if (!target) {
      llvm::consumeError(target.takeError());
      continue;
    }
    if (llvm::Error error = checkRequest(getRequest("-"), *target))
      return error;
  }
  return llvm::Error::success();
}

/// Runs the passes, then emits.
static int runAndEmit(llvm::StringRef inputFile, llvm::StringRef outputFile,
                      DialectRegistry &registry) {
  std::string message;
  auto input = openInputFile(inputFile, &message);
  if (!input)
    return fail(message);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = checkOutputs(outputFile))
    return fail(llvm::toString(std::move(error)));
  if (failed(MlirOptMain(os, std::move(input), registry, makeConfig())))
    return 1;
  if (emitsOnlyModule()) {
    if (llvm::Error error = writeText(outputFile, os.str()))
      return fail(llvm::toString(std::move(error)));
    return getStatus();
  }
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    return 1;
  if (llvm::Error error = emit(*module, getRequest(outputFile)))
    return fail(llvm::toString(std::move(error)));
  return getStatus();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> args(argv, argv + argc);
  const llvm::SmallVector<AskedPipeline> asked = findPipelines(args);
  if (!checkPipelines(asked))
    return 1;
  keepScript(args, asked, saver);
  keepLocations(args);

  DialectRegistry registry;
  // Of two models of an op, the first is kept: ours are faster than upstream's.
  registerCodegenDialects(registry);
  registerUpstream(registry);
  registerSchedOptDialects(registry);
  registerSchedOptPasses();

  auto [inputFile, outputFile] =
      registerAndParseCLIOptions(args.size(), const_cast<char **>(args.data()),
                                 "sched-opt: schedules for MLIR\n", registry);
  if (llvm::Error error = checkTarget(asked))
    return fail(llvm::toString(std::move(error)));
  // As mlir-opt does it, but for files: it removes the old one if it fails.
  if (emitsOnlyModule() && outputFile == "-")
    return failed(MlirOptMain(args.size(), const_cast<char **>(args.data()),
                              inputFile, outputFile, registry))
               ? 1
               : getStatus();
  return runAndEmit(inputFile, outputFile, registry);
}
