//===- Rng.h - The one generator of random numbers --------------*- C++ -*-===//
//
// Everything random in the search draws from an Rng that was passed in, so that
// one seed fixes a whole run. The standard library's distributions differ from
// one implementation to the next; these do not.
//
// Generator: xoshiro256** (Blackman, Vigna: "Scrambled Linear Pseudorandom
// Number Generators", 2021), state filled by splitmix64 as its authors advise.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_SEARCH_RNG_H
#define SCHEDOPT_SEARCH_RNG_H

#include <cassert>
#include <cstdint>

namespace sched {

/// The finalizer of splitmix64: every input bit reaches every output bit.
inline uint64_t mixBits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

class Rng {
public:
  /// Generators of one seed and different streams are independent.
  explicit Rng(uint64_t seed, uint64_t stream = 0) {
    uint64_t x = mixBits(seed + 0x9e3779b97f4a7c15ull) ^
                 mixBits(stream + 0xd1b54a32d192ed03ull);
    for (uint64_t &word : state)
      word = mixBits(x += 0x9e3779b97f4a7c15ull);
  }

  /// 64 uniform bits.
  uint64_t next() {
    uint64_t result = rotate(state[1] * 5, 7) * 9;
    uint64_t t = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = rotate(state[3], 45);
    return result;
  }

  /// Uniform in [0, n), n > 0, without bias (Lemire's multiply and reject).
  uint32_t below(uint32_t n) {
    assert(n > 0 && "empty range");
    uint64_t product = (next() >> 32) * n;
    if (static_cast<uint32_t>(product) < n) {
      uint32_t threshold = -n % n;
      while (static_cast<uint32_t>(product) < threshold)
        product = (next() >> 32) * n;
    }
    return product >> 32;
  }

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// True with probability `p`.
  bool chance(double p) { return uniform() < p; }

private:
  static uint64_t rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
  }
  uint64_t state[4];
};

} // namespace sched

#endif // SCHEDOPT_SEARCH_RNG_H
