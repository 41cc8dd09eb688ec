//===- op-bench.cpp - Our objects beside libraries, any operator ----------===//
//
// Times an operator of the suite, from object files, beside the libraries that
// have it, and beside the machine's peak and the bandwidth of a copy:
//
//   op-bench C2D0.json tuned=f.o guess=g.o --threads=2 --json
//
// A file that ends in .so is a contender with the same C interface that counts
// as a library: plain C by another compiler. Every result is checked against
// loops in double precision. Rounds go over all contenders in turn; compare the
// medians of one run only. --rounds=0 checks only.
//
// Read next: Operator.h; ../contest/Contender.h, Report.h.
//
//===----------------------------------------------------------------------===//

#include "Blas.h"
#include "Copy.h"
#include "Kernel.h"
#include "Onednn.h"
#include "Options.h"
#include "Peak.h"
#include "Reference.h"
#include "Report.h"
#include "SchedOpt/Support/Core.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <csignal>

using namespace llvm;
using namespace sched::bench;

namespace {
struct Options : ContestOptions {
  Options() : ContestOptions("op-bench") {}

  cl::opt<std::string> description{cl::Positional, cl::cat(category),
                                   cl::Required, cl::desc("OPERATOR.json")};
  cl::list<std::string> objects{cl::Positional, cl::cat(category),
                                cl::desc("[NAME=]FILE.o|FILE.so...")};
  cl::opt<double> maxS{"max-s", cl::cat(category), cl::init(60),
                       cl::desc("Seconds after which no more rounds begin, "
                                "once there are three (60)")};
  cl::opt<bool> stream{"stream", cl::cat(category),
                       cl::desc("Time STREAM's copy, too, which is far larger "
                                "than the caches")};
  cl::opt<std::string> output{"output", cl::cat(category), cl::init("-"),
                              cl::desc("File to print to (stdout)")};
};
} // namespace

static Expected<std::unique_ptr<Operator>>
readOperator(const Options &options) {
  auto buffer = MemoryBuffer::getFile(options.description);
  if (!buffer)
    return createStringError("cannot read '" + options.description +
                             "': " + buffer.getError().message());
  Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value)
    return value.takeError();
  return Operator::parse(*value, options.threads);
}

/// The contenders of `objects`, by what their names end in.
static void addObjects(const Options &options, const Operator &op,
                       std::vector<Contender> &contenders) {
  for (const std::string &object : options.objects) {
    auto [name, path] = splitObject(object);
    const bool shared = StringRef(path).ends_with(".so");
    contenders.emplace_back(name, shared ? Role::Library : Role::Ours, op,
                            shared ? kernelFromLibrary(path, options.entry, op)
                                   : kernelFromObject(path, options.entry, op));
  }
}

static void addLibraries(const Operator &op, StringRef folder,
                         std::vector<Contender> &contenders) {
  for (const Library &library : getLibraries())
    if (isOfBlas(op, library))
      contenders.emplace_back(library.name, Role::Library, op,
                              blasCalls(op, library));
  contenders.emplace_back("oneDNN", Role::Library, op,
                          onednnPrimitive(op, Layouts::Plain, folder.str()));
  if (hasBlockedForm(op))
    contenders.emplace_back(
        "oneDNN blocked", Role::Library, op,
        onednnPrimitive(op, Layouts::Blocked, folder.str()));
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  Options options;
  cl::ParseCommandLineOptions(
      argc, argv, "Times an operator's objects beside CPU libraries.\n");
  if (options.threads < 1 || options.rounds < 0)
    return options.fail("threads start at 1, rounds at 0");
  // A child that died shows when it is asked, not as a signal.
  std::signal(SIGPIPE, SIG_IGN);

  auto parsed = readOperator(options);
  if (!parsed)
    return options.fail(toString(parsed.takeError()));
  const Operator &op = **parsed;
  {
    Contender reference("reference", Role::Reference, op, makeReference(op));
    if (!reference.error.empty())
      return options.fail("the reference could not be computed: " +
                          reference.error);
  }

  std::vector<Contender> contenders;
  addObjects(options, op, contenders);
  static int anchor; // The program's own address, to find its file by.
  std::string program = sys::fs::getMainExecutable(argv[0], &anchor);
  if (options.libraries)
    addLibraries(op, sys::path::parent_path(program), contenders);
  if (options.rounds > 0) {
    contenders.emplace_back("peak", Role::Peak, op, measurePeak(op));
    contenders.emplace_back("copy", Role::Copy, op, measureCopy(op));
    if (options.stream)
      contenders.emplace_back("STREAM copy", Role::Stream, op,
                              measureStream(op));
  }

  auto start = std::chrono::steady_clock::now();
  auto isOver = [&] {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - start;
    return passed.count() > options.maxS;
  };
  const std::optional<unsigned> core =
      options.threads == 1 ? sched::getCurrentCore() : std::nullopt;
  for (int round = 0; round != options.rounds && (round < 3 || !isOver());
       ++round)
    for (Contender &contender : contenders)
      contender.runRound(options.minMs * 1e-3, core);

  std::error_code denied;
  raw_fd_ostream os(options.output, denied);
  if (denied)
    return options.fail("cannot write '" + options.output +
                        "': " + denied.message());
  if (options.json)
    os << formatv("{0:2}\n", json::Value(toJSON(op, contenders)));
  else
    printTable(os, op, contenders);
  return options.finish(contenders);
}
