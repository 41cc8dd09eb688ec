//===- RandomOperator.h - One random operator -------------------*- C++ -*-===//
//
// An operator is a source with up to three steps after it, of random types,
// shapes and neighbours. Everything follows from its seed.
//
// Read next: OperatorCase.h, which tests it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PROPERTY_RANDOMOPERATOR_H
#define SCHEDOPT_TEST_UNIT_PROPERTY_RANDOMOPERATOR_H

#include "SchedOpt/Measure/TensorSpec.h"
#include <random>
#include <string>
#include <vector>

namespace sched::test {

struct RandomOperator {
  /// A module with the public function `f`.
  std::string text;
  /// Names of the source and of the steps.
  std::vector<std::string> families;
  ElementType elementType, sumType;
  /// With arguments of whole numbers, results must be equal: see
  /// OperatorWriter.
  bool isExact;
  /// It must stay exact: see Step::needsExact.
  bool tellsApart = false;

  static RandomOperator draw(std::mt19937_64 &bits);
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PROPERTY_RANDOMOPERATOR_H
