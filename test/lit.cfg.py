"""How lit runs the tests of this folder; build/test/lit.site.cfg.py loads it.

A test is a .mlir or .test file with RUN lines. What a RUN line may use beyond
the tools of LLVM (FileCheck, not, count, split-file, mlir-translate, ...):

  sched-opt, sched-run, sched-worker, sched-db   this build's tools
  mlir-opt-22                          stock mlir-opt of the LLVM in use
  %sched_plugin                        dialect and pass plugin for mlir-opt-22
  %example_plugin, %broken_plugin      those of test/Plugin, built
  %sched_build                         build folder
  %cc                                  C compiler, for callers of emitted objects
  %omp_link                            link flags of LLVM's OpenMP runtime
  %qemu_aarch64                        emulator, with qemu-aarch64
  %bare_aarch64, %bare_host              compiler of programs without a C library,
                                       for AArch64 and for this machine; with
                                       clang-lld
  %inner_loop                          prints the inner loop of assembly
  %fake_gpu                            environment of a GPU that is none (env
                                       %fake_gpu ...); test/FakeDriver
  %no_gpu                              environment without a GPU
  %python                              Python 3
  %sched_python                        the same or another that has NumPy, with
                                       the package sched_opt and this build

Features for REQUIRES and %if: <arch>-registered-target (x86, aarch64, nvptx:
what LLVM can generate code for), host-x86, host-aarch64, openmp, cuda-device,
ptxas, nvjitlink, qemu-aarch64, clang-lld and llvm-mca (LLVM's own), clang-format (22);
numpy, pandas, matplotlib, python-pip, python-setuptools, python-wheel,
python-venv: %sched_python has them.

FileCheck always runs with --enable-var-scope: a variable without a leading $
ends at the next CHECK-LABEL.
"""

import ctypes
import ctypes.util
import glob
import os
import platform
import re
import shutil
import subprocess
import sys

import lit.formats

if not hasattr(config, "sched_build_dir"):
    lit_config.fatal("run `./dev test`, or lit on the build folder's test/")

config.name = "sched-opt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "Inputs", "results"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.sched_build_dir, "test")

try:
    import psutil  # noqa: F401: lit ends a hanging test's processes with it

    lit_config.maxIndividualTestTime = 300  # seconds
except ImportError:
    pass

# --- environment

config.environment["FILECHECK_OPTS"] = "--enable-var-scope"
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools_dir, config.filecheck_dir, os.environ.get("PATH", "")]
)

# --- substitutions


def add_tool(name, path):
    """Replaces the bare word `name` on RUN lines, not parts of file names."""
    word = r"(?<![\w./%-])" + re.escape(name) + r"(?![\w.-])"
    config.substitutions.append((word, path))


# Full paths, so that a tool that was not built is an error and not some other
# binary of the same name.
for tool in ("sched-opt", "sched-run", "sched-worker", "sched-db"):
    add_tool(tool, os.path.join(config.sched_build_dir, "bin", tool))
add_tool("mlir-opt-22", os.path.join(config.llvm_tools_dir, "mlir-opt"))

plugin = "SchedOptPlugin" + config.plugin_suffix
config.substitutions += [
    ("%sched_plugin", os.path.join(config.sched_build_dir, "lib", plugin)),
    ("%sched_build", config.sched_build_dir),
    ("%cc", config.c_compiler),
    (
        "%inner_loop",
        '"%s" "%s/benchmarks/assembly_loops.py"' % (sys.executable, config.sched_source_dir),
    ),
    (
        "%fake_gpu",
        '"SCHED_CUDA_DRIVER=%s"'
        % os.path.join(config.sched_build_dir, "test", "fake-driver", "libcuda.so.1"),
    ),
    ("%no_gpu", "SCHED_CUDA_DRIVER=/none/libcuda.so.1"),
    ("%python", '"%s"' % sys.executable),
]

for name in ("Example", "Broken"):
    library = "Sched%sPlugin%s" % (name, config.plugin_suffix)
    config.substitutions.append(
        (
            "%%%s_plugin" % name.lower(),
            os.path.join(config.sched_build_dir, "lib", library),
        )
    )

# --- features

for target in config.llvm_targets:
    config.available_features.add(target.lower() + "-registered-target")

machine = platform.machine().lower()
if machine in ("x86_64", "amd64", "i686"):
    config.available_features.add("host-x86")
try:
    with open("/proc/cpuinfo") as cpuinfo:
        if " amx_int8" in cpuinfo.read():
            config.available_features.add("host-tiles")
except OSError:
    pass
if machine in ("aarch64", "arm64"):
    config.available_features.add("host-aarch64")

if glob.glob(os.path.join(config.llvm_lib_dir, "libomp.*")):
    config.available_features.add("openmp")
    flags = "-L{0} -Wl,-rpath,{0} -lomp".format(config.llvm_lib_dir)
    config.substitutions.append(("%omp_link", flags))

qemu = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
if qemu:
    config.available_features.add("qemu-aarch64")
    config.substitutions.append(("%qemu_aarch64", qemu))

clang = shutil.which("clang", path=config.llvm_tools_dir)
if clang and shutil.which("ld.lld", path=config.llvm_tools_dir):
    config.available_features.add("clang-lld")
    bare = clang + " -O1 -ffreestanding -nostdlib -static -fuse-ld=lld"
    config.substitutions += [
        ("%bare_aarch64", bare + " --target=aarch64-linux-gnu"),
        ("%bare_host", bare),
    ]


if shutil.which("llvm-mca", path=config.llvm_tools_dir):
    config.available_features.add("llvm-mca")


def has_cuda_device():
    """Whether CUDA's driver is here and finds a device."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    # In a process of its own: lit forks, and a driver does not survive that.
    count_devices = (
        "import ctypes\n"
        "cuda, count = ctypes.CDLL('libcuda.so.1'), ctypes.c_int(0)\n"
        "failed = cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(count))\n"
        "raise SystemExit(1 if failed or count.value == 0 else 0)\n"
    )
    try:
        probe = subprocess.run([sys.executable, "-c", count_devices], timeout=60)
    except subprocess.TimeoutExpired:
        return False
    return probe.returncode == 0


if has_cuda_device():
    config.available_features.add("cuda-device")

# What the learned cost model loads; see XGBoostLibrary.h.
if ctypes.util.find_library("xgboost"):
    config.available_features.add("xgboost")

ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
if ptxas:
    config.available_features.add("ptxas")
    add_tool("ptxas", ptxas)

nvjitlink = glob.glob("/usr/local/cuda/lib64/libnvJitLink.so")
if nvjitlink:
    config.available_features.add("nvjitlink")
    config.substitutions.append(("%nvjitlink", nvjitlink[0]))

# As ./dev finds it; another version lays code out otherwise.
if shutil.which("clang-format-22"):
    config.available_features.add("clang-format")


def find_modules(python, names):
    """Those of the modules that a Python can load."""
    load = (
        "import importlib.util, sys\n"
        "for name in sys.argv[1:]:\n"
        "    if importlib.util.find_spec(name):\n"
        "        print(name)\n"
    )
    try:
        done = subprocess.run(
            [python, "-c", load] + names, stdout=subprocess.PIPE, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.split()


# lit's own Python, or the system's, for which ./dev setup installs them.
optional = ["numpy", "pandas", "matplotlib"]
pythons = [sys.executable, "/usr/bin/python3"]
modules, python = max(
    ((find_modules(each, optional), each) for each in pythons), key=lambda found: len(found[0])
)
config.available_features.update(modules)
# What installs the package, which needs no network with these.
installers = find_modules(python, ["pip", "setuptools", "wheel", "venv"])
config.available_features.update("python-" + name for name in installers)
package = {
    "PYTHONPATH": os.path.join(config.sched_source_dir, "python"),
    "PYTHONDONTWRITEBYTECODE": "1",
    "SCHED_OPT": os.path.join(config.sched_build_dir, "bin", "sched-opt"),
    "SCHED_PYTHON": python,
    "MPLBACKEND": "agg",
}
variables = " ".join('"%s=%s"' % item for item in package.items())
config.substitutions.insert(0, ("%sched_python", 'env %s "%s"' % (variables, python)))
