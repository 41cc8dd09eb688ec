//===- emulator-bench.cpp - How fast kernels are emulated -----------------===//
//
//   emulator-bench [SECONDS]
//
// Prints for some kernels how many million instructions of threads the emulator
// does a second, on one core and with all its checks:
//
//   products  tiles of a product in shared memory, 4 x 4 a thread
//   elements  one access of memory for every few instructions
//   loops     threads of a warp in loops of different lengths
//
//===----------------------------------------------------------------------===//

#include "SchedOpt/Emulator/Emulator.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdlib>
#include <vector>

using namespace llvm;
using namespace sched;

namespace {
struct Problem {
  StringRef name;
  std::string text;
  std::array<uint32_t, 3> grid, block;
  /// Bytes of the inputs and of the result.
  std::vector<uint64_t> bytes;
};
} // namespace

/// C = A * B, all of `size` by `size`; a block of 256 threads computes 64 by 64
/// and takes 16 steps of the sum at a time.
static Problem makeProducts(unsigned size) {
  std::string text;
  raw_string_ostream os(text);
  os << "@a = internal addrspace(3) global [1024 x float] undef, align 16\n"
        "@b = internal addrspace(3) global [1024 x float] undef, align 16\n"
        "define ptx_kernel void @k(ptr addrspace(1) %A, ptr addrspace(1) %B, "
        "ptr addrspace(1) %C) {\nentry:\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
        "  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()\n"
        "  %tx = and i32 %t, 15\n  %ty = lshr i32 %t, 4\n"
        "  %row0 = shl i32 %by, 6\n  %column0 = shl i32 %bx, 6\n"
        // Thread t fetches 4 elements of row t / 4 of A, and of row t / 16 of
        // B.
        "  %fr = lshr i32 %t, 2\n  %t3 = and i32 %t, 3\n  %fk = shl i32 %t3, "
        "2\n"
        "  %ar = add i32 %row0, %fr\n"
        "  %x4 = shl i32 %tx, 2\n  %bc = add i32 %column0, %x4\n"
        "  %y4 = shl i32 %ty, 2\n"
        "  %pas = getelementptr float, ptr addrspace(3) @a, i32 %fr\n"
        "  %t4 = shl i32 %t, 2\n"
        "  %pbs = getelementptr float, ptr addrspace(3) @b, i32 %t4\n"
        "  br label %loop\nloop:\n"
        "  %k = phi i32 [0, %entry], [%next, %loop]\n";
  for (unsigned i = 0; i != 16; ++i)
    os << formatv("  %s{0} = phi float [0.0, %entry], [%s{0}_16, %loop]\n", i);
  os << "  %ak = add i32 %k, %fk\n"
     << formatv("  %am = mul i32 %ar, {0}\n", size)
     << "  %ai = add i32 %am, %ak\n  %bk = add i32 %k, %ty\n"
     << formatv("  %bm = mul i32 %bk, {0}\n", size)
     << "  %bi = add i32 %bm, %bc\n"
        "  %pa = getelementptr float, ptr addrspace(1) %A, i32 %ai\n"
        "  %pb = getelementptr float, ptr addrspace(1) %B, i32 %bi\n"
        "  %va = load <4 x float>, ptr addrspace(1) %pa, align 16\n"
        "  %vb = load <4 x float>, ptr addrspace(1) %pb, align 16\n"
        "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
  // A is transposed on its way.
  for (unsigned i = 0; i != 4; ++i)
    os << formatv("  %e{0} = extractelement <4 x float> %va, i32 {0}\n"
                  "  %fo{0} = add i32 %fk, {0}\n  %fm{0} = shl i32 %fo{0}, 6\n"
                  "  %pe{0} = getelementptr float, ptr addrspace(3) %pas, i32 "
                  "%fm{0}\n"
                  "  store float %e{0}, ptr addrspace(3) %pe{0}, align 4\n",
                  i);
  os << "  store <4 x float> %vb, ptr addrspace(3) %pbs, align 16\n"
        "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
        "  %qa = getelementptr float, ptr addrspace(3) @a, i32 %y4\n"
        "  %qb = getelementptr float, ptr addrspace(3) @b, i32 %x4\n";
  for (unsigned k = 0; k != 16; ++k) {
    for (StringRef side : {"a", "b"}) {
      os << formatv("  %q{0}{1} = getelementptr float, ptr addrspace(3) %q{0}, "
                    "i32 {2}\n  %w{0}{1} = load <4 x float>, ptr addrspace(3) "
                    "%q{0}{1}, align 16\n",
                    side, k, k * 64);
      for (unsigned i = 0; i != 4; ++i)
        os << formatv("  %w{0}{1}_{2} = extractelement <4 x float> %w{0}{1}, "
                      "i32 {2}\n",
                      side, k, i);
    }
    for (unsigned i = 0; i != 16; ++i)
      os << formatv("  %s{0}_{1} = call float @llvm.fma.f32(float %wa{2}_{3}, "
                    "float %wb{2}_{4}, float %s{0}{5})\n",
                    i, k + 1, k, i / 4, i % 4,
                    k ? "_" + std::to_string(k) : std::string());
  }
  os << "  %next = add i32 %k, 16\n"
     << formatv("  %more = icmp ult i32 %next, {0}\n", size)
     << "  br i1 %more, label %loop, label %end\nend:\n"
        "  %row = add i32 %row0, %y4\n";
  for (unsigned i = 0; i != 4; ++i) {
    os << formatv("  %r{0} = add i32 %row, {0}\n  %rm{0} = mul i32 %r{0}, {1}\n"
                  "  %ci{0} = add i32 %rm{0}, %bc\n"
                  "  %pc{0} = getelementptr float, ptr addrspace(1) %C, i32 "
                  "%ci{0}\n",
                  i, size);
    std::string vector = "poison";
    for (unsigned j = 0; j != 4; ++j) {
      os << formatv("  %v{0}_{1} = insertelement <4 x float> {2}, float "
                    "%s{3}_16, i32 {1}\n",
                    i, j, vector, 4 * i + j);
      vector = formatv("%v{0}_{1}", i, j);
    }
    os << formatv("  store <4 x float> %v{0}_3, ptr addrspace(1) %pc{0}, align "
                  "16\n",
                  i);
  }
  os << "  ret void\n}\n";
  const uint64_t bytes = 4ull * size * size;
  return {"products",
          text,
          {size / 64, size / 64, 1},
          {256, 1, 1},
          {bytes, bytes, bytes}};
}

static Problem makeElements(unsigned blocks) {
  const uint64_t bytes = 1024ull * blocks;
  return {"elements",
          "define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b,"
          " ptr addrspace(1) %r) {\n"
          "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
          "  %m = shl i32 %b0, 8\n  %i = add i32 %m, %t\n"
          "  %pa = getelementptr float, ptr addrspace(1) %a, i32 %i\n"
          "  %pb = getelementptr float, ptr addrspace(1) %b, i32 %i\n"
          "  %pr = getelementptr float, ptr addrspace(1) %r, i32 %i\n"
          "  %x = load float, ptr addrspace(1) %pa\n"
          "  %y = load float, ptr addrspace(1) %pb\n"
          "  %z = fadd float %x, %y\n"
          "  store float %z, ptr addrspace(1) %pr\n  ret void\n}\n",
          {blocks, 1, 1},
          {256, 1, 1},
          {bytes, bytes, bytes}};
}

static Problem makeLoops(unsigned blocks) {
  const uint64_t bytes = 1024ull * blocks;
  return {"loops",
          "define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b,"
          " ptr addrspace(1) %r) {\nentry:\n"
          "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
          "  %m = shl i32 %b0, 8\n  %i = add i32 %m, %t\n"
          "  %h = mul i32 %i, -1640531527\n  %n = lshr i32 %h, 24\n"
          "  br label %loop\nloop:\n"
          "  %j = phi i32 [0, %entry], [%j1, %join]\n"
          "  %s = phi i32 [0, %entry], [%s1, %join]\n"
          "  %o = add i32 %j, %t\n  %o1 = and i32 %o, 1\n"
          "  %odd = icmp eq i32 %o1, 1\n"
          "  br i1 %odd, label %yes, label %no\n"
          "yes:\n  %u = add i32 %s, %j\n  br label %join\n"
          "no:\n  %v = xor i32 %s, %j\n  br label %join\n"
          "join:\n  %s1 = phi i32 [%u, %yes], [%v, %no]\n"
          "  %j1 = add i32 %j, 1\n  %more = icmp ult i32 %j, %n\n"
          "  br i1 %more, label %loop, label %end\nend:\n"
          "  %pr = getelementptr i32, ptr addrspace(1) %r, i32 %i\n"
          "  store i32 %s1, ptr addrspace(1) %pr\n  ret void\n}\n",
          {blocks, 1, 1},
          {256, 1, 1},
          {bytes, bytes, bytes}};
}

static Error run(const Problem &problem, double seconds) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  auto module = parseAssemblyString(problem.text, diagnostic, context);
  if (!module)
    return createStringError(problem.name + ": " + diagnostic.getMessage());
  Expected<sched::Target> target = sched::Target::parse("nvvm:sm_90a");
  if (!target)
    return target.takeError();
  LaunchFunction function;
  KernelLaunch launch;
  launch.kernel = "k";
  launch.grid = problem.grid;
  launch.block = problem.block;
  std::vector<std::vector<char>> data;
  for (uint64_t bytes : problem.bytes) {
    launch.arguments.push_back(data.size());
    LaunchBuffer buffer;
    buffer.bytes = bytes;
    buffer.type = "buffer";
    function.buffers.push_back(buffer);
    data.emplace_back(bytes);
  }
  function.buffers.back().role = LaunchBuffer::Role::Output;
  function.launches.push_back(launch);
  std::vector<MutableArrayRef<char>> arguments(data.begin(), data.end());
  uint64_t instructions = 0;
  double best = 0, total = 0;
  while (total < seconds) {
    auto report = emulate(*module, function, arguments, *target);
    if (!report)
      return report.takeError();
    instructions = report->threadInstructions;
    best = std::max(best, instructions / report->seconds);
    total += report->seconds;
  }
  outs() << formatv("{0,-10} {1,12} instructions, {2,8:f1} million a second\n",
                    problem.name, instructions, best * 1e-6);
  outs().flush();
  return Error::success();
}

int main(int argc, char **argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
  for (const Problem &problem :
       {makeProducts(256), makeElements(1024), makeLoops(64)})
    if (Error error = run(problem, seconds)) {
      errs() << "emulator-bench: " << toString(std::move(error)) << "\n";
      return 1;
    }
  return 0;
}
