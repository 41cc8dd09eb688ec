//===- DeviceProgram.cpp - Kernels in a file ------------------------------===//

#include "SchedOpt/Device/DeviceProgram.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace sched;

static constexpr int kFormat = 1;

std::string DeviceProgram::str() const {
  std::string text;
  raw_string_ostream os(text);
  os << json::Value(json::Object{{"sched-device-program", kFormat},
                                 {"ptx-bytes", ptx.size()},
                                 {"cubin-bytes", cubin.size()},
                                 {"plan", toJSON(plan)}})
     << '\n'
     << ptx;
  os.write(cubin.data(), cubin.size());
  return text;
}

Expected<DeviceProgram> DeviceProgram::parse(StringRef content,
                                             StringRef name) {
  auto fail = [&](const Twine &found) {
    return createStringError("found " + found + " in '" + name +
                             "', expected a device program of format " +
                             Twine(kFormat));
  };
  auto [line, rest] = content.split('\n');
  Expected<json::Value> header = json::parse(line);
  if (!header) {
    consumeError(header.takeError());
    return fail("no JSON");
  }
  const json::Object *object = header->getAsObject();
  if (!object || object->getInteger("sched-device-program") != kFormat)
    return fail("another kind of file");
  const json::Value *planValue = object->get("plan");
  const std::optional<int64_t> ptxBytes = object->getInteger("ptx-bytes"),
                               cubinBytes = object->getInteger("cubin-bytes");
  if (!planValue || !ptxBytes || !cubinBytes || *ptxBytes < 0 ||
      *cubinBytes < 0 ||
      uint64_t(*ptxBytes) + uint64_t(*cubinBytes) != rest.size())
    return fail(Twine(rest.size()) + " bytes of code, which is not what its "
                                     "first line says");
  std::string planText;
  raw_string_ostream(planText) << *planValue;
  Expected<LaunchPlan> plan = parseLaunchPlan(planText);
  if (!plan)
    return plan.takeError();
  DeviceProgram program;
  program.plan = std::move(*plan);
  program.ptx = rest.take_front(*ptxBytes).str();
  const StringRef cubin = rest.drop_front(*ptxBytes);
  program.cubin.assign(cubin.begin(), cubin.end());
  return program;
}
