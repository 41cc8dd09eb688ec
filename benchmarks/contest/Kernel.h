//===- Kernel.h - A contender from an object file ---------------*- C++ -*-===//
//
// Loads what `sched-opt --emit=obj` wrote, by its plain C interface: one
// pointer an operand, then the result's; f_pack_argI, for an operand whose
// layout is free, is called once, outside of the timed call.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_BENCHMARKS_KERNEL_H
#define SCHEDOPT_BENCHMARKS_KERNEL_H

#include "Contender.h"

namespace sched::bench {

/// The function `entry` of the object at `path`. Beside an object with packing
/// functions must be its header (F.h for F.o), which has the packed sizes.
Setup kernelFromObject(std::string path, std::string entry,
                       const Problem &problem);

/// The same interface in a shared object, all operands plain.
Setup kernelFromLibrary(std::string path, std::string entry,
                        const Problem &problem);

/// Elements of the packed form of operand `position` of `entry`, as the text of
/// the header says. Fails when it does not say.
llvm::Expected<size_t> findPackedSize(llvm::StringRef header,
                                      llvm::StringRef entry, unsigned position);

} // namespace sched::bench

#endif // SCHEDOPT_BENCHMARKS_KERNEL_H
