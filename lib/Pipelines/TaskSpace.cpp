//===- TaskSpace.cpp - A task with its search space -----------------------===//

#include "SchedOpt/Pipelines/TaskSpace.h"
#include "ModuleScript.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Conversion/ScheduleToTransform/ScheduleToTransform.h"
#include "SchedOpt/Pipelines/Extensions.h"
#include "SchedOpt/Space/SpaceGenerator.h"
#include "SchedOpt/Support/ModuleText.h"
#include "ScriptView.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace sched;

namespace {
/// Collects the first error of a scope as text.
class ErrorText {
public:
  explicit ErrorText(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              text.empty())
            text = diagnostic.str();
          return success();
        }) {}
  llvm::Error take(const llvm::Twine &what) {
    return llvm::createStringError((what + ": " + text).str());
  }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};
} // namespace

/// The hash of a sketch's text without the name of the function it is for.
static std::string hashSketch(schedule::SketchOp sketch,
                              llvm::StringRef function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  sketch->print(os, OpPrintingFlags().useLocalScope().enableDebugInfo(false));
  const std::string name = "sym_name = " + toStringLiteral(function);
  for (size_t at; (at = text.find(name)) != std::string::npos;)
    text.erase(at, name.size());
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
}

/// Lets a script that works on whatever it finds in its root work on the task's
/// function: the module may hold others, and the script itself. One that looks
/// for functions by their names knows what it works on.
static void limitToFunction(schedule::SketchOp sketch, StringAttr function) {
  Block &body = sketch.getBody().front();
  BlockArgument root = body.getArgument(0);
  const bool isNamed = sketch
                           ->walk([](transform::MatchOp match) {
                             DictionaryAttr attributes = match.getOpAttrsAttr();
                             return attributes && attributes.get("sym_name")
                                        ? WalkResult::interrupt()
                                        : WalkResult::advance();
                           })
                           .wasInterrupted();
  if (isNamed || root.use_empty() || !isa<transform::AnyOpType>(root.getType()))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto match = transform::MatchOp::create(builder, sketch.getLoc(), root,
                                          ArrayRef<StringRef>{"func.func"});
  match.setOpAttrsAttr(
      builder.getDictionaryAttr(builder.getNamedAttr("sym_name", function)));
  root.replaceAllUsesExcept(match.getResults(), match);
}

llvm::Expected<bool> TaskSpace::makeSketches(schedule::SpaceOp given) {
  MLIRContext *context = task.getFunction().getContext();
  if (given) {
    module = ModuleOp::create(given.getLoc());
    module->push_back(given->clone());
    const StringAttr name = task.getFunction().getSymNameAttr();
    renameMatchedFunction(*module, name);
    module->walk(
        [&](schedule::SketchOp sketch) { limitToFunction(sketch, name); });
    if (!given.getOps<schedule::SketchOp>().empty())
      return true;
    return llvm::createStringError("the space @" + given.getSymName() +
                                   " has no sketch");
  }
  auto rules = collectSketchRules(context);
  if (writeSpace(task, target, rules).empty())
    return false;
  auto generated = generateSpace(task, target, rules, context);
  if (!generated)
    return generated.takeError();
  module = std::move(*generated);
  return true;
}

llvm::Expected<std::unique_ptr<TaskSpace>>
TaskSpace::create(const Task &task, const Target &target,
                  schedule::SpaceOp given) {
  std::unique_ptr<TaskSpace> space(new TaskSpace(task, target));
  llvm::Expected<bool> hasSketches = space->makeSketches(given);
  if (!hasSketches)
    return hasSketches.takeError();
  if (!*hasSketches)
    return nullptr;
  SmallVector<schedule::SketchOp> sketches;
  space->module->walk(
      [&](schedule::SketchOp sketch) { sketches.push_back(sketch); });
  // What people wrote may be wrong in one sketch and right in the others.
  SmallVector<std::pair<Location, std::string>> dropped;
  for (schedule::SketchOp sketch : sketches) {
    ErrorText error(task.getFunction().getContext());
    if (succeeded(space->compile(sketch)))
      continue;
    llvm::Error problem =
        error.take("sketch @" + sketch.getSymName() + " does not compile");
    // One of ours always compiles.
    if (!given && !Extensions::get(sketch.getContext()))
      return problem;
    dropped.emplace_back(sketch.getLoc(), llvm::toString(std::move(problem)));
  }
  if (space->sketches.empty())
    return llvm::createStringError(dropped.front().second);
  for (const auto &[loc, problem] : dropped)
    emitWarning(loc) << problem << "; the other sketches of the space are kept";
  for (auto &[sketch, ops] : space->unmodelled) {
    InFlightDiagnostic remark = emitRemark(ops.front()->getLoc());
    remark << "'" << ops.front()->getName() << "' has no loop model";
    if (ops.size() > 1)
      remark << ", as " << ops.size() - 1 << " more of @"
             << sketch.getSymName();
    const auto isOf = [sketch = sketch](const Sketch &other) {
      return other.op == sketch;
    };
    const size_t first =
        llvm::find_if(space->sketches, isOf) - space->sketches.begin();
    remark << ": what the search knows of a candidate of @"
           << sketch.getSymName() << " before it is measured "
           << (isSmall(*space->programs[first])
                   ? "is read off its code"
                   : "leaves that out, as there are too many to read their "
                     "code");
  }
  return space;
}

bool TaskSpace::isSmall(const Program &program) {
  uint64_t count = 1;
  for (const Decision &decision : program.getDecisions())
    if ((count *= decision.size()) > ScriptView::kMostCandidates)
      return false;
  return true;
}

LogicalResult TaskSpace::compile(schedule::SketchOp sketch) {
  constexpr size_t kMostAlternatives = 64;
  FailureOr<std::vector<Alternatives>> combinations =
      listAlternatives(sketch, kMostAlternatives);
  if (failed(combinations))
    return failure();
  const std::string hash = hashSketch(sketch, task.getFunction().getSymName());
  std::vector<std::unique_ptr<Program>> compiled;
  SmallVector<Operation *> missing;
  for (const Alternatives &alternatives : *combinations) {
    SmallVector<Operation *> ops;
    FailureOr<Program> program = compileSketch(
        sketch, task.getFunction(), target, task.flops, alternatives, &ops);
    if (failed(program))
      return failure();
    compiled.push_back(std::make_unique<Program>(std::move(*program)));
    for (Operation *op : ops)
      if (!llvm::is_contained(missing, op))
        missing.push_back(op);
  }
  for (auto [program, alternatives] :
       llvm::zip_equal(compiled, *combinations)) {
    sketches.push_back({sketch, std::move(alternatives)});
    programs.push_back(std::move(program));
    if (missing.empty() || !isSmall(*programs.back()))
      views.push_back(std::make_unique<ProgramView>(*programs.back()));
    else
      views.push_back(std::make_unique<ScriptView>(
          *programs.back(), task.getFunction(),
          [this, index = uint16_t(sketches.size() - 1)](
              llvm::ArrayRef<uint16_t> choices) {
            return makeScript({index, Choices(choices)});
          }));
    hashes.push_back(hash);
  }
  if (!missing.empty())
    unmodelled.emplace_back(sketch, std::move(missing));
  return success();
}

schedule::Trace TaskSpace::getTrace(const Candidate &candidate) const {
  schedule::Trace trace;
  const auto &[op, alternatives] = sketches[candidate.sketch];
  trace.sketch = schedule::SketchOp(op).getSymName().str();
  ArrayRef<Decision> decisions = programs[candidate.sketch]->getDecisions();
  unsigned next = 0;
  for (schedule::DecisionOpInterface decision :
       schedule::SketchOp(op).getDecisions()) {
    const std::string name = decision.getDecisionName().str();
    if (auto taken = alternatives.find(name); taken != alternatives.end()) {
      trace.decisions.push_back({name, {taken->second}});
    } else if (next != decisions.size() && decisions[next].name == name) {
      const std::vector<int64_t> &values =
          decisions[next].domain[candidate.choices[next]];
      trace.decisions.push_back({name, {values.begin(), values.end()}});
      ++next;
    }
  }
  assert(next == decisions.size() && "decisions are compiled in their order");
  return trace;
}

std::optional<Candidate>
TaskSpace::getCandidate(unsigned sketch, const schedule::Trace &trace) const {
  for (const auto &taken : sketches[sketch].alternatives) {
    const auto *values = trace.find(taken.getKey());
    if (!values || values->values != ArrayRef<int64_t>(taken.getValue()))
      return std::nullopt;
  }
  Candidate candidate;
  candidate.sketch = sketch;
  for (const Decision &decision : programs[sketch]->getDecisions()) {
    const auto *values = trace.find(decision.name);
    if (!values)
      return std::nullopt;
    auto entry = schedule::findEntry(decision.domain, values->values);
    if (!entry)
      return std::nullopt;
    candidate.choices.push_back(*entry);
  }
  return candidate;
}

std::optional<Candidate>
TaskSpace::getCandidate(const schedule::Trace &trace) const {
  for (unsigned i = 0, e = sketches.size(); i != e; ++i)
    if (schedule::SketchOp(sketches[i].op).getSymName() == trace.sketch)
      if (std::optional<Candidate> candidate = getCandidate(i, trace))
        return candidate;
  return std::nullopt;
}

std::optional<Candidate> TaskSpace::findRecorded(llvm::StringRef sketchHash,
                                                 llvm::StringRef text) const {
  if (!llvm::is_contained(hashes, sketchHash))
    return std::nullopt;
  auto trace = schedule::parseTrace(text);
  if (!trace) {
    llvm::consumeError(trace.takeError());
    return std::nullopt;
  }
  std::optional<Candidate> candidate = getCandidate(*trace);
  if (!candidate || hashes[candidate->sketch] != sketchHash)
    return std::nullopt;
  return candidate;
}

std::string TaskSpace::explainMisfit(llvm::StringRef sketchHash,
                                     llvm::StringRef text) const {
  auto trace = schedule::parseTrace(text);
  if (!trace)
    return llvm::toString(trace.takeError());
  const auto hash = llvm::find(hashes, sketchHash);
  if (hash == hashes.end())
    return "the sketch @" + trace->sketch + " that it is of (" +
           sketchHash.str() + ") is not in the space";
  // All alternatives of a sketch decide the same but for these themselves.
  for (const Decision &decision :
       programs[hash - hashes.begin()]->getDecisions()) {
    const auto *values = trace->find(decision.name);
    if (!values)
      return "it does not decide '" + decision.name + "'";
    if (!schedule::findEntry(decision.domain, values->values))
      return "'" + decision.name + "' = [" +
             llvm::join(llvm::map_range(values->values,
                                        [](int64_t value) {
                                          return std::to_string(value);
                                        }),
                        ", ") +
             "] is outside of its domain";
  }
  return "its alternatives are not in the space";
}

std::optional<Candidate> TaskSpace::adapt(llvm::StringRef text) const {
  auto trace = schedule::parseTrace(text);
  if (!trace) {
    llvm::consumeError(trace.takeError());
    return std::nullopt;
  }
  std::optional<unsigned> found;
  for (unsigned i = 0, e = sketches.size(); i != e; ++i) {
    const auto &[op, alternatives] = sketches[i];
    if (schedule::SketchOp(op).getSymName() != trace->sketch)
      continue;
    // With the trace's alternatives if there are such.
    const bool isSame = llvm::all_of(alternatives, [&](const auto &taken) {
      const auto *values = trace->find(taken.getKey());
      return values && values->values == ArrayRef<int64_t>(taken.getValue());
    });
    if (isSame || !found)
      found = i;
    if (isSame)
      break;
  }
  if (!found)
    return std::nullopt;
  Candidate candidate;
  candidate.sketch = *found;
  for (const Decision &decision : programs[*found]->getDecisions()) {
    std::optional<uint16_t> entry;
    if (const auto *values = trace->find(decision.name))
      entry = DecisionTable(decision).findNearest(values->values);
    candidate.choices.push_back(entry.value_or(decision.defaultIndex));
  }
  return candidate;
}

std::string TaskSpace::getSketchName(unsigned sketch) const {
  const auto &[op, alternatives] = sketches[sketch];
  std::string name = schedule::SketchOp(op).getSymName().str();
  for (schedule::DecisionOpInterface decision :
       schedule::SketchOp(op).getDecisions())
    if (auto taken = alternatives.find(decision.getDecisionName());
        taken != alternatives.end())
      name +=
          " " + taken->getKey().str() + "=" + std::to_string(taken->getValue());
  return name;
}

llvm::Expected<OwningOpRef<ModuleOp>>
TaskSpace::makeScript(const Candidate &candidate) const {
  schedule::SketchOp sketch = sketches[candidate.sketch].op;
  ErrorText error(sketch.getContext());
  auto script = schedule::convertToTransform(sketch, getTrace(candidate));
  if (failed(script))
    return error.take("the candidate does not convert to a script");
  return std::move(*script);
}

std::string TaskSpace::getTargetKey(const Target &target) {
  return target.str() + ",threads=" + std::to_string(target.threads);
}

std::string TaskSpace::getToolchain() {
  return "LLVM " LLVM_VERSION_STRING ", code " + std::to_string(kCodeVersion);
}

SearchTask TaskSpace::makeSearchTask() const {
  std::vector<const SketchView *> sketchViews;
  for (const auto &view : views)
    sketchViews.push_back(view.get());
  SearchTask result{SearchSpace(std::move(sketchViews))};
  result.name = task.text;
  result.workloadHash = task.hash;
  result.workloadText = task.text;
  result.targetKey = getTargetKey(target);
  result.toolchain = getToolchain();
  result.flops = task.flops;
  result.weight = task.weight;
  result.sketchHashes = hashes;
  for (unsigned i = 0, e = sketches.size(); i != e; ++i)
    result.sketchNames.push_back(getSketchName(i));
  result.makeScript =
      [this](const Candidate &candidate) -> llvm::Expected<std::string> {
    auto script = makeScript(candidate);
    if (!script)
      return script.takeError();
    return printForProcess(**script);
  };
  result.makeTrace = [this](const Candidate &candidate) {
    return schedule::printTrace(getTrace(candidate));
  };
  result.parseTrace = [this](llvm::StringRef hash, llvm::StringRef text) {
    return findRecorded(hash, text);
  };
  result.explainMisfit = [this](llvm::StringRef hash, llvm::StringRef text) {
    return explainMisfit(hash, text);
  };
  result.adaptTrace = [this](llvm::StringRef text) { return adapt(text); };
  return result;
}
