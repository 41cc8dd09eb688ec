//===- Candidate.h - A point of the search space ----------------*- C++ -*-===//
//
// A sketch and one domain index for each of its decisions. Plain value.
// Read next: SearchSpace.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_CANDIDATE_H
#define SCHEDOPT_SEARCH_CANDIDATE_H

#include "SchedOpt/Model/Program.h"
#include "SchedOpt/Search/Rng.h"

namespace sched {

struct Candidate {
  /// Index of the sketch in its SearchSpace.
  uint16_t sketch = 0;
  /// One index a decision of that sketch.
  Choices choices;

  /// The same in every process and on every machine. 63 bits: the two top
  /// values stay free for hash tables' markers.
  uint64_t hash() const {
    uint64_t h = mixBits(sketch + 0x9e3779b97f4a7c15ull);
    for (uint16_t choice : choices)
      h = mixBits(h + choice + 0x9e3779b97f4a7c15ull);
    return h >> 1;
  }

  bool operator==(const Candidate &other) const {
    return sketch == other.sketch && choices == other.choices;
  }
  bool operator!=(const Candidate &other) const { return !(*this == other); }
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_CANDIDATE_H
