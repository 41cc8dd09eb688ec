//===- Protocol.cpp - What tuner and worker say to each other -------------===//
//
// The JSON form of each message. Every field is required when reading, but the
// test hook "fault" and a failure's kernels: a request is made by one program
// only.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Measure/Protocol.h"

using namespace llvm;

namespace sched {

static json::Value text(StringRef string) { return json::fixUTF8(string); }

json::Value toJSON(const KernelUsage &usage) {
  return json::Object{
      {"kernel", text(usage.kernel)},    {"registers", usage.registers},
      {"local-bytes", usage.localBytes}, {"spill-bytes", usage.spillBytes},
      {"threads", usage.threads},        {"shared-bytes", usage.sharedBytes},
      {"blocks", usage.blocks}};
}

bool fromJSON(const json::Value &value, KernelUsage &usage, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("kernel", usage.kernel) &&
         map.map("registers", usage.registers) &&
         map.map("local-bytes", usage.localBytes) &&
         map.map("spill-bytes", usage.spillBytes) &&
         map.map("threads", usage.threads) &&
         map.map("shared-bytes", usage.sharedBytes) &&
         map.map("blocks", usage.blocks);
}

static json::Array kernelList(const std::vector<KernelUsage> &kernels) {
  json::Array array;
  for (const KernelUsage &usage : kernels)
    array.push_back(toJSON(usage));
  return array;
}

json::Value toJSON(const TensorSpec &spec) {
  json::Object object{{"shape", json::Array(spec.shape)},
                      {"type", str(spec.elementType)},
                      {"result", spec.isResult},
                      {"reduction-length", spec.reductionLength},
                      // "" where there is none.
                      {"precision", spec.precision ? str(*spec.precision) : ""},
                      {"narrow-ops", spec.narrowOps},
                      {"narrow-length", spec.narrowLength},
                      {"deviation", spec.deviation}};
  if (spec.tensorFloatOps != 0)
    object["tensor-float-ops"] = spec.tensorFloatOps;
  if (spec.wholeFactors != 0)
    object["whole-factors"] = spec.wholeFactors;
  if (spec.oneOf != 1)
    object["one-of"] = spec.oneOf;
  if (spec.below != 0)
    object["below"] = spec.below;
  return object;
}

bool fromJSON(const json::Value &value, TensorSpec &spec, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string type, precision;
  if (!map || !map.map("shape", spec.shape) || !map.map("type", type) ||
      !map.map("result", spec.isResult) ||
      !map.map("reduction-length", spec.reductionLength) ||
      !map.map("precision", precision) ||
      !map.mapOptional("narrow-ops", spec.narrowOps) ||
      !map.mapOptional("narrow-length", spec.narrowLength) ||
      !map.mapOptional("deviation", spec.deviation) ||
      !map.mapOptional("tensor-float-ops", spec.tensorFloatOps) ||
      !map.mapOptional("whole-factors", spec.wholeFactors) ||
      !map.mapOptional("one-of", spec.oneOf) ||
      !map.mapOptional("below", spec.below))
    return false;
  for (int64_t extent : spec.shape) {
    if (extent >= 0)
      continue;
    path.field("shape").report("expected extents of at least 0");
    return false;
  }
  std::optional<ElementType> parsed = parseElementType(type);
  if (!parsed) {
    path.field("type").report("expected an element type");
    return false;
  }
  spec.elementType = *parsed;
  spec.precision = parseElementType(precision);
  if (!spec.precision && !precision.empty()) {
    path.field("precision").report("expected an element type or nothing");
    return false;
  }
  return true;
}

static json::Array tensorList(const std::vector<TensorSpec> &tensors) {
  json::Array array;
  for (const TensorSpec &spec : tensors)
    array.push_back(toJSON(spec));
  return array;
}

json::Object toJSON(const BuildRequest &request) {
  return json::Object{{"op", "build"},
                      {"payload", text(request.payload)},
                      {"script", text(request.script)},
                      {"function", text(request.function)},
                      {"target", text(request.target)},
                      {"threads", request.threads},
                      {"opt-level", request.optLevel},
                      {"object", text(request.object)},
                      {"memory-limit", request.memoryLimit},
                      {"fault", request.fault}};
}

bool fromJSON(const json::Value &value, BuildRequest &request,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("payload", request.payload) &&
         map.map("script", request.script) &&
         map.map("function", request.function) &&
         map.map("target", request.target) &&
         map.map("threads", request.threads) &&
         map.map("opt-level", request.optLevel) &&
         map.map("object", request.object) &&
         map.map("memory-limit", request.memoryLimit) &&
         map.mapOptional("fault", request.fault);
}

json::Object toJSON(const ReferenceRequest &request) {
  return json::Object{{"op", "reference"},
                      {"payload", text(request.payload)},
                      {"function", text(request.function)},
                      {"target", text(request.target)},
                      {"script", text(request.script)},
                      {"threads", request.threads},
                      {"share", request.share},
                      {"seed", request.seed},
                      {"reference", text(request.reference)},
                      {"memory-limit", request.memoryLimit},
                      {"fault", request.fault}};
}

bool fromJSON(const json::Value &value, ReferenceRequest &request,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("payload", request.payload) &&
         map.map("function", request.function) &&
         map.map("target", request.target) &&
         map.map("script", request.script) &&
         map.map("threads", request.threads) &&
         map.mapOptional("share", request.share) &&
         map.map("seed", request.seed) &&
         map.map("reference", request.reference) &&
         map.map("memory-limit", request.memoryLimit) &&
         map.mapOptional("fault", request.fault);
}

json::Object toJSON(const RunRequest &request) {
  return json::Object{{"op", "run"},
                      {"object", text(request.object)},
                      {"function", text(request.function)},
                      {"target", text(request.target)},
                      {"tensors", tensorList(request.tensors)},
                      {"seed", request.seed},
                      {"reference", text(request.reference)},
                      {"tolerance", request.tolerance},
                      {"may-flip", request.mayFlip},
                      {"min-repeat-ms", request.minRepeatMs},
                      {"warmup-ms", request.warmupMs},
                      {"repeats", request.repeats},
                      {"drop-above-s", request.dropAboveS},
                      {"expected-s", request.expectedS},
                      {"agreement", request.agreement},
                      {"skip-check", request.skipCheck},
                      {"memory-limit", request.memoryLimit},
                      {"fault", request.fault}};
}

bool fromJSON(const json::Value &value, RunRequest &request, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("object", request.object) &&
         map.map("function", request.function) &&
         map.map("target", request.target) &&
         map.map("tensors", request.tensors) && map.map("seed", request.seed) &&
         map.map("reference", request.reference) &&
         map.map("tolerance", request.tolerance) &&
         map.map("may-flip", request.mayFlip) &&
         map.map("min-repeat-ms", request.minRepeatMs) &&
         map.map("warmup-ms", request.warmupMs) &&
         map.map("repeats", request.repeats) &&
         map.map("drop-above-s", request.dropAboveS) &&
         map.map("expected-s", request.expectedS) &&
         map.map("agreement", request.agreement) &&
         map.map("skip-check", request.skipCheck) &&
         map.map("memory-limit", request.memoryLimit) &&
         map.mapOptional("fault", request.fault);
}

json::Object toJSON(const BuildAnswer &answer) {
  return json::Object{{"seconds", answer.seconds},
                      {"object-hash", answer.objectHash},
                      {"kernels", kernelList(answer.kernels)}};
}

bool fromJSON(const json::Value &value, BuildAnswer &answer, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("seconds", answer.seconds) &&
         map.map("object-hash", answer.objectHash) &&
         map.map("kernels", answer.kernels);
}

json::Object toJSON(const ReferenceAnswer &answer) {
  return json::Object{{"function", text(answer.function)},
                      {"tensors", tensorList(answer.tensors)},
                      {"seconds", answer.seconds},
                      {"call-s", answer.callS}};
}

bool fromJSON(const json::Value &value, ReferenceAnswer &answer,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("function", answer.function) &&
         map.map("tensors", answer.tensors) &&
         map.map("seconds", answer.seconds) && map.map("call-s", answer.callS);
}

json::Object toJSON(const RunAnswer &answer) {
  return json::Object{{"costs_s", json::Array(answer.costsS)},
                      {"dropped", answer.dropped},
                      {"check_s", answer.checkS},
                      {"run_s", answer.runS},
                      {"max-error", answer.maxError},
                      {"kernels", kernelList(answer.kernels)}};
}

bool fromJSON(const json::Value &value, RunAnswer &answer, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("costs_s", answer.costsS) &&
         map.map("dropped", answer.dropped) &&
         map.map("check_s", answer.checkS) && map.map("run_s", answer.runS) &&
         map.map("max-error", answer.maxError) &&
         map.map("kernels", answer.kernels);
}

json::Object toJSON(const DeviceAnswer &answer) {
  const DeviceProperties &device = answer.properties;
  return json::Object{{"name", text(device.name)},
                      {"major", device.major},
                      {"minor", device.minor},
                      {"driver", device.driverVersion},
                      {"multiprocessors", device.multiprocessors},
                      {"registers", device.registers},
                      {"shared-bytes", device.sharedBytes},
                      {"max-block-shared-bytes", device.maxBlockSharedBytes},
                      {"max-threads", device.maxThreads},
                      {"max-blocks", device.maxBlocks},
                      {"max-block-threads", device.maxBlockThreads},
                      {"l2-bytes", device.l2Bytes},
                      {"memory-bytes", device.memoryBytes},
                      {"clock-ghz", device.clockGHz},
                      {"memory-gbs", device.memoryGBs}};
}

bool fromJSON(const json::Value &value, DeviceAnswer &answer, json::Path path) {
  json::ObjectMapper map(value, path);
  DeviceProperties &device = answer.properties;
  return map && map.map("name", device.name) &&
         map.map("major", device.major) && map.map("minor", device.minor) &&
         map.map("driver", device.driverVersion) &&
         map.map("multiprocessors", device.multiprocessors) &&
         map.map("registers", device.registers) &&
         map.map("shared-bytes", device.sharedBytes) &&
         map.map("max-block-shared-bytes", device.maxBlockSharedBytes) &&
         map.map("max-threads", device.maxThreads) &&
         map.map("max-blocks", device.maxBlocks) &&
         map.map("max-block-threads", device.maxBlockThreads) &&
         map.map("l2-bytes", device.l2Bytes) &&
         map.map("memory-bytes", device.memoryBytes) &&
         map.map("clock-ghz", device.clockGHz) &&
         map.map("memory-gbs", device.memoryGBs);
}

json::Object toJSON(const FailureAnswer &answer) {
  json::Object object{{"ok", false},
                      {"kind", text(answer.kind)},
                      {"stage", text(answer.stage)},
                      {"message", text(answer.message)}};
  if (!answer.kernels.empty())
    object["kernels"] = kernelList(answer.kernels);
  return object;
}

bool fromJSON(const json::Value &value, FailureAnswer &answer,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("kind", answer.kind) &&
         map.map("stage", answer.stage) && map.map("message", answer.message) &&
         map.mapOptional("kernels", answer.kernels);
}

} // namespace sched
