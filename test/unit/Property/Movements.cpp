//===- Movements.cpp - Random ops that only move elements -----------------===//

#include "OperatorFamilies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace sched;
using namespace sched::test;

Value test::writeTranspose(OperatorWriter &w, const Value &value) {
  return w.transpose(value, w.drawOrder(value.rank()));
}

Value test::writePad(OperatorWriter &w, const Value &value) {
  Extents low(value.rank()), high(value.rank());
  for (unsigned dim = 0; dim != value.rank(); ++dim) {
    if (w.oneIn(2))
      continue;
    low[dim] = w.between(0, 3);
    high[dim] = w.between(0, 3);
  }
  return w.pad(value, low, high, w.between(0, 1));
}

Value test::writeConcat(OperatorWriter &w, const Value &value) {
  const unsigned dim = w.below(value.rank());
  std::vector<Value> parts = {value};
  for (unsigned i = 1 + w.below(2); i != 0; --i) {
    Extents shape = value.shape;
    shape[dim] = w.oneIn(2) ? shape[dim] : w.drawSize(shape[dim] + 1);
    const Value part = w.operand(shape, value.type);
    parts.insert(w.oneIn(2) ? parts.begin() : parts.end(), part);
  }
  Extents shape = value.shape;
  shape[dim] = 0;
  std::string names, types;
  double bound = 0;
  for (const Value &part : parts) {
    shape[dim] += part.shape[dim];
    names += (names.empty() ? "" : ", ") + part.name;
    types += (types.empty() ? "" : ", ") + writeType(part.shape, part.type);
    bound = std::max(bound, part.bound);
  }
  return w.define(llvm::formatv("tensor.concat dim({0}) {1} : ({2}) -> {3}",
                                dim, names, types,
                                writeType(shape, value.type)),
                  shape, value.type, bound);
}

Value test::writeBroadcast(OperatorWriter &w, const Value &value) {
  const unsigned dim = w.below(value.rank() + 1);
  Extents shape = value.shape;
  shape.insert(shape.begin() + dim,
               w.drawSize(std::max<int64_t>(1, OperatorWriter::kMaxElements /
                                                   value.size())));
  const Value to = w.empty(shape, value.type);
  return w.define(
      llvm::formatv("linalg.broadcast ins({0} : {1}) outs({2} : {3}) "
                    "dimensions = [{4}]",
                    value.name, writeType(value.shape, value.type), to.name,
                    writeType(shape, value.type), dim),
      shape, value.type, value.bound);
}

/// "[0], [1, 2], ...": `rank` groups, of which one has two dimensions.
static std::string writeGroups(unsigned rank, unsigned pair) {
  std::string groups;
  for (unsigned i = 0, group = 0; group != rank; ++group) {
    const unsigned count = group == pair ? 2 : 1;
    groups += (groups.empty() ? "[" : ", [") + std::to_string(i) +
              (count == 2 ? ", " + std::to_string(i + 1) : "") + "]";
    i += count;
  }
  return groups;
}

Value test::mergeDims(OperatorWriter &w, const Value &value, unsigned first) {
  Extents shape = value.shape;
  shape[first] *= shape[first + 1];
  shape.erase(shape.begin() + first + 1);
  return w.define(llvm::formatv("tensor.collapse_shape {0} [{1}] : {2} into "
                                "{3}",
                                value.name, writeGroups(shape.size(), first),
                                writeType(value.shape, value.type),
                                writeType(shape, value.type)),
                  shape, value.type, value.bound);
}

Value test::splitDim(OperatorWriter &w, const Value &value, unsigned dim) {
  Extents shape = value.shape;
  int64_t factor = w.between(1, shape[dim]);
  while (shape[dim] % factor != 0)
    --factor;
  shape[dim] /= factor;
  shape.insert(shape.begin() + dim + 1, factor);
  return w.define(
      llvm::formatv("tensor.expand_shape {0} [{1}] output_shape {2} : {3} "
                    "into {4}",
                    value.name, writeGroups(value.rank(), dim),
                    writeList(shape), writeType(value.shape, value.type),
                    writeType(shape, value.type)),
      shape, value.type, value.bound);
}

Value test::writeReshape(OperatorWriter &w, const Value &value) {
  // Two dimensions become one, or one of them two.
  const unsigned dim = w.below(value.rank());
  if (value.rank() > 1 && w.oneIn(2))
    return mergeDims(w, value, dim + 1 == value.rank() ? dim - 1 : dim);
  return splitDim(w, value, dim);
}

Value test::writeSlice(OperatorWriter &w, const Value &value) {
  Extents offsets(value.rank()), strides(value.rank(), 1), shape = value.shape;
  for (unsigned dim = 0; dim != value.rank(); ++dim) {
    if (w.oneIn(2))
      continue;
    offsets[dim] = w.between(0, std::min<int64_t>(3, shape[dim] - 1));
    if (w.oneIn(3))
      strides[dim] = 2;
    const int64_t most = (shape[dim] - offsets[dim] - 1) / strides[dim] + 1;
    shape[dim] = w.between(std::max<int64_t>(1, most - 3), most);
  }
  return w.define(llvm::formatv("tensor.extract_slice {0}{1} {2} {3} : {4} to "
                                "{5}",
                                value.name, writeList(offsets),
                                writeList(shape), writeList(strides),
                                writeType(value.shape, value.type),
                                writeType(shape, value.type)),
                  shape, value.type, value.bound);
}

Value test::writeGather(OperatorWriter &w, const Value &value) {
  // Rows 0 to 7 are there once the table has been padded to so many.
  Value table = value;
  if (table.shape[0] < 8)
    table = w.operand(
        [&] {
          Extents shape = value.shape;
          shape[0] = 8 + w.below(25);
          return shape;
        }(),
        value.type);
  const int64_t rowSize = table.size() / table.shape[0];
  const Value rows = w.indexArgument({w.drawSize(
      std::max<int64_t>(1, OperatorWriter::kMaxElements / rowSize))});
  const std::string loops = std::string("abcdefgh").substr(0, table.rank());
  Extents shape = table.shape;
  shape[0] = rows.shape[0];
  Body body;
  std::string indices = Body::input(0);
  for (unsigned dim = 1; dim != table.rank(); ++dim)
    indices +=
        ", " + body.define("linalg.index " + std::to_string(dim) + " : index");
  const std::string result =
      body.define(llvm::formatv("tensor.extract {0}[{1}] : {2}", table.name,
                                indices, writeType(table.shape, table.type)));
  return w.generic(loops, "", {{rows, {"a"}}},
                   {w.empty(shape, table.type), spell(loops)}, body, result,
                   table.bound);
}

Value test::writeLookUp(OperatorWriter &w, const Value &value) {
  // Elements 0 to 7 of each line are there.
  Value table = value;
  if (table.shape.back() < 8)
    table = w.operand(
        [&] {
          Extents shape = value.shape;
          shape.back() = 8 + w.below(25);
          return shape;
        }(),
        value.type);
  Extents shape = table.shape;
  const int64_t lines = table.size() / shape.back();
  shape.back() =
      w.drawSize(std::max<int64_t>(1, OperatorWriter::kMaxElements / lines));
  const std::string loops = std::string("abcdefgh").substr(0, table.rank());
  // Each line has places of its own, or all of them the same.
  const bool isShared = w.oneIn(2);
  const Value places =
      w.indexArgument(isShared ? Extents{shape.back()} : shape);
  Body body;
  std::string indices;
  for (unsigned dim = 0; dim + 1 != table.rank(); ++dim)
    indices +=
        body.define("linalg.index " + std::to_string(dim) + " : index") + ", ";
  const std::string result = body.define(
      llvm::formatv("tensor.extract {0}[{1}{2}] : {3}", table.name, indices,
                    Body::input(0), writeType(table.shape, table.type)));
  return w.generic(
      loops, "",
      {{places, spell(isShared ? loops.substr(loops.size() - 1) : loops)}},
      {w.empty(shape, table.type), spell(loops)}, body, result, table.bound);
}
