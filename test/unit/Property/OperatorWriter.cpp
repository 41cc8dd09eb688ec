//===- OperatorWriter.cpp - Writes operators as text ----------------------===//

#include "OperatorWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace sched;
using namespace sched::test;

int64_t test::countElements(const Extents &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<>());
}

std::string test::writeType(const Extents &shape, ElementType type) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + str(type).str() + ">";
}

std::vector<std::string> test::spell(llvm::StringRef letters) {
  std::vector<std::string> result;
  for (char letter : letters)
    result.emplace_back(1, letter);
  return result;
}

std::string test::writeMap(llvm::StringRef loops,
                           llvm::ArrayRef<std::string> indices) {
  return "affine_map<(" + llvm::join(spell(loops), ", ") + ") -> (" +
         llvm::join(indices, ", ") + ")>";
}

std::string test::writeList(llvm::ArrayRef<int64_t> numbers) {
  std::string text = "[";
  llvm::interleave(
      numbers, [&](int64_t number) { text += std::to_string(number); },
      [&] { text += ", "; });
  return text + "]";
}

/// The largest whole number up to which the type holds all.
static double getWholeLimit(ElementType type) {
  return isFloat(type) ? 2 / machineEpsilon(type)
                       : std::numeric_limits<double>::infinity();
}

int64_t OperatorWriter::drawSize(int64_t most) {
  static const int64_t sizes[] = {1,  2,  3,  4,   5,   7,  8,  9,
                                  13, 16, 17, 24,  31,  32, 33, 48,
                                  64, 96, 97, 100, 127, 128};
  int64_t size = oneIn(16)  ? between(1, 600)
                 : oneIn(4) ? between(1, 160)
                            : pick(llvm::ArrayRef(sizes));
  return size <= most ? size : between(1, most);
}

Extents OperatorWriter::drawSizes(unsigned count, int64_t most) {
  Extents sizes;
  for (unsigned i = 0; i != count; ++i)
    sizes.push_back(drawSize(most));
  while (countElements(sizes) > most) {
    auto largest = std::max_element(sizes.begin(), sizes.end());
    *largest = between(1, *largest - 1);
  }
  return sizes;
}

Extents OperatorWriter::drawOrder(unsigned count) {
  Extents order(count);
  std::iota(order.begin(), order.end(), 0);
  if (oneIn(2))
    for (unsigned i = 1; i < count; ++i)
      std::swap(order[i], order[below(i + 1)]);
  return order;
}

std::string OperatorWriter::shuffle(std::string letters) {
  std::string result;
  for (int64_t position : drawOrder(letters.size()))
    result += letters[position];
  return result;
}

Value OperatorWriter::argument(const Extents &shape, ElementType type,
                               bool layoutFree) {
  Value value{newName(), shape, type, kAmplitude};
  arguments.push_back(value.name + ": " + writeType(shape, type) +
                      (layoutFree ? " {schedule.layout_free}" : ""));
  return value;
}

Value OperatorWriter::indexArgument(const Extents &shape) {
  return argument(shape, ElementType::Index);
}

Value OperatorWriter::operand(const Extents &shape, ElementType type) {
  // A transpose of nothing ends upstream's verifier.
  switch (shape.empty() ? 7 : below(8)) {
  case 0: {
    const Extents order = drawOrder(shape.size());
    Extents from(shape.size());
    for (auto [position, dim] : llvm::enumerate(order))
      from[dim] = shape[position];
    return transpose(argument(from, type), order);
  }
  case 1: {
    if (!isFloat(type))
      break;
    // Wider or narrower elements in memory.
    static const ElementType others[] = {ElementType::BF16, ElementType::F32};
    const ElementType other = pick(llvm::ArrayRef(others));
    return byteSize(other) < byteSize(type) ? cast(argument(shape, other), type)
                                            : argument(shape, type);
  }
  case 2: {
    const unsigned dim = below(shape.size());
    Extents from = shape;
    from.erase(from.begin() + dim);
    Value row = argument(from, type), to = empty(shape, type);
    return define(llvm::formatv("linalg.broadcast ins({0} : {1}) outs({2} : "
                                "{3}) dimensions = [{4}]",
                                row.name, writeType(from, type), to.name,
                                writeType(shape, type), dim),
                  shape, type, row.bound);
  }
  case 3: {
    Value value = argument(shape, type);
    Body body;
    return map({value}, body, body.abs(Body::input(0), type), type,
               value.bound);
  }
  case 4: {
    Value a = argument(shape, type), b = argument(shape, type);
    return named("add", {a, b}, empty(shape, type), a.bound + b.bound);
  }
  default:
    break;
  }
  return argument(shape, type);
}

std::string OperatorWriter::constant(double value, ElementType type) {
  std::string name = newName();
  text += llvm::formatv("  {0} = arith.constant {1} : {2}\n", name,
                        writeLiteral(value, type), str(type));
  return name;
}

Value OperatorWriter::empty(const Extents &shape, ElementType type) {
  return define("tensor.empty() : " + writeType(shape, type), shape, type, 0);
}

Value OperatorWriter::fill(double value, const Extents &shape,
                           ElementType type) {
  const std::string scalar = constant(value, type);
  const Value to = empty(shape, type);
  const std::string spelled = writeType(shape, type);
  return define(
      llvm::formatv("linalg.fill ins({0} : {1}) outs({2} : {3}) -> {3}", scalar,
                    str(type), to.name, spelled),
      shape, type, std::fabs(value));
}

Value OperatorWriter::start(const Extents &shape, ElementType type) {
  switch (below(12)) {
  case 0:
    return argument(shape, type);
  case 1:
    return operand(shape, type);
  case 2:
    return fill(2, shape, type);
  default:
    return fill(0, shape, type);
  }
}

Value OperatorWriter::define(const llvm::Twine &line, const Extents &shape,
                             ElementType type, double bound) {
  Value value{newName(), shape, type, bound};
  text += "  " + value.name + " = " + line.str() + "\n";
  if (bound > getWholeLimit(type))
    markInexact();
  return value;
}

/// "ins(%a, %b : ta, tb) outs(%c : tc)".
static std::string writeOperands(llvm::ArrayRef<Value> inputs,
                                 const Value &init) {
  std::string names, types;
  for (const Value &input : inputs) {
    names += (names.empty() ? "" : ", ") + input.name;
    types += (types.empty() ? "" : ", ") + writeType(input.shape, input.type);
  }
  return (inputs.empty() ? "" : "ins(" + names + " : " + types + ") ") +
         "outs(" + init.name + " : " + writeType(init.shape, init.type) + ")";
}

Value OperatorWriter::named(llvm::StringRef op, llvm::ArrayRef<Value> inputs,
                            const Value &init, double bound,
                            llvm::StringRef attributes) {
  return define("linalg." + op + " " + attributes + " " +
                    writeOperands(inputs, init) + " -> " +
                    writeType(init.shape, init.type),
                init.shape, init.type, bound);
}

/// "["parallel", "reduction"]".
static std::string writeIterators(llvm::StringRef loops,
                                  llvm::StringRef reductions) {
  std::string text;
  for (char loop : loops)
    text += std::string(text.empty() ? "[" : ", ") +
            (reductions.contains(loop) ? "\"reduction\"" : "\"parallel\"");
  return text.empty() ? "[]" : text + "]";
}

Value OperatorWriter::generic(llvm::StringRef loops, llvm::StringRef reductions,
                              llvm::ArrayRef<Indexed> inputs,
                              const Indexed &init, const Body &body,
                              llvm::StringRef result, double bound) {
  std::string maps, arguments;
  std::vector<Value> values;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    maps += writeMap(loops, input.indices) + ", ";
    arguments += Body::input(i) + ": " + str(input.value.type).str() + ", ";
    values.push_back(input.value);
  }
  maps += writeMap(loops, init.indices);
  arguments += Body::output() + ": " + str(init.value.type).str();
  const std::string type = writeType(init.value.shape, init.value.type);
  return define("linalg.generic {indexing_maps = [" + maps +
                    "], iterator_types = " + writeIterators(loops, reductions) +
                    "} " + writeOperands(values, init.value) + " {\n  ^bb0(" +
                    arguments + "):\n" + body.getText() + "    linalg.yield " +
                    result + " : " + str(init.value.type) + "\n  } -> " + type,
                init.value.shape, init.value.type, bound);
}

std::pair<Value, Value>
OperatorWriter::generic(llvm::StringRef loops, llvm::StringRef reductions,
                        const Indexed &input, const Body &body,
                        const Output &first, const Output &second) {
  const Value &a = first.init.value, &b = second.init.value;
  const std::string types = writeType(a.shape, a.type) + ", " +
                            writeType(b.shape, b.type),
                    elements = str(a.type).str() + ", " + str(b.type).str(),
                    name = newName();
  text += llvm::formatv(
              "  {0}:2 = linalg.generic {{indexing_maps = [{1}, {2}, {3}], "
              "iterator_types = {4}} ins({5} : {6}) outs({7}, {8} : {9}) {{\n"
              "  ^bb0({10}: {11}, {12}: {13}, {14}: {15}):\n",
              name, writeMap(loops, input.indices),
              writeMap(loops, first.init.indices),
              writeMap(loops, second.init.indices),
              writeIterators(loops, reductions), input.value.name,
              writeType(input.value.shape, input.value.type), a.name, b.name,
              types, Body::input(0), str(input.value.type), first.argument,
              str(a.type), second.argument, str(b.type))
              .str() +
          body.getText() + "    linalg.yield " + first.result + ", " +
          second.result + " : " + elements + "\n  } -> (" + types + ")\n";
  return {{name + "#0", a.shape, a.type, first.bound},
          {name + "#1", b.shape, b.type, second.bound}};
}

Value OperatorWriter::map(llvm::ArrayRef<Value> inputs, const Body &body,
                          llvm::StringRef result, ElementType type,
                          double bound) {
  const Extents *shape = &inputs.front().shape;
  for (const Value &input : inputs)
    if (input.rank() > shape->size())
      shape = &input.shape;
  const std::string loops = std::string("abcdefgh").substr(0, shape->size());
  std::vector<Indexed> indexed;
  for (const Value &input : inputs)
    indexed.push_back(
        {input, spell(llvm::StringRef(loops).take_back(input.rank()))});
  return generic(loops, "", indexed, {empty(*shape, type), spell(loops)}, body,
                 result, bound);
}

Value OperatorWriter::pad(const Value &value, const Extents &low,
                          const Extents &high, double scalar) {
  const bool areOperands = oneIn(4);
  auto writeAmounts = [&](const Extents &amounts) {
    std::string amountsText = "[";
    for (auto [dim, amount] : llvm::enumerate(amounts))
      amountsText += (dim ? ", " : "") +
                     (areOperands && oneIn(2)
                          ? constant(double(amount), ElementType::Index)
                          : std::to_string(amount));
    return amountsText + "]";
  };
  Extents shape = value.shape;
  std::string indices;
  for (size_t dim = 0; dim != shape.size(); ++dim) {
    shape[dim] += low[dim] + high[dim];
    indices += (dim ? ", %i" : "%i") + std::to_string(dim) + ": index";
  }
  const std::string padding = constant(scalar, value.type),
                    lowText = writeAmounts(low), highText = writeAmounts(high);
  return define(llvm::formatv("tensor.pad {0} low{1} high{2} {{\n  ^bb0({3}):"
                              "\n    tensor.yield {4} : {5}\n  } : {6} to {7}",
                              value.name, lowText, highText, indices, padding,
                              str(value.type),
                              writeType(value.shape, value.type),
                              writeType(shape, value.type)),
                shape, value.type, std::max(value.bound, std::abs(scalar)));
}

Value OperatorWriter::transpose(const Value &value, const Extents &order) {
  Extents shape;
  for (int64_t dim : order)
    shape.push_back(value.shape[dim]);
  return define("linalg.transpose " +
                    writeOperands({value}, empty(shape, value.type)) +
                    " permutation = " + writeList(order),
                shape, value.type, value.bound);
}

Value OperatorWriter::scale(const Value &value) {
  const double factor =
      std::exp2(-std::ceil(std::log2(std::max(1.0, value.bound)) / 2));
  markInexact();
  Body body;
  const std::string scalar = body.constant(factor, value.type);
  return map({value}, body, body.mul(Body::input(0), scalar, value.type),
             value.type, kAmplitude);
}

Value OperatorWriter::cast(const Value &value, ElementType type) {
  Body body;
  return map({value}, body, body.cast(Body::input(0), value.type, type), type,
             value.bound);
}

std::string OperatorWriter::finish(llvm::ArrayRef<Value> results) const {
  std::string names, types;
  for (const Value &result : results) {
    names += (names.empty() ? "" : ", ") + result.name;
    types += (types.empty() ? "" : ", ") + writeType(result.shape, result.type);
  }
  return "func.func @f(" + llvm::join(arguments, ", ") + ") -> (" + types +
         ") {\n" + text + "  return " + names + " : " + types + "\n}\n";
}
