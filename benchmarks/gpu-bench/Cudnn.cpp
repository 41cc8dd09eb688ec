//===- Cudnn.cpp - Convolutions by cuDNN ----------------------------------===//

#include "Vendor.h"
#include <memory>

using namespace llvm;

namespace sched::bench {

namespace {
struct Cudnn {
  using Status = int;
  using Handle = struct cudnnContext *;
  using Descriptor = void *;
  size_t (*getVersion)();
  Status (*create)(Handle *);
  Status (*setStream)(Handle, Driver::Stream);
  Status (*createTensor)(Descriptor *);
  Status (*setTensor)(Descriptor, int format, int type, int n, int c, int h,
                      int w);
  Status (*createFilter)(Descriptor *);
  Status (*setFilter)(Descriptor, int type, int format, int k, int c, int h,
                      int w);
  Status (*createConvolution)(Descriptor *);
  Status (*setConvolution)(Descriptor, int padH, int padW, int strideH,
                           int strideW, int dilationH, int dilationW, int mode,
                           int type);
  Status (*setMathType)(Descriptor, int mathType);
  Status (*createActivation)(Descriptor *);
  Status (*setActivation)(Descriptor, int mode, int nan, double limit);
  Status (*getWorkspaceSize)(Handle, Descriptor x, Descriptor w,
                             Descriptor convolution, Descriptor y,
                             int algorithm, size_t *bytes);
  Status (*forward)(Handle, const void *alpha, Descriptor xDesc, const void *x,
                    Descriptor wDesc, const void *w, Descriptor convolution,
                    int algorithm, void *workspace, size_t workspaceBytes,
                    const void *zAlpha, Descriptor zDesc, const void *z,
                    Descriptor biasDesc, const void *bias,
                    Descriptor activation, Descriptor yDesc, void *y);
  Handle handle = nullptr;
  Descriptor image = nullptr, filter = nullptr, bias = nullptr,
             result = nullptr, convolution = nullptr, activation = nullptr;
};
// Of the interface: layout and type NCHW and float are 0; a convolution that
// does not flip its filter; arithmetic of f32 alone; relu.
constexpr int kNCHW = 0, kFloat = 0, kCorrelation = 1, kOnlyFloat = 3,
              kRelu = 1;
const char *const kAlgorithms[] = {"implicit gemm", "implicit precomputed gemm",
                                   "gemm",          "direct",
                                   "fft",           "fft of tiles",
                                   "winograd",      "winograd apart"};
} // namespace

static bool resolve(void *library, Cudnn &cudnn) {
  auto find = [&](const char *name, auto &function) {
    return findFunction(library, name, function);
  };
  return find("cudnnGetVersion", cudnn.getVersion) &&
         find("cudnnCreate", cudnn.create) &&
         find("cudnnSetStream", cudnn.setStream) &&
         find("cudnnCreateTensorDescriptor", cudnn.createTensor) &&
         find("cudnnSetTensor4dDescriptor", cudnn.setTensor) &&
         find("cudnnCreateFilterDescriptor", cudnn.createFilter) &&
         find("cudnnSetFilter4dDescriptor", cudnn.setFilter) &&
         find("cudnnCreateConvolutionDescriptor", cudnn.createConvolution) &&
         find("cudnnSetConvolution2dDescriptor", cudnn.setConvolution) &&
         find("cudnnSetConvolutionMathType", cudnn.setMathType) &&
         find("cudnnCreateActivationDescriptor", cudnn.createActivation) &&
         find("cudnnSetActivationDescriptor", cudnn.setActivation) &&
         find("cudnnGetConvolutionForwardWorkspaceSize",
              cudnn.getWorkspaceSize) &&
         find("cudnnConvolutionBiasActivationForward", cudnn.forward);
}

/// Describes the case; true when cuDNN takes it all.
static bool describe(Cudnn &cudnn, const Case &task) {
  const std::vector<int64_t> &x = task.operands[0].shape,
                             &w = task.operands[1].shape;
  auto tensor = [&](Cudnn::Descriptor &descriptor, int c, int h, int width) {
    return cudnn.createTensor(&descriptor) == 0 &&
           cudnn.setTensor(descriptor, kNCHW, kFloat, 1, c, h, width) == 0;
  };
  const int channels = static_cast<int>(x[1]), filters = static_cast<int>(w[0]),
            height = static_cast<int>(x[2]), width = static_cast<int>(x[3]);
  return tensor(cudnn.image, channels, height, width) &&
         tensor(cudnn.result, filters, height, width) &&
         tensor(cudnn.bias, filters, 1, 1) &&
         cudnn.createFilter(&cudnn.filter) == 0 &&
         cudnn.setFilter(cudnn.filter, kFloat, kNCHW, filters, channels, 3,
                         3) == 0 &&
         cudnn.createConvolution(&cudnn.convolution) == 0 &&
         cudnn.setConvolution(cudnn.convolution, 1, 1, 1, 1, 1, 1, kCorrelation,
                              kFloat) == 0 &&
         cudnn.setMathType(cudnn.convolution, kOnlyFloat) == 0 &&
         cudnn.createActivation(&cudnn.activation) == 0 &&
         cudnn.setActivation(cudnn.activation, kRelu, 0, 0) == 0;
}

std::vector<Contender> makeCudnn(const Device &device, const Case &task,
                                 ArrayRef<Driver::Address> operands) {
  auto refuse = [](const Twine &problem) {
    Contender contender;
    contender.name = "cuDNN";
    contender.problem = problem.str();
    return std::vector<Contender>{contender};
  };
  void *library = openLibrary({"libcudnn.so.9", "libcudnn.so.8"});
  if (!library)
    return refuse("cuDNN is not installed (libcudnn.so.8 or 9)");
  auto cudnn = std::make_shared<Cudnn>();
  if (!resolve(library, *cudnn))
    return refuse("found a cuDNN that lacks what is used of it");
  if (int status = cudnn->create(&cudnn->handle))
    return refuse("cuDNN does not start: status " + Twine(status));
  cudnn->setStream(cudnn->handle, device.getStream());
  if (!describe(*cudnn, task))
    return refuse("cuDNN does not take the convolution");

  std::vector<void *> pointers;
  for (Driver::Address address : operands)
    pointers.push_back(reinterpret_cast<void *>(address));
  std::vector<Contender> contenders;
  for (int algorithm = 0; algorithm != std::size(kAlgorithms); ++algorithm) {
    size_t bytes = 0;
    if (cudnn->getWorkspaceSize(cudnn->handle, cudnn->image, cudnn->filter,
                                cudnn->convolution, cudnn->result, algorithm,
                                &bytes) != 0)
      continue;
    Expected<DeviceBuffer> allocated = device.allocate(bytes);
    if (!allocated) {
      consumeError(allocated.takeError());
      continue;
    }
    auto workspace = std::make_shared<DeviceBuffer>(std::move(*allocated));
    Contender &contender = contenders.emplace_back();
    contender.name = "cuDNN " + std::to_string(cudnn->getVersion()) + ", " +
                     kAlgorithms[algorithm];
    contender.call = [cudnn, workspace, algorithm, pointers]() -> Error {
      const float one = 1, zero = 0;
      const int status = cudnn->forward(
          cudnn->handle, &one, cudnn->image, pointers[0], cudnn->filter,
          pointers[1], cudnn->convolution, algorithm,
          reinterpret_cast<void *>(workspace->getAddress()), workspace->size(),
          &zero, cudnn->result, pointers[3], cudnn->bias, pointers[2],
          cudnn->activation, cudnn->result, pointers[3]);
      if (status != 0)
        return createStringError("cuDNN: status " + Twine(status));
      return Error::success();
    };
  }
  if (contenders.empty())
    return refuse("cuDNN has no algorithm for the convolution");
  return contenders;
}

} // namespace sched::bench
