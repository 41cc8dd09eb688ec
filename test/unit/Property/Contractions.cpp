//===- Contractions.cpp - Random products of matrices ---------------------===//

#include "OperatorFamilies.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <map>

using namespace sched;
using namespace sched::test;

namespace {
/// C[c] += A[a] * B[b], where each letter is a dimension.
struct Product {
  std::string a, b, c;
  std::map<char, int64_t> extents;

  Extents getShape(llvm::StringRef letters) const {
    Extents shape;
    for (char letter : letters)
      shape.push_back(extents.at(letter));
    return shape;
  }
  /// Dimensions that are summed over.
  std::string getReductions() const {
    std::string result;
    for (auto [letter, extent] : extents)
      if (c.find(letter) == std::string::npos)
        result += letter;
    return result;
  }
  int64_t countSteps() const {
    int64_t steps = 1;
    for (char letter : getReductions())
      steps *= extents.at(letter);
    return steps;
  }
};
} // namespace

/// Extents of all letters of the product, within what a test has time for.
static void drawExtents(OperatorWriter &w, Product &product) {
  std::string letters = product.a + product.b;
  llvm::sort(letters);
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  const Extents sizes = w.drawSizes(letters.size(), OperatorWriter::kMaxWork);
  for (auto [letter, size] : llvm::zip_equal(letters, sizes))
    product.extents[letter] = size;
  // Rows that are pages apart, and a reduction that is split.
  if (product.c.size() > 1 && product.extents.count('n') && w.oneIn(12)) {
    for (auto &[letter, extent] : product.extents)
      extent = 1 + extent % (letter == 'm' ? 8 : 2);
    const int64_t page = 4096 / byteSize(w.sumType);
    product.extents['n'] = w.between(page, page + 40);
    product.extents['k'] = w.between(65, 80);
  }
  // No tensor is larger than what it takes to fill it.
  for (const std::string *tensor : {&product.a, &product.b, &product.c})
    while (countElements(product.getShape(*tensor)) >
           OperatorWriter::kMaxElements) {
      int64_t &extent = product.extents[(*tensor)[w.below(tensor->size())]];
      extent = w.between(1, extent);
    }
}

static bool drawLayoutFree(OperatorWriter &w) { return w.oneIn(4); }

/// The two operands: arguments whose layout is free, or what is made of them.
static std::pair<Value, Value> drawOperands(OperatorWriter &w,
                                            const Product &product) {
  auto draw = [&](llvm::StringRef letters) {
    const Extents shape = product.getShape(letters);
    return drawLayoutFree(w) ? w.argument(shape, w.elementType, true)
                             : w.operand(shape, w.elementType);
  };
  Value a = draw(product.a);
  Value b = draw(product.b);
  return {a, b};
}

static double getBound(const Product &product, const Value &a, const Value &b,
                       const Value &init) {
  return init.bound + a.bound * b.bound * product.countSteps();
}

/// "indexing_maps = [...]", over the loops in the given order.
static std::string writeMaps(const Product &product, llvm::StringRef loops) {
  return "indexing_maps = [" + writeMap(loops, spell(product.a)) + ", " +
         writeMap(loops, spell(product.b)) + ", " +
         writeMap(loops, spell(product.c)) + "]";
}

/// A named op of that meaning; `loops` where it wants maps.
static Value writeNamed(OperatorWriter &w, llvm::StringRef name,
                        Product product, llvm::StringRef loops = "") {
  drawExtents(w, product);
  auto [a, b] = drawOperands(w, product);
  const Value init = w.start(product.getShape(product.c), w.sumType);
  return w.named(name, {a, b}, init, getBound(product, a, b, init),
                 loops.empty() ? "" : writeMaps(product, loops));
}

Value test::writeMatmul(OperatorWriter &w) {
  Product product{w.oneIn(3) ? "km" : "mk", w.oneIn(3) ? "nk" : "kn", "mn", {}};
  return writeNamed(w, "matmul", product, "mnk");
}

Value test::writeBatchMatmul(OperatorWriter &w) {
  Product product{
      w.oneIn(3) ? "bkm" : "bmk", w.oneIn(3) ? "bnk" : "bkn", "bmn", {}};
  if (w.oneIn(6)) {
    product.c = "mn";
    return writeNamed(w, "batch_reduce_matmul", product, "bmnk");
  }
  return writeNamed(w, "batch_matmul", product, "bmnk");
}

Value test::writeVectorProduct(OperatorWriter &w) {
  struct Kind {
    const char *name, *a, *b, *c;
  };
  static const Kind kinds[] = {{"matvec", "mk", "k", "m"},
                               {"vecmat", "k", "kn", "n"},
                               {"dot", "k", "k", ""},
                               {"batch_matvec", "bmk", "bk", "bm"},
                               {"batch_vecmat", "bk", "bkn", "bn"}};
  const Kind &kind = w.pick(llvm::ArrayRef(kinds));
  return writeNamed(w, kind.name, {kind.a, kind.b, kind.c, {}});
}

Value test::writeTiledProduct(OperatorWriter &w) {
  // m x k tiles of i x l elements.
  if (w.oneIn(4))
    return writeNamed(w, "batch_mmt4d", {"bmkil", "bnkjl", "bmnij", {}});
  return writeNamed(w, "mmt4d", {"mkil", "nkjl", "mnij", {}});
}

Value test::writeQuantizedMatmul(OperatorWriter &w) {
  Product product{"mk", "kn", "mn", {}};
  const bool isBatch = w.oneIn(3);
  if (isBatch)
    product = {"bmk", "bkn", "bmn", {}};
  drawExtents(w, product);
  Value a = w.argument(product.getShape(product.a), ElementType::I8),
        b = w.argument(product.getShape(product.b), ElementType::I8);
  const Value init = w.fill(0, product.getShape(product.c), ElementType::I32);
  const std::string zeros[] = {w.constant(w.between(-8, 8), ElementType::I32),
                               w.constant(w.between(-8, 8), ElementType::I32)};
  const std::string type = writeType(init.shape, init.type);
  return w.define(
      llvm::formatv("linalg.quantized_{0}matmul ins({1}, {2}, {3}, {4} : "
                    "{5}, {6}, i32, i32) outs({7} : {8}) -> {8}",
                    isBatch ? "batch_" : "", a.name, b.name, zeros[0], zeros[1],
                    writeType(a.shape, a.type), writeType(b.shape, b.type),
                    init.name, type),
      init.shape, init.type, 121.0 * product.countSteps());
}

/// Adds up products over the loops of `product`, in any order.
static Value writeGeneric(OperatorWriter &w, const Product &product,
                          const Value &a, const Value &b, const Value &init) {
  std::string loops;
  for (auto [letter, extent] : product.extents)
    loops += letter;
  Body body;
  const std::string left = body.cast(Body::input(0), a.type, init.type),
                    right = body.cast(Body::input(1), b.type, init.type),
                    one = body.mul(left, right, init.type),
                    sum = body.add(Body::output(), one, init.type);
  return w.generic(w.shuffle(loops), product.getReductions(),
                   {{a, spell(product.a)}, {b, spell(product.b)}},
                   {init, spell(product.c)}, body, sum,
                   getBound(product, a, b, init));
}

Value test::writeContraction(OperatorWriter &w) {
  // Batches, rows, columns, steps; two of a kind now and then.
  auto draw = [&](const char *letters, unsigned least) {
    return std::string(letters).substr(
        0, least + (w.oneIn(3) ? 1 : 0) + (least == 0 && w.oneIn(8) ? 1 : 0));
  };
  const std::string batches = draw("ab", 0),
                    rows = draw("mo", w.oneIn(6) ? 0 : 1),
                    columns = draw("np", w.oneIn(6) ? 0 : 1),
                    steps = draw("kl", 1);
  Product product{w.shuffle(batches + rows + steps),
                  w.shuffle(batches + steps + columns),
                  w.shuffle(batches + rows + columns),
                  {}};
  drawExtents(w, product);
  auto [a, b] = drawOperands(w, product);
  const Value init = w.start(product.getShape(product.c), w.sumType);
  if (w.oneIn(2))
    return writeGeneric(w, product, a, b, init);
  std::string loops;
  for (auto [letter, extent] : product.extents)
    loops += letter;
  return w.named("contract", {a, b}, init, getBound(product, a, b, init),
                 writeMaps(product, w.shuffle(loops)));
}

Value test::writeProjection(OperatorWriter &w, const Value &value) {
  // As in an attention or in a second layer of a network.
  const std::string outer = std::string("abcdef").substr(0, value.rank() - 1);
  Product product{outer + "k", w.oneIn(3) ? "nk" : "kn", outer + "n", {}};
  for (auto [letter, extent] : llvm::zip_equal(product.a, value.shape))
    product.extents[letter] = extent;
  product.extents['n'] = w.drawSize(std::max<int64_t>(
      1, std::min(OperatorWriter::kMaxWork / value.size(),
                  OperatorWriter::kMaxElements * value.shape.back() /
                      std::max(value.size(),
                               value.shape.back() * value.shape.back()))));
  const Value other =
      w.argument(product.getShape(product.b), value.type, drawLayoutFree(w));
  const Value init = w.start(product.getShape(product.c), value.type);
  return writeGeneric(w, product, value, other, init);
}

Value test::writeAttention(OperatorWriter &w) {
  if (!isFloat(w.sumType))
    return writeBatchMatmul(w);
  // Queries, keys and the length of both. Large scores are computed block by
  // block.
  const bool isLarge = w.oneIn(2);
  // Heads of queries may share keys, and softmax may know batches and heads
  // apart.
  const std::string heads = w.oneIn(3) ? "bg" : "b";
  const bool isReshaped = heads == "b" && w.oneIn(3);
  Product scores{heads + "mk", w.oneIn(2) ? "bnk" : "bkn", heads + "mn", {}};
  scores.extents = {{'b', w.between(1, isReshaped ? 6 : 3)},
                    {'m', isLarge ? w.between(200, 260) : w.drawSize(48)},
                    {'n', isLarge ? w.between(280, 330) : w.drawSize(48)},
                    {'k', w.between(1, 24)}};
  if (heads == "bg")
    scores.extents['g'] = w.between(1, 3);
  auto [queries, keys] = drawOperands(w, scores);
  Value logits = writeGeneric(w, scores, queries, keys,
                              w.fill(0, scores.getShape(scores.c), w.sumType));
  if (isReshaped)
    logits = splitDim(w, logits, 0);
  Value weights = writeSoftmax(w, w.scale(logits));
  if (isReshaped)
    weights = mergeDims(w, weights, 0);
  Product result{heads + "mn", "bnd", heads + "md", scores.extents};
  result.extents.erase('k');
  result.extents['d'] = w.between(1, 24);
  const Value values = w.operand(result.getShape(result.b), w.sumType);
  const Value init = w.fill(0, result.getShape(result.c), w.sumType);
  if (heads == "bg")
    return writeGeneric(w, result, weights, values, init);
  return w.named("batch_matmul", {weights, values}, init,
                 OperatorWriter::kAmplitude);
}
