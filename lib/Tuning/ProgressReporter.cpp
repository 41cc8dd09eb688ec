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

static void printFailures(llvm::raw_ostream &os, const TuningStatus &status) {
  if (status.failures.empty())
    return;
  os << "; failed:";
  const char *separator = " ";
  for (const auto &[kind, count] : status.failures) {
    os << separator << count << ' ' << kind;
    separator = ", ";
  }
}

std::string ProgressReporter::statusLine(const TuningStatus &status) const {
  std::string text;
  llvm::raw_string_ostream line(text);
  line << status.task << ": " << status.trials << '/' << status.trialsWanted
       << " trials; ";
  printRate(line, status);
  printFailures(line, status);
  line << llvm::format("; %.1f s", status.elapsedS);
  return text;
}

void ProgressReporter::clearLine() {
  if (lineShown)
    os << kEraseLine;
  lineShown = false;
}

void ProgressReporter::redraw(llvm::StringRef line) {
  clearLine();
  // A wrapped line cannot be erased.
  unsigned columns = llvm::sys::Process::StandardErrColumns();
  os << (columns > 1 ? line.take_front(columns - 1) : line);
  os.flush();
  lineShown = true;
}

void ProgressReporter::update(const TuningStatus &status) {
  if (mode != Mode::Live || std::abs(status.elapsedS - lastDrawn) < 0.1)
    return;
  lastDrawn = status.elapsedS;
  redraw(statusLine(status));
}

void ProgressReporter::finishBatch(const TuningStatus &status) {
  if (mode == Mode::Plain) {
    os << statusLine(status) << '\n';
    os.flush();
  } else if (mode == Mode::Live) {
    lastDrawn = status.elapsedS;
    redraw(statusLine(status));
  }
}

void ProgressReporter::announce(const TuningStatus &status,
                                llvm::StringRef stage) {
  if (mode == Mode::Live)
    redraw(statusLine(status) + "; " + stage.str());
}

void ProgressReporter::summarize(const TuningStatus &status,
                                 const PhaseTimes &times) {
  if (mode == Mode::Silent)
    return;
  clearLine();
  os << status.task << ": " << status.trials << " trials";
  if (status.trialsFromRecords)
    os << " (" << status.trialsFromRecords << " from records)";
  os << "; ";
  if (status.trials == 0)
    os << "chosen by the model, nothing measured";
  else
    printRate(os, status);
  if (std::isfinite(status.bestSeconds) && std::isfinite(status.defaultSeconds))
    os << llvm::format(", %.2f x the default schedule",
                       status.defaultSeconds / status.bestSeconds);
  printFailures(os, status);
  os << '\n'
     << status.task
     << llvm::format(": %.1f s in all: search %.2f, build %.2f, check %.2f, "
                     "measure %.2f",
                     times.totalS, times.searchS, times.buildS, times.checkS,
                     times.measureS)
     << '\n';
  os.flush();
}

void ProgressReporter::warn(const llvm::Twine &text) {
  clearLine();
  os << "warning: " << text << '\n';
  os.flush();
}
