//===- PageOffset.h - Where in a page a buffer begins -----------*- C++ -*-===//
//
// A load waits for an earlier store whose address differs from its own by a
// multiple of 4 KiB. Buffers that are timed together begin at different places
// of their pages, so that no kernel is favoured for how it bears that.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SUPPORT_PAGEOFFSET_H
#define SCHEDOPT_SUPPORT_PAGEOFFSET_H

#include <cstdint>

namespace sched {

constexpr uint64_t kPageBytes = 4096;

/// Bytes from the start of a page to the buffer of this number, from 0: a
/// multiple of 64, another for each of 64 buffers in a row.
constexpr uint64_t getPageOffset(uint64_t number) {
  constexpr uint64_t kLineBytes = 64;
  return kLineBytes * ((19 * number + 7) % (kPageBytes / kLineBytes));
}

} // namespace sched

#endif // SCHEDOPT_SUPPORT_PAGEOFFSET_H
