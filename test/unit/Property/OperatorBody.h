//===- OperatorBody.h - Writes the region of a generic op -------*- C++ -*-===//
//
// Scalar ops by what they do, whatever the element type is.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORBODY_H
#define SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORBODY_H

#include "SchedOpt/Measure/TensorSpec.h"
#include "llvm/ADT/StringRef.h"
#include <initializer_list>
#include <string>

namespace sched::test {

/// A literal of the type: "2.5" or "2".
std::string writeLiteral(double value, ElementType type);

class Body {
public:
  /// Names of the region's arguments.
  static std::string input(unsigned i) { return "%x" + std::to_string(i); }
  static std::string output() { return "%o"; }

  /// \name Each adds an op and returns the name of its result
  /// @{
  std::string add(llvm::StringRef a, llvm::StringRef b, ElementType type);
  std::string sub(llvm::StringRef a, llvm::StringRef b, ElementType type);
  std::string mul(llvm::StringRef a, llvm::StringRef b, ElementType type);
  std::string max(llvm::StringRef a, llvm::StringRef b, ElementType type);
  std::string min(llvm::StringRef a, llvm::StringRef b, ElementType type);
  std::string constant(double value, ElementType type);
  std::string abs(llvm::StringRef a, ElementType type);
  /// Whether a > b: an i1.
  std::string greater(llvm::StringRef a, llvm::StringRef b, ElementType type);
  std::string select(llvm::StringRef condition, llvm::StringRef a,
                     llvm::StringRef b, ElementType type);
  /// The sum of a and a where the condition holds, and else b, by a branch.
  std::string branch(llvm::StringRef condition, llvm::StringRef a,
                     llvm::StringRef b, ElementType type);
  /// Between floats, between integers, or from an integer to a float.
  std::string cast(llvm::StringRef a, ElementType from, ElementType to);
  /// Any op with operands and a result of one type: "math.exp".
  std::string op(llvm::StringRef name,
                 std::initializer_list<llvm::StringRef> operands,
                 ElementType type);
  /// Any text after "%name = ".
  std::string define(const std::string &line);
  /// @}

  const std::string &getText() const { return text; }

private:
  std::string arithmetic(llvm::StringRef forFloats, llvm::StringRef forIntegers,
                         llvm::StringRef a, llvm::StringRef b,
                         ElementType type);
  std::string text;
  unsigned numNames = 0;
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORBODY_H
