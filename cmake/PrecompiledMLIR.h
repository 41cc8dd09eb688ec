//===- PrecompiledMLIR.h - What most sources read of MLIR -------*- C++ -*-===//
//
// Precompiled once for all targets that are marked PCH (cmake/SchedOpt.cmake):
// parsing MLIR's headers is half of the build. No source includes this file;
// each names the headers that it uses, and SCHED_PCH=OFF builds without it.
//
//===----------------------------------------------------------------------===//

#ifndef SCHEDOPT_CMAKE_PRECOMPILEDMLIR_H
#define SCHEDOPT_CMAKE_PRECOMPILEDMLIR_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#endif // SCHEDOPT_CMAKE_PRECOMPILEDMLIR_H
