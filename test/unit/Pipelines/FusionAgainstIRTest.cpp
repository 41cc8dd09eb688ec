//===- FusionAgainstIRTest.cpp - Model and IR agree on what is fused ------===//
//
// As ModelAgainstIRTest, for contractions with elementwise ops around them:
// producers of either operand, moves that become part of the contraction, and
// epilogues with biases.
//
//===----------------------------------------------------------------------===//

#include "NestListing.h"
#include "RandomTask.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "VectorListing.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

namespace {

/// Writes one function op by op.
class PayloadWriter {
public:
  explicit PayloadWriter(std::mt19937_64 &bits)
      : bits(bits), m(drawSize()), n(drawSize()), k(drawSize()) {}

  std::string write() {
    std::string a = drawOperand(m, k), b = drawOperand(k, n);
    std::string r = drawInit();
    r = op("linalg.matmul ins(" + a + ", " + b + " : " + tensor(m, k) + ", " +
               tensor(k, n) + ")",
           r, tensor(m, n));
    for (unsigned i = bits() % 3; i != 0; --i)
      r = drawEpilogue(r);
    return "func.func @f(" + arguments + ") -> " + tensor(m, n) + " {\n" +
           "  %zero = arith.constant 0.0 : f32\n" + body + "  return " + r +
           " : " + tensor(m, n) + "\n}\n";
  }

private:
  int64_t drawSize() {
    static const int64_t sizes[] = {1, 2, 3, 7, 8, 16, 33, 64, 97, 130};
    return sizes[bits() % std::size(sizes)];
  }

  static std::string tensor(int64_t rows, int64_t columns,
                            llvm::StringRef element = "f32") {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "x" + element.str() + ">";
  }

  std::string argument(const std::string &type) {
    std::string name = "%arg" + std::to_string(counter++);
    arguments += (arguments.empty() ? "" : ", ") + name + ": " + type;
    return name;
  }

  std::string line(const std::string &text) {
    std::string name = "%v" + std::to_string(counter++);
    body += "  " + name + " = " + text + "\n";
    return name;
  }

  std::string empty(const std::string &type) {
    return line("tensor.empty() : " + type);
  }

  std::string op(const std::string &head, const std::string &out,
                 const std::string &type, const std::string &tail = "") {
    const bool isArrow = tail.empty();
    return line(head + " outs(" + out + " : " + type + ")" +
                (isArrow ? " -> " + type : tail));
  }

  std::string drawOperand(int64_t rows, int64_t columns) {
    const std::string type = tensor(rows, columns);
    switch (bits() % 5) {
    case 0:
      return op("linalg.exp ins(" + argument(type) + " : " + type + ")",
                empty(type), type);
    case 1: {
      std::string x =
          op("linalg.abs ins(" + argument(type) + " : " + type + ")",
             empty(type), type);
      return op("linalg.add ins(" + x + ", " + argument(type) + " : " + type +
                    ", " + type + ")",
                empty(type), type);
    }
    case 2:
      return op("linalg.transpose ins(" + argument(tensor(columns, rows)) +
                    " : " + tensor(columns, rows) + ")",
                empty(type), type, " permutation = [1, 0]");
    default:
      return argument(type);
    }
  }

  std::string broadcast(int64_t size, unsigned dimension) {
    std::string from = "tensor<" + std::to_string(size) + "xf32>";
    return op("linalg.broadcast ins(" + argument(from) + " : " + from + ")",
              empty(tensor(m, n)), tensor(m, n),
              " dimensions = [" + std::to_string(dimension) + "]");
  }

  std::string fill() {
    return op("linalg.fill ins(%zero : f32)", empty(tensor(m, n)),
              tensor(m, n));
  }

  std::string drawInit() {
    switch (bits() % 4) {
    case 0:
      return argument(tensor(m, n));
    case 1:
      return broadcast(n, 0);
    default:
      return fill();
    }
  }

  std::string drawEpilogue(const std::string &value) {
    const std::string type = tensor(m, n);
    static const char *const kinds[] = {"add", "mul", "max"};
    std::string other;
    switch (bits() % 4) {
    case 0:
      other = broadcast(n, 0);
      break;
    case 1:
      other = broadcast(m, 1);
      break;
    case 2:
      other = fill();
      break;
    default:
      other = argument(type);
    }
    return op("linalg." + std::string(kinds[bits() % 3]) + " ins(" + value +
                  ", " + other + " : " + type + ", " + type + ")",
              empty(type), type);
  }

  std::mt19937_64 &bits;
  int64_t m, n, k;
  unsigned counter = 0;
  std::string arguments, body;
};

/// Drops copies of the model that the IR shares with an equal one outside of
/// their loops: a slice that is just what the rest of a producer's loop wrote
/// is a value of its own, and its copy one for all loops.
void eraseShared(std::vector<std::string> &model,
                 llvm::ArrayRef<std::string> ir) {
  llvm::erase_if(model, [&](StringRef copy) {
    auto [loops, block] = copy.rsplit(' ');
    if (block.empty() || llvm::is_contained(ir, copy))
      return false;
    return llvm::any_of(ir, [&, loops = loops, block = block](StringRef other) {
      return other == block || (other.consume_back((" " + block).str()) &&
                                loops.starts_with((other + " ").str()));
    });
  });
}

} // namespace

TEST(FusionAgainstIR, RandomTraces) {
  std::mt19937_64 bits(7);
  unsigned legal = 0, withProducers = 0, moves = 0;
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  while (legal < 300) {
    const std::string text = PayloadWriter(bits).write();
    SCOPED_TRACE(text);
    auto module = parseSourceString<ModuleOp>(text, &getContext());
    ASSERT_TRUE(bool(module));
    ExtractionOptions options;
    options.remarks = false;
    auto tasks = extractTasks(*module, options);
    ASSERT_TRUE(bool(tasks)) << llvm::toString(tasks.takeError());
    ASSERT_EQ(tasks->size(), 1u);
    const Task &task = tasks->front();
    auto target = Target::parse("cpu:mcpu=znver3", 1 + bits() % 4);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    auto space = TaskSpace::create(task, *target);
    ASSERT_TRUE(bool(space)) << llvm::toString(space.takeError());
    // A single element is left to the default.
    if (!*space)
      continue;
    const bool produced = !task.blocks.producers.empty();
    withProducers += produced;
    moves += !produced && llvm::is_contained(task.roles, BlockRole::Producer);
    markVectors(**space);
    for (unsigned draw = 0; draw != 24; ++draw) {
      Candidate candidate;
      candidate.sketch = bits() % (*space)->getNumSketches();
      const Program &program = (*space)->getProgram(candidate.sketch);
      for (const Decision &decision : program.getDecisions())
        candidate.choices.push_back(bits() % decision.size());
      SCOPED_TRACE(schedule::printTrace((*space)->getTrace(candidate)));
      auto script = (*space)->makeScript(candidate);
      ASSERT_EQ(program.isLegal(candidate.choices), bool(script))
          << (script ? std::string("the script converts")
                     : llvm::toString(script.takeError()));
      if (!script) {
        llvm::consumeError(script.takeError());
        continue;
      }
      VectorRun run(**script);
      OwningOpRef<ModuleOp> payload = run.makeBlocks(task);
      ASSERT_TRUE(bool(payload)) << "the script does not apply";
      foldTrivialLoops(*payload);
      NestListing model = listModel(program, candidate.choices);
      NestListing ir = listIR(*payload);
      // Where an init has no loop to be fused into, it may stand on either side
      // of a producer.
      for (NestListing *listing : {&model, &ir}) {
        llvm::sort(listing->blocks);
        llvm::sort(listing->copies);
        listing->copies.erase(
            std::unique(listing->copies.begin(), listing->copies.end()),
            listing->copies.end());
      }
      ASSERT_EQ(joinLines(model.blocks), joinLines(ir.blocks));
      if (produced)
        eraseShared(model.copies, ir.copies);
      ASSERT_EQ(joinLines(model.copies), joinLines(ir.copies));
      ASSERT_TRUE(bool(run.makeVectors())) << "the script does not apply";
      std::vector<std::string> sizes =
          listModelVectors(program, candidate.choices);
      std::vector<std::string> made = run.list(*payload);
      llvm::sort(sizes);
      llvm::sort(made);
      ASSERT_EQ(joinLines(sizes), joinLines(made));
      ++legal;
    }
  }
  // All kinds must have been met.
  EXPECT_GT(withProducers, 5u);
  EXPECT_GT(moves, 5u);
}
