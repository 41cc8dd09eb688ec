//===- TensorData.h - Inputs, poison and guard bands ------------*- C++ -*-===//
//
// The memory that a worker hands to a kernel. Inputs are a pure function of
// (seed, position of the tensor, position of the element), so every process
// makes the same ones; each tensor lies between two guard bands that show
// writes out of bounds.
//
// Read next: Checker.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_MEASURE_TENSORDATA_H
#define SCHEDOPT_MEASURE_TENSORDATA_H

#include "SchedOpt/Measure/TensorSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <memory>

namespace sched {

/// Fills `data` (tensor number `position` of a kernel) from the seed.
///
/// With mix the finalizer of SplitMix64 (Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014), element i gets the bits
///   mix(mix(seed) + (position << 40) + (i + 1) * 0x9e3779b97f4a7c15)
/// of which the top ones become
/// - floats: uniform over the multiples of 2^-p in [-1, 1), p = 10 for f16,
///   7 for bf16, 23 for f32 and 52 for f64, all of them exact in the type;
/// - integers and index: uniform in [-8, 8) (index: [0, 8)); i1: a fair coin.
/// Of whole numbers with `below` above 0, elements are uniform in [0, below),
/// or in what is of it in the type. Of a float with `oneOf` above 1, one
/// element in so many is 1, as are the last eight, and all others are 0.
void fillFromSeed(const TensorSpec &spec, unsigned position, uint64_t seed,
                  void *data);

/// Fills a result before the check run: NaN in floats, bytes 0xa5 in integers
/// (1 in i1), so that an element that is never written shows.
void fillWithPoison(const TensorSpec &spec, void *data);

/// Element `index` as a double; exact for all but large 64-bit integers.
double loadElement(const TensorSpec &spec, const void *data, int64_t index);

/// One tensor's memory, with a guard band before and after. The data starts at
/// a multiple of 64 bytes; the band after it starts right behind its last byte.
/// Where in a page it starts depends on the tensor's position among the
/// arguments (PageOffset.h).
class GuardedTensor {
public:
  /// Bytes of each guard band.
  static constexpr uint64_t kGuardBytes = 4096;

  explicit GuardedTensor(TensorSpec spec, unsigned position = 0);
  GuardedTensor(GuardedTensor &&) = default;

  void *data() { return bytes + kGuardBytes; }
  const void *data() const { return bytes + kGuardBytes; }
  const TensorSpec &getSpec() const { return spec; }
  uint64_t size() const { return spec.numBytes(); }

  /// Writes the pattern anew.
  void armGuards();

  /// The offset in bytes from the start of the data (negative: before it; at
  /// least `size()`: behind it) of a guard byte that changed, or nothing.
  std::optional<int64_t> findTrespass() const;

  /// Hash of the content, to see whether an input was modified.
  uint64_t hash() const;

private:
  struct Free {
    void operator()(void *pointer) const;
  };
  TensorSpec spec;
  std::unique_ptr<void, Free> storage;
  uint8_t *bytes = nullptr;
};

} // namespace sched

#endif // SCHEDOPT_MEASURE_TENSORDATA_H
