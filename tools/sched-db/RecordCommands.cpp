//===- RecordCommands.cpp - Lists, merges and distils records -------------===//

#include "RecordCommands.h"
#include "SchedOpt/Database/PayloadFile.h"
#include "SchedOpt/Tuning/ProgressReporter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace sched::db {

static std::string getRecordPath(StringRef place) {
  return sys::fs::is_directory(place) ? RecordFile::pathIn(place) : place.str();
}

Error loadRecords(StringRef place, Database &records, WarningHandler warn) {
  return records.load(getRecordPath(place), warn);
}

StringRef getWorkDir(StringRef place) {
  return sys::fs::is_directory(place) ? place : sys::path::parent_path(place);
}

RecordCommands::RecordCommands(cl::OptionCategory &category)
    : list("list", "Prints a line a task: trials, failures, the best time"),
      merge("merge", "Writes all records of several places to one directory"),
      best("best", "Writes the best record of each task to a directory, to "
                   "ship: --apply-history-best needs no more"),
      places(cl::Positional, cl::OneOrMore, cl::cat(category), cl::sub(list),
             cl::sub(merge), cl::sub(best),
             cl::desc("DIR...: work directories, or files of records")),
      output("o", cl::Required, cl::cat(category), cl::sub(merge),
             cl::sub(best), cl::value_desc("DIR"),
             cl::desc("The directory to write")) {}

namespace {
struct Counts {
  const Record *first = nullptr;
  unsigned trials = 0, failures = 0;
};
} // namespace

/// Task by task, those of one target and toolchain together.
static void printList(raw_ostream &os, const Database &records) {
  MapVector<StringRef, MapVector<StringRef, Counts>> machines;
  StringSet<> texts;
  for (const Record &record : records.getRecords()) {
    StringRef machine =
        texts.insert(record.target + ", " + record.toolchain).first->getKey();
    Counts &counts = machines[machine][record.workload];
    if (!counts.first)
      counts.first = &record;
    // Comparisons measure the same again; what was only built is no trial.
    if (record.getComparisonStage() != ComparisonStage::None ||
        record.isBuiltOnly())
      continue;
    ++counts.trials;
    counts.failures += !record.error.empty();
  }
  for (const auto &[machine, tasks] : machines) {
    os << machine << "\n" << "  trials  failed       best  task\n";
    for (const auto &[workload, counts] : tasks) {
      const Record &first = *counts.first;
      const Record *best =
          records.best(first.workload, first.target, first.toolchain);
      os << format(
                "%8u%8u%11s  ", counts.trials, counts.failures,
                best ? ProgressReporter::formatSeconds(best->medianS()).c_str()
                     : "none")
         << first.workloadText << "\n";
    }
  }
}

Error RecordCommands::write(ArrayRef<Record> kept,
                            ArrayRef<std::string> newerLines) const {
  if (std::error_code code = sys::fs::create_directories(output))
    return createStringError("cannot create the directory '" + output +
                             "': " + code.message() + "; choose another -o");
  if (Error error =
          rewriteRecordFile(RecordFile::pathIn(output), kept, newerLines))
    return error;
  StringSet<> seen;
  for (const Record &record : kept) {
    if (!seen.insert(record.workload).second)
      continue;
    for (const std::string &place : places) {
      auto payload = MemoryBuffer::getFile(
          getPayloadPath(getWorkDir(place), record.workload));
      if (!payload)
        continue;
      if (Error error =
              storePayload(output, record.workload, (*payload)->getBuffer()))
        return error;
      break;
    }
  }
  return Error::success();
}

Error RecordCommands::run(raw_ostream &os, WarningHandler warn) {
  Database records;
  bool keepsOutput = false;
  for (const std::string &place : places) {
    if (Error error = loadRecords(place, records, warn))
      return error;
    // Of the records that are there, not of others beside them.
    keepsOutput |=
        sys::fs::equivalent(getRecordPath(place), RecordFile::pathIn(output));
  }
  if (list) {
    printList(os, records);
    return Error::success();
  }
  if (!keepsOutput && sys::fs::exists(RecordFile::pathIn(output)))
    return createStringError("found records in '" + output +
                             "', expected none; name it among the places too, "
                             "or choose another -o");
  if (best && keepsOutput)
    return createStringError(
        "found '" + output +
        "' among the places, of which only the best would be left there; "
        "choose another -o");
  if (best)
    return write(records.distill(), {});
  std::vector<Record> all(records.getRecords().begin(),
                          records.getRecords().end());
  return write(all, records.getNewerLines());
}

} // namespace sched::db
