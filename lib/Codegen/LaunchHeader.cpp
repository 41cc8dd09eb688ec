//===- LaunchHeader.cpp - The C header of kernels -------------------------===//

#include "SchedOpt/Codegen/Header.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace sched;

static StringRef explain(LaunchBuffer::Role role) {
  switch (role) {
  case LaunchBuffer::Role::Input:
    return "read";
  case LaunchBuffer::Role::Output:
    return "written";
  case LaunchBuffer::Role::Scratch:
    return "scratch: holds nothing before and after";
  }
  llvm_unreachable("there are three roles");
}

static void declare(const LaunchFunction &function, raw_ostream &out) {
  const std::string &name = function.name;
  out << "/* " << name << ":\n";
  for (auto [i, buffer] : enumerate(function.buffers))
    out << " *   buffer " << i << ": " << buffer.type << ", " << buffer.bytes
        << " bytes aligned to " << buffer.alignment << ", "
        << explain(buffer.role) << "\n";
  out << " */\n";
  if (function.buffers.empty() || function.launches.empty()) {
    out << "/* It launches nothing. */\n\n";
    return;
  }
  out << "enum { " << name << "_buffer_count = " << function.buffers.size()
      << ", " << name << "_launch_count = " << function.launches.size()
      << " };\n";
  out << "SCHED_UNUSED static const size_t " << name << "_buffer_bytes[] = {";
  interleaveComma(function.buffers, out,
                  [&](const LaunchBuffer &buffer) { out << buffer.bytes; });
  out << "};\n";
  for (auto [i, launch] : enumerate(function.launches)) {
    out << "SCHED_UNUSED static const unsigned " << name << "_arguments_" << i
        << "[] = {";
    interleaveComma(launch.arguments, out);
    out << "};\n";
  }
  out << "SCHED_UNUSED static const struct sched_launch " << name
      << "_launches[] = {\n";
  for (auto [i, launch] : enumerate(function.launches)) {
    out << "  {\"" << launch.kernel << "\", {";
    interleaveComma(launch.grid, out);
    out << "}, {";
    interleaveComma(launch.block, out);
    out << "}, " << launch.sharedBytes << ", " << launch.arguments.size()
        << ", " << name << "_arguments_" << i << "},\n";
  }
  out << "};\n\n";
}

std::string sched::emitLaunchHeader(const LaunchPlan &plan,
                                    StringRef fileName) {
  const std::string guard = getIncludeGuard(fileName);
  size_t most = 0;
  for (const LaunchFunction &function : plan.functions)
    for (const KernelLaunch &launch : function.launches)
      most = std::max(most, launch.arguments.size());
  std::string text;
  raw_string_ostream out(text);
  out << "/* Written by sched-opt, for kernels of " << plan.chip
      << ".\n"
         " *\n"
         " * Tensors are row-major and dense, one buffer of the device each:\n"
         " * inputs, then results, then scratch. Buffers must not overlap.\n"
         " * The launches of a function run in order, on one stream. Each "
         "kernel\n"
         " * takes a pointer for each of its arguments:\n"
         " *\n"
         " *   void *pointers["
      << most
      << "];\n"
         " *   for (unsigned i = 0; i != launch->argument_count; ++i)\n"
         " *     pointers[i] = &buffers[launch->arguments[i]];\n"
         " *   cuFuncSetAttribute(kernel,\n"
         " *       CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,\n"
         " *       launch->shared_bytes);\n"
         " *   cuLaunchKernel(kernel, launch->grid[0], launch->grid[1],\n"
         " *       launch->grid[2], launch->block[0], launch->block[1],\n"
         " *       launch->block[2], launch->shared_bytes, stream, pointers, "
         "0);\n"
         " */\n"
      << "#ifndef " << guard << "\n#define " << guard
      << "\n\n#include <stddef.h>\n\n"
         "/* Whoever reads this need not use all of it. */\n"
         "#ifndef SCHED_UNUSED\n#ifdef __GNUC__\n"
         "#define SCHED_UNUSED __attribute__((unused))\n"
         "#else\n#define SCHED_UNUSED\n#endif\n#endif\n\n"
         "#ifndef SCHED_LAUNCH\n#define SCHED_LAUNCH\n"
         "struct sched_launch {\n"
         "  const char *kernel;\n"
         "  unsigned grid[3], block[3];\n"
         "  /* Dynamic shared memory of a block. */\n"
         "  unsigned shared_bytes;\n"
         "  unsigned argument_count;\n"
         "  /* Positions of buffers. */\n"
         "  const unsigned *arguments;\n"
         "};\n#endif\n\n";
  for (const LaunchFunction &function : plan.functions)
    declare(function, out);
  out << "#endif /* " << guard << " */\n";
  return text;
}
