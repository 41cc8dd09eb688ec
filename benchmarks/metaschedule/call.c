/*===- call.c - A module of TVM's behind a plain C interface --------------===*\
 *
 * void f(const float *operand..., float *result): what op-bench times as a
 * contender. The first call loads the runtime and the module. operator.h, which
 * ../metaschedule.py writes, has the rest:
 *
 *   LIBRARIES          files: TVM's runtime, behind what it needs
 *   MODULE             the tuned module's file
 *   THREADS            as a string
 *   POINTERS           (p0, p1, p2)
 *   PARAMETERS         (float *p0, float *p1, float *p2)
 *   TENSORS            their shapes as the module has them, rank and extents:
 *                      TENSOR(2, 128, 64) TENSOR(...)
 *
\*===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "operator.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

static int (*getGlobal)(const TVMFFIByteArray *, TVMFFIObjectHandle *);
static int (*call)(TVMFFIObjectHandle, TVMFFIAny *, int32_t, TVMFFIAny *);
static TVMFFIObjectHandle function;

static void fail(const char *what) {
  const char *why = dlerror();
  fprintf(stderr, "metaschedule: %s%s%s\n", what, why ? ": " : "",
          why ? why : "");
  abort();
}

static void *find(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (!symbol)
    fail(name);
  return symbol;
}

static TVMFFIAny ofText(const char *text) {
  TVMFFIAny any = {0};
  any.type_index = kTVMFFIRawStr;
  any.v_c_str = text;
  return any;
}

static TVMFFIAny callGlobal(const char *name, TVMFFIAny *arguments, int n) {
  TVMFFIByteArray bytes = {name, strlen(name)};
  TVMFFIObjectHandle handle = NULL;
  TVMFFIAny result = {0};
  if (getGlobal(&bytes, &handle) || !handle ||
      call(handle, arguments, n, &result))
    fail(name);
  return result;
}

static TVMFFIObjectHandle getFunction(TVMFFIAny module, const char *name) {
  TVMFFIAny no = {0};
  no.type_index = kTVMFFIBool;
  TVMFFIAny arguments[] = {module, ofText(name), no};
  TVMFFIAny result = callGlobal("ffi.ModuleGetFunction", arguments, 3);
  if (result.type_index != kTVMFFIFunction)
    fail(name);
  return result.v_obj;
}

enum { kMaxRank = 12 };
struct Tensor {
  DLTensor tensor;
  int64_t extents[kMaxRank], strides[kMaxRank];
};
#define TENSOR(rank, ...)                                                      \
  {{NULL, {kDLCPU, 0}, rank, {kDLFloat, 32, 1}}, {__VA_ARGS__}},
static struct Tensor tensors[] = {TENSORS};
enum { kTensors = sizeof(tensors) / sizeof(tensors[0]) };

/* Row-major. */
static void lay(struct Tensor *t) {
  int64_t stride = 1;
  for (int i = t->tensor.ndim; i-- != 0; stride *= t->extents[i])
    t->strides[i] = stride;
  t->tensor.shape = t->extents;
  t->tensor.strides = t->strides;
}

static TVMFFIAny ofTensor(DLTensor *tensor) {
  TVMFFIAny any = {0};
  any.type_index = kTVMFFIDLTensorPtr;
  any.v_ptr = tensor;
  return any;
}

static void load(void) {
  setenv("TVM_NUM_THREADS", THREADS, 1);
  static const char *libraries[] = {LIBRARIES};
  void *library = NULL;
  for (size_t i = 0; i != sizeof(libraries) / sizeof(libraries[0]); ++i)
    if (!(library = dlopen(libraries[i], RTLD_NOW | RTLD_GLOBAL)))
      fail(libraries[i]);
  getGlobal = find(library, "TVMFFIFunctionGetGlobal");
  call = find(library, "TVMFFIFunctionCall");
  TVMFFIAny path = ofText(MODULE);
  TVMFFIAny module = callGlobal("ffi.ModuleLoadFromFile", &path, 1);
  function = getFunction(module, "main");
  for (int i = 0; i != kTensors; ++i)
    lay(&tensors[i]);
}

void f PARAMETERS {
  float *pointers[] = POINTERS;
  if (!function)
    load();
  TVMFFIAny arguments[kTensors], result = {0};
  for (int i = 0; i != kTensors; ++i) {
    tensors[i].tensor.data = pointers[i];
    arguments[i] = ofTensor(&tensors[i].tensor);
  }
  if (call(function, arguments, kTensors, &result))
    fail("the call of the module");
}
