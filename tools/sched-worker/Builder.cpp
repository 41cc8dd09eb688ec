//===- Builder.cpp - From payload and script to an object -----------------===//

#include "Builder.h"
#include "../common/FunctionInfo.h"
#include "../common/WidenSums.h"
#include "DeviceBuilder.h"
#include "Fault.h"
#include "Payload.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Measure/MeasureResult.h"
#include "SchedOpt/Measure/Timer.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "TransformDialects.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace mlir;

namespace sched::worker {

/// Where in its results a schedule is compared with the payload: at both ends,
/// where tiles and threads leave something over and padding is, and between.
static constexpr double kSamplePositions[] = {0, 0.5, 1};

namespace {
/// Keeps the first error's text while it is in scope.
class FirstError {
public:
  explicit FirstError(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
              text.empty()) {
            raw_string_ostream out(text);
            if (auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
              out << place.getFilename().getValue() << ':' << place.getLine()
                  << ':' << place.getColumn() << ": ";
            out << diagnostic;
            for (Diagnostic &note : diagnostic.getNotes()) {
              std::string words = note.str();
              // That one is for people in front of the IR.
              if (!StringRef(words).starts_with("see current operation"))
                out << "; " << words;
            }
            // One line: a note may show a whole operation.
            size_t end = text.find('\n');
            if (end != std::string::npos)
              text.resize(end);
          }
          return success();
        }) {}

  std::string take(StringRef otherwise) {
    return text.empty() ? otherwise.str() : std::move(text);
  }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};
} // namespace

/// After this many builds the context is made anew: types and attributes that
/// candidates leave behind are never freed within one.
constexpr unsigned kBuildsPerContext = 500;

Builder::Builder(Channel &channel) : channel(channel) { renewContext(); }
Builder::~Builder() = default;

void Builder::renewContext() {
  payloads.clear();
  DialectRegistry registry;
  registerCodegenDialects(registry);
  registerTransformDialects(registry);
  // Builders are processes; a thread pool in each would only get in the way.
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  buildsInContext = 0;
}

Expected<ModuleOp> Builder::payloadFor(StringRef text) {
  auto known = payloads.find(text);
  if (known != payloads.end())
    return known->second.get();
  FirstError error(context.get());
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(context.get()), "payload");
  if (!module)
    return failRequest(failure::kBuildError, stage::kInstantiate,
                       error.take("the payload does not parse"));
  return payloads.try_emplace(text, std::move(module)).first->second.get();
}

Error Builder::applyScript(ModuleOp payload, StringRef text) {
  FirstError error(context.get());
  auto fail = [&](StringRef otherwise) {
    return failRequest(failure::kBuildError, stage::kInstantiate,
                       error.take(otherwise));
  };
  OwningOpRef<ModuleOp> script =
      parseSourceString<ModuleOp>(text, ParserConfig(context.get()), "script");
  if (!script)
    return fail("the script does not parse");
  transform::TransformOpInterface entry =
      transform::detail::findTransformEntryPoint(
          *script, ModuleOp(),
          transform::TransformDialect::kTransformEntryPointSymbolName);
  if (!entry)
    return fail("the script has no @__transform_main");
  transform::TransformOptions options;
  options.enableExpensiveChecks(false);
  if (failed(transform::applyTransformNamedSequence(payload, entry, *script,
                                                    options)))
    return fail("the script failed");
  // What comes out of a script is only as good as the script.
  if (failed(verify(payload)))
    return fail("the script made invalid IR");
  return Error::success();
}

Error Builder::inlineAll(ModuleOp module) {
  FirstError error(context.get());
  if (succeeded(inlineTasks(module)))
    return Error::success();
  return failRequest(failure::kBuildError, stage::kInstantiate,
                     error.take("outlined tasks cannot be inlined"));
}

Error Builder::compile(ModuleOp module, const Target &target, int threads,
                       int optLevel, SmallVectorImpl<char> &object) {
  auto fail = [](StringRef stage, Error error) {
    return failRequest(failure::kBuildError, stage, toString(std::move(error)));
  };
  channel.enter(stage::kLower);
  CompileOptions options;
  options.optLevel = optLevel;
  options.threads = threads;
  options.packedWrapper = true;
  llvm::LLVMContext llvmContext;
  Expected<std::unique_ptr<llvm::Module>> lowered =
      compileToLLVM(module, llvmContext, target, options);
  if (!lowered)
    return fail(stage::kLower, lowered.takeError());
  channel.enter(stage::kCodegen);
  if (Error error =
          emitCode(**lowered, target, CodeFile::Object, optLevel, object))
    return fail(stage::kCodegen, std::move(error));
  return Error::success();
}

static Expected<Target> parseTarget(StringRef spec, int threads) {
  Expected<Target> target = Target::parse(spec, threads);
  if (!target)
    return failRequest(failure::kBuildError, stage::kInstantiate,
                       toString(target.takeError()));
  return target;
}

static Error keepFunction(ModuleOp module, StringRef name) {
  if (succeeded(keepOnly(module, name)))
    return Error::success();
  return failRequest(failure::kBuildError, stage::kInstantiate,
                     "the functions beside @" + name + " cannot be removed");
}

/// Beside it first, then renamed.
static Error writeObject(StringRef path, ArrayRef<char> object) {
  const std::string temporary = (path + ".tmp").str();
  std::error_code code;
  {
    raw_fd_ostream stream(temporary, code);
    if (!code) {
      stream.write(object.data(), object.size());
      stream.flush();
      code = stream.error();
      stream.clear_error();
    }
  }
  if (!code)
    code = sys::fs::rename(temporary, path);
  if (!code)
    return Error::success();
  sys::fs::remove(temporary);
  return failRequest(failure::kRuntime, stage::kCodegen,
                     "cannot write the object '" + path +
                         "': " + code.message());
}

Expected<BuildAnswer> Builder::build(const BuildRequest &request) {
  double begin = monotonicSeconds();
  channel.enter(stage::kInstantiate);
  Expected<Target> target = parseTarget(request.target, request.threads);
  if (!target)
    return target.takeError();
  if (++buildsInContext > kBuildsPerContext)
    renewContext();
  Expected<ModuleOp> payload = payloadFor(request.payload);
  if (!payload)
    return payload.takeError();
  Expected<func::FuncOp> function = findFunction(*payload, request.function);
  if (!function)
    return function.takeError();
  OwningOpRef<ModuleOp> module = payload->clone();
  misbehave(request.fault);
  if (!request.script.empty())
    if (Error error = applyScript(*module, request.script))
      return std::move(error);
  if (Error error = inlineAll(*module))
    return std::move(error);
  if (Error error = keepFunction(*module, function->getName()))
    return std::move(error);

  BuildAnswer answer;
  SmallVector<char, 0> object;
  if (target->kind == sched::Target::Kind::NVVM) {
    Expected<DeviceBuild> build = buildForDevice(
        *module, function->getName(), *target, request.optLevel, channel);
    if (!build)
      return build.takeError();
    const std::string content = build->program.str();
    object.assign(content.begin(), content.end());
    answer.kernels = std::move(build->kernels);
  } else if (Error error = compile(*module, *target, request.threads,
                                   request.optLevel, object)) {
    return std::move(error);
  }
  if (Error error = writeObject(request.object, object))
    return std::move(error);
  XXH128_hash_t hash = xxh3_128bits(ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(object.data()), object.size()));
  answer.objectHash = utohexstr(hash.high64, /*LowerCase=*/true, 16) +
                      utohexstr(hash.low64, /*LowerCase=*/true, 16);
  answer.seconds = monotonicSeconds() - begin;
  return answer;
}

Expected<ReferenceAnswer> Builder::buildReference(
    const ReferenceRequest &request, SmallVectorImpl<char> &object,
    SmallVectorImpl<char> &widened, std::vector<ReferenceSample> &samples) {
  channel.enter(stage::kInstantiate);
  Expected<Target> wanted = parseTarget(request.target, request.threads);
  if (!wanted)
    return wanted.takeError();
  // What a GPU computes is compared with what the CPU does.
  Expected<Target> target = parseTarget(
      isGraphicsProcessor(request.target) ? "native" : request.target,
      request.threads);
  if (!target)
    return target.takeError();
  if (Error error = checkRunsHere(*target))
    return std::move(error);
  Expected<ModuleOp> payload = payloadFor(request.payload);
  if (!payload)
    return payload.takeError();
  OwningOpRef<ModuleOp> module = payload->clone();
  if (Error error = inlineAll(*module))
    return std::move(error);
  Expected<func::FuncOp> function = findFunction(*module, request.function);
  if (!function)
    return function.takeError();
  Expected<ReferenceAnswer> answer = describePayload(*function, *wanted);
  if (!answer)
    return answer.takeError();
  misbehave(request.fault);
  const bool isNarrow =
      llvm::any_of(answer->tensors, [](const TensorSpec &spec) {
        return spec.narrowLength > 0;
      });
  const bool onDevice = isGraphicsProcessor(request.target);
  // A CPU's schedules are not trusted unless parts of what one computes are
  // compared, and sums of few bits are known best as they are.
  bool isScheduled = !request.script.empty() && (onDevice || !isNarrow);
  SmallVector<OwningOpRef<ModuleOp>> parts;
  if (isScheduled && request.share > 0) {
    for (double position : kSamplePositions) {
      OwningOpRef<ModuleOp> part = module->clone();
      if (Error error = keepFunction(*part, answer->function))
        return std::move(error);
      auto firsts =
          takeSample(part->lookupSymbol<func::FuncOp>(answer->function),
                     request.share / std::size(kSamplePositions), position);
      if (failed(firsts))
        break;
      parts.push_back(std::move(part));
      samples.emplace_back();
      samples.back().firsts = std::move(*firsts);
    }
  }
  isScheduled &= onDevice || !parts.empty();
  if (isScheduled) {
    module = payload->clone();
    if (Error error = applyScript(*module, request.script))
      return std::move(error);
    if (Error error = inlineAll(*module))
      return std::move(error);
  }
  if (Error error = keepFunction(*module, answer->function))
    return std::move(error);
  OwningOpRef<ModuleOp> wide;
  // What a script has made is no longer known as a sum.
  if (!isScheduled && isNarrow)
    wide = module->clone();
  if (Error error =
          compile(*module, *target, request.threads, /*optLevel=*/3, object))
    return std::move(error);
  for (auto [part, sample] : llvm::zip_equal(parts, samples)) {
    Expected<ReferenceAnswer> described = describePayload(
        part->lookupSymbol<func::FuncOp>(answer->function), *wanted);
    if (!described)
      return described.takeError();
    sample.tensors = std::move(described->tensors);
    if (Error error = compile(*part, *target, /*threads=*/1, /*optLevel=*/3,
                              sample.object))
      return std::move(error);
  }
  // Without it, the check is less sharp.
  if (!wide ||
      failed(widenSums(wide->lookupSymbol<func::FuncOp>(answer->function))))
    return answer;
  if (Error error =
          compile(*wide, *target, request.threads, /*optLevel=*/3, widened)) {
    consumeError(std::move(error));
    widened.clear();
  }
  return answer;
}

} // namespace sched::worker
