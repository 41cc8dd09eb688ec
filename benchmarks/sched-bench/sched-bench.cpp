//===- sched-bench.cpp - Our objects beside CPU libraries -----------------===//
//
// Times matrix multiplications from object files beside OpenBLAS, BLIS and
// oneDNN, whichever are installed, and beside the machine's peak:
//
//   sched-bench tuned=f.o guess=g.o --m=1024 --n=1024 --k=1024
//       --epilogue=add --threads=2
//
// Every result is checked against a product in double precision. Rounds go over
// all contenders in turn; compare the medians of one run only.
//
// Read next: Matmul.h, Sgemm.h; ../contest/Contender.h, Report.h.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "Options.h"
#include "Peak.h"
#include "Report.h"
#include "SchedOpt/Support/ChoiceParser.h"
#include "SchedOpt/Support/Core.h"
#include "Sgemm.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include <csignal>

using namespace llvm;
using namespace sched::bench;

namespace {
struct Options : ContestOptions {
  Options() : ContestOptions("sched-bench") {}

  cl::list<std::string> objects{cl::Positional, cl::cat(category),
                                cl::desc("[NAME=]FILE.o...")};
  cl::opt<int64_t> m{"m", cl::cat(category), cl::Required,
                     cl::desc("Rows of A and C")};
  cl::opt<int64_t> n{"n", cl::cat(category), cl::Required,
                     cl::desc("Columns of B and C")};
  cl::opt<int64_t> k{"k", cl::cat(category), cl::Required,
                     cl::desc("Columns of A, rows of B")};
  cl::opt<Epilogue, /*ExternalStorage=*/false, sched::ChoiceParser<Epilogue>>
      epilogue{
          "epilogue", cl::cat(category), cl::init(Epilogue::None),
          cl::desc("What follows the product"),
          cl::values(clEnumValN(Epilogue::None, "none", "C = A * B (default)"),
                     clEnumValN(Epilogue::Add, "add", "C = A * B + D"))};
};
} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  Options options;
  cl::ParseCommandLineOptions(
      argc, argv, "Times objects of sched-opt beside CPU libraries.\n");
  if (options.m < 1 || options.n < 1 || options.k < 1 || options.threads < 1 ||
      options.rounds < 1)
    return options.fail("sizes, threads and rounds start at 1");
  // A child that died shows when it is asked, not as a signal.
  std::signal(SIGPIPE, SIG_IGN);

  Expected<std::unique_ptr<Matmul>> created = Matmul::create(
      options.m, options.n, options.k, options.epilogue, options.threads);
  if (!created)
    return options.fail(toString(created.takeError()));
  const Matmul &problem = **created;
  {
    Contender reference("reference", Role::Reference, problem,
                        makeReference(problem));
    if (!reference.error.empty())
      return options.fail("the reference could not be computed: " +
                          reference.error);
  }

  std::vector<Contender> contenders;
  for (const std::string &object : options.objects) {
    auto [name, path] = splitObject(object);
    contenders.emplace_back(name, Role::Ours, problem,
                            kernelFromObject(path, options.entry, problem));
  }
  if (options.libraries)
    for (const Library &library : getLibraries())
      contenders.emplace_back(library.name, Role::Library, problem,
                              sgemmOf(library, problem));
  contenders.emplace_back("peak", Role::Peak, problem, measurePeak(problem));

  const std::optional<unsigned> core =
      options.threads == 1 ? sched::getCurrentCore() : std::nullopt;
  for (int round = 0; round != options.rounds; ++round)
    for (Contender &contender : contenders)
      contender.runRound(options.minMs * 1e-3, core);

  if (options.json)
    outs() << formatv("{0:2}\n", json::Value(toJSON(problem, contenders)));
  else
    printTable(outs(), problem, contenders);
  return options.finish(contenders);
}
