"""Measures what can be measured of kernels for GPUs without a GPU.

    benchmarks/run.sh kernels [NAME...] [--chips=sm_80,sm_90a] [--ranked=10]
        [--quick] [--check] [--folder=FOLDER]

NAME is an operator of kernel_payloads.py; default: all. For each and each chip,
the --ranked candidates that the analytic model ranks best are built: registers,
spills and seconds as the records have them. The hottest loop of the best is read from SASS
(inner_loops.py) where nvdisasm is there, and the emulator runs the operator at
its small shape, on the schedule that the model chooses for it. --quick: three
candidates, not the large ones, and seconds are no bar. What was seen is written to
kernels.json of the folder, <build>/bench.
With --check the exit status is 1 where a bar is not met; without a CUDA toolkit
only the emulator's bar is.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import types

import harness
import inner_loops
from kernel_payloads import PAYLOADS

# Bars: seconds to build a candidate; percentage of multiply-adds in the hottest
# loop; million instructions of threads a second.
BUILD_S, FFMA, HMMA, EMULATED = 0.45, 88, 38, 2
# Of the operators whose rows are aligned all loads of a loop have 128 bits, and
# the multiply-adds of these are at least that percentage of it.
WIDE = ("matmul_f32", "matmul_f16", "matmul_bf16", "large_f32", "large_f16")
DENSE = {
    "matmul_f32": ("ffma", FFMA),
    "large_f32": ("ffma", FFMA),
    "matmul_f16": ("hmma", HMMA),
    "matmul_bf16": ("hmma", HMMA),
    "large_f16": ("hmma", HMMA),
}


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
    return path


def build(name, chip, folder, ranked):
    """Builds the ranked best: their records, and the best as a cubin."""
    records = os.path.join(folder, "records")
    shutil.rmtree(records, ignore_errors=True)
    cubin = os.path.join(folder, name + ".cubin")
    options = "target=nvvm:%s trials=%d work-dir=%s" % (chip, ranked, records)
    source = write(os.path.join(folder, name + ".mlir"), PAYLOADS[name].write())
    harness.run(
        [harness.tool("sched-opt"), "--auto-schedule=" + options, source]
        + ["--emit=cubin", "-o", cubin],
        quiet=True,
    )
    with open(os.path.join(records, "records.jsonl")) as file:
        return [json.loads(line) for line in file], cubin


def describe(records):
    """What came of the candidates that were built."""
    kernels = [kernel for record in records for kernel in record.get("kernels", [])]
    return {
        "candidates": len(records),
        "failed": [r["message"] for r in records if r["error"]],
        "spilling": sum(
            any(k["spill_bytes"] or k["local_bytes"] for k in r.get("kernels", []))
            for r in records
        ),
        "registers": max((k["registers"] for k in kernels), default=0),
        "build_s": statistics.median(r["compile_s"] for r in records),
    }


def read_loop(cubin):
    """The kernel with the most multiply-adds in its hottest loop."""
    options = types.SimpleNamespace(nvdisasm=None)
    kernels = inner_loops.parse(inner_loops.read(cubin, options))
    reports = [inner_loops.describe(kernel) for kernel in kernels]
    return max(reports, key=lambda r: r["ffma"] + r["hmma"], default=None)


def emulate(name, chip, folder):
    """Runs the small shape in the emulator: sched-run's report."""
    source = write(os.path.join(folder, name + "_small.mlir"), PAYLOADS[name].write(small=True))
    script = os.path.join(folder, name + "_small.script.mlir")
    options = "target=nvvm:%s trials=0 quiet" % chip
    tool = harness.tool("sched-opt")
    harness.run([tool, "--auto-schedule=" + options, source, "--emit=transform", "-o", script])
    command = [harness.tool("sched-run"), source, "--target=nvvm:" + chip, "--emulate"]
    # Its status is that of the check.
    done = subprocess.run(
        command + ["--transform=" + script, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if not done.stdout:
        raise harness.Failed("`%s`: %s" % (" ".join(command), done.stderr.strip()))
    return json.loads(done.stdout)


def find_problems(name, report, is_quick):
    """The bars that a row does not meet."""
    problems = []
    emulated = report["emulated"]
    if not emulated["right"]:
        problems.append("the emulated result is wrong")
    if emulated["million_a_second"] < EMULATED:
        problems.append("emulated at %.1f million a second" % emulated["million_a_second"])
    built = report.get("built")
    # The large ones are for their loops: the search drops what spills.
    if built and not name.startswith("large") and (built["spilling"] or built["failed"]):
        problems.append(
            "%d of %d spill, %d fail"
            % (built["spilling"], built["candidates"], len(built["failed"]))
        )
    if built and built["build_s"] > BUILD_S and not is_quick:
        problems.append("%.2f s to build" % built["build_s"])
    loop = report.get("loop")
    if loop:
        if loop["local"]:
            problems.append("local memory in SASS")
        kind, least = DENSE.get(name, ("ffma", 0))
        if loop[kind + "_percent"] < least:
            problems.append("%s %.1f %%" % (kind.upper(), loop[kind + "_percent"]))
        if name in WIDE and any(
            access.split(".")[0] in ("LDS", "LDSM", "LDG", "LDGSTS") and not access.endswith(".128")
            for access in [*loop["accesses"], *loop["around"]]
        ):
            problems.append("narrow loads: %s %s" % (loop["accesses"], loop["around"]))
    return problems


def print_row(name, chip, report):
    built, loop, emulated = report.get("built"), report.get("loop"), report["emulated"]
    text = "%-13s %-7s" % (name, chip)
    if built:
        text += " %2d built, %d spill, %3d registers, %.2f s each" % (
            built["candidates"],
            built["spilling"],
            built["registers"],
            built["build_s"],
        )
    if loop and loop["loop"]:
        text += "; loop FFMA %4.1f %% HMMA %4.1f %%" % (loop["ffma_percent"], loop["hmma_percent"])
    text += "; emulated %s, %.0f M/s" % (
        "right" if emulated["right"] else "WRONG",
        emulated["million_a_second"],
    )
    print(text, flush=True)


def measure(name, chip, ranked, tools, place):
    """tools: which of "assembler" and "nvdisasm" are there."""
    folder = os.path.join(place, "kernels", chip)
    os.makedirs(folder, exist_ok=True)
    report = {}
    if "assembler" in tools:
        records, cubin = build(name, chip, folder, ranked)
        report["built"] = describe(records)
        if "nvdisasm" in tools:
            report["loop"] = read_loop(cubin)
    emulated = emulate(name, chip, folder)
    report["emulated"] = {
        "right": emulated["verified"],
        "max_error": emulated["max_error"],
        "million_a_second": emulated["instructions"] / emulated["emulate_s"] * 1e-6,
    }
    return report


def find_tools():
    """Which of "assembler" and "nvdisasm" are there; says what is not."""
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
    tools = set()
    if shutil.which("ptxas") or os.path.exists(os.path.join(home, "bin", "ptxas")):
        tools.add("assembler")
    else:
        print("no CUDA toolkit: kernels are emulated, and not assembled")
    try:
        inner_loops.find_nvdisasm(None)
        tools.add("nvdisasm")
    except SystemExit as error:
        print("no SASS is read: %s" % error)
    return tools


def body():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--chips", default="sm_80,sm_90a")
    parser.add_argument("--ranked", type=int, default=10, help="candidates to build")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--folder", default=os.path.join(harness.BUILD, "bench"))
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in PAYLOADS]
    if unknown:
        parser.error("found %s, expected of %s" % (unknown[0], ", ".join(PAYLOADS)))
    chips = options.chips.split(",")
    names = options.names or list(PAYLOADS)
    if options.quick:
        options.ranked = 3
        names = [name for name in names if not name.startswith("large")]
    tools = find_tools()
    rows, missed = {}, []
    for name in names:
        for chip in chips:
            report = measure(name, chip, options.ranked, tools, options.folder)
            rows[name + " " + chip] = report
            print_row(name, chip, report)
            missed += ["%s %s: %s" % (name, chip, p) for p in find_problems(name, report, options.quick)]
    if missed:
        print("not met:")
        for line in missed:
            print("  " + line)
    path = os.path.join(options.folder, "kernels.json")
    with open(path + ".part", "w") as file:
        json.dump({"rows": rows, "missed": missed}, file, indent=1)
    os.replace(path + ".part", path)
    print("report: " + os.path.relpath(path))
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    harness.main(body)
