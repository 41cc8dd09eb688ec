//===- StageElements.h - Elements of widened vectors --------------*- C++
//-*-===//

#ifndef SCHEDOPT_CODEGEN_STAGEELEMENTS_H
#define SCHEDOPT_CODEGEN_STAGEELEMENTS_H

namespace llvm {
class Module;
}

namespace sched {

/// Writes vectors that are widened, and of which only elements are used, to the
/// stack, and reads the elements from there. For targets whose instructions
/// broadcast from memory.
void stageElements(llvm::Module &module);

} // namespace sched

#endif // SCHEDOPT_CODEGEN_STAGEELEMENTS_H
