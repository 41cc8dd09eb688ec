//===- History.cpp - What has been measured so far ------------------------===//

#include "SchedOpt/Search/History.h"
#include <algorithm>

using namespace sched;

void History::add(const Candidate &candidate, double seconds) {
  auto [it, isNew] = indexOf.try_emplace(candidate.hash(), entries.size());
  if (isNew)
    entries.push_back({candidate, seconds});
  else
    entries[it->second].seconds = seconds;
}

std::vector<unsigned> History::getFastest(unsigned n) const {
  std::vector<unsigned> order;
  for (unsigned i = 0, e = entries.size(); i != e; ++i)
    if (!entries[i].failed())
      order.push_back(i);
  n = std::min<size_t>(n, order.size());
  std::partial_sort(order.begin(), order.begin() + n, order.end(),
                    [&](unsigned a, unsigned b) {
                      if (entries[a].seconds != entries[b].seconds)
                        return entries[a].seconds < entries[b].seconds;
                      return a < b;
                    });
  order.resize(n);
  return order;
}

History History::prefix(size_t n) const {
  History result;
  for (const Measurement &entry :
       llvm::ArrayRef<Measurement>(entries).take_front(n))
    result.add(entry.candidate, entry.seconds);
  return result;
}
