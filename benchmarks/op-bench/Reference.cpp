//===- Reference.cpp - What an operator means -----------------------------===//

#include "Reference.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

// The innermost loops, for the vectors of the machine that runs them.
#if defined(__x86_64__) && defined(__ELF__)
#define SCHED_CLONES __attribute__((target_clones("arch=haswell", "default")))
#else
#define SCHED_CLONES
#endif

namespace sched::bench {

SCHED_CLONES static void addScaled(double *sums, const double *values,
                                   double scale, int64_t count) {
  for (int64_t i = 0; i != count; ++i)
    sums[i] += scale * values[i];
}

static double activate(Activation activation, double x) {
  switch (activation) {
  case Activation::None:
    return x;
  case Activation::Relu:
    return std::max(x, 0.0);
  case Activation::Relu6:
    return std::min(std::max(x, 0.0), 6.0);
  case Activation::Gelu:
    return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  }
  return x;
}

namespace {
/// Calls `visit(tap, offset)` for each tap of the window of one result pixel
/// that meets the image; offset: of the pixel, channel 0.
class Window {
public:
  explicit Window(const Convolution &c)
      : c(c), strides(c.strides(c.spatial, c.in)) {}

  template <typename Visit>
  void forEach(const Extents &pixel, Visit visit) const {
    for (int64_t tap = 0, taps = c.taps(); tap != taps; ++tap) {
      int64_t offset = 0, rest = tap;
      bool meets = true;
      for (size_t i = c.rank(); i-- != 0;) {
        int64_t k = rest % c.kernel[i] * c.dilation[i];
        rest /= c.kernel[i];
        int64_t place = c.transposed
                            ? pixel[i] + c.padding[i] - k
                            : pixel[i] * c.stride[i] - c.padding[i] + k;
        if (c.transposed) {
          meets &= place % c.stride[i] == 0;
          place /= c.stride[i];
        }
        meets &= place >= 0 && place < c.spatial[i];
        offset += place * strides[2 + i];
      }
      if (meets)
        visit(tap, offset);
    }
  }

private:
  const Convolution &c;
  Extents strides;
};
} // namespace

/// Calls `visit(batch, pixel, offset)` for each result pixel; offset: as above,
/// in the result.
template <typename Visit>
static void forEachPixel(const Convolution &c, Visit visit) {
  Extents extents = c.outSpatial(), strides = c.strides(extents, c.out);
  Extents pixel(c.rank());
  for (int64_t n = 0; n != c.batch; ++n)
    for (int64_t i = 0, count = c.outPixels(); i != count; ++i) {
      int64_t offset = n * strides[0], rest = i;
      for (size_t d = c.rank(); d-- != 0;) {
        pixel[d] = rest % extents[d];
        rest /= extents[d];
        offset += pixel[d] * strides[2 + d];
      }
      visit(n, pixel, offset);
    }
}

static void convolve(const Operator &op, double *result) {
  const Convolution &c = op.convolution;
  const float *x = op.operand(0), *weights = op.operand(1);
  int64_t ins = c.in / c.groups, outs = c.out / c.groups, taps = c.taps();
  // [group][tap][in][out], whatever the order of the operand.
  std::vector<double> ordered;
  ordered.reserve(taps * ins * c.out);
  for (int64_t g = 0; g != c.groups; ++g)
    for (int64_t tap = 0; tap != taps; ++tap)
      for (int64_t i = 0; i != ins; ++i)
        for (int64_t o = 0; o != outs; ++o)
          ordered.push_back(weights[c.weightOffset(tap, g, i, o)]);
  int64_t xBatch = c.strides(c.spatial, c.in)[0],
          xChannel = c.strides(c.spatial, c.in)[1],
          yChannel = c.strides(c.outSpatial(), c.out)[1];
  std::vector<double> sums(outs);
  Window window(c);
  forEachPixel(c, [&](int64_t n, const Extents &pixel, int64_t place) {
    for (int64_t g = 0; g != c.groups; ++g) {
      for (int64_t o = 0; o != outs; ++o)
        sums[o] = op.bias ? op.operand(2)[g * outs + o] : 0;
      const double *ofGroup = ordered.data() + g * taps * ins * outs;
      window.forEach(pixel, [&](int64_t tap, int64_t offset) {
        const float *from = x + n * xBatch + offset + g * ins * xChannel;
        for (int64_t i = 0; i != ins; ++i)
          addScaled(sums.data(), ofGroup + (tap * ins + i) * outs,
                    from[i * xChannel], outs);
      });
      for (int64_t o = 0; o != outs; ++o)
        result[place + (g * outs + o) * yChannel] =
            activate(op.activation, sums[o]);
    }
  });
}

static void poolMaximum(const Operator &op, double *result) {
  const Convolution &c = op.convolution;
  const float *x = op.operand(0);
  int64_t batch = c.strides(c.spatial, c.in)[0];
  Window window(c);
  forEachPixel(c, [&](int64_t n, const Extents &pixel, int64_t place) {
    std::fill_n(result + place, c.in, -std::numeric_limits<double>::infinity());
    window.forEach(pixel, [&](int64_t, int64_t offset) {
      for (int64_t i = 0; i != c.in; ++i)
        result[place + i] =
            std::max<double>(result[place + i], x[n * batch + offset + i]);
    });
  });
}

static void poolAverage(const Operator &op, double *result) {
  const Convolution &c = op.convolution;
  int64_t pixels = c.pixels();
  for (int64_t n = 0; n != c.batch; ++n)
    for (int64_t i = 0; i != c.in; ++i) {
      double sum = 0;
      for (int64_t p = 0; p != pixels; ++p)
        sum += op.operand(0)[(n * pixels + p) * c.in + i];
      result[n * c.in + i] = sum / pixels;
    }
}

static void multiply(const Operator &op, double *result) {
  auto [batch, m, n, k, transposed] = op.product;
  const float *a = op.operand(0), *b = op.operand(1);
  std::vector<double> rows(k * n);
  for (int64_t z = 0; z != batch; ++z) {
    for (int64_t p = 0; p != k; ++p)
      for (int64_t j = 0; j != n; ++j)
        rows[p * n + j] = b[z * k * n + (transposed ? j * k + p : p * n + j)];
    for (int64_t i = 0; i != m; ++i) {
      double *row = result + (z * m + i) * n;
      for (int64_t j = 0; j != n; ++j)
        row[j] = op.bias ? op.operand(2)[j] : 0;
      for (int64_t p = 0; p != k; ++p)
        addScaled(row, rows.data() + p * n, a[(z * m + i) * k + p], n);
      for (int64_t j = 0; j != n; ++j)
        row[j] = activate(op.activation, row[j]);
    }
  }
}

/// exp(row - its maximum), divided by their sum.
static void normalizeExponentials(double *row, int64_t count) {
  double largest = *std::max_element(row, row + count), sum = 0;
  for (int64_t i = 0; i != count; ++i)
    sum += row[i] = std::exp(row[i] - largest);
  for (int64_t i = 0; i != count; ++i)
    row[i] /= sum;
}

static void attend(const Operator &op, double *result) {
  auto [heads, queries, keys, size] = op.attention;
  std::vector<double> scores(keys), values(keys * size),
      transposed(size * keys);
  double scale = 1 / std::sqrt(static_cast<double>(size));
  for (int64_t h = 0; h != heads; ++h) {
    const float *k = op.operand(1) + h * keys * size;
    std::copy_n(op.operand(2) + h * keys * size, keys * size, values.begin());
    for (int64_t j = 0; j != keys; ++j)
      for (int64_t d = 0; d != size; ++d)
        transposed[d * keys + j] = k[j * size + d];
    for (int64_t i = 0; i != queries; ++i) {
      const float *q = op.operand(0) + (h * queries + i) * size;
      double *row = result + (h * queries + i) * size;
      std::fill(scores.begin(), scores.end(), 0);
      for (int64_t d = 0; d != size; ++d)
        addScaled(scores.data(), transposed.data() + d * keys, scale * q[d],
                  keys);
      normalizeExponentials(scores.data(), keys);
      std::fill_n(row, size, 0);
      for (int64_t j = 0; j != keys; ++j)
        addScaled(row, values.data() + j * size, scores[j], size);
    }
  }
}

static void normalizeRow(const Operator &op, const float *x, double *row) {
  int64_t count = op.columns;
  double mean = 0, variance = 0;
  for (int64_t i = 0; i != count; ++i)
    mean += x[i] / static_cast<double>(count);
  for (int64_t i = 0; i != count; ++i)
    variance += (x[i] - mean) * (x[i] - mean) / count;
  double scale = 1 / std::sqrt(variance + 1e-5);
  for (int64_t i = 0; i != count; ++i)
    row[i] = (x[i] - mean) * scale * op.operand(1)[i] + op.operand(2)[i];
}

/// The rest of RMSNorm, where `row` has x.
static void scaleByRoot(const Operator &op, double *row) {
  double squares = 0;
  for (int64_t i = 0; i != op.columns; ++i)
    squares += row[i] * row[i];
  const double scale = 1 / std::sqrt(squares / op.columns + 1e-5);
  for (int64_t i = 0; i != op.columns; ++i)
    row[i] *= scale * op.operand(1)[i];
}

/// The rest of Chain, where `row` has x.
static void curve(const Operator &op, int64_t r, double *row) {
  for (int64_t i = 0; i != op.columns; ++i)
    row[i] = activate(Activation::Gelu,
                      row[i] * op.operand(1)[i] + op.operand(2)[i]) +
             op.operand(3)[r * op.columns + i];
}

/// What works on each row by itself.
static void computeRows(const Operator &op, double *result) {
  int64_t columns = op.columns;
  for (int64_t r = 0; r != op.rows; ++r) {
    const float *x = op.operand(0) + r * columns;
    if (op.kind == Kind::Norm) {
      double sum = 0;
      for (int64_t i = 0; i != columns; ++i)
        sum += static_cast<double>(x[i]) * x[i];
      result[r] = std::sqrt(sum);
      continue;
    }
    double *row = result + r * columns;
    std::copy_n(x, columns, row);
    if (op.kind == Kind::Softmax)
      normalizeExponentials(row, columns);
    else if (op.kind == Kind::LayerNorm)
      normalizeRow(op, x, row);
    else if (op.kind == Kind::RMSNorm)
      scaleByRoot(op, row);
    else if (op.kind == Kind::Chain)
      curve(op, r, row);
    else
      for (int64_t i = 0; i != columns; ++i)
        row[i] = std::max(row[i] + op.operand(1)[r * columns + i], 0.0);
  }
}

static void transpose(const Operator &op, double *result) {
  // Steps of the operand from one element of the result to the next.
  const size_t rank = op.extents.size();
  Extents steps(rank, 1), ends(rank);
  for (size_t i = 0; i != rank; ++i) {
    ends[i] = op.extents[op.order[i]];
    for (size_t inner = op.order[i] + 1; inner != rank; ++inner)
      steps[i] *= op.extents[inner];
  }
  for (size_t place = 0; place != op.resultSize(); ++place) {
    int64_t from = 0, rest = place;
    for (size_t i = rank; i-- != 0;) {
      from += rest % ends[i] * steps[i];
      rest /= ends[i];
    }
    result[place] = op.operand(0)[from];
  }
}

static void concatenate(const Operator &op, double *result) {
  for (int64_t r = 0; r != op.rows; ++r)
    for (size_t i = 0; i != op.parts.size(); ++i) {
      const int64_t count = op.parts[i];
      result = std::copy_n(op.operand(i) + r * count, count, result);
    }
}

static void gather(const Operator &op, double *result) {
  for (int64_t r = 0; r != op.rows; ++r) {
    const int64_t row = static_cast<int64_t>(op.operand(1)[r]);
    result = std::copy_n(op.operand(0) + row * op.columns, op.columns, result);
  }
}

static void pad(const Operator &op, double *result) {
  const Convolution &c = op.convolution;
  const int64_t batch = c.strides(c.spatial, c.in)[0];
  std::fill_n(result, op.resultSize(), 0);
  Window window(c);
  forEachPixel(c, [&](int64_t n, const Extents &pixel, int64_t place) {
    window.forEach(pixel, [&](int64_t, int64_t offset) {
      std::copy_n(op.operand(0) + n * batch + offset, c.in, result + place);
    });
  });
}

Setup makeReference(const Operator &op) {
  return [&op]() -> Expected<Work> {
    double *result = op.expected();
    switch (op.kind) {
    case Kind::Convolution:
      convolve(op, result);
      break;
    case Kind::MaxPool:
      poolMaximum(op, result);
      break;
    case Kind::AveragePool:
      poolAverage(op, result);
      break;
    case Kind::BatchMatmul:
    case Kind::Linear:
      multiply(op, result);
      break;
    case Kind::Attention:
      attend(op, result);
      break;
    case Kind::Norm:
    case Kind::Softmax:
    case Kind::LayerNorm:
    case Kind::AddRelu:
    case Kind::Chain:
    case Kind::RMSNorm:
      computeRows(op, result);
      break;
    case Kind::Transpose:
      transpose(op, result);
      break;
    case Kind::Concat:
      concatenate(op, result);
      break;
    case Kind::Gather:
      gather(op, result);
      break;
    case Kind::Pad:
      pad(op, result);
      break;
    }
    Work work;
    work.call = [] {};
    return std::move(work);
  };
}

} // namespace sched::bench
