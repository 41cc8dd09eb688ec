//===- Reductions.cpp - Random reductions, softmax and norms --------------===//

#include "OperatorFamilies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace sched;
using namespace sched::test;

static std::string getLoops(unsigned rank) {
  return std::string("abcdefgh").substr(0, rank);
}

namespace {
enum class Kind { Sum, Max, Min, Product, Squares, Magnitudes, Mean, Norm };
} // namespace

/// One step of the reduction: what %o becomes by the element.
static std::string writeStep(Body &body, Kind kind, const Value &value) {
  const ElementType type = value.type;
  const std::string x = Body::input(0), o = Body::output();
  switch (kind) {
  case Kind::Sum:
  case Kind::Mean:
    return body.add(x, o, type);
  case Kind::Max:
    return body.max(x, o, type);
  case Kind::Min:
    return body.min(o, x, type);
  case Kind::Product: {
    if (!isFloat(type))
      return body.mul(x, o, type);
    // Factors within an eighth of one, so that products of hundreds stay in
    // range, in any order.
    const double scale =
        std::exp2(-3 - std::ceil(std::log2(std::max(8.0, value.bound))));
    const std::string factor =
        body.add(body.mul(x, body.constant(scale, type), type),
                 body.constant(1, type), type);
    return body.mul(o, factor, type);
  }
  case Kind::Squares:
  case Kind::Norm:
    return body.add(o, body.mul(x, x, type), type);
  case Kind::Magnitudes:
    return body.add(o, body.abs(x, type), type);
  }
  return "";
}

/// The value of `value`'s `dims` reduced to one element, with what is left in
/// the order `kept`.
static Value reduce(OperatorWriter &w, Kind kind, const Value &value,
                    const std::string &dims, const std::string &kept) {
  const ElementType type = value.type;
  const std::string loops = getLoops(value.rank());
  Extents shape;
  for (char loop : kept)
    shape.push_back(value.shape[loop - 'a']);
  double terms = 1;
  for (char loop : dims)
    terms *= value.shape[loop - 'a'];
  double bound = value.bound;
  if (kind == Kind::Squares || kind == Kind::Norm)
    bound *= value.bound * terms;
  else if (kind != Kind::Max && kind != Kind::Min && kind != Kind::Product)
    bound *= terms;
  // Products of factors near one; what follows may subtract them from one.
  const double first = isFloat(type) && type != ElementType::F64 ? 0.375 : 1;
  const Value init = kind == Kind::Max       ? w.fill(-100, shape, type)
                     : kind == Kind::Min     ? w.fill(100, shape, type)
                     : kind == Kind::Product ? w.fill(first, shape, type)
                                             : w.start(shape, type);
  if (kind == Kind::Product && isFloat(type))
    w.markInexact();
  bound += init.bound;
  // The named op, where the result's dimensions are in order.
  const bool isPlain = llvm::is_sorted(kept) && kind < Kind::Product;
  if (isPlain && w.oneIn(3)) {
    static const char *const names[] = {"add", "maximum", "minimum"};
    std::string name = names[int(kind)];
    name += isFloat(type) ? "f" : kind == Kind::Sum ? "i" : "";
    if (!isFloat(type) && kind != Kind::Sum)
      name = kind == Kind::Max ? "maxsi" : "minsi";
    Extents positions;
    for (char loop : loops)
      if (dims.find(loop) != std::string::npos)
        positions.push_back(loop - 'a');
    return w.define(
        llvm::formatv("linalg.reduce {{ arith.{0} } ins({1} : {2}) outs({3} : "
                      "{4}) dimensions = {5}",
                      name, value.name, writeType(value.shape, type), init.name,
                      writeType(shape, type), writeList(positions)),
        shape, type, bound);
  }
  Body body;
  const std::string result = writeStep(body, kind, value);
  return w.generic(w.oneIn(4) ? w.shuffle(loops) : loops, dims,
                   {{value, spell(loops)}}, {init, spell(kept)}, body, result,
                   bound);
}

/// Divides by the number of elements, or takes the root.
static Value finish(OperatorWriter &w, Kind kind, const Value &value,
                    double terms) {
  w.markInexact();
  Body body;
  const std::string result =
      kind == Kind::Mean
          ? body.op("arith.divf",
                    {Body::input(0), body.constant(terms, value.type)},
                    value.type)
          : body.op("math.sqrt", {body.abs(Body::input(0), value.type)},
                    value.type);
  return w.map({value}, body, result, value.type,
               kind == Kind::Mean ? value.bound / terms
                                  : std::sqrt(value.bound));
}

Value test::writeReduction(OperatorWriter &w, const Value &value) {
  std::string dims, kept;
  for (char loop : getLoops(value.rank()))
    (w.oneIn(2) ? dims : kept) += loop;
  if (dims.empty())
    std::swap(dims, kept);
  if (w.oneIn(6))
    kept = w.shuffle(kept);
  Kind kind = Kind(w.below(isFloat(value.type) ? 8 : 6));
  double terms = 1;
  for (char loop : dims)
    terms *= value.shape[loop - 'a'];
  // Each factor adds its rounding errors to the result's, of all that are in
  // it.
  if (kind == Kind::Product && isFloat(value.type) &&
      byteSize(value.type) == 2 && terms > 256)
    kind = Kind::Max;
  const Value result = reduce(w, kind, value, dims, kept);
  return kind == Kind::Mean || kind == Kind::Norm
             ? finish(w, kind, result, terms)
             : result;
}

Value test::writeArgmax(OperatorWriter &w, const Value &value) {
  const std::string loops = w.shuffle(getLoops(value.rank()));
  const unsigned dim = w.oneIn(2) ? loops.size() - 1 : w.below(loops.size());
  std::string kept = loops;
  kept.erase(dim, 1);
  Extents shape;
  for (char loop : kept)
    shape.push_back(value.shape[loop - 'a']);
  const ElementType type = value.type,
                    place = w.oneIn(2) ? ElementType::I32 : ElementType::I64;
  const bool isLargest = w.oneIn(2);
  // Now and then one that few elements, or none, exceed.
  const double least = w.oneIn(4) ? 1 : -100;
  const Value places = w.fill(w.below(3), shape, place),
              start = w.fill(isLargest ? least : -least, shape, type);
  const std::string element = str(type).str(), number = str(place).str();
  Body body;
  const std::string index = body.define("linalg.index " + std::to_string(dim) +
                                        " : index"),
                    here = body.define("arith.index_cast " + index +
                                       " : index to " + number),
                    exceeds = body.define(llvm::formatv(
                        "arith.cmp{0} {1}{2}, %x0, %best : {3}",
                        isFloat(type) ? "f" : "i", isFloat(type) ? "o" : "s",
                        isLargest ? "gt" : "lt", element)),
                    best = body.select(exceeds, Body::input(0), "%best", type),
                    chosen = body.select(exceeds, here, "%place", place);
  return w
      .generic(loops, loops.substr(dim, 1),
               {value, spell(getLoops(value.rank()))}, body,
               {{places, spell(kept)}, "%place", chosen, double(value.size())},
               {{start, spell(kept)}, "%best", best})
      .first;
}

Value test::writeStatistics(OperatorWriter &w, const Value &value) {
  const ElementType type = value.type;
  const std::string loops = getLoops(value.rank());
  std::string kept, reduced;
  Extents shape;
  double terms = 1;
  for (char loop : loops) {
    const int64_t extent = value.shape[loop - 'a'];
    if (w.oneIn(2) || (loop == loops.back() && reduced.empty())) {
      reduced += loop;
      terms *= extent;
    } else {
      kept += loop;
      shape.push_back(extent);
    }
  }
  // Beside the sums: the largest, or what is summed.
  const bool keepsElements = w.oneIn(2);
  const std::string other = keepsElements ? loops : kept;
  const Extents &otherShape = keepsElements ? value.shape : shape;
  const Value sums = w.start(shape, type),
              others = keepsElements ? w.empty(otherShape, type)
                                     : w.fill(-100, otherShape, type);
  Body body;
  const std::string twice = body.add(Body::input(0), Body::input(0), type),
                    sum = body.add("%sum", twice, type),
                    result = keepsElements
                                 ? twice
                                 : body.max("%other", Body::input(0), type);
  const double bound = 2 * value.bound;
  const auto [first, second] = w.generic(
      loops, reduced, {value, spell(loops)}, body,
      {{others, spell(other)}, "%other", result, std::max(bound, 100.0)},
      {{sums, spell(kept)}, "%sum", sum, bound * terms + sums.bound});
  // Both are read.
  Body last;
  const std::string total = last.add(Body::input(0), Body::input(1), type);
  return w.generic(other, "", {{first, spell(other)}, {second, spell(kept)}},
                   {w.empty(otherShape, type), spell(other)}, last, total,
                   first.bound + second.bound);
}

static Value writeSoftmax(OperatorWriter &w, const Value &value, unsigned dim) {
  const Value x = value.bound > 64 ? w.scale(value) : value;
  w.markInexact();
  const std::string type = writeType(x.shape, x.type);
  const Value to = w.empty(x.shape, x.type);
  return w.define(
      llvm::formatv("linalg.softmax dimension({0}) ins({1} : {2}) outs({3} : "
                    "{2}) -> {2}",
                    dim, x.name, type, to.name),
      x.shape, x.type, 1);
}

Value test::writeSoftmax(OperatorWriter &w, const Value &value) {
  return ::writeSoftmax(w, value,
                        w.oneIn(3) ? w.below(value.rank()) : value.rank() - 1);
}

Value test::writeLargeColumns(OperatorWriter &w) {
  // Sums of so many in 16 bits stand still, however they are computed.
  if (!isFloat(w.sumType) || byteSize(w.sumType) < 4)
    return writeVectorProduct(w);
  // Somewhat more than stays in a cache.
  Extents shape = {w.between(1, 3), w.between(6, 60)};
  const int64_t columns =
      (1 << 20) / (byteSize(w.sumType) * countElements(shape)) +
      w.between(1, 400);
  if (w.oneIn(2)) {
    shape.push_back(w.between(5, 80));
    shape.push_back(columns / shape.back() + 1);
  } else {
    shape.push_back(columns);
  }
  return ::writeSoftmax(w, w.argument(shape, w.sumType), /*dim=*/1);
}

namespace {
/// What norms share: the loops, those of a row, and the row's size.
struct Rows {
  std::string loops, outer, inner;
  double size = 1;

  Rows(OperatorWriter &w, const Value &value) : loops(getLoops(value.rank())) {
    // The innermost dimension, or two of them.
    const unsigned count = value.rank() > 2 && w.oneIn(4) ? 2 : 1;
    outer = loops.substr(0, loops.size() - count);
    inner = loops.substr(loops.size() - count);
    for (char loop : inner)
      size *= value.shape[loop - 'a'];
  }
  Extents getShape(const Value &value, llvm::StringRef dims) const {
    Extents shape;
    for (char loop : dims)
      shape.push_back(value.shape[loop - 'a']);
    return shape;
  }
};
} // namespace

/// 1 / sqrt(sum / size + epsilon).
static std::string writeInverseRoot(Body &body, llvm::StringRef sum,
                                    double size, double epsilon,
                                    ElementType type) {
  const std::string mean =
      body.op("arith.divf", {sum, body.constant(size, type)}, type);
  return body.op("math.rsqrt",
                 {body.add(mean, body.constant(epsilon, type), type)}, type);
}

Value test::writeLayerNorm(OperatorWriter &w, const Value &value) {
  const Value x = value.bound > 64 ? w.scale(value) : value;
  w.markInexact();
  const Rows rows(w, x);
  const ElementType type = x.type;
  const Extents outer = rows.getShape(x, rows.outer),
                inner = rows.getShape(x, rows.inner);
  const Value sum = reduce(w, Kind::Sum, x, rows.inner, rows.outer);
  auto writeCentred = [&](Body &body) {
    const std::string mean = body.op(
        "arith.divf", {Body::input(1), body.constant(rows.size, type)}, type);
    return body.sub(Body::input(0), mean, type);
  };
  Body square;
  const std::string centred = writeCentred(square);
  const std::string squares =
      square.add(square.mul(centred, centred, type), Body::output(), type);
  const Value variance =
      w.generic(rows.loops, rows.inner,
                {{x, spell(rows.loops)}, {sum, spell(rows.outer)}},
                {w.fill(0, outer, type), spell(rows.outer)}, square, squares,
                x.bound * x.bound * rows.size);
  // Rows of equal elements are nothing but rounding errors once their mean is
  // subtracted, and those of a sequential sum all go one way: up to 7e-6 of the
  // element for 474 of them, 60 times what partial sums have. The offset keeps
  // them small beside the result, and an epsilon of 1 their root from
  // magnifying them.
  const Value factor = w.argument(inner, type),
              offset = w.argument(inner, type);
  Body last;
  const std::string scaled = last.mul(
      writeCentred(last),
      writeInverseRoot(last, Body::input(2), rows.size, /*epsilon=*/1, type),
      type);
  const std::string result =
      last.add(last.mul(scaled, Body::input(3), type), Body::input(4), type);
  return w.generic(rows.loops, "",
                   {{x, spell(rows.loops)},
                    {sum, spell(rows.outer)},
                    {variance, spell(rows.outer)},
                    {factor, spell(rows.inner)},
                    {offset, spell(rows.inner)}},
                   {w.empty(x.shape, type), spell(rows.loops)}, last, result,
                   16);
}

Value test::writeRMSNorm(OperatorWriter &w, const Value &value) {
  const Value x = value.bound > 64 ? w.scale(value) : value;
  w.markInexact();
  const Rows rows(w, x);
  const ElementType type = x.type;
  const Value sum = reduce(w, Kind::Squares, x, rows.inner, rows.outer);
  const Value factor = w.argument(rows.getShape(x, rows.inner), type);
  Body last;
  // The sum is not negative but where it starts so.
  const std::string root =
      writeInverseRoot(last, last.abs(Body::input(1), type), rows.size,
                       /*epsilon=*/1.0 / 64, type);
  const std::string result =
      last.mul(last.mul(Body::input(0), root, type), Body::input(2), type);
  return w.generic(rows.loops, "",
                   {{x, spell(rows.loops)},
                    {sum, spell(rows.outer)},
                    {factor, spell(rows.inner)}},
                   {w.empty(x.shape, type), spell(rows.loops)}, last, result,
                   16);
}
