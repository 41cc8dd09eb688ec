//===- Builder.h - From payload and script to an object ---------*- C++ -*-===//
//
// The compiling half of the worker. The MLIR context and the parsed payload
// live from one request to the next; a candidate costs a clone, the script and
// the compilation.
//
// Read next: Channel.h; the compiler itself is Codegen's.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_BUILDER_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_BUILDER_H

#include "Channel.h"
#include "ReferenceSample.h"
#include "SchedOpt/Support/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace sched::worker {

class Builder {
public:
  explicit Builder(Channel &channel);
  ~Builder();

  /// Builds the candidate and writes its object. Fails with a RequestError.
  llvm::Expected<BuildAnswer> build(const BuildRequest &request);

  /// What the payload's function is like (all but `seconds` and the deviation),
  /// and the object of the unscheduled payload; where it sums up in f16 or bf16
  /// also of the same with sums of f32, if that can be had. Where it gets a
  /// script, a part of it without, if asked for. Fails when this machine cannot
  /// run it.
  llvm::Expected<ReferenceAnswer>
  buildReference(const ReferenceRequest &request,
                 llvm::SmallVectorImpl<char> &object,
                 llvm::SmallVectorImpl<char> &widened,
                 std::vector<ReferenceSample> &samples);

private:
  llvm::Expected<mlir::ModuleOp> payloadFor(llvm::StringRef text);
  llvm::Error applyScript(mlir::ModuleOp payload, llvm::StringRef script);
  llvm::Error inlineAll(mlir::ModuleOp module);
  llvm::Error compile(mlir::ModuleOp module, const Target &target, int threads,
                      int optLevel, llvm::SmallVectorImpl<char> &object);
  void renewContext();

  Channel &channel;
  std::unique_ptr<mlir::MLIRContext> context;
  /// Parsed payloads by their text.
  llvm::StringMap<mlir::OwningOpRef<mlir::ModuleOp>> payloads;
  unsigned buildsInContext = 0;
};

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_BUILDER_H
