//===- Emission.cpp - What sched-opt writes besides MLIR ------------------===//

#include "Emission.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Codegen/Header.h"
#include "SchedOpt/Codegen/NVVM.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Codegen/Toolkit.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "SchedOpt/Space/TaskExtraction.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace sched;

/// Writes `content` and then does `next`; a file is there only if both succeed.
static Error write(StringRef path, StringRef content,
                   function_ref<Error()> next) {
  if (path.empty() || path == "-") {
    outs() << content;
    outs().flush();
    return next();
  }
  // What is no regular file (a pipe, a device) cannot be replaced, and a link
  // stays one.
  sys::fs::file_status status;
  SmallString<128> target(path);
  if (!sys::fs::status(path, status)) {
    if (status.type() != sys::fs::file_type::regular_file) {
      std::error_code error;
      raw_fd_ostream os(path, error, sys::fs::CD_OpenExisting,
                        sys::fs::FA_Write, sys::fs::OF_None);
      if (error)
        return createStringError(error, "cannot write '" + path +
                                            "': " + error.message());
      os << content;
      os.close();
      if (os.has_error()) {
        error = os.error();
        os.clear_error();
        return createStringError(error, "cannot write '" + path +
                                            "': " + error.message());
      }
      return next();
    }
    if (std::error_code error = sys::fs::real_path(path, target))
      return createStringError(error, "cannot write '" + path +
                                          "': " + error.message());
  }
  // To a temporary file beside it, then renamed. Where `next` fails, the file
  // is closed before the stream is, which must be empty by then.
  return writeToOutput(target, [&](raw_ostream &os) {
    os << content;
    os.flush();
    return next();
  });
}

Error sched::writeText(StringRef output, StringRef text) {
  return write(output, text, [] { return Error::success(); });
}

Error sched::checkWritable(StringRef path) {
  if (path.empty() || path == "-")
    return Error::success();
  sys::fs::file_status status;
  SmallString<128> target(path);
  if (!sys::fs::status(path, status)) {
    if (status.type() == sys::fs::file_type::directory_file)
      return createFileError(path,
                             std::make_error_code(std::errc::is_a_directory));
    if (std::error_code error =
            sys::fs::access(path, sys::fs::AccessMode::Write))
      return createFileError(path, error);
    // Opening a pipe would wait for its reader.
    if (status.type() != sys::fs::file_type::regular_file)
      return Error::success();
    if (std::error_code error = sys::fs::real_path(path, target))
      return createFileError(path, error);
  }
  // What `write` does first: a temporary file beside it.
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(target + ".temp-%%%%%%");
  if (!file)
    return createFileError(path, file.takeError());
  return file->discard();
}

/// An absolute path without links; nothing for what is no file to replace.
static std::optional<std::string> resolve(StringRef path) {
  if (path.empty() || path == "-")
    return std::nullopt;
  sys::fs::file_status status;
  SmallString<128> resolved;
  if (!sys::fs::status(path, status)) {
    if (status.type() != sys::fs::file_type::regular_file ||
        sys::fs::real_path(path, resolved))
      return std::nullopt;
    return resolved.str().str();
  }
  // Yet to be made: its folder is there.
  StringRef folder = sys::path::parent_path(path);
  if (sys::fs::real_path(folder.empty() ? "." : folder, resolved))
    return std::nullopt;
  sys::path::append(resolved, sys::path::filename(path));
  return resolved.str().str();
}

bool sched::isSameFile(StringRef a, StringRef b) {
  std::optional<std::string> first = resolve(a), second = resolve(b);
  return first && first == second;
}

/// What a script has to be applied to, where that is not the input: `begins`
/// with passes of ours itself. As comments.
static std::string describeInput(mlir::ModuleOp module,
                                 const sched::Target &target, bool begins) {
  std::string text, passes;
  if (begins)
    text = "// Begins with passes of sched-opt: mlir-opt needs its plugin, "
           "--load-pass-plugin.\n";
  const bool wasTosa = module->hasAttr(kLoweredTosaAttrName);
  if (wasTosa) {
    text += "// For what TOSA is lowered to";
    passes = " --schedule-lower-tosa";
  }
  if (!begins && any_of(module.getOps<mlir::func::FuncOp>(), isOutlinedTask)) {
    text +=
        wasTosa ? ", cut into tasks" : "// For tasks, not for the input itself";
    passes += " --schedule-outline-tasks";
    const auto names = OutlineOptions::of(target).getNames();
    std::string options = join(names, "=true ");
    if (names.size() > 1)
      passes += "=\"" + options + "=true\"";
    else if (!names.empty())
      passes += "=" + options + "=true";
  }
  if (!passes.empty())
    text += ": apply to the output of\n//   sched-opt" + passes + " INPUT\n";
  return text;
}

static Expected<std::string> printScript(mlir::ModuleOp module,
                                         const sched::Target &target) {
  auto sequence = module.lookupSymbol<mlir::transform::NamedSequenceOp>(
      mlir::transform::TransformDialect::kTransformEntryPointSymbolName);
  if (!sequence)
    return createStringError(
        "--emit=transform found no script in the module; add "
        "--auto-schedule or --apply-history-best to have one made, or "
        "script-only=true to either in a pipeline of your own");
  if (Error error = checkScriptPutsBack(module))
    return std::move(error);
  mlir::OpBuilder builder(module.getContext());
  mlir::OwningOpRef<mlir::ModuleOp> script =
      mlir::ModuleOp::create(builder.getUnknownLoc());
  (*script)->setAttr(
      mlir::transform::TransformDialect::kWithNamedSequenceAttrName,
      builder.getUnitAttr());
  builder.setInsertionPointToEnd(script->getBody());
  builder.clone(*sequence);
  const bool begins = prependRewriting(*script, module, target);
  std::string text;
  raw_string_ostream os(text);
  os << describeInput(module, target, begins);
  script->print(os, mlir::OpPrintingFlags().enableDebugInfo(false));
  return text + "\n";
}

Error sched::checkRequest(const EmitRequest &request,
                          const sched::Target &target) {
  const bool isGPU = target.kind == sched::Target::Kind::NVVM;
  auto refuse = [&](StringRef option, StringRef otherwise) {
    return createStringError(option + " is not for " +
                             (isGPU ? target.mcpu + ", a GPU" : "a CPU") +
                             "; expected " + otherwise);
  };
  StringRef ask = "--emit=ptx, cubin, llvm or mlir";
  if (isGPU && request.kind == EmitKind::Object)
    return refuse("--emit=obj", ask);
  if (isGPU && request.kind == EmitKind::Assembly)
    return refuse("--emit=asm", ask);
  ask = "a GPU, as by --auto-schedule=\"target=nvvm:sm_80\"";
  if (!isGPU && request.kind == EmitKind::PTX)
    return refuse("--emit=ptx", ask);
  if (!isGPU && request.kind == EmitKind::Cubin)
    return refuse("--emit=cubin", ask);
  if (!isGPU && !request.launch.empty())
    return refuse("--emit-launch", ask);
  return Error::success();
}

static std::string print(const Module &module) {
  std::string text;
  raw_string_ostream os(text);
  module.print(os, nullptr);
  return text;
}

namespace {
/// The contents of the files.
struct Emitted {
  std::string output, header, launch;
};
} // namespace

static Expected<std::string> printHeader(mlir::ModuleOp module,
                                         StringRef fileName, int threads) {
  // Packing functions show in the header.
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  mlir::PassManager pm(module.getContext());
  pm.addPass(createOutlinePackingPass());
  if (mlir::failed(pm.run(*copy)))
    return createStringError("packing could not be outlined for the header");
  return emitCHeader(*copy, fileName, threads);
}

/// Erases the public functions that C cannot call, as their shapes are not
/// known, where there are others, which call none of them.
static void leaveOutDynamic(mlir::ModuleOp module) {
  auto isPublic = [](mlir::func::FuncOp function) {
    return function.isPublic() && !function.isExternal();
  };
  if (!any_of(module.getOps<mlir::func::FuncOp>(),
              [&](mlir::func::FuncOp function) {
                return isPublic(function) && !hasDynamicSignature(function);
              }))
    return;
  // They may call each other.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto function :
         make_early_inc_range(module.getOps<mlir::func::FuncOp>())) {
      if (!isPublic(function) || !hasDynamicSignature(function) ||
          !mlir::SymbolTable::symbolKnownUseEmpty(function, module))
        continue;
      WithColor::warning() << "@" << function.getName()
                           << " is left out of what is compiled, as it has "
                              "tensors of dynamic shape; write one function "
                              "for each shape\n";
      function.erase();
      changed = true;
    }
  }
}

static Error compileForCPU(mlir::ModuleOp module, const EmitRequest &request,
                           const sched::Target &target,
                           const CompileOptions &options, Emitted &emitted) {
  if (!request.header.empty()) {
    Expected<std::string> header =
        printHeader(module, request.header, options.threads);
    if (!header)
      return header.takeError();
    emitted.header = std::move(*header);
  }
  if (request.kind == EmitKind::MLIR || request.kind == EmitKind::Transform)
    return Error::success();
  LLVMContext context;
  auto llvmModule = compileToLLVM(module, context, target, options);
  if (!llvmModule)
    return llvmModule.takeError();
  if (request.kind == EmitKind::LLVM) {
    emitted.output = print(**llvmModule);
    return Error::success();
  }
  SmallVector<char, 0> code;
  if (Error error =
          emitCode(**llvmModule, target,
                   request.kind == EmitKind::Object ? CodeFile::Object
                                                    : CodeFile::Assembly,
                   options.optLevel, code))
    return error;
  emitted.output.assign(code.data(), code.size());
  return Error::success();
}

static Error compileForGPU(mlir::ModuleOp module, const EmitRequest &request,
                           const sched::Target &target,
                           const CompileOptions &options, Emitted &emitted) {
  if ((request.kind == EmitKind::MLIR || request.kind == EmitKind::Transform) &&
      request.header.empty() && request.launch.empty())
    return Error::success();
  LLVMContext context;
  Expected<DeviceCode> code = compileToDevice(module, context, target, options);
  if (!code)
    return code.takeError();
  if (!request.header.empty())
    emitted.header = emitLaunchHeader(code->plan, request.header);
  if (!request.launch.empty()) {
    raw_string_ostream os(emitted.launch);
    os << formatv("{0:2}\n", toJSON(code->plan));
  }
  if (request.kind == EmitKind::LLVM)
    emitted.output = print(*code->module);
  if (request.kind != EmitKind::PTX && request.kind != EmitKind::Cubin)
    return Error::success();
  Expected<std::string> ptx = emitPTX(*code->module, target);
  if (!ptx)
    return ptx.takeError();
  if (request.kind == EmitKind::PTX) {
    emitted.output = std::move(*ptx);
    return Error::success();
  }
  Expected<AssembledCode> assembled = assemblePTX(*ptx, target.mcpu);
  if (!assembled)
    return assembled.takeError();
  emitted.output.assign(assembled->cubin.begin(), assembled->cubin.end());
  return Error::success();
}

Error sched::emit(mlir::ModuleOp module, const EmitRequest &request) {
  std::string spec = "native";
  if (auto attr = module->getAttrOfType<mlir::StringAttr>(kTargetAttrName))
    spec = attr.getValue().str();
  CompileOptions options;
  if (auto attr = module->getAttrOfType<mlir::IntegerAttr>(kThreadsAttrName))
    options.threads = attr.getInt();
  Expected<sched::Target> target = sched::Target::parse(spec, options.threads);
  if (!target)
    return target.takeError();
  if (Error error = checkRequest(request, *target))
    return error;

  Emitted emitted;
  if (request.kind == EmitKind::MLIR) {
    raw_string_ostream os(emitted.output);
    module.print(os);
    os << "\n";
  }
  dropSpaces(module);
  if (request.kind == EmitKind::Transform) {
    Expected<std::string> script = printScript(module, *target);
    if (!script)
      return script.takeError();
    emitted.output = std::move(*script);
  }
  if ((request.kind != EmitKind::MLIR && request.kind != EmitKind::Transform) ||
      !request.header.empty())
    leaveOutDynamic(module);
  const auto compile =
      target->kind == sched::Target::Kind::NVVM ? compileForGPU : compileForCPU;
  if (Error error = compile(module, request, *target, options, emitted))
    return error;

  // Everything has succeeded by now but the writing.
  auto writeLaunch = [&]() -> Error {
    return request.launch.empty() ? Error::success()
                                  : writeText(request.launch, emitted.launch);
  };
  auto writeHeader = [&]() -> Error {
    return request.header.empty()
               ? writeLaunch()
               : write(request.header, emitted.header, writeLaunch);
  };
  return write(request.output, emitted.output, writeHeader);
}
