//===- OperatorData.h - Tensors of an operator ------------------*- C++ -*-===//
//
// The arguments and results of one operator between guard bands, with what the
// unscheduled operator computes.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORDATA_H
#define SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORDATA_H

#include "SchedOpt/Codegen/JIT.h"
#include "SchedOpt/Codegen/NVVM.h"
#include "SchedOpt/Measure/TensorData.h"
#include <string>
#include <vector>

namespace sched::test {

class OperatorData {
public:
  /// Arguments are whole numbers up to `wholeAmplitude`, or fractions below one
  /// where it is 0; numbers of type index are from 0 to 7.
  OperatorData(std::vector<TensorSpec> specs, int wholeAmplitude,
               uint64_t seed);

  /// Calls `f` of the library. Says what is wrong: nothing if it can be called,
  /// and writes to its results alone.
  std::string call(KernelLibrary &library);

  /// Runs the launches of `f` in the emulator. Says what is wrong: nothing if
  /// all accesses are right.
  std::string emulate(const DeviceCode &code, const Target &target);

  /// Keeps the results of the last call as the expected ones.
  void keepExpected();

  /// Compares the results of the last call with them: equality where `isExact`,
  /// else with the tolerance (Checker.h) that the results' specs say.
  std::string compare(bool isExact);

  /// Whether a result is a sum in floats of 16 bits.
  bool hasNarrowSums() const;

  /// Takes the floats of the last call's results, which are those with sums of
  /// f32, for the expected ones, and notes what these deviate by.
  void widenExpected();

  /// Whether each result of the last call that does not agree differs from the
  /// expected one no more than four times what it moves by, as the unscheduled
  /// `library` computes it, when arguments are moved by a rounding for each
  /// step of a random walk: what is computed in another order is what is
  /// computed of such arguments (Higham, "Accuracy and Stability of Numerical
  /// Algorithms", 2nd ed., section 1.5), so the data decide nothing. An example
  /// is the sum of all elements that happens to be near 0. The results are
  /// lost.
  bool areIllConditioned(KernelLibrary &library);

private:
  /// Moves the floats among the arguments by about `distance`, relative to
  /// each, but at least by their type's spacing.
  void moveArguments(double distance, uint64_t seed);

  /// What is to be computed holds nothing.
  void poisonResults();

  std::vector<GuardedTensor> tensors;
  /// Of the arguments, one a tensor.
  std::vector<uint64_t> hashes;
  /// Bytes of each result.
  std::vector<std::vector<char>> expected;
  /// Of the results, for the tolerance.
  std::vector<TensorSpec> checked;
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORDATA_H
