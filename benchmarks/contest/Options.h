//===- Options.h - What every contest is told -------------------*- C++ -*-===//
//
// The command-line options that sched-bench and op-bench share, and how both
// end. Read next: Contender.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_OPTIONS_H
#define SCHEDOPT_BENCHMARKS_OPTIONS_H

#include "Contender.h"
#include "llvm/Support/CommandLine.h"
#include <utility>

namespace sched::bench {

/// Constructed in main, once the options that libLLVM registers by itself
/// (it has a `threads` too) are out of the way.
struct ContestOptions {
  explicit ContestOptions(llvm::StringRef program) : category(program) {}

  llvm::cl::OptionCategory category;
  llvm::cl::opt<std::string> entry{
      "entry", llvm::cl::cat(category), llvm::cl::init("f"),
      llvm::cl::desc("Function of the objects (f)")};
  llvm::cl::opt<int> threads{"threads", llvm::cl::cat(category),
                             llvm::cl::init(1),
                             llvm::cl::desc("Threads of each library (1)")};
  llvm::cl::opt<int> rounds{"rounds", llvm::cl::cat(category),
                            llvm::cl::init(15),
                            llvm::cl::desc("Rounds over all contenders (15)")};
  llvm::cl::opt<double> minMs{"min-ms", llvm::cl::cat(category),
                              llvm::cl::init(40),
                              llvm::cl::desc("Milliseconds of one turn (40)")};
  llvm::cl::opt<bool> libraries{
      "libraries", llvm::cl::cat(category), llvm::cl::init(true),
      llvm::cl::desc("Compare with libraries (true)")};
  llvm::cl::opt<bool> json{"json", llvm::cl::cat(category),
                           llvm::cl::desc("Print one JSON object")};

  /// Prints an error of the program; 1.
  int fail(const llvm::Twine &message) const;
  /// The exit status: 0 where each of our objects ran and was right. Prints
  /// what went wrong.
  int finish(llvm::ArrayRef<Contender> contenders) const;
};

/// Name and path of `[NAME=]FILE`; without a name, that of the file.
std::pair<std::string, std::string> splitObject(llvm::StringRef object);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_OPTIONS_H
