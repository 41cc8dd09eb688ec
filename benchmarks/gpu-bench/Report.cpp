//===- Report.cpp - What came out, as a table and as JSON -----------------===//

#include "Report.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace sched::bench {

const Contender *Outcome::getOpponent() const {
  const Contender *best = nullptr;
  if (contenders.empty())
    return best;
  for (const Contender &contender : drop_begin(contenders))
    if (std::isfinite(contender.getSeconds()) &&
        (!best || contender.getSeconds() < best->getSeconds()))
      best = &contender;
  return best;
}

std::optional<double> Outcome::getRatio() const {
  const Contender *opponent = getOpponent();
  if (!opponent || contenders.empty() ||
      !std::isfinite(contenders[0].getSeconds()))
    return std::nullopt;
  return opponent->getSeconds() / contenders[0].getSeconds();
}

static std::string describeSpeed(const Case &task, double seconds) {
  if (task.flops > 0)
    return formatv("{0:f3} ms, {1:f1} TFLOP/s", seconds * 1e3,
                   task.flops / seconds * 1e-12);
  // A copy's: read once, written once.
  const double bytes = static_cast<double>(task.operands.front().numBytes() +
                                           task.operands.back().numBytes());
  return formatv("{0:f3} ms, {1:f0} GB/s", seconds * 1e3,
                 bytes / seconds * 1e-9);
}

static const char *judge(std::optional<double> value, double bar,
                         bool atLeast) {
  if (!value)
    return "not measured";
  return (atLeast ? *value >= bar : *value <= bar) ? "met" : "NOT MET";
}

void printTable(raw_ostream &os, const DeviceProperties &device,
                ArrayRef<Outcome> outcomes) {
  os << formatv("{0}, {1}, {2} multiprocessors, driver for CUDA {3}.{4}\n",
                device.name, device.getChip(), device.multiprocessors,
                device.driverVersion / 1000, device.driverVersion % 1000 / 10);
  for (const Outcome &outcome : outcomes) {
    const Case &task = *outcome.task;
    os << task.name << "\n";
    if (!outcome.problem.empty()) {
      os << "  " << outcome.problem << "\n";
      continue;
    }
    os << formatv("  {0,-36} {1,10:f1} s   (bar: at most {2} s)    {3}\n",
                  "tuning", outcome.tuningS, kTuningBar,
                  judge(outcome.tuningS, kTuningBar, false));
    for (const Contender &contender : outcome.contenders)
      os << formatv("  {0,-36} {1}\n", contender.name,
                    contender.problem.empty()
                        ? describeSpeed(task, contender.getSeconds())
                        : contender.problem);
    if (!outcome.kernels.empty())
      os << "  kernels: " << outcome.kernels << "\n";
    const std::optional<double> ratio = outcome.getRatio();
    os << formatv("  {0,-36} {1,10} x   (bar: at least {2})    {3}\n",
                  outcome.getOpponent() ? "to " + outcome.getOpponent()->name
                                        : "to the opponent",
                  ratio ? formatv("{0:f3}", *ratio).str() : "none", task.bar,
                  judge(ratio, task.bar, true));
    if (outcome.agrees == false)
      os << "  WRONG: the results differ from the library's\n";
  }
}

json::Value toJSON(const DeviceProperties &device, ArrayRef<Outcome> outcomes,
                   unsigned trials) {
  json::Array cases;
  for (const Outcome &outcome : outcomes) {
    json::Array contenders;
    for (const Contender &contender : outcome.contenders)
      contenders.push_back(
          json::Object{{"name", contender.name},
                       {"costs_s", json::Array(contender.costsS)},
                       {"median_s", contender.costsS.empty()
                                        ? json::Value(nullptr)
                                        : json::Value(contender.getSeconds())},
                       {"problem", json::fixUTF8(contender.problem)}});
    const std::optional<double> ratio = outcome.getRatio();
    auto orNull = [](auto value) {
      return value ? json::Value(*value) : json::Value(nullptr);
    };
    cases.push_back(json::Object{{"name", outcome.task->name},
                                 {"tuning_s", outcome.tuningS},
                                 {"tuning_bar_s", kTuningBar},
                                 {"flops", outcome.task->flops},
                                 {"bar", outcome.task->bar},
                                 {"ratio", orNull(ratio)},
                                 {"agrees", orNull(outcome.agrees)},
                                 {"kernels", outcome.kernels},
                                 {"problem", json::fixUTF8(outcome.problem)},
                                 {"contenders", std::move(contenders)}});
  }
  const auto [met, missed] = countBars(outcomes);
  return json::Object{{"device", json::fixUTF8(device.name)},
                      {"chip", device.getChip()},
                      {"multiprocessors", device.multiprocessors},
                      {"driver", device.driverVersion},
                      {"trials", trials},
                      {"bars_met", met},
                      {"bars_missed", missed},
                      {"cases", std::move(cases)}};
}

std::pair<unsigned, unsigned> countBars(ArrayRef<Outcome> outcomes) {
  unsigned met = 0, missed = 0;
  for (const Outcome &outcome : outcomes) {
    if (!outcome.problem.empty()) {
      missed += 2;
      continue;
    }
    ++(outcome.tuningS <= kTuningBar ? met : missed);
    if (const std::optional<double> ratio = outcome.getRatio())
      ++(*ratio >= outcome.task->bar && outcome.agrees != false ? met : missed);
  }
  return {met, missed};
}

} // namespace sched::bench
