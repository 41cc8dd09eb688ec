//===- ProgressReporter.cpp - Tells a user how tuning goes ----------------===//

#include "SchedOpt/Tuning/ProgressReporter.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

using namespace sched;

/// Return to column 0 and erase to the end of the line.
static constexpr char kEraseLine[] = "\r\033[K";

ProgressReporter::~ProgressReporter() { clearLine(); }

ProgressReporter ProgressReporter::makeDefault(bool quiet) {
  Mode mode =
      llvm::sys::Process::StandardErrIsDisplayed() ? Mode::Live : Mode::Plain;
  return ProgressReporter(llvm::errs(), quiet ? Mode::Silent : mode);
}

std::string ProgressReporter::formatSeconds(double seconds) {
  if (!std::isfinite(seconds))
    return "none";
  const char *unit = "s";
  double value = seconds;
  if (seconds < 1e-6) {
    value *= 1e9;
    unit = "ns";
  } else if (seconds < 1e-3) {
    value *= 1e6;
    unit = "us";
  } else if (seconds < 1) {
    value *= 1e3;
    unit = "ms";
  }
  int digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.*f %s", digits, value, unit);
  return text;
}

static void printRate(llvm::raw_ostream &os, const TuningStatus &status) {
  if (!std::isfinite(status.bestSeconds)) {
    os << "no result yet";
    return;
  }
  os << "best ";
  if (status.flops > 0)
    os << llvm::format("%.1f GFLOP/s, ",
                       status.flops / status.bestSeconds / 1e9);
  os << ProgressReporter::formatSeconds(status.bestSeconds);
}

std::string ProgressReporter::formatFailures(
    const std::map<std::string, unsigned> &failures) {
  std::string text;
  for (const auto &[kind, count] : failures)
    text += (text.empty() ? ": " : ", ") + std::to_string(count) + " " + kind;
  return text;
}

static void printFailures(llvm::raw_ostream &os, const TuningStatus &status) {
  if (!status.failures.empty())
    os << "; failed" << ProgressReporter::formatFailures(status.failures);
}

std::string ProgressReporter::statusLine(const TuningStatus &status) const {
  std::string text;
  llvm::raw_string_ostream line(text);
  line << status.task << ": " << status.trials << '/' << status.trialsWanted
       << " trials; ";
  printRate(line, status);
  printFailures(line, status);
  const PhaseTimes &times = status.times;
  line << llvm::format("; %.1f s: search %.1f, build %.1f, check %.1f, "
                       "measure %.1f",
                       times.totalS, times.searchS, times.buildS, times.checkS,
                       times.measureS);
  return text;
}

void ProgressReporter::clearLine() {
  if (lineShown)
    os << kEraseLine;
  lineShown = false;
}

std::string ProgressReporter::shortLine(const TuningStatus &status) const {
  std::string text;
  llvm::raw_string_ostream line(text);
  line << status.trials << '/' << status.trialsWanted << "; ";
  if (std::isfinite(status.bestSeconds)) {
    if (status.flops > 0)
      line << llvm::format("%.1f GFLOP/s, ",
                           status.flops / status.bestSeconds / 1e9);
    line << formatSeconds(status.bestSeconds) << "; ";
  }
  const PhaseTimes &times = status.times;
  line << llvm::format("%.0f s: search %.0f, build %.0f, check %.0f, "
                       "measure %.0f",
                       times.totalS, times.searchS, times.buildS, times.checkS,
                       times.measureS);
  printFailures(line, status);
  line << "; " << status.task;
  return text;
}

void ProgressReporter::redraw(const TuningStatus &status,
                              llvm::StringRef stage) {
  clearLine();
  const std::string end = stage.empty() ? "" : ("; " + stage).str();
  std::string line = statusLine(status) + end;
  // A wrapped line cannot be erased.
  const unsigned width =
      columns ? columns : llvm::sys::Process::StandardErrColumns();
  if (width > 1 && line.size() >= width)
    line = (shortLine(status) + end).substr(0, width - 1);
  os << line;
  os.flush();
  lineShown = true;
}

void ProgressReporter::update(const TuningStatus &status) {
  if (mode != Mode::Live || std::abs(status.times.totalS - lastDrawn) < 0.1)
    return;
  lastDrawn = status.times.totalS;
  redraw(status);
}

void ProgressReporter::finishBatch(const TuningStatus &status) {
  if (mode == Mode::Plain) {
    os << statusLine(status) << '\n';
    os.flush();
  } else if (mode == Mode::Live) {
    lastDrawn = status.times.totalS;
    redraw(status);
  }
}

void ProgressReporter::announce(const TuningStatus &status,
                                llvm::StringRef stage) {
  if (mode == Mode::Live)
    redraw(status, stage);
}

/// ", 4.70 x the unscheduled code, which takes 12.3 us".
static std::string formatGain(double seconds, double unscheduledSeconds) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format(", %.2f x the unscheduled code, which takes ",
                      unscheduledSeconds / seconds)
      << ProgressReporter::formatSeconds(unscheduledSeconds);
  return text;
}

void ProgressReporter::summarize(const TuningStatus &status,
                                 const PhaseTimes &times) {
  if (status.unscheduledSeconds == 0 && status.referenceSeconds > 0 &&
      std::isfinite(status.bestSeconds) &&
      status.bestSeconds > status.referenceSeconds)
    warn(status.task + ": the best schedule takes " +
         formatSeconds(status.bestSeconds) + " a call, the unscheduled code " +
         formatSeconds(status.referenceSeconds) +
         "; more trials may help, or the attribute schedule.left_to_default on "
         "its function");
  if (mode == Mode::Silent)
    return;
  clearLine();
  os << status.task << ": " << status.trials << " trials";
  if (status.trialsFromRecords)
    os << " (" << status.trialsFromRecords << " from records)";
  if (status.duplicates)
    os << " and " << status.duplicates << " of the same code as others";
  os << "; ";
  if (status.numBuilt != 0)
    os << "the model's best of " << status.numBuilt
       << " that were built, nothing measured";
  else if (status.trials == 0)
    os << "chosen by the model, nothing measured";
  else
    printRate(os, status);
  if (std::isfinite(status.bestSeconds) && std::isfinite(status.defaultSeconds))
    os << llvm::format(", %.2f x the default schedule",
                       status.defaultSeconds / status.bestSeconds);
  if (std::isfinite(status.bestSeconds) && status.referenceSeconds > 0 &&
      status.unscheduledSeconds == 0)
    os << formatGain(status.bestSeconds, status.referenceSeconds);
  if (status.unscheduledSeconds > 0)
    os << "; left unscheduled, which takes "
       << formatSeconds(status.unscheduledSeconds);
  printFailures(os, status);
  if (!status.end.empty())
    os << "; " << status.end;
  os << '\n'
     << status.task
     << llvm::format(": %.1f s in all: search %.2f, build %.2f, check %.2f, "
                     "measure %.2f",
                     times.totalS, times.searchS, times.buildS, times.checkS,
                     times.measureS)
     << '\n';
  os.flush();
}

void ProgressReporter::summarizeWhole(llvm::StringRef function, double seconds,
                                      double unscheduledSeconds) {
  print(("@" + function + " as a whole: " + formatSeconds(seconds) + " a call" +
         (unscheduledSeconds > 0 ? formatGain(seconds, unscheduledSeconds)
                                 : std::string()) +
         "\n")
            .str());
}

void ProgressReporter::warnIfBusy(double load, unsigned cores) {
  if (load <= cores)
    return;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("the machine is busy, with a load of %.1f on %u cores: "
                      "measured times may be off",
                      load, cores);
  warn(text);
}

void ProgressReporter::print(llvm::StringRef lines) {
  if (mode == Mode::Silent)
    return;
  clearLine();
  os << lines;
  os.flush();
}

void ProgressReporter::warn(const llvm::Twine &text) {
  clearLine();
  os << "warning: " << text << '\n';
  os.flush();
}
