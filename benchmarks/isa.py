"""Reads inner loops for CPUs that this machine need not have, by llvm-mca.

    benchmarks/run.sh isa [NAME...] [--json=FILE] [--check] [--folder=FOLDER]
        [--strategy=none] [--llvm-mca=PROGRAM] [--list]

NAME is an operator of isa_cases.py, a CPU, or both, as matmul-i8/cascadelake;
default: all. Each is scheduled by the model alone (trials=0, one thread), and
compiled to assembly (--strategy: as sched-opt has it). Of the loop with most multiply-adds (assembly_loops.py) a line has the
instructions, the cycles of an iteration, cycles for each multiplication,
multiply-adds a cycle beside the most that the CPU can do, and spills. Assembly
and loop stay in the folder, <build>/bench/isa. --json writes all figures to a file.
With --check the exit status is 1 where a bar is not met; without llvm-mca it is 3.

Cycles are a model's: all loads hit the first cache, and branches are free. So they
tell whether a loop feeds the CPU's units, and not how fast the operator is.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys

import assembly_loops
import harness
from isa_cases import CASES, CPUS, PAYLOADS

# Enough that the first iterations do not count.
ITERATIONS = 400
# Cycles of AMX by Intel's optimization manual (Intel AMX: throughputs and
# latencies): LLVM 22 has 100 for anything.
TILE_LOAD, TILE_PRODUCT, TILE_LATENCY = 8, 16, 52
TILE = re.compile(r"^\s+t(?:ileload|dp)")
NO_TOOL = 3


def find_llvm_mca(given):
    """That of the LLVM that the build uses, unless there is one by its version's
    name; None where there is none."""
    places = [given] if given else ["llvm-mca-22"]
    cache = os.path.join(harness.BUILD, "CMakeCache.txt")
    if not given and os.path.exists(cache):
        with open(cache) as file:
            prefix = re.search(r"^LLVM_DIR:\w+=(.*)/lib/cmake/llvm/?$", file.read(), re.M)
        if prefix:
            places.append(os.path.join(prefix.group(1), "bin", "llvm-mca"))
    return next(filter(None, map(shutil.which, places)), None)


def compile_case(case, strategy, folder):
    """Schedules and compiles; the lines of the assembly, and its path without .s."""
    path = os.path.join(folder, case.name.replace("/", "."))
    with open(path + ".mlir", "w") as file:
        file.write(PAYLOADS[case.payload])
    target = "cpu:mcpu=%s,triple=%s" % (case.cpu, CPUS[case.cpu])
    if case.features:
        target += ",features=" + case.features
    # Bars are of one model's choice, whatever is installed.
    options = "trials=0 threads=1 quiet=true cost-model=analytic target=" + target
    if strategy:
        options += " strategy=" + strategy
    command = [harness.tool("sched-opt"), path + ".mlir", "--auto-schedule=" + options]
    harness.run(command + ["--emit=asm", "-o", path + ".s"], quiet=True)
    with open(path + ".s") as file:
        return file.read().splitlines(), path


def analyze(loop, case, tool):
    """llvm-mca's cycles of an iteration, and of each instruction how many cycles go
    by until the next of its kind can begin."""
    command = [tool, "-mtriple=" + CPUS[case.cpu], "-mcpu=" + case.cpu]
    command += ["-iterations=%d" % ITERATIONS, "-json", "-"]
    done = subprocess.run(
        command,
        input="\n".join(loop) + "\n",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise harness.Failed("%s: llvm-mca: %s" % (case.name, done.stderr.strip()))
    region = json.loads(done.stdout)["CodeRegions"][0]
    rates = [each["RThroughput"] for each in region["InstructionInfoView"]["InstructionList"]]
    return region["SummaryView"]["TotalCycles"] / ITERATIONS, rates


def count_tile_cycles(loop):
    """Cycles of the instructions of AMX: of the unit that loads, of the one that
    multiplies, and of the products that wait for one another."""
    names = [assembly_loops.split(line) for line in loop if TILE.match(line)]
    sums = collections.Counter(
        assembly_loops.destination(operands) for name, operands in names if name[1] == "d"
    )
    loads = sum(name[1] == "i" for name, _ in names)
    products = sum(sums.values())
    return max(TILE_LOAD * loads, TILE_PRODUCT * products, TILE_LATENCY * max(sums.values()))


def measure(case, tool, options):
    """What is reported of a case."""
    lines, path = compile_case(case, options.strategy, options.folder)
    found = assembly_loops.hottest(lines)
    products = assembly_loops.products(found[1]) if found else []
    if not products:
        raise harness.Failed("%s: no loop that multiplies in %s.s" % (case.name, path))
    loop = found[1]
    with open(path + ".loop.s", "w") as file:
        file.write("\n".join(loop) + "\n")
    counts = [assembly_loops.multiply_adds(line) for line in products]
    names = collections.Counter(assembly_loops.split(line)[0] for line in products)
    if any(map(TILE.match, loop)):
        # What else is in the loop runs at the same time.
        cycles, _ = analyze([line for line in loop if not TILE.match(line)], case, tool)
        cycles = max(cycles, count_tile_cycles(loop))
        peak = max(counts) / TILE_PRODUCT
    else:
        cycles, rates = analyze(loop, case, tool)
        peaks = [count / rates[loop.index(line)] for line, count in zip(products, counts)]
        peak = max(peaks)
    rate = sum(counts) / cycles
    return {
        "name": case.name,
        "instruction": re.sub(r"(?<=^vfmadd)\d+", "", names.most_common(1)[0][0]),
        "instructions": len(loop),
        "multiplications": len(products),
        "cycles": cycles,
        "multiply_adds_a_cycle": rate,
        "peak": case.peak,
        "peak_of_llvm": peak,
        "share": rate / case.peak,
        "spills": len(assembly_loops.spills(loop)),
    }


def find_problems(case, row):
    """The bars that a row does not meet."""
    problems = []
    if not row["instruction"].startswith(case.instruction):
        problems.append("found %s, expected %s" % (row["instruction"], case.instruction))
    if abs(row["peak_of_llvm"] - case.peak) > 0.02 * case.peak:
        problems.append(
            "these instructions' peak is %g by LLVM, %d in isa_cases.py"
            % (row["peak_of_llvm"], case.peak)
        )
    if 100 * row["share"] < case.share:
        problems.append("%.1f %% of the peak (bar: %g)" % (100 * row["share"], case.share))
    if row["spills"] > case.spills:
        problems.append("%d spills (bar: %d)" % (row["spills"], case.spills))
    return problems


def print_row(row):
    print(
        "%-32s %-11s %4d instructions %7.2f cycles, %5.2f for each of %3d;"
        " %7.2f of %4d multiply-adds a cycle, %5.1f %%, %d spills"
        % (
            row["name"],
            row["instruction"],
            row["instructions"],
            row["cycles"],
            row["cycles"] / row["multiplications"],
            row["multiplications"],
            row["multiply_adds_a_cycle"],
            row["peak"],
            100 * row["share"],
            row["spills"],
        ),
        flush=True,
    )


def write_report(path, rows, missed):
    try:
        with open(path + ".part", "w") as file:
            json.dump({"rows": rows, "missed": missed}, file, indent=1)
            file.write("\n")
        os.replace(path + ".part", path)
    except OSError as error:
        raise harness.Failed("cannot write %s: %s" % (path, error.strerror))


def body():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--folder", default=os.path.join(harness.BUILD, "bench", "isa"))
    parser.add_argument("--strategy", help="bars are those of the default")
    parser.add_argument("--llvm-mca", metavar="PROGRAM")
    parser.add_argument("--list", action="store_true", help="print names and bars")
    options = parser.parse_args()
    known = {name for case in CASES for name in (case.name, case.payload, case.cpu)}
    for name in options.names:
        if name not in known:
            parser.error("found %s, expected a name of --list, or a part of one" % name)
    cases = [
        case
        for case in CASES
        if not options.names or {case.name, case.payload, case.cpu} & set(options.names)
    ]
    if options.list:
        for case in cases:
            print("%-32s at least %g %% of %d" % (case.name, case.share, case.peak))
        return 0
    tool = find_llvm_mca(options.llvm_mca)
    if not tool:
        print("isa: no llvm-mca of LLVM 22: install llvm-22, or give --llvm-mca", file=sys.stderr)
        return NO_TOOL
    os.makedirs(options.folder, exist_ok=True)
    rows, missed = [], []
    for case in cases:
        row = measure(case, tool, options)
        rows.append(row)
        print_row(row)
        missed += ["%s: %s" % (case.name, problem) for problem in find_problems(case, row)]
    if missed:
        print("not met:")
        for line in missed:
            print("  " + line)
    if options.json:
        write_report(options.json, rows, missed)
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    harness.main(body)
