//===- Protocol.h - What tuner and worker say to each other -----*- C++ -*-===//
//
// One JSON object a line, both ways. The tuner sends one request at a time:
//
//   {"op":"build","id":7, ...}                          fields: the structs
//   below
//
// and the worker answers with any number of progress lines and one answer:
//
//   {"ready":true,"protocol":4}                         once, after its start
//   {"id":7,"stage":"lower"}                            progress
//   {"id":7,"ok":true, ...}                             success
//   {"id":7,"ok":false,"kind":..,"stage":..,"message":..}   failure
//
// "quit" ends the worker. The channel is the worker's standard input and output
// at its start; it moves both out of the way, so that a kernel which prints
// does no harm, and the worker can be tried by hand.
//
// Read next: WorkerProcess.h (the tuner's end), tools/sched-worker (the other).
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_PROTOCOL_H
#define SCHEDOPT_MEASURE_PROTOCOL_H

#include "SchedOpt/Measure/MeasureResult.h"
#include "SchedOpt/Measure/TensorSpec.h"
#include "SchedOpt/Support/DeviceProperties.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace sched {

/// Both ends compare this: a worker of another build is refused.
constexpr int kProtocolVersion = 4;

/// Builds one candidate: applies `script` to `payload` and compiles.
struct BuildRequest {
  /// MLIR text: a module with a public function on static tensors; and a module
  /// with `transform.named_sequence @__transform_main`, or "" for none. Other
  /// public functions are not compiled.
  std::string payload, script;
  /// The public function to build; "" when there is only one.
  std::string function;
  /// `Target::parse` spec, and the threads the kernel may use.
  std::string target;
  int threads = 1;
  int optLevel = 3;
  /// Where the object goes.
  std::string object;
  /// Bytes the worker may take beyond what it has; 0: no limit.
  uint64_t memoryLimit = 0;
  /// For tests of the tuner only: crash, hang, memory or exit.
  std::string fault;
};

struct BuildAnswer {
  double seconds = 0;
  /// Hash of the object's bytes, in hexadecimal.
  std::string objectHash;
  /// For a GPU.
  std::vector<KernelUsage> kernels;
};

/// Compiles and runs the unscheduled payload and keeps its results. What has
/// the name of a field of BuildRequest means the same. For a GPU that is done
/// on the CPU: expected results come from another code generator, and `script`
/// and `threads` are for it.
struct ReferenceRequest {
  std::string payload, function, target;
  /// Makes the unscheduled payload faster; "": it runs as it is. So it does on
  /// a CPU where no share of it can be computed by itself.
  std::string script;
  int threads = 1;
  /// With `script`: the share of the results that is computed without it as
  /// well, and has to agree; 0: none.
  double share = 0;
  uint64_t seed = 0;
  /// Where the expected results go (ReferenceFile.h).
  std::string reference;
  uint64_t memoryLimit = 0;
  /// As in BuildRequest.
  std::string fault;
};

struct ReferenceAnswer {
  std::string function;
  /// Arguments, then results.
  std::vector<TensorSpec> tensors;
  /// Seconds a call of the unscheduled kernel; 0 where it ran elsewhere than
  /// on the target, or with a script.
  double seconds = 0;
  /// Seconds of the call that made the expected results, whatever made them.
  double callS = 0;
};

/// What "device", a request without fields, says of the worker's machine.
struct DeviceAnswer {
  DeviceProperties properties;
};

/// Checks and times one object.
struct RunRequest {
  std::string object, function;
  /// As in BuildRequest.
  std::string target = "native";
  std::vector<TensorSpec> tensors;
  uint64_t seed = 0;
  std::string reference;
  /// Of all results; 0: `toleranceFor` each.
  double tolerance = 0;
  /// Integers that come from floats may differ in a few elements.
  bool mayFlip = false;
  double minRepeatMs = 5, warmupMs = 2;
  int repeats = 5;
  /// Seconds a call above which the first repeat is the last; 0: never.
  double dropAboveS = 0;
  /// Seconds that a call took before; 0: not known.
  double expectedS = 0;
  /// See TimingOptions in Timer.h.
  double agreement = -1;
  /// Skip the check; only for an object that passed it before.
  bool skipCheck = false;
  uint64_t memoryLimit = 0;
  /// For tests of the tuner only: crash, hang, memory, exit, wrong,
  /// out-of-bounds or input.
  std::string fault;
};

struct RunAnswer {
  std::vector<double> costsS;
  bool dropped = false;
  double checkS = 0, runS = 0;
  /// Largest |got - expected|; 0 when the check was skipped.
  double maxError = 0;
  /// Of a GPU's kernels, as the driver says.
  std::vector<KernelUsage> kernels;
};

/// Why a request failed: kinds and stages as in MeasureResult.h.
struct FailureAnswer {
  std::string kind, stage, message;
  /// Where it is what they take that is the reason.
  std::vector<KernelUsage> kernels;
};

llvm::json::Value toJSON(const KernelUsage &usage);
bool fromJSON(const llvm::json::Value &value, KernelUsage &usage,
              llvm::json::Path path);
llvm::json::Value toJSON(const TensorSpec &spec);
bool fromJSON(const llvm::json::Value &value, TensorSpec &spec,
              llvm::json::Path path);

llvm::json::Object toJSON(const BuildRequest &request);
llvm::json::Object toJSON(const ReferenceRequest &request);
llvm::json::Object toJSON(const RunRequest &request);
llvm::json::Object toJSON(const BuildAnswer &answer);
llvm::json::Object toJSON(const ReferenceAnswer &answer);
llvm::json::Object toJSON(const RunAnswer &answer);
llvm::json::Object toJSON(const DeviceAnswer &answer);
llvm::json::Object toJSON(const FailureAnswer &answer);

bool fromJSON(const llvm::json::Value &value, BuildRequest &request,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, ReferenceRequest &request,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, RunRequest &request,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, BuildAnswer &answer,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, ReferenceAnswer &answer,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, RunAnswer &answer,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, DeviceAnswer &answer,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, FailureAnswer &answer,
              llvm::json::Path path);

/// Reads any of the above; the error names the field.
template <typename T> llvm::Expected<T> decode(const llvm::json::Value &value) {
  T result;
  llvm::json::Path::Root root("message");
  if (!fromJSON(value, result, root))
    return root.getError();
  return result;
}

} // namespace sched

#endif // SCHEDOPT_MEASURE_PROTOCOL_H
