//===- Emission.cpp - What sched-opt writes besides MLIR ------------------===//

#include "Emission.h"
#include "SchedOpt/Codegen/Compile.h"
#include "SchedOpt/Codegen/Header.h"
#include "SchedOpt/Codegen/Passes.h"
#include "SchedOpt/Pipelines/AutoSchedule.h"
#include "SchedOpt/Space/OutlineTasks.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
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

static Expected<std::string> printScript(mlir::ModuleOp module) {
  auto sequence = module.lookupSymbol<mlir::transform::NamedSequenceOp>(
      mlir::transform::TransformDialect::kTransformEntryPointSymbolName);
  if (!sequence)
    return createStringError(
        "--emit=transform found no script in the module; add "
        "--auto-schedule or --apply-history-best to have one made, or "
        "script-only=true to either in a pipeline of your own");
  for (mlir::func::FuncOp function : module.getOps<mlir::func::FuncOp>())
    if (function->getAttrOfType<mlir::StringAttr>(kLeftToDefaultAttrName))
      return createStringError(
          "--emit=transform would write a script that rewrites @" +
          function.getName() +
          " again, whose rewriting is wrong; give the function the attribute "
          "schedule.left_to_default in the input, or emit code instead");
  mlir::OpBuilder builder(module.getContext());
  mlir::OwningOpRef<mlir::ModuleOp> script =
      mlir::ModuleOp::create(builder.getUnknownLoc());
  (*script)->setAttr(
      mlir::transform::TransformDialect::kWithNamedSequenceAttrName,
      builder.getUnitAttr());
  builder.setInsertionPointToEnd(script->getBody());
  builder.clone(*sequence);
  std::string text;
  raw_string_ostream os(text);
  if (prependRewriting(*script, module))
    os << "// Begins with passes of sched-opt: mlir-opt needs its plugin, "
          "--load-pass-plugin.\n";
  else if (any_of(module.getOps<mlir::func::FuncOp>(), isOutlinedTask))
    os << "// For functions that hold more than a task, or ops that are "
          "rewritten\n// first: apply to the output "
          "of\n"
          "//   sched-opt --schedule-outline-tasks INPUT\n";
  script->print(os, mlir::OpPrintingFlags().enableDebugInfo(false));
  return text + "\n";
}

static Expected<std::string> compile(mlir::ModuleOp module, EmitKind kind,
                                     const sched::Target &target,
                                     const CompileOptions &options) {
  LLVMContext context;
  auto llvmModule = compileToLLVM(module, context, target, options);
  if (!llvmModule)
    return llvmModule.takeError();
  if (kind == EmitKind::LLVM) {
    std::string text;
    raw_string_ostream os(text);
    (*llvmModule)->print(os, nullptr);
    return text;
  }
  SmallVector<char, 0> code;
  if (Error error = emitCode(**llvmModule, target,
                             kind == EmitKind::Object ? CodeFile::Object
                                                      : CodeFile::Assembly,
                             options.optLevel, code))
    return std::move(error);
  return std::string(code.data(), code.size());
}

Error sched::emit(mlir::ModuleOp module, EmitKind kind, StringRef output,
                  StringRef header) {
  std::string spec = "native";
  if (auto attr = module->getAttrOfType<mlir::StringAttr>(kTargetAttrName))
    spec = attr.getValue().str();
  CompileOptions options;
  if (auto attr = module->getAttrOfType<mlir::IntegerAttr>(kThreadsAttrName))
    options.threads = attr.getInt();
  Expected<sched::Target> target = sched::Target::parse(spec, options.threads);
  if (!target)
    return target.takeError();

  if (kind != EmitKind::MLIR)
    dropSpaces(module);
  std::string content, headerText;
  if (kind == EmitKind::Transform) {
    Expected<std::string> script = printScript(module);
    if (!script)
      return script.takeError();
    content = std::move(*script);
  }
  if (!header.empty()) {
    // Packing functions show in the header.
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
    dropSpaces(*copy);
    mlir::PassManager pm(module.getContext());
    pm.addPass(createOutlinePackingPass());
    if (mlir::failed(pm.run(*copy)))
      return createStringError("packing could not be outlined for the header");
    Expected<std::string> text = emitCHeader(*copy, header, options.threads);
    if (!text)
      return text.takeError();
    headerText = std::move(*text);
  }
  if (kind == EmitKind::MLIR) {
    raw_string_ostream os(content);
    module.print(os);
    os << "\n";
  } else if (kind != EmitKind::Transform) {
    Expected<std::string> code = compile(module, kind, *target, options);
    if (!code)
      return code.takeError();
    content = std::move(*code);
  }
  // Everything has succeeded by now but the writing.
  auto done = [] { return Error::success(); };
  return write(output, content, [&]() -> Error {
    return header.empty() ? done() : write(header, headerText, done);
  });
}
