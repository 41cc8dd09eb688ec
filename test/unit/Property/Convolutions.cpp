//===- Convolutions.cpp - Random windows of images ------------------------===//
//
// One table lists the named ops by the dimensions of their tensors; the same
// entry also gives a generic op of the same meaning.
//
//===----------------------------------------------------------------------===//

#include "OperatorFamilies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace sched;
using namespace sched::test;

namespace {
/// Letters: n image, c channel, f filter, g group, m multiplier, and d, h and w
/// in space. A kernel's dimension in space is that of its taps.
struct Windows {
  llvm::StringLiteral name, image, kernel, result;
  /// Has strides and dilations.
  bool hasSteps = true;
};

enum class Reduce { Products, Sum, Max, Min };

enum class Form {
  Any,
  Dense,  ///< without strides and dilations
  Square, ///< so, and with taps and channels as Winograd's transforms take them
  Wide,   ///< channels and filters as instructions multiply them in tiles
};
} // namespace

static constexpr llvm::StringLiteral kSpace = "dhw";

static const Windows kConvolutions[] = {
    {"conv_1d", "w", "w", "w", false},
    {"conv_2d", "hw", "hw", "hw", false},
    {"conv_3d", "dhw", "dhw", "dhw", false},
    {"conv_1d_nwc_wcf", "nwc", "wcf", "nwf"},
    {"conv_1d_ncw_fcw", "ncw", "fcw", "nfw"},
    {"conv_2d_nhwc_hwcf", "nhwc", "hwcf", "nhwf"},
    {"conv_2d_nhwc_hwcf", "nhwc", "hwcf", "nhwf"},
    {"conv_2d_nhwc_fhwc", "nhwc", "fhwc", "nhwf"},
    {"conv_2d_nchw_fchw", "nchw", "fchw", "nfhw"},
    {"conv_2d_nchw_fchw", "nchw", "fchw", "nfhw"},
    {"conv_3d_ndhwc_dhwcf", "ndhwc", "dhwcf", "ndhwf"},
    {"conv_3d_ncdhw_fcdhw", "ncdhw", "fcdhw", "nfdhw"}};

static const Windows kGrouped[] = {
    {"conv_2d_ngchw_fgchw", "ngchw", "fgchw", "ngfhw"},
    {"conv_2d_ngchw_gfchw", "ngchw", "gfchw", "ngfhw"},
    {"conv_2d_nhwgc_gfhwc", "nhwgc", "gfhwc", "nhwgf"}};

static const Windows kDepthwise[] = {
    {"depthwise_conv_1d_nwc_wc", "nwc", "wc", "nwc"},
    {"depthwise_conv_1d_ncw_cw", "ncw", "cw", "ncw"},
    {"depthwise_conv_1d_nwc_wcm", "nwc", "wcm", "nwcm"},
    {"depthwise_conv_2d_nhwc_hwc", "nhwc", "hwc", "nhwc"},
    {"depthwise_conv_2d_nhwc_hwc", "nhwc", "hwc", "nhwc"},
    {"depthwise_conv_2d_nchw_chw", "nchw", "chw", "nchw"},
    {"depthwise_conv_2d_nhwc_hwcm", "nhwc", "hwcm", "nhwcm"},
    {"depthwise_conv_3d_ndhwc_dhwc", "ndhwc", "dhwc", "ndhwc"},
    {"depthwise_conv_3d_ncdhw_cdhw", "ncdhw", "cdhw", "ncdhw"},
    {"depthwise_conv_3d_ndhwc_dhwcm", "ndhwc", "dhwcm", "ndhwcm"}};

static const Windows kPoolings[] = {{"pooling_nhwc", "nhwc", "hw", "nhwc"},
                                    {"pooling_nhwc", "nhwc", "hw", "nhwc"},
                                    {"pooling_nchw", "nchw", "hw", "nchw"},
                                    {"pooling_nwc", "nwc", "w", "nwc"},
                                    {"pooling_ncw", "ncw", "w", "ncw"},
                                    {"pooling_ndhwc", "ndhwc", "dhw", "ndhwc"}};

namespace {
/// The extents and steps of one op.
class Geometry {
public:
  Geometry(OperatorWriter &w, const Windows &windows, Form form = Form::Any)
      : windows(windows) {
    if (form == Form::Wide) {
      drawWide(w);
      return;
    }
    const bool hasSteps = windows.hasSteps && form == Form::Any;
    for (char letter : windows.kernel) {
      if (!kSpace.contains(letter)) {
        extents[letter] =
            form == Form::Square ? 8 * w.between(1, 2) : drawChannels(w);
        continue;
      }
      if (form == Form::Square) {
        taps[letter] = 3;
        continue;
      }
      taps[letter] = w.oneIn(4) ? 1 : w.between(2, 4);
      if (hasSteps && w.oneIn(3))
        strides[letter] = w.between(2, 3);
      if (hasSteps && w.oneIn(5))
        dilations[letter] = 2;
    }
    for (char letter : windows.result)
      if (!extents.count(letter))
        extents[letter] = kSpace.contains(letter) ? w.drawSize(28)
                          : letter == 'n'         ? w.between(1, 3)
                                                  : drawChannels(w);
    while (countWork() > OperatorWriter::kMaxWork ||
           countElements(getImageShape()) > OperatorWriter::kMaxElements ||
           countElements(getResultShape()) > OperatorWriter::kMaxElements) {
      auto largest = std::max_element(
          extents.begin(), extents.end(),
          [](const auto &a, const auto &b) { return a.second < b.second; });
      largest->second = w.between(1, largest->second - 1);
    }
  }

  Extents getImageShape() const {
    return getShape(windows.image,
                    [&](char letter) { return getImageExtent(letter); });
  }
  Extents getKernelShape() const {
    return getShape(windows.kernel,
                    [&](char letter) { return taps.at(letter); });
  }
  Extents getResultShape() const {
    return getShape(windows.result,
                    [&](char letter) { return extents.at(letter); });
  }
  int64_t getImageExtent(char letter) const {
    return (extents.at(letter) - 1) * get(strides, letter) +
           (taps.at(letter) - 1) * get(dilations, letter) + 1;
  }
  /// Terms of each element of the result.
  int64_t countTerms() const {
    int64_t terms = 1;
    for (char letter : windows.kernel)
      if (taps.count(letter))
        terms *= taps.at(letter);
      else if (!windows.result.contains(letter))
        terms *= extents.at(letter);
    return terms;
  }
  int64_t countWork() const {
    return countElements(getResultShape()) * countTerms();
  }

  /// "{dilations = ..., strides = ...}".
  std::string writeSteps() const {
    if (!windows.hasSteps)
      return "";
    auto write = [&](const std::map<char, int64_t> &steps) {
      Extents all;
      for (char letter : windows.kernel)
        if (kSpace.contains(letter))
          all.push_back(get(steps, letter));
      return "dense<" + writeList(all) + "> : tensor<" +
             std::to_string(all.size()) + "xi64>";
    };
    return "{dilations = " + write(dilations) +
           ", strides = " + write(strides) + "}";
  }

  /// Taps are loops of the letters in capitals.
  static char getTap(char letter) { return letter - 'a' + 'A'; }
  std::vector<std::string> getImageIndices() const {
    std::vector<std::string> indices = spell(windows.image);
    for (std::string &index : indices)
      if (char letter = index[0]; taps.count(letter))
        index += " * " + std::to_string(get(strides, letter)) + " + " +
                 getTap(letter) + " * " +
                 std::to_string(get(dilations, letter));
    return indices;
  }
  std::vector<std::string> getKernelIndices() const {
    std::vector<std::string> indices = spell(windows.kernel);
    for (std::string &index : indices)
      if (taps.count(index[0]))
        index = getTap(index[0]);
    return indices;
  }
  std::string getReductions() const {
    std::string loops;
    for (char letter : windows.kernel)
      if (taps.count(letter))
        loops += getTap(letter);
      else if (!windows.result.contains(letter))
        loops += letter;
    return loops;
  }

private:
  static int64_t drawChannels(OperatorWriter &w) {
    return w.oneIn(6) ? 1 : w.drawSize(96);
  }
  /// Few lines of up to 40 pixels, of more work than others have.
  void drawWide(OperatorWriter &w) {
    extents = {
        {'n', 1}, {'c', 64 * w.between(1, 2)}, {'f', 16 * w.between(1, 3)}};
    for (char letter : windows.kernel)
      if (kSpace.contains(letter)) {
        taps[letter] = w.between(1, 3);
        strides[letter] = w.between(1, 2);
        dilations[letter] = w.oneIn(5) ? 2 : 1;
        extents[letter] = w.between(1, letter == 'w' ? 40 : 2);
      }
  }
  static int64_t get(const std::map<char, int64_t> &steps, char letter) {
    auto found = steps.find(letter);
    return found == steps.end() ? 1 : found->second;
  }
  /// Its extents; `getSpatial` knows those of dimensions in space.
  Extents getShape(llvm::StringRef tensor,
                   llvm::function_ref<int64_t(char)> getSpatial) const {
    Extents shape;
    for (char letter : tensor)
      shape.push_back(kSpace.contains(letter) ? getSpatial(letter)
                                              : extents.at(letter));
    return shape;
  }

  const Windows &windows;
  std::map<char, int64_t> extents, taps, strides, dilations;
};
} // namespace

/// An image of that shape: as it is, or padded in space with `value`.
static Value drawImage(OperatorWriter &w, const Windows &windows,
                       const Extents &shape, ElementType type, double pad) {
  if (!w.oneIn(2))
    return w.operand(shape, type);
  Extents inner = shape, low(shape.size()), high(shape.size());
  for (auto [dim, letter] : llvm::enumerate(windows.image)) {
    if (!kSpace.contains(letter))
      continue;
    low[dim] = w.between(0, std::min<int64_t>(2, shape[dim] - 1));
    high[dim] = w.between(0, std::min<int64_t>(2, shape[dim] - 1 - low[dim]));
    inner[dim] = shape[dim] - low[dim] - high[dim];
  }
  return w.pad(w.operand(inner, type), low, high, pad);
}

/// An image of that shape with zeros between its pixels, and around them.
static Value drawSpreadImage(OperatorWriter &w, const Windows &windows,
                             const Extents &shape) {
  Extents inner = shape, offsets(shape.size()), strides(shape.size(), 1);
  for (auto [dim, letter] : llvm::enumerate(windows.image)) {
    if (!kSpace.contains(letter))
      continue;
    offsets[dim] = w.between(0, std::min<int64_t>(3, shape[dim] - 1));
    strides[dim] = w.pick(llvm::ArrayRef<int64_t>({1, 2, 2, 2, 3, 4}));
    const int64_t most = (shape[dim] - offsets[dim] - 1) / strides[dim] + 1;
    inner[dim] = w.between(std::max<int64_t>(1, most - 1), most);
  }
  const Value pixels = w.operand(inner, w.elementType),
              zeros = w.fill(0, shape, w.elementType);
  return w.define(
      llvm::formatv("tensor.insert_slice {0} into {1}{2} {3} {4} : {5} into "
                    "{6}",
                    pixels.name, zeros.name, writeList(offsets),
                    writeList(inner), writeList(strides),
                    writeType(inner, w.elementType),
                    writeType(shape, w.elementType)),
      shape, w.elementType, pixels.bound);
}

static std::string writeTerm(Body &body, Reduce reduce, const Value &image,
                             const Value &kernel, ElementType type) {
  const std::string term = body.cast(Body::input(0), image.type, type);
  switch (reduce) {
  case Reduce::Products:
    return body.add(
        Body::output(),
        body.mul(term, body.cast(Body::input(1), kernel.type, type), type),
        type);
  case Reduce::Sum:
    return body.add(Body::output(), term, type);
  case Reduce::Max:
    return body.max(Body::output(), term, type);
  case Reduce::Min:
    return body.min(Body::output(), term, type);
  }
  return "";
}

/// The op of that geometry on `image`.
static Value writeOn(OperatorWriter &w, const Windows &windows,
                     const Geometry &geometry, Reduce reduce,
                     const Value &image, ElementType sumType,
                     bool isWeightFree = false) {
  const Extents taps = geometry.getKernelShape();
  const bool isPooling = reduce != Reduce::Products;
  Value kernel = isPooling ? w.empty(taps, sumType)
                 : isWeightFree || w.oneIn(4)
                     ? w.argument(taps, w.elementType, true)
                     : w.operand(taps, w.elementType);
  const Extents shape = geometry.getResultShape();
  const double most = 8;
  const Value init = reduce == Reduce::Max   ? w.fill(-most, shape, sumType)
                     : reduce == Reduce::Min ? w.fill(most, shape, sumType)
                                             : w.start(shape, sumType);
  const double bound = reduce == Reduce::Max || reduce == Reduce::Min
                           ? std::max(most, image.bound)
                           : init.bound + geometry.countTerms() * image.bound *
                                              (isPooling ? 1 : kernel.bound);
  if (!w.oneIn(4)) {
    static const llvm::StringLiteral suffixes[] = {"", "_sum", "_max", "_min"};
    return w.named((windows.name + suffixes[int(reduce)]).str(),
                   {image, kernel}, init, bound, geometry.writeSteps());
  }
  Body body;
  const std::string result = writeTerm(body, reduce, image, kernel, sumType);
  const std::string reductions = geometry.getReductions();
  // Windows of nothing but their extents tell the op how many taps there are.
  return w.generic(w.shuffle(windows.result.str() + reductions), reductions,
                   {{image, geometry.getImageIndices()},
                    {kernel, geometry.getKernelIndices()}},
                   {init, spell(windows.result)}, body, result, bound);
}

static Value writeWindows(OperatorWriter &w, const Windows &windows,
                          Reduce reduce = Reduce::Products,
                          Form form = Form::Any, bool isWeightFree = false) {
  const Geometry geometry(w, windows, form);
  const double pad = reduce == Reduce::Max ? -8 : reduce == Reduce::Min ? 8 : 0;
  const Value image =
      drawImage(w, windows, geometry.getImageShape(), w.elementType, pad);
  return writeOn(w, windows, geometry, reduce, image, w.sumType, isWeightFree);
}

/// Of narrow elements, and wide enough for tiles and squares.
static Value writeWideConvolution(OperatorWriter &w) {
  static const Windows wide[] = {{"conv_1d_nwc_wcf", "nwc", "wcf", "nwf"},
                                 {"conv_2d_nhwc_hwcf", "nhwc", "hwcf", "nhwf"},
                                 {"conv_2d_nhwc_fhwc", "nhwc", "fhwc", "nhwf"}};
  return writeWindows(w, w.pick(llvm::ArrayRef(wide)), Reduce::Products,
                      Form::Wide);
}

Value test::writeConvolution(OperatorWriter &w) {
  const bool isNarrow =
      w.elementType == ElementType::BF16 || w.elementType == ElementType::I8;
  if (isNarrow && w.oneIn(2))
    return writeWideConvolution(w);
  if (w.oneIn(3))
    return writeSquareConvolution(w);
  return writeWindows(w, w.pick(llvm::ArrayRef(kConvolutions)));
}
Value test::writeSquareConvolution(OperatorWriter &w) {
  static const Windows squares[] = {
      {"conv_2d_nhwc_hwcf", "nhwc", "hwcf", "nhwf"},
      {"conv_2d_nhwc_fhwc", "nhwc", "fhwc", "nhwf"},
      {"conv_2d_nchw_fchw", "nchw", "fchw", "nfhw"}};
  return writeWindows(w, w.pick(llvm::ArrayRef(squares)), Reduce::Products,
                      Form::Square, /*isWeightFree=*/true);
}
Value test::writeTransposedConvolution(OperatorWriter &w) {
  const Windows &windows = w.oneIn(4) ? w.pick(llvm::ArrayRef(kDepthwise))
                                      : w.pick(llvm::ArrayRef(kConvolutions));
  const Geometry geometry(w, windows, Form::Dense);
  const Value image = drawSpreadImage(w, windows, geometry.getImageShape());
  return writeOn(w, windows, geometry, Reduce::Products, image, w.sumType);
}
Value test::writeGroupedConvolution(OperatorWriter &w) {
  return writeWindows(w, w.pick(llvm::ArrayRef(kGrouped)));
}
Value test::writeDepthwiseConvolution(OperatorWriter &w) {
  return writeWindows(w, w.pick(llvm::ArrayRef(kDepthwise)));
}

static Reduce drawPooling(OperatorWriter &w, const Windows &windows) {
  const Reduce reduce = Reduce(1 + w.below(3));
  // Channels first have no minimum.
  return reduce == Reduce::Min && windows.image.starts_with("nc") ? Reduce::Max
                                                                  : reduce;
}

Value test::writePooling(OperatorWriter &w) {
  const Windows &windows = w.pick(llvm::ArrayRef(kPoolings));
  return writeWindows(w, windows, drawPooling(w, windows));
}

Value test::writePoolingStep(OperatorWriter &w, const Value &value) {
  const bool isPair = value.shape[1] % 2 == 0 && value.shape[2] % 2 == 0;
  const int64_t taps = isPair ? 2 : 1;
  const Value kernel = w.empty({taps, taps}, value.type);
  const Extents shape = {value.shape[0], value.shape[1] / taps,
                         value.shape[2] / taps, value.shape[3]};
  const bool isSum = w.oneIn(2);
  const Value init = w.fill(isSum ? 0 : -100, shape, value.type);
  return w.named(
      isSum ? "pooling_nhwc_sum" : "pooling_nhwc_max", {value, kernel}, init,
      isSum ? value.bound * taps * taps : std::max(value.bound, init.bound),
      "{strides = dense<" + std::to_string(taps) +
          "> : tensor<2xi64>, dilations = dense<1> : "
          "tensor<2xi64>}");
}
