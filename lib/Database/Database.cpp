//===- Database.cpp - Index over records ----------------------------------===//

#include "SchedOpt/Database/Database.h"
#include "SchedOpt/Database/ProgramCosts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sched {

/// The parts may hold any text, so the separator is one that JSON escapes.
static std::string joinKey(StringRef a, StringRef b, StringRef c = "") {
  return (a + Twine('\x1f') + b + Twine('\x1f') + c).str();
}

void Database::add(Record record) {
  if (!lines.insert(record.toLine()).second)
    return;
  records.push_back(std::move(record));
  const Record &stored = records.back();
  SmallVector<const Record *> &group =
      byKey[joinKey(stored.workload, stored.target, stored.toolchain)];
  if (group.empty())
    keys.push_back(&stored);
  group.push_back(&stored);
}

Error Database::load(StringRef path, WarningHandler warn) {
  Expected<LoadedRecords> loaded = RecordFile::loadPath(path, warn);
  if (!loaded)
    return loaded.takeError();
  for (Record &record : loaded->records)
    add(std::move(record));
  for (std::string &line : loaded->newerLines)
    if (lines.insert(line).second)
      newerLines.push_back(std::move(line));
  return Error::success();
}

SmallVector<const Record *> Database::query(StringRef workload,
                                            StringRef target,
                                            StringRef toolchain) const {
  return byKey.lookup(joinKey(workload, target, toolchain));
}

const Record *
Database::best(StringRef workload, StringRef target, StringRef toolchain,
               function_ref<bool(const Record &)> isUsable) const {
  struct Program {
    const Record *first = nullptr;
    ProgramCosts costs;
  };
  MapVector<std::string, Program, StringMap<unsigned>> programs;
  for (const Record *record : query(workload, target, toolchain)) {
    if (isUsable && !isUsable(*record))
      continue;
    Program &program = programs[record->getObject().empty()
                                    ? joinKey(record->sketch, record->trace)
                                    : record->getObject().str()];
    program.costs.add(*record);
    if (!program.first && record->verified && record->succeeded())
      program.first = record;
  }
  std::vector<Standing> standings;
  for (auto &[key, program] : programs)
    standings.push_back(program.costs.getStanding());
  const std::vector<unsigned> order = rank(standings);
  return order.empty() ? nullptr : (programs.begin() + order[0])->second.first;
}

std::pair<StringRef, StringRef> splitThreads(StringRef target) {
  return target.rsplit(",threads=");
}

/// Of records that are all of candidates that were not run.
static std::string explainBuilt(ArrayRef<const Record *> records) {
  // Searches of several versions may have built the same.
  StringSet<> good, failed;
  for (const Record *record : records)
    (record->error.empty() ? good : failed)
        .insert(joinKey(record->sketch, record->trace));
  std::string message;
  raw_string_ostream out(message);
  out << "found " << good.size() << " candidate(s) of '"
      << records.back()->workloadText << "' that were built and not measured";
  if (!failed.empty())
    out << ", and " << failed.size() << " that could not be built";
  out << ", as there was no GPU; expected measured ones: tune on a machine "
         "with the GPU, or take the model's choice by the same --auto-schedule "
         "or one with trials=0";
  return message;
}

/// Says which of `recorded` are there in place of `target`, and what to do.
static void explainTargets(raw_ostream &out, ArrayRef<StringRef> recorded,
                           StringRef target) {
  out << "for target ";
  interleave(
      recorded, out, [&](StringRef other) { out << "'" << other << "'"; },
      " and ");
  out << ", expected target '" << target << "'; ";
  auto [machine, threads] = splitThreads(target);
  SmallVector<StringRef> otherThreads;
  for (StringRef other : recorded)
    if (splitThreads(other).first == machine)
      otherThreads.push_back(splitThreads(other).second);
  if (threads.empty() || otherThreads.empty()) {
    out << "tune on this target, or name the recorded one";
    return;
  }
  out << "give threads=" << join(otherThreads, " or threads=")
      << " as was recorded, or tune with threads=" << threads;
}

std::string Database::explainMiss(StringRef workload, StringRef text,
                                  StringRef target, StringRef toolchain) const {
  std::string message;
  raw_string_ostream out(message);
  if (records.empty()) {
    out << (newerLines.empty()
                ? "there are no records at all; tune first"
                : "there are no records that this version can read; tune with "
                  "this version, or use a newer sched-opt");
    return message;
  }
  SmallVector<const Record *> same = query(workload, target, toolchain);
  if (!same.empty() &&
      all_of(same, [](const Record *record) { return record->isBuiltOnly(); }))
    return explainBuilt(same);
  if (!same.empty()) {
    const Record *last = same.back();
    out << "found " << same.size() << " record(s) of '" << last->workloadText
        << "' for this target, none of a verified success";
    for (const Record *record : same)
      if (!record->error.empty()) {
        out << " (for example " << record->error << " at " << record->stage
            << ": " << StringRef(record->message).split('\n').first << ")";
        break;
      }
    out << "; run more trials";
    return message;
  }
  // Nearest first: another toolchain is the smallest difference, then another
  // target; anything else is another workload.
  const Record *otherToolchain = nullptr, *otherTarget = nullptr;
  SmallVector<StringRef> otherTargets;
  for (const Record *first : keys) {
    if (first->workload != workload)
      continue;
    if (first->target == target) {
      otherToolchain = first;
      continue;
    }
    otherTarget = first;
    if (!is_contained(otherTargets, StringRef(first->target)))
      otherTargets.push_back(first->target);
  }
  if (otherToolchain) {
    out << "found records of '" << otherToolchain->workloadText
        << "' for this target by toolchain '" << otherToolchain->toolchain
        << "', expected toolchain '" << toolchain << "'; tune again";
    return message;
  }
  if (otherTarget) {
    out << "found records of '" << otherTarget->workloadText << "' ";
    explainTargets(out, otherTargets, target);
    return message;
  }
  out << "found no record of '" << text << "' (workload " << workload
      << "); recorded are ";
  constexpr size_t kShown = 3;
  StringSet<> shown;
  size_t others = 0;
  for (const Record *first : keys) {
    if (!shown.insert(first->workload).second)
      continue;
    if (shown.size() > kShown) {
      ++others;
      continue;
    }
    out << (shown.size() > 1 ? ", " : "") << "'" << first->workloadText << "'";
  }
  if (others)
    out << " and " << others << " more";
  out << "; tune this one first, or say what target the search was for, as "
         "others may have other tasks";
  return message;
}

std::vector<Record> Database::distill() const {
  std::vector<Record> result;
  for (const Record *first : keys)
    if (const Record *winner =
            best(first->workload, first->target, first->toolchain))
      result.push_back(*winner);
  return result;
}

} // namespace sched
