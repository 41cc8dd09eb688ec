//===- Elementwise.cpp - Random elementwise ops ---------------------------===//

#include "OperatorFamilies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace sched;
using namespace sched::test;

/// A named op of two operands, one of them `value` itself or another tensor.
static Value writeBinary(OperatorWriter &w, const Value &value) {
  struct Kind {
    const char *name;
    bool multiplies, adds;
  };
  static const Kind kinds[] = {{"add", false, true},
                               {"sub", false, true},
                               {"mul", true, false},
                               {"max", false, false},
                               {"min", false, false}};
  const Kind &kind = w.pick(llvm::ArrayRef(kinds));
  const Value other =
      w.oneIn(8) && !kind.adds ? value : w.operand(value.shape, value.type);
  const double bound = kind.multiplies ? value.bound * other.bound
                       : kind.adds     ? value.bound + other.bound
                                       : std::max(value.bound, other.bound);
  const Value to = w.empty(value.shape, value.type);
  return w.oneIn(6) ? w.named(kind.name, {other, value}, to, bound)
                    : w.named(kind.name, {value, other}, to, bound);
}

/// A function of the math dialect, as a named op.
static Value writeFunction(OperatorWriter &w, const Value &value) {
  struct Kind {
    const char *name;
    /// Only of arguments above 0.
    bool isOfPositive;
  };
  static const Kind kinds[] = {
      {"exp", false}, {"tanh", false}, {"erf", false}, {"square", false},
      {"sqrt", true}, {"rsqrt", true}, {"log", true},  {"reciprocal", true}};
  const Kind &kind = w.pick(llvm::ArrayRef(kinds));
  Value x = w.scale(value);
  if (kind.isOfPositive) {
    Body body;
    const std::string result = body.add(body.abs(Body::input(0), x.type),
                                        body.constant(1.0 / 2, x.type), x.type);
    x = w.map({x}, body, result, x.type, x.bound + 1);
  }
  return w.named(kind.name, {x}, w.empty(x.shape, x.type), 8);
}

/// Activations and the like as generic ops, of floats.
static Value writeActivation(OperatorWriter &w, const Value &value) {
  const Value x = w.scale(value);
  const ElementType type = x.type;
  Body body;
  const std::string in = Body::input(0), one = body.constant(1, type);
  std::string result;
  switch (w.below(6)) {
  case 0: // Sigmoid.
    result = body.op("math.exp", {body.op("arith.negf", {in}, type)}, type);
    result = body.op("arith.divf", {one, body.add(result, one, type)}, type);
    break;
  case 1: // SiLU.
    result = body.op("math.exp", {body.op("arith.negf", {in}, type)}, type);
    result = body.op("arith.divf", {in, body.add(result, one, type)}, type);
    break;
  case 2: // GELU.
    result = body.mul(in, body.constant(0.70710678, type), type);
    result = body.add(body.op("math.erf", {result}, type), one, type);
    result =
        body.mul(body.mul(in, result, type), body.constant(0.5, type), type);
    break;
  case 3: // Hard swish.
    result = body.add(in, body.constant(3, type), type);
    result = body.max(result, body.constant(0, type), type);
    result = body.min(result, body.constant(6, type), type);
    result = body.mul(in, result, type);
    break;
  case 4:
    result = body.op("math.sin", {in}, type);
    result = body.add(result, body.op("math.cos", {in}, type), type);
    break;
  default:
    result = body.op("arith.divf",
                     {in, body.add(body.abs(in, type), one, type)}, type);
    break;
  }
  return w.map({x}, body, result, type, 8);
}

/// Generic ops of whole numbers: they stay such.
static Value writeWhole(OperatorWriter &w, const Value &value) {
  const ElementType type = value.type;
  Body body;
  const std::string in = Body::input(0);
  std::string result;
  std::vector<Value> inputs = {value};
  double bound = value.bound;
  switch (w.below(7)) {
  case 0: // ReLU.
    result = body.max(in, body.constant(0, type), type);
    break;
  case 1: // Leaky, with a select.
    result = body.select(body.greater(in, body.constant(0, type), type), in,
                         body.mul(in, body.constant(2, type), type), type);
    bound *= 2;
    break;
  case 2: // Clamp.
    result = body.max(in, body.constant(-2, type), type);
    result = body.min(result, body.constant(5, type), type);
    bound = 5;
    break;
  case 3: // A bias for the last dimensions, or a scalar.
    inputs.push_back(
        w.argument(Extents(value.shape.begin() + w.below(value.rank() + 1),
                           value.shape.end()),
                   type));
    result = body.add(in, Body::input(1), type);
    bound += inputs.back().bound;
    break;
  case 4: // Factor and bias.
    inputs.push_back(w.argument({value.shape.back()}, type));
    inputs.push_back(w.operand(value.shape, type));
    result = body.add(body.mul(in, Body::input(1), type), Body::input(2), type);
    bound = bound * inputs[1].bound + inputs[2].bound;
    break;
  case 5: // Leaky, with a region; no jump at 0, where rounding decides.
    result = body.branch(body.greater(in, body.constant(0, type), type), in,
                         body.sub(body.constant(0, type), in, type), type);
    bound = 2 * bound;
    break;
  default:
    result = body.abs(body.sub(body.constant(1, type), in, type), type);
    bound += 1;
    break;
  }
  return w.map(inputs, body, result, type, bound);
}

/// Adds to what it writes to: to `value`, or `value` to another tensor.
static Value writeOntoOutput(OperatorWriter &w, const Value &value) {
  const std::string loops = std::string("abcdefgh").substr(0, value.rank());
  Value added = w.operand(value.shape, value.type), onto = value;
  if (w.oneIn(2))
    std::swap(added, onto);
  Body body;
  const std::string result =
      body.add(Body::output(), Body::input(0), value.type);
  return w.generic(loops, "", {{added, spell(loops)}}, {onto, spell(loops)},
                   body, result, added.bound + onto.bound);
}

/// Reads another tensor, stored in another order of dimensions.
static Value writeTransposedRead(OperatorWriter &w, const Value &value) {
  const std::string loops = std::string("abcdefgh").substr(0, value.rank());
  const std::string stored = w.shuffle(loops);
  Extents shape;
  for (char loop : stored)
    shape.push_back(value.shape[loop - 'a']);
  const Value other = w.argument(shape, value.type);
  Body body;
  const std::string result =
      body.sub(Body::input(0), Body::input(1), value.type);
  return w.generic(loops, "", {{value, spell(loops)}, {other, spell(stored)}},
                   {w.empty(value.shape, value.type), spell(loops)}, body,
                   result, value.bound + other.bound);
}

/// To a type of another width, where there is one that serves.
static Value writeCast(OperatorWriter &w, const Value &value) {
  using E = ElementType;
  switch (value.type) {
  case E::F32:
    return w.cast(value, w.oneIn(2) ? E::F64 : E::BF16);
  case E::I32:
    return w.cast(value, w.oneIn(2) ? E::I8 : E::F32);
  case E::I8:
    return w.cast(value, E::I32);
  default:
    return w.cast(value, E::F32);
  }
}

Value test::writeElementwise(OperatorWriter &w, const Value &value) {
  if (value.rank() == 0)
    return writeBinary(w, value);
  switch (w.below(isFloat(value.type) ? 11 : 7)) {
  case 0:
  case 1:
    return writeBinary(w, value);
  case 2:
  case 3:
    return writeWhole(w, value);
  case 4:
    return writeTransposedRead(w, value);
  case 5:
    return w.oneIn(2) ? writeCast(w, value) : writeWhole(w, value);
  case 6:
    return writeOntoOutput(w, value);
  case 7:
  case 8:
    return writeFunction(w, value);
  default:
    return writeActivation(w, value);
  }
}

Value test::writeGated(OperatorWriter &w, const Value &value) {
  const Value gate = writeElementwise(w, value);
  if (gate.shape != value.shape || gate.type != value.type)
    return gate;
  const Value to = w.empty(value.shape, value.type);
  return isFloat(value.type)
             ? w.named("mul", {w.scale(value), gate}, to, gate.bound)
             : w.named("max", {gate, value}, to,
                       std::max(value.bound, gate.bound));
}
