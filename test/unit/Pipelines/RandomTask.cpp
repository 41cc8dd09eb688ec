//===- RandomTask.cpp - Random matmuls with random schedules --------------===//

#include "RandomTask.h"
#include "../../../tools/sched-worker/TransformDialects.h"
#include "SchedOpt/Dialect/Schedule/IR/ScheduleDialect.h"
#include "SchedOpt/Model/SketchCompiler.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace sched;
using namespace sched::test;

MLIRContext &test::getContext() {
  static std::unique_ptr<MLIRContext> context = [] {
    // No more than is used: canonicalization looks at all ops that there are.
    DialectRegistry registry;
    registerCodegenDialects(registry);
    worker::registerTransformDialects(registry);
    registry.insert<schedule::ScheduleDialect>();
    registerLoopModels(registry);
    auto result = std::make_unique<MLIRContext>(
        registry, MLIRContext::Threading::DISABLED);
    result->loadAllAvailableDialects();
    return result;
  }();
  return *context;
}

/// Dimensions of extent 0 are left out.
static std::string writeTensor(const Shape &shape,
                               llvm::ArrayRef<int64_t> extents) {
  std::string text = "tensor<";
  for (int64_t extent : extents)
    if (extent != 0)
      text += std::to_string(extent) + "x";
  return text + (shape.isDouble ? "f64>" : "f32>");
}

/// "linalg.matmul" or "linalg.batch_matmul" and its operands, or the same as a
/// generic op.
static std::string writeContraction(const Shape &s, llvm::StringRef lhs,
                                    llvm::StringRef a, llvm::StringRef b,
                                    llvm::StringRef c) {
  // Letters of the dimensions that there are.
  auto letters = [&](llvm::StringRef all) {
    llvm::SmallVector<std::string> names;
    for (char name : all)
      if ((name != 'b' || s.batch != 0) && (name != 'q' || s.taps != 0) &&
          (name != 'k' || !s.isDepthwise))
        names.emplace_back(1, name);
    return names;
  };
  auto loops = letters("bmnqk");
  std::rotate(loops.begin(), loops.begin() + s.rotation % loops.size(),
              loops.end());
  auto map = [&](llvm::StringRef all) {
    return "affine_map<(" + llvm::join(loops, ", ") + ") -> (" +
           llvm::join(letters(all), ", ") + ")>";
  };
  const bool readsImage = s.stride != 0 && !s.hasWindows();
  const llvm::StringRef rhs = s.isDepthwise  ? "bqn"
                              : s.transposed ? "bnqk"
                                             : "bqkn";
  std::string first = map(s.isDepthwise ? "bmn"
                          : readsImage  ? "bmk"
                                        : "bmqk"),
              second = map(rhs.drop_front(s.sharesRhs));
  if (readsImage) {
    const size_t row = first.rfind('m');
    first.replace(row, 1, "m * " + std::to_string(s.stride) + " + q");
  }
  std::string operands = (lhs + ", %b : " + a + ", " + b).str();
  if (s.swapped) {
    std::swap(first, second);
    operands = ("%b, " + lhs + " : " + b + ", " + a).str();
  }
  const std::string maps =
      "indexing_maps = [" + first + ", " + second + ", " + map("bmn") + "]";
  const std::string tail =
      (" ins(" + operands + ") outs(%i : " + c + ")").str();
  if (s.taps == 0 && !s.swapped && s.rotation == 0 && !s.sharesRhs)
    return (s.batch ? "linalg.batch_matmul " : "linalg.matmul ") +
           (s.transposed ? maps : "") + tail + " -> " + c.str();
  std::string iterators;
  for (const std::string &loop : loops)
    iterators +=
        (iterators.empty() ? "\"" : ", \"") +
        std::string(loop == "q" || loop == "k" ? "reduction" : "parallel") +
        "\"";
  const std::string e = s.isDouble ? "f64" : "f32";
  return "linalg.generic {" + maps + ", iterator_types = [" + iterators + "]}" +
         tail + " {\n  ^bb0(%x: " + e + ", %y: " + e + ", %s: " + e +
         "):\n    %p = arith.mulf %x, %y : " + e +
         "\n    %t = arith.addf %s, %p : " + e +
         "\n    linalg.yield %t : " + e + "\n  } -> " + c.str();
}

/// One elementwise op that makes %r<i+1> of %r<i> and %d<i>.
static std::string writeEpilogue(const Shape &s, unsigned i) {
  const std::string number = std::to_string(i),
                    next = "%r" + std::to_string(i + 1);
  const std::string c = writeTensor(s, {s.batch, s.m, s.n}),
                    row = writeTensor(s, {s.n});
  std::string text, other = "%d" + number, name = "add";
  switch (s.epilogues[i]) {
  case Epilogue::Add:
    break;
  case Epilogue::Mul:
    name = "mul";
    break;
  case Epilogue::Max:
    name = "max";
    break;
  case Epilogue::AddBias:
    text = "  %w" + number + " = linalg.broadcast ins(%d" + number + " : " +
           row + ") outs(%e : " + c + ") dimensions = [0" +
           (s.batch ? ", 1" : "") + "]\n";
    other = "%w" + number;
    break;
  }
  return text + "  " + next + " = linalg." + name + " ins(%r" + number + ", " +
         other + " : " + c + ", " + c + ") outs(%e : " + c + ") -> " + c + "\n";
}

/// What makes %c, the contraction's operand of type `to`, of %a.
static std::string writeProducer(const Shape &s, llvm::StringRef from,
                                 llvm::StringRef to) {
  if (s.producer == Producer::Absolute)
    return ("  %q = tensor.empty() : " + to + "\n  %c = linalg.abs ins(%a : " +
            from + ") outs(%q : " + to + ") -> " + to + "\n")
        .str();
  const int64_t pixels = s.m / s.lines;
  const std::string windows =
                        writeTensor(s, {s.batch, s.lines, pixels, s.taps, s.k}),
                    e = s.isDouble ? "f64" : "f32", b = s.batch ? "b, " : "";
  std::string parallel = "\"parallel\"", groups = "[0, 1], [2], [3]";
  for (unsigned i = 0; i != (s.batch ? 4 : 3); ++i)
    parallel += ", \"parallel\"";
  if (s.batch)
    groups = "[0], [1, 2], [3], [4]";
  return "  %q = tensor.empty() : " + windows +
         "\n  %w = linalg.generic {indexing_maps = [affine_map<(" + b +
         "l, p, q, k) -> (" + b + "l, p * " + std::to_string(s.stride) +
         " + q, k)>, affine_map<(" + b + "l, p, q, k) -> (" + b +
         "l, p, q, k)>], iterator_types = [" + parallel +
         "]} ins(%a : " + from.str() + ") outs(%q : " + windows +
         ") {\n  ^bb0(%x: " + e + ", %y: " + e +
         "):\n    linalg.yield %x : " + e + "\n  } -> " + windows +
         "\n  %c = tensor.collapse_shape %w [" + groups + "] : " + windows +
         " into " + to.str() + "\n";
}

std::string test::writePayload(const Shape &s) {
  const std::string matrix = writeTensor(s, {s.batch, s.m, s.taps, s.k}),
                    c = writeTensor(s, {s.batch, s.m, s.n});
  const std::string a =
      s.hasWindows() ? writeTensor(s, {s.batch, s.lines, s.getImageRows(), s.k})
      : s.stride ? writeTensor(s, {s.batch, s.getImageRows(), s.getRowSize()})
                 : matrix;
  const int64_t products = s.sharesRhs ? 0 : s.batch;
  const std::string b = s.isDepthwise ? writeTensor(s, {s.taps, s.n})
                        : s.transposed
                            ? writeTensor(s, {products, s.n, s.taps, s.k})
                            : writeTensor(s, {products, s.taps, s.k, s.n});
  const std::string element = s.isDouble ? "f64" : "f32";
  // A task's function has its arguments in the order of their first use.
  const std::string lhs = "%a: " + a +
                          (s.lhsFree ? " {schedule.layout_free}" : ""),
                    rhs = "%b: " + b +
                          (s.layoutFree ? " {schedule.layout_free}" : "");
  std::string text = "func.func @f(" +
                     (s.startsWithRhs() ? rhs + ", " + lhs : lhs + ", " + rhs);
  for (auto [i, kind] : llvm::enumerate(s.epilogues))
    text += ", %d" + std::to_string(i) + ": " +
            (kind == Epilogue::AddBias ? writeTensor(s, {s.n}) : c);
  text += ") -> " + c + " {\n";
  // First, as the model has it: an init stays where it is unless it is fused.
  const bool hasProducer = s.producer != Producer::None;
  const std::string read = s.hasWindows() ? matrix : a;
  if (hasProducer)
    text += writeProducer(s, a, read);
  text += "  %z = arith.constant 0.0 : " + element +
          "\n  %e = tensor.empty() : " + c +
          "\n  %i = linalg.fill ins(%z : " + element + ") outs(%e : " + c +
          ") -> " + c + "\n  %r0 = " +
          writeContraction(s, hasProducer ? "%c" : "%a", read, b, c) + "\n";
  for (unsigned i = 0; i != s.epilogues.size(); ++i)
    text += writeEpilogue(s, i);
  return text + "  return %r" + std::to_string(s.epilogues.size()) + " : " + c +
         "\n}\n";
}

RandomTask test::makeTask(const Shape &shape, llvm::StringRef spec,
                          int threads) {
  RandomTask result;
  result.shape = shape;
  auto target = Target::parse(spec, threads);
  EXPECT_TRUE(bool(target)) << llvm::toString(target.takeError());
  auto module = parseSourceString<ModuleOp>(writePayload(shape), &getContext());
  EXPECT_TRUE(bool(module));
  ExtractionOptions options;
  options.remarks = false;
  auto tasks = extractTasks(*module, options);
  EXPECT_TRUE(bool(tasks)) << llvm::toString(tasks.takeError());
  result.tasks = std::move(*tasks);
  if (result.tasks.empty())
    return result;
  auto space = TaskSpace::create(result.tasks.front(), *target);
  EXPECT_TRUE(bool(space)) << llvm::toString(space.takeError());
  result.space = std::move(*space);
  return result;
}

Shape Shape::draw(std::mt19937_64 &bits) {
  static const int64_t sizes[] = {1,  2,  3,  5,  7,  8,   16,  17,  31,
                                  32, 48, 64, 96, 97, 100, 127, 128, 160};
  auto size = [&]() -> int64_t {
    return bits() % 4 ? sizes[bits() % std::size(sizes)] : 1 + bits() % 160;
  };
  Shape shape;
  shape.m = size();
  shape.n = size();
  shape.k = size();
  shape.transposed = bits() % 4 == 0;
  if (bits() % 4 == 0)
    shape.batch = 1 + bits() % 5;
  if (bits() % 4 == 0)
    shape.taps = 1 + bits() % 4;
  if (shape.taps != 0 && bits() % 2 == 0)
    shape.stride = 1 + bits() % 3;
  shape.sharesRhs = shape.batch != 0 && shape.n > 1 && bits() % 2 == 0;
  shape.swapped = bits() % 8 == 0;
  shape.rotation = bits() % 8 == 0 ? 1 + bits() % 2 : 0;
  shape.layoutFree = bits() % 2 == 0;
  shape.lhsFree = bits() % 2 == 0;
  shape.isDouble = bits() % 4 == 0;
  if (bits() % 8 == 0)
    shape.drawDepthwise(bits);
  else if (bits() % 2 == 0)
    shape.drawProducer(bits);
  else if (bits() % 4 == 0)
    shape.drawFewRows(bits);
  else if (bits() % 3 == 0)
    shape.drawLongReduction(bits);
  else if (bits() % 3 == 0)
    shape.drawLongRows(bits);
  static const unsigned lengths[] = {0, 0, 0, 1, 1, 1, 2, 3};
  for (unsigned i = lengths[bits() % std::size(lengths)]; i != 0; --i)
    shape.epilogues.push_back(static_cast<Epilogue>(bits() % 4));
  return shape;
}

void Shape::drawDepthwise(std::mt19937_64 &bits) {
  isDepthwise = sharesRhs = true;
  k = 1;
  transposed = layoutFree = lhsFree = false;
  taps = 1 + bits() % 4;
  stride = 1 + bits() % 3;
  // One row, one channel or one tap is no depthwise convolution.
  m += m == 1;
  n += n == 1;
  taps += taps == 1;
}

void Shape::drawProducer(std::mt19937_64 &bits) {
  // Blocks of the reduction are where its place may be.
  k = 65 + bits() % 96;
  producer = bits() % 2 ? Producer::Absolute : Producer::Windows;
  if (!hasWindows())
    return;
  taps = 1 + bits() % 4;
  stride = 1 + bits() % 2;
  lines = 1 + bits() % 9;
  m = lines * (1 + bits() % 12);
}

void Shape::drawFewRows(std::mt19937_64 &bits) {
  m = 1 + bits() % 4;
  k = 1 + bits() % 256;
  batch = taps = stride = 0;
  sharesRhs = false;
  transposed = true;
}

void Shape::drawLongReduction(std::mt19937_64 &bits) {
  m = 1 + bits() % 12;
  n = 1 + bits() % 24;
  batch = taps = stride = 0;
  sharesRhs = false;
  // Enough work for four threads.
  k = 800000 / (m * n) + bits() % 99;
}

void Shape::drawLongRows(std::mt19937_64 &bits) {
  m = 1 + bits() % 40;
  n = 512 + bits() % 1024;
  k = 65 + bits() % 64;
  taps = stride = 0;
}

RandomTask RandomTask::draw(std::mt19937_64 &bits) {
  const Shape shape = Shape::draw(bits);
  const char *spec = bits() % 3 ? "cpu:mcpu=znver3" : "cpu:mcpu=sapphirerapids";
  return makeTask(shape, spec, 1 + bits() % 4);
}

Candidate RandomTask::drawCandidate(std::mt19937_64 &bits) const {
  Candidate candidate;
  candidate.sketch = bits() % space->getNumSketches();
  // Few tasks have this one.
  for (unsigned i = 0; i != space->getNumSketches(); ++i)
    if (space->getSketch(i).getSymName() == "shared" && bits() % 2)
      candidate.sketch = i;
  for (const Decision &decision :
       space->getProgram(candidate.sketch).getDecisions())
    candidate.choices.push_back(bits() % decision.size());
  // The place inside of the reduction needs whole rows and columns, which few
  // draws have by chance.
  if (shape.producer == Producer::None || bits() % 2)
    return candidate;
  for (auto [decision, choice] :
       llvm::zip_equal(space->getProgram(candidate.sketch).getDecisions(),
                       candidate.choices)) {
    if (decision.name == "producer_at")
      choice = 1;
    else if (decision.name == "cache_lhs")
      choice = 0;
    else if (decision.name == "n_tiles" ||
             (decision.name == "m_tiles" && shape.hasWindows()))
      choice = decision.size() - 1;
  }
  return candidate;
}

OwningOpRef<ModuleOp> test::applyScript(const Task &task, ModuleOp script) {
  return applyScript(task.getFunction()->getParentOfType<ModuleOp>().clone(),
                     script);
}

OwningOpRef<ModuleOp> test::applyScript(OwningOpRef<ModuleOp> payload,
                                        ModuleOp script) {
  auto entry = transform::detail::findTransformEntryPoint(
      script, ModuleOp(),
      transform::TransformDialect::kTransformEntryPointSymbolName);
  transform::TransformOptions options;
  options.enableExpensiveChecks(false);
  if (!entry || failed(transform::applyTransformNamedSequence(*payload, entry,
                                                              script, options)))
    return nullptr;
  return payload;
}

llvm::Expected<KernelLibrary>
test::compileKernel(ModuleOp payload, const Target &target,
                    const CompileOptions &options) {
  llvm::SmallVector<char, 0> object;
  if (llvm::Error error = compileToObject(payload, target, options, object))
    return std::move(error);
  return KernelLibrary::load(llvm::StringRef(object.data(), object.size()));
}

void test::foldTrivialLoops(ModuleOp payload) {
  PassManager passes(payload.getContext());
  passes.addPass(createSCFForLoopCanonicalizationPass());
  passes.addPass(createCanonicalizerPass());
  EXPECT_TRUE(succeeded(passes.run(payload)));
}
