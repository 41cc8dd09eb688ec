//===- LaunchPlan.cpp - Launch plans as JSON ------------------------------===//
//
// Read next: LaunchPlanOfModule.cpp, where plans come from.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Codegen/LaunchPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace sched;

/// Raised when a reader of the last version could not read the next one.
static constexpr int64_t kVersion = 1;

static StringLiteral getName(LaunchBuffer::Role role) {
  switch (role) {
  case LaunchBuffer::Role::Input:
    return "input";
  case LaunchBuffer::Role::Output:
    return "output";
  case LaunchBuffer::Role::Scratch:
    return "scratch";
  }
  llvm_unreachable("there are three roles");
}

const LaunchFunction *LaunchPlan::find(StringRef function) const {
  const auto it = find_if(functions, [&](const LaunchFunction &candidate) {
    return candidate.name == function;
  });
  return it == functions.end() ? nullptr : &*it;
}

namespace sched {
static json::Value toJSON(const LaunchBuffer &buffer) {
  return json::Object{{"role", getName(buffer.role)},
                      {"type", buffer.type},
                      {"bytes", buffer.bytes},
                      {"alignment", buffer.alignment}};
}

static json::Value toJSON(const KernelLaunch &launch) {
  return json::Object{{"kernel", launch.kernel},
                      {"grid", json::Array(launch.grid)},
                      {"block", json::Array(launch.block)},
                      {"shared_bytes", launch.sharedBytes},
                      {"arguments", json::Array(launch.arguments)}};
}

static json::Value toJSON(const LaunchFunction &function) {
  json::Array buffers, launches;
  for (const LaunchBuffer &buffer : function.buffers)
    buffers.push_back(toJSON(buffer));
  for (const KernelLaunch &launch : function.launches)
    launches.push_back(toJSON(launch));
  return json::Object{{"name", function.name},
                      {"buffers", std::move(buffers)},
                      {"launches", std::move(launches)}};
}

json::Value toJSON(const LaunchPlan &plan) {
  json::Array functions;
  for (const LaunchFunction &function : plan.functions)
    functions.push_back(toJSON(function));
  return json::Object{{"version", kVersion},
                      {"chip", plan.chip},
                      {"functions", std::move(functions)}};
}

namespace {
/// A number of 32 bits, checked to be one.
struct Number {
  uint32_t value = 0;
};

/// Blocks of a grid or threads of a block.
struct Sizes {
  std::array<uint32_t, 3> values;
};

bool fromJSON(const json::Value &value, Number &number, json::Path path) {
  std::optional<int64_t> parsed = value.getAsInteger();
  if (!parsed || !isUInt<32>(*parsed)) {
    path.report("expected a whole number from 0 to 4294967295");
    return false;
  }
  number.value = uint32_t(*parsed);
  return true;
}

bool fromJSON(const json::Value &value, Sizes &sizes, json::Path path) {
  const json::Array *array = value.getAsArray();
  if (!array || array->size() != sizes.values.size()) {
    path.report("expected three sizes: x, y and z");
    return false;
  }
  for (auto [i, element] : enumerate(*array)) {
    Number size;
    if (!fromJSON(element, size, path.index(i)))
      return false;
    if (size.value == 0) {
      path.index(i).report("expected at least 1");
      return false;
    }
    sizes.values[i] = size.value;
  }
  return true;
}
} // namespace

static bool fromJSON(const json::Value &value, LaunchBuffer &buffer,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  std::string role;
  Number alignment;
  if (!map || !map.map("role", role) || !map.map("type", buffer.type) ||
      !map.map("bytes", buffer.bytes) || !map.map("alignment", alignment))
    return false;
  auto parsed = StringSwitch<std::optional<LaunchBuffer::Role>>(role)
                    .Case("input", LaunchBuffer::Role::Input)
                    .Case("output", LaunchBuffer::Role::Output)
                    .Case("scratch", LaunchBuffer::Role::Scratch)
                    .Default(std::nullopt);
  if (!parsed) {
    path.field("role").report("expected input, output or scratch");
    return false;
  }
  buffer.role = *parsed;
  buffer.alignment = alignment.value;
  if (!isPowerOf2_32(buffer.alignment)) {
    path.field("alignment").report("expected a power of two");
    return false;
  }
  return true;
}

static bool fromJSON(const json::Value &value, KernelLaunch &launch,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  Sizes grid, block;
  Number sharedBytes;
  std::vector<Number> arguments;
  if (!map || !map.map("kernel", launch.kernel) || !map.map("grid", grid) ||
      !map.map("block", block) || !map.map("shared_bytes", sharedBytes) ||
      !map.map("arguments", arguments))
    return false;
  launch.grid = grid.values;
  launch.block = block.values;
  launch.sharedBytes = sharedBytes.value;
  for (Number argument : arguments)
    launch.arguments.push_back(argument.value);
  return true;
}

static bool fromJSON(const json::Value &value, LaunchFunction &function,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("name", function.name) ||
      !map.map("buffers", function.buffers) ||
      !map.map("launches", function.launches))
    return false;
  for (size_t i = 1; i < function.buffers.size(); ++i)
    if (function.buffers[i].role < function.buffers[i - 1].role) {
      path.field("buffers").index(i).field("role").report(
          "expected inputs, then outputs, then scratch");
      return false;
    }
  for (auto [i, launch] : enumerate(function.launches))
    for (auto [j, argument] : enumerate(launch.arguments))
      if (argument >= function.buffers.size()) {
        path.field("launches")
            .index(i)
            .field("arguments")
            .index(j)
            .report("expected the position of a buffer");
        return false;
      }
  return true;
}

static bool fromJSON(const json::Value &value, LaunchPlan &plan,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  int64_t version = 0;
  if (!map || !map.map("version", version))
    return false;
  if (version != kVersion) {
    path.field("version").report("expected version 1; write the file anew");
    return false;
  }
  return map.map("chip", plan.chip) && map.map("functions", plan.functions);
}
} // namespace sched

Expected<LaunchPlan> sched::parseLaunchPlan(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return createStringError("launch plan is no JSON: " +
                             toString(value.takeError()));
  json::Path::Root root("launch plan");
  LaunchPlan plan;
  if (!fromJSON(*value, plan, root))
    return root.getError();
  return plan;
}
