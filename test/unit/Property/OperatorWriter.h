//===- OperatorWriter.h - Writes operators as text --------------*- C++ -*-===//
//
// The property tests draw operators as a user would write them: MLIR text of
// one function on tensors. A writer holds that function while families of
// operators (OperatorFamilies.h) add to it, and keeps account of how large
// elements become: where arguments are whole numbers and every value stays one
// that its type holds, results do not depend on the order of sums, and must be
// equal.
//
// Read next: OperatorBody.h (regions of generic ops), RandomOperator.h.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORWRITER_H
#define SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORWRITER_H

#include "OperatorBody.h"
#include "SchedOpt/Measure/TensorSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sched::test {

using Extents = std::vector<int64_t>;

int64_t countElements(const Extents &shape);

/// A tensor of the function that is being written.
struct Value {
  std::string name;
  Extents shape;
  ElementType type;
  /// No element is further from 0 where arguments are whole numbers up to
  /// `OperatorWriter::kAmplitude`.
  double bound = 0;

  unsigned rank() const { return shape.size(); }
  int64_t size() const { return countElements(shape); }
};

/// "tensor<2x3xf32>".
std::string writeType(const Extents &shape, ElementType type);

/// A value as an operand of a generic op: the indices that it is read at,
/// expressions of the op's loops.
struct Indexed {
  Value value;
  std::vector<std::string> indices;
};

/// One of the results of a generic op that has two.
struct Output {
  /// What it starts from.
  Indexed init;
  /// The body's argument, and what it yields.
  std::string argument, result;
  double bound = 0;
};

/// "mk" as {"m", "k"}: loops have names of one letter.
std::vector<std::string> spell(llvm::StringRef letters);
/// "affine_map<(m, n, k) -> (m, k)>".
std::string writeMap(llvm::StringRef loops,
                     llvm::ArrayRef<std::string> indices);
/// "[1, 2]".
std::string writeList(llvm::ArrayRef<int64_t> numbers);

class OperatorWriter {
public:
  /// Of arguments of whole numbers.
  static constexpr int kAmplitude = 3;
  /// Most elements of a tensor, and most products of an operator: unscheduled
  /// code without LLVM's optimisations takes a few milliseconds for them.
  static constexpr int64_t kMaxElements = 1 << 15, kMaxWork = 1 << 19;

  /// Arguments are of type `element`, and sums of products of type `sum`.
  OperatorWriter(std::mt19937_64 &bits, ElementType element, ElementType sum)
      : elementType(element), sumType(sum), bits(bits) {}

  const ElementType elementType, sumType;

  /// \name Random choices
  /// @{
  /// Below `count`.
  uint64_t below(uint64_t count) { return bits() % count; }
  int64_t between(int64_t least, int64_t most) {
    return least + int64_t(below(most - least + 1));
  }
  bool oneIn(unsigned count) { return below(count) == 0; }
  template <typename T> const T &pick(llvm::ArrayRef<T> values) {
    return values[below(values.size())];
  }
  /// One, odd, prime and large sizes among them, at most `most`.
  int64_t drawSize(int64_t most = kMaxElements);
  /// So many sizes whose product is at most `most`.
  Extents drawSizes(unsigned count, int64_t most);
  /// Any order of 0 to count - 1; the plain one half of the time.
  Extents drawOrder(unsigned count);
  /// The letters in any order.
  std::string shuffle(std::string letters);
  /// @}

  /// \name Values
  /// @{
  Value argument(const Extents &shape, ElementType type,
                 bool layoutFree = false);
  /// An argument of numbers from 0 to 7, of type index.
  Value indexArgument(const Extents &shape);
  /// An argument, or what a cheap op makes of one: a transpose, a cast, a
  /// broadcast, an elementwise op.
  Value operand(const Extents &shape, ElementType type);
  Value fill(double value, const Extents &shape, ElementType type);
  /// What a reduction starts from: zeros, or now and then other numbers.
  Value start(const Extents &shape, ElementType type);
  /// A tensor to write to: its elements mean nothing.
  Value empty(const Extents &shape, ElementType type);
  /// The name of a scalar constant.
  std::string constant(double value, ElementType type);
  /// @}

  /// \name Ops
  /// @{
  /// "%r = linalg.<op> <attributes> ins(...) outs(init) -> type".
  Value named(llvm::StringRef op, llvm::ArrayRef<Value> inputs,
              const Value &init, double bound, llvm::StringRef attributes = "");
  /// A generic op over `loops`, of which those of `reductions` reduce. `body`
  /// yields `result`; the arguments are Body::input and Body::output.
  Value generic(llvm::StringRef loops, llvm::StringRef reductions,
                llvm::ArrayRef<Indexed> inputs, const Indexed &init,
                const Body &body, llvm::StringRef result, double bound);
  /// An op of any form: the line is "%name = <text>".
  Value define(const llvm::Twine &text, const Extents &shape, ElementType type,
               double bound);
  /// Both results of a generic op that has two, over `loops`, of which those of
  /// `reductions` reduce.
  std::pair<Value, Value> generic(llvm::StringRef loops,
                                  llvm::StringRef reductions,
                                  const Indexed &input, const Body &body,
                                  const Output &first, const Output &second);
  /// A generic op on elements of one shape; `inputs` may also be rows along
  /// the last dimensions.
  Value map(llvm::ArrayRef<Value> inputs, const Body &body,
            llvm::StringRef result, ElementType type, double bound);
  /// With `scalar` around it. Amounts are attributes, or constants that only
  /// operands name.
  Value pad(const Value &value, const Extents &low, const Extents &high,
            double scalar);
  Value transpose(const Value &value, const Extents &order);
  /// `value` multiplied by a power of two, so that functions of the math
  /// dialect neither overflow nor are constant; floats only.
  Value scale(const Value &value);
  Value cast(const Value &value, ElementType type);
  /// @}

  /// Results are not whole numbers.
  void markInexact() { exact = false; }
  bool isExact() const { return exact; }

  /// The module of `f`, with arguments in the order of their definition.
  std::string finish(llvm::ArrayRef<Value> results) const;

private:
  std::string newName() { return "%v" + std::to_string(numNames++); }

  std::mt19937_64 &bits;
  bool exact = true;
  unsigned numNames = 0;
  /// "%v0: tensor<4xf32>".
  std::vector<std::string> arguments;
  std::string text;
};

} // namespace sched::test

#endif // SCHEDOPT_TEST_UNIT_PROPERTY_OPERATORWRITER_H
