//===- Channel.h - The worker's end of the protocol -------------*- C++ -*-===//
//
// Reads requests, writes progress and answers, and makes the process end well:
// when the tuner is gone, and when memory runs out.
//
// Read next: Measure/Protocol.h for the messages, sched-worker.cpp for the
// loop.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TOOLS_SCHED_WORKER_CHANNEL_H
#define SCHEDOPT_TOOLS_SCHED_WORKER_CHANNEL_H

#include "SchedOpt/Measure/LineChannel.h"
#include "SchedOpt/Measure/Protocol.h"
#include "llvm/Support/Error.h"
#include <string>

namespace sched::worker {

/// Why a request fails, for the answer: kinds and stages of MeasureResult.h.
class RequestError : public llvm::ErrorInfo<RequestError> {
public:
  // ErrorInfo asks for this name. NOLINTNEXTLINE(readability-identifier-naming)
  static char ID;
  RequestError(llvm::StringRef kind, llvm::StringRef stage,
               const llvm::Twine &message, std::vector<KernelUsage> kernels)
      : answer{kind.str(), stage.str(), message.str(), std::move(kernels)} {}
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;

  FailureAnswer answer;
};

llvm::Error failRequest(llvm::StringRef kind, llvm::StringRef stage,
                        const llvm::Twine &message,
                        std::vector<KernelUsage> kernels = {});

/// Why a kernel that spills is refused.
std::string describeSpill(const KernelUsage &usage);

class Channel {
public:
  /// Takes standard input and output for the protocol and puts /dev/null and
  /// standard error in their places. `scratch` is the tuner's directory for
  /// objects, or "".
  explicit Channel(std::string scratch);

  /// The next request; nothing when the tuner is gone.
  std::optional<std::string> next();

  /// Marks the start of work on request `id` and limits the memory it may take
  /// to `memoryLimit` bytes beyond what the process has; 0: no limit.
  void begin(int64_t id, uint64_t memoryLimit);

  /// Announces a stage of the present request. `stage` must be a literal.
  void enter(const char *stage);

  /// Answers the present request.
  void succeed(llvm::json::Object answer);
  void fail(llvm::Error error);

  /// Says that the worker is up.
  void announce();

private:
  void send(llvm::json::Object object);

  std::string scratch;
  int in = -1, out = -1;
  LineReader reader;
  int64_t id = 0;
};

/// Answers the present request with a failure of kind "memory" and ends the
/// process. Called where an allocation failed; allocates nothing.
[[noreturn]] void dieOfMemory();

} // namespace sched::worker

#endif // SCHEDOPT_TOOLS_SCHED_WORKER_CHANNEL_H
