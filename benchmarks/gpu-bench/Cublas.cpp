//===- Cublas.cpp - Products by cuBLAS ------------------------------------===//

#include "Vendor.h"
#include <memory>

using namespace llvm;

namespace sched::bench {

void *openLibrary(ArrayRef<const char *> names) {
  for (const char *name : names)
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return library;
  return nullptr;
}

namespace {
struct Cublas {
  using Status = int;
  using Handle = struct cublasContext *;
  Status (*create)(Handle *);
  Status (*destroy)(Handle);
  Status (*setStream)(Handle, Driver::Stream);
  Status (*getVersion)(Handle, int *);
  Status (*sgemm)(Handle, int opA, int opB, int m, int n, int k,
                  const float *alpha, const void *a, int lda, const void *b,
                  int ldb, const float *beta, void *c, int ldc);
  Status (*gemmEx)(Handle, int opA, int opB, int m, int n, int k,
                   const void *alpha, const void *a, int typeA, int lda,
                   const void *b, int typeB, int ldb, const void *beta, void *c,
                   int typeC, int ldc, int computeType, int algorithm);
  Handle handle = nullptr;
  ~Cublas() {
    if (handle)
      destroy(handle);
  }
};
// Of the interface: the types of elements and sums, and "choose one".
constexpr int kFloat = 0, kHalf = 2, kSumsOfFloats = 68, kAnyAlgorithm = -1;
} // namespace

static std::shared_ptr<Cublas> load(const Device &device,
                                    std::string &problem) {
  void *library =
      openLibrary({"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"});
  if (!library) {
    problem = "cuBLAS is not installed (libcublas.so.11 to 13)";
    return nullptr;
  }
  auto cublas = std::make_shared<Cublas>();
  if (!findFunction(library, "cublasCreate_v2", cublas->create) ||
      !findFunction(library, "cublasDestroy_v2", cublas->destroy) ||
      !findFunction(library, "cublasSetStream_v2", cublas->setStream) ||
      !findFunction(library, "cublasGetVersion_v2", cublas->getVersion) ||
      !findFunction(library, "cublasSgemm_v2", cublas->sgemm) ||
      !findFunction(library, "cublasGemmEx", cublas->gemmEx)) {
    problem = "found a cuBLAS that lacks what is used of it";
    return nullptr;
  }
  if (int status = cublas->create(&cublas->handle)) {
    problem = "cuBLAS does not start: status " + std::to_string(status);
    return nullptr;
  }
  cublas->setStream(cublas->handle, device.getStream());
  return cublas;
}

Contender makeCublas(const Device &device, const Case &task,
                     ArrayRef<Driver::Address> operands) {
  Contender contender;
  contender.name = "cuBLAS";
  std::shared_ptr<Cublas> cublas = load(device, contender.problem);
  if (!cublas)
    return contender;
  int version = 0;
  cublas->getVersion(cublas->handle, &version);
  contender.name += " " + std::to_string(version);
  const int n = static_cast<int>(task.operands[0].shape[0]);
  const bool isHalf = task.operands[0].elementType == ElementType::F16;
  std::vector<void *> pointers;
  for (Driver::Address address : operands)
    pointers.push_back(reinterpret_cast<void *>(address));
  contender.call = [cublas, n, isHalf, pointers]() -> Error {
    // Column-major, the transposed product of the transposed operands: the same
    // bytes.
    const float one = 1, zero = 0;
    const int status =
        isHalf ? cublas->gemmEx(cublas->handle, 0, 0, n, n, n, &one,
                                pointers[1], kHalf, n, pointers[0], kHalf, n,
                                &zero, pointers[2], kFloat, n, kSumsOfFloats,
                                kAnyAlgorithm)
               : cublas->sgemm(cublas->handle, 0, 0, n, n, n, &one, pointers[1],
                               n, pointers[0], n, &zero, pointers[2], n);
    if (status != 0)
      return createStringError("cuBLAS: status " + Twine(status));
    return Error::success();
  };
  return contender;
}

} // namespace sched::bench
