//===- Convolution.cpp - Where the elements of a convolution are ----------===//

#include "Operator.h"

namespace sched::bench {

static int64_t multiply(const Extents &extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

Extents Convolution::outSpatial() const {
  Extents result;
  for (size_t i = 0; i != rank(); ++i) {
    int64_t reach = (kernel[i] - 1) * dilation[i] + 1;
    result.push_back(
        transposed ? (spatial[i] - 1) * stride[i] - 2 * padding[i] + reach
                   : (spatial[i] + 2 * padding[i] - reach) / stride[i] + 1);
  }
  return result;
}

int64_t Convolution::taps() const { return multiply(kernel); }
int64_t Convolution::pixels() const { return multiply(spatial); }
int64_t Convolution::outPixels() const { return multiply(outSpatial()); }

Extents Convolution::strides(const Extents &extents, int64_t channels) const {
  Extents result(2 + rank());
  int64_t step = channelsFirst ? 1 : channels;
  for (size_t i = rank(); i-- != 0;) {
    result[2 + i] = step;
    step *= extents[i];
  }
  result[1] = channelsFirst ? step : 1;
  result[0] = channelsFirst ? step * channels : step;
  return result;
}

int64_t Convolution::weightOffset(int64_t tap, int64_t group, int64_t i,
                                  int64_t o) const {
  int64_t ins = in / groups, outs = out / groups;
  switch (order) {
  case WeightOrder::TapsInOut:
    return (tap * ins + i) * outs + o;
  case WeightOrder::GroupTaps:
    return ((group * taps() + tap) * ins + i) * outs + o;
  case WeightOrder::Depthwise:
    return tap * groups + group;
  case WeightOrder::OutInTaps:
    return (o * ins + i) * taps() + tap;
  case WeightOrder::Mirrored:
    return ((taps() - 1 - tap) * ins + i) * outs + o;
  case WeightOrder::Phases: {
    int64_t mirrored = taps() - 1 - tap, offset = 0, phase = 0;
    // Both numbers in the mixed radix of their extents, last dimension first.
    for (int64_t d = rank(), half = 1, halves = 1; d-- != 0;) {
      int64_t place = mirrored % kernel[d];
      mirrored /= kernel[d];
      offset += place / 2 * halves;
      halves *= kernel[d] / 2;
      phase += place % 2 * half;
      half *= 2;
    }
    return ((phase * (taps() >> rank()) + offset) * ins + i) * outs + o;
  }
  case WeightOrder::CapsuleTaps: {
    int64_t eachIn = in / capsule, eachOut = out / capsule;
    int64_t q = i / eachIn, j = o / eachOut;
    return (((tap * capsule + q) * capsule + j) * eachIn + i % eachIn) *
               eachOut +
           o % eachOut;
  }
  }
  return 0;
}

Extents Convolution::weightStrides() const {
  if (order == WeightOrder::Mirrored || order == WeightOrder::Phases ||
      order == WeightOrder::CapsuleTaps)
    return {};
  Extents result;
  if (groups != 1)
    result.push_back(groups > 1 ? weightOffset(0, 1, 0, 0) : 0);
  result.push_back(out > groups ? weightOffset(0, 0, 0, 1) : 1);
  result.push_back(in > groups ? weightOffset(0, 0, 1, 0) : 1);
  int64_t step = taps() > 1 ? weightOffset(1, 0, 0, 0) : 1;
  Extents ofKernel(rank());
  for (size_t i = rank(); i-- != 0;) {
    ofKernel[i] = step;
    step *= kernel[i];
  }
  result.insert(result.end(), ofKernel.begin(), ofKernel.end());
  return result;
}

double Convolution::flops() const {
  return 2.0 * batch * (transposed ? pixels() : outPixels()) * taps() *
         (in / groups) * out;
}

} // namespace sched::bench
