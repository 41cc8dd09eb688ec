//===- PretrainedModel.cpp - The model that comes with the project --------===//
//
// The assembler reads the file, as every compiler's does; CMakeLists.txt says
// where it is, and that this source depends on it.
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/CostModel/PretrainedModel.h"

#ifdef __APPLE__
#define SECTION ".section __TEXT,__const\n"
#define NAME(name) "_" name
#define PRIVATE ".private_extern "
#else
#define SECTION ".section .rodata,\"a\"\n"
#define NAME(name) name
#define PRIVATE ".hidden "
#endif

// A name that is known in this library only.
#define LABEL(name)                                                            \
  ".globl " NAME(name) "\n" PRIVATE NAME(name) "\n" NAME(name) ":\n"

__asm__(SECTION ".balign 16\n"                     //
        LABEL("schedPretrainedModel")              //
        ".incbin \"" SCHED_PRETRAINED_MODEL "\"\n" //
        LABEL("schedPretrainedModelEnd") ".byte 0\n.text");

extern "C" const char schedPretrainedModel[], schedPretrainedModelEnd[];

llvm::StringRef sched::getPretrainedModel() {
  return llvm::StringRef(schedPretrainedModel,
                         schedPretrainedModelEnd - schedPretrainedModel);
}
