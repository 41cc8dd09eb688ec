//===- FlatTrees.cpp - Boosted trees as one array -------------------------===//
//
// UBJSON is JSON with a letter for each type, and numbers in binary, big-endian
// (ubjson.org). Of a model's many keys five are of interest, arrays of an
// object that is a tree: what is in them is read as numbers, whatever their
// type; everything else is walked over.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/CostModel/FlatTrees.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <utility>

using namespace sched;

template <typename T> static T readbe(const char *data) {
  return llvm::support::endian::read<T, llvm::endianness::big>(data);
}

/// Deeper than any model: what is nested further is none.
static constexpr unsigned kMaxNesting = 32;
/// Rows that are walked side by side.
static constexpr size_t kLanes = 4;
/// Of Node::left.
static constexpr uint16_t kMissingGoesLeft = 0x8000;
/// Rows whose values stay in the cache for all trees.
static constexpr size_t kBlock = 32;

namespace sched {

class FlatTreeReader {
public:
  FlatTreeReader(llvm::StringRef bytes, size_t columns, FlatTrees &result)
      : bytes(bytes), columns(columns), result(result) {}

  /// Whether the bytes are one value, and its trees are trees.
  bool read() { return readValue(take(), 0) && bytes.empty() && hasTrees; }

private:
  /// The arrays of a tree, one entry a node.
  struct Arrays {
    std::vector<double> left, right, column, value, missing;

    std::vector<double> *find(llvm::StringRef key) {
      return llvm::StringSwitch<std::vector<double> *>(key)
          .Case("left_children", &left)
          .Case("right_children", &right)
          .Case("split_indices", &column)
          .Case("split_conditions", &value)
          .Case("default_left", &missing)
          .Default(nullptr);
    }
  };

  /// The next byte; 0 at the end, which is no type.
  char take() {
    if (bytes.empty())
      return 0;
    const char first = bytes.front();
    bytes = bytes.drop_front();
    return first;
  }

  /// The size of a number of this type; 0 where it is none.
  static size_t getSize(char type) {
    return llvm::StringSwitch<size_t>(llvm::StringRef(&type, 1))
        .Cases({"i", "U", "C"}, 1)
        .Case("I", 2)
        .Cases({"l", "d"}, 4)
        .Cases({"L", "D"}, 8)
        .Default(0);
  }

  std::optional<double> readNumber(char type) {
    const size_t size = getSize(type);
    if (size == 0 || bytes.size() < size)
      return std::nullopt;
    const char *data = bytes.data();
    bytes = bytes.drop_front(size);
    switch (type) {
    case 'i':
      return int8_t(*data);
    case 'U':
    case 'C':
      return uint8_t(*data);
    case 'I':
      return readbe<int16_t>(data);
    case 'l':
      return readbe<int32_t>(data);
    case 'L':
      return double(readbe<int64_t>(data));
    case 'd':
      return llvm::bit_cast<float>(readbe<uint32_t>(data));
    default:
      return llvm::bit_cast<double>(readbe<uint64_t>(data));
    }
  }

  /// A length with its type: at most what is left.
  std::optional<size_t> readLength() {
    std::optional<double> length = readNumber(take());
    if (!length || !(*length >= 0 && *length <= double(bytes.size())))
      return std::nullopt;
    return size_t(*length);
  }

  std::optional<llvm::StringRef> readString() {
    std::optional<size_t> length = readLength();
    if (!length)
      return std::nullopt;
    const llvm::StringRef text = bytes.take_front(*length);
    bytes = bytes.drop_front(*length);
    return text;
  }

  /// What may come behind the bracket of a container: a type of all elements,
  /// 0 for none, and their number.
  bool readHead(char &type, std::optional<size_t> &count) {
    type = 0;
    if (bytes.consume_front("$"))
      type = take();
    if (bytes.consume_front("#")) {
      count = readLength();
      return count.has_value();
    }
    return type == 0;
  }

  /// A value of that type; its numbers, where somebody wants them.
  bool readValue(char type, unsigned nesting,
                 std::vector<double> *numbers = nullptr) {
    if (nesting > kMaxNesting)
      return false;
    switch (type) {
    case 'Z':
    case 'N':
      return true;
    case 'T':
    case 'F':
      if (numbers)
        numbers->push_back(type == 'T');
      return true;
    case 'S':
    case 'H':
      return readString().has_value();
    case '[':
      return readArray(nesting, numbers);
    case '{':
      return readObject(nesting);
    default:
      break;
    }
    std::optional<double> number = readNumber(type);
    if (number && numbers)
      numbers->push_back(*number);
    return number.has_value();
  }

  bool readArray(unsigned nesting, std::vector<double> *numbers) {
    char type;
    std::optional<size_t> count;
    if (!readHead(type, count))
      return false;
    if (!numbers && count && getSize(type)) {
      if (*count > bytes.size() / getSize(type))
        return false;
      bytes = bytes.drop_front(*count * getSize(type));
      return true;
    }
    for (size_t i = 0; !count || i != *count; ++i) {
      if (!count && bytes.consume_front("]"))
        return true;
      if (!readValue(type ? type : take(), nesting + 1, numbers))
        return false;
    }
    return true;
  }

  bool readObject(unsigned nesting) {
    char type;
    std::optional<size_t> count;
    if (!readHead(type, count))
      return false;
    Arrays arrays;
    for (size_t i = 0; !count || i != *count; ++i) {
      if (!count && bytes.consume_front("}"))
        break;
      std::optional<llvm::StringRef> key = readString();
      hasTrees |= key == "trees";
      if (!key ||
          !readValue(type ? type : take(), nesting + 1, arrays.find(*key)))
        return false;
    }
    return arrays.left.empty() || addTree(arrays);
  }

  /// The nodes of a tree level by level, so that siblings are neighbours.
  bool addTree(const Arrays &arrays) {
    const size_t n = arrays.left.size(), root = result.nodes.size();
    if (arrays.right.size() != n || arrays.column.size() != n ||
        arrays.value.size() != n || arrays.missing.size() != n)
      return false;
    std::vector<size_t> order = {0};
    uint32_t depth = 0;
    for (size_t begin = 0; begin != order.size(); ++depth) {
      const size_t end = order.size();
      for (; begin != end; ++begin) {
        const size_t i = order[begin];
        FlatTrees::Node node = {std::numeric_limits<float>::quiet_NaN(), 0,
                                kMissingGoesLeft};
        float value = float(arrays.value[i]);
        if (arrays.left[i] >= 0) {
          // A node twice, or a circle, makes more of them than there are.
          const size_t distance = order.size() - begin;
          for (double child : {arrays.left[i], arrays.right[i]}) {
            if (!(child >= 0 && child < n) || order.size() == n)
              return false;
            order.push_back(size_t(child));
          }
          if (!(arrays.column[i] >= 0 && arrays.column[i] < columns) ||
              distance >= kMissingGoesLeft)
            return false;
          node.threshold = std::exchange(value, 0.0f);
          node.column = uint16_t(arrays.column[i]);
          node.left = uint16_t(distance) |
                      (arrays.missing[i] != 0 ? kMissingGoesLeft : 0);
        }
        result.nodes.push_back(node);
        result.values.push_back(value);
      }
    }
    result.trees.push_back({uint32_t(root), depth - 1});
    return true;
  }

  llvm::StringRef bytes;
  size_t columns;
  FlatTrees &result;
  /// Whether there was a list of them, which may be empty.
  bool hasTrees = false;
};

} // namespace sched

llvm::Expected<FlatTrees> FlatTrees::parse(llvm::StringRef bytes,
                                           size_t columns) {
  assert(columns <= 0x10000 && "columns have 16 bits");
  FlatTrees result;
  if (FlatTreeReader(bytes, columns, result).read())
    return result;
  return llvm::createStringError("found no trees of XGBoost's in UBJSON over "
                                 "%zu columns",
                                 columns);
}

void FlatTrees::predict(llvm::ArrayRef<float> values, size_t columns,
                        llvm::MutableArrayRef<float> predictions) const {
  const size_t n = predictions.size();
  assert(values.size() == columns * n && "whole rows");
  llvm::fill(predictions, 0.0f);
  const Node *nodes = this->nodes.data();
  const float *treeValues = this->values.data();
  for (size_t block = 0; block < n; block += kBlock) {
    const size_t end = std::min(n, block + kBlock);
    for (const Tree &tree : trees)
      for (size_t begin = block; begin < end; begin += kLanes) {
        // Behind the last row the last one again.
        const float *rows[kLanes];
        uint32_t at[kLanes];
        for (size_t lane = 0; lane != kLanes; ++lane) {
          rows[lane] =
              values.data() + std::min(begin + lane, end - 1) * columns;
          at[lane] = tree.root;
        }
        for (uint32_t level = 0; level != tree.depth; ++level)
          for (size_t lane = 0; lane != kLanes; ++lane) {
            const Node node = nodes[at[lane]];
            const float x = rows[lane][node.column];
            const bool goesLeft =
                (x < node.threshold) |
                (!(x >= node.threshold) & (node.left >= kMissingGoesLeft));
            at[lane] += (node.left & ~kMissingGoesLeft) + !goesLeft;
          }
        for (size_t lane = 0, lanes = std::min(kLanes, end - begin);
             lane != lanes; ++lane)
          predictions[begin + lane] += treeValues[at[lane]];
      }
  }
}
