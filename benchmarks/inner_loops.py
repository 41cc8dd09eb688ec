"""Reads the hottest loop of each kernel from SASS, and what it is made of.

    benchmarks/inner_loops.py FILE.cubin... [--json] [--nvdisasm=PROGRAM]
        [--kernel=NAME] [--ffma=88] [--hmma=38] [--wide-shared] [--wide-global]
        [--no-local]

FILE may also hold SASS as text ("-": standard input), as nvdisasm prints it. The
program is that of a CUDA toolkit, or of PyPI's nvidia-cuda-nvdisasm. A kernel's
hottest loop is, of those with no other loop inside, the one with most multiply-adds.
With one of the last five options the exit status is 1 where a kernel's hottest loop
has less than that percentage of FFMA or HMMA, where it, or a loop around it, has
loads of shared or global memory of less than 128 bits, or where there are accesses of
local memory anywhere in the kernel.
"""

import argparse
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig

SECTION = re.compile(r"^//-+ \.text\.(\S+)\s+-+")
LABEL = re.compile(r"^(\.L\w+):")
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;")
PREDICATE = re.compile(r"^@!?U?P\w+\s+")
BRANCH_TARGET = re.compile(r"(\.L\w+)")
REGISTER = re.compile(r"\bR(\d+)\b")

# Multiplies and adds: of scalars, some of two at once, and of matrices.
SCALAR = ("FFMA", "FFMA2", "HFMA2", "DFMA", "IDP", "IDP4A")
MATRIX = ("HMMA", "IMMA", "DMMA", "HGMMA", "QMMA", "OMMA")
LOCAL = ("LDL", "STL")
# Accesses of memory, and the bits of one where its name does not tell.
MEMORY = {
    "LDS": 32,
    "STS": 32,
    "LDG": 32,
    "STG": 32,
    "LDGSTS": 32,
    "LDSM": 128,
    "LDL": 32,
    "STL": 32,
}


class Instruction:
    def __init__(self, text):
        self.text = PREDICATE.sub("", text)
        # The assembler puts some beside asynchronous copies.
        self.never = text.startswith("@!PT")
        self.opcode = self.text.split()[0]
        self.name, *self.modifiers = self.opcode.split(".")

    def bits(self):
        """Of an access of memory."""
        if self.name == "LDSM":
            # Matrices of 8 x 8 halves, 16 bytes a lane for four.
            tiles = [m for m in self.modifiers if m in ("1", "2", "4")]
            return 32 * int(tiles[0]) if tiles else 32
        for modifier in self.modifiers:
            if modifier in ("128", "64", "32"):
                return int(modifier)
            if modifier in ("U16", "S16"):
                return 16
            if modifier in ("U8", "S8"):
                return 8
        return MEMORY[self.name]


class Kernel:
    """The instructions of one, and where its labels are."""

    def __init__(self, name):
        self.name = name
        self.instructions = []
        self.labels = {}

    def loops(self):
        """Pairs of the first and the last instruction."""
        found = []
        for end, instruction in enumerate(self.instructions):
            target = BRANCH_TARGET.search(instruction.text)
            if instruction.name == "BRA" and target:
                begin = self.labels.get(target.group(1), end + 1)
                # The last instruction of a kernel branches to itself.
                if begin < end:
                    found.append((begin, end))
        return found

    def hottest_loop(self):
        """Its instructions, and the others of the loops around it; none where
        there is no loop."""

        def contains(a, b):
            return a != b and a[0] <= b[0] and b[1] <= a[1]

        def work(loop):
            body = self.instructions[loop[0] : loop[1] + 1]
            products = sum(i.name in SCALAR + MATRIX for i in body)
            return products, len(body)

        loops = self.loops()
        innermost = [a for a in loops if not any(contains(a, b) for b in loops)]
        if not innermost:
            return [], []
        hottest = max(innermost, key=work)
        outer = [loop for loop in loops if contains(loop, hottest)]
        around = {i for begin, end in outer for i in range(begin, end + 1)}
        around -= set(range(hottest[0], hottest[1] + 1))
        return (
            self.instructions[hottest[0] : hottest[1] + 1],
            [self.instructions[i] for i in sorted(around)],
        )


def parse(text):
    """The kernels of a listing."""
    kernels = []
    for line in text.splitlines():
        section = SECTION.match(line)
        label = LABEL.match(line)
        instruction = INSTRUCTION.match(line)
        if section:
            kernels.append(Kernel(section.group(1)))
        elif not kernels:
            continue
        elif label:
            kernels[-1].labels[label.group(1)] = len(kernels[-1].instructions)
        elif instruction and not instruction.group(1).startswith("NOP"):
            kernels[-1].instructions.append(Instruction(instruction.group(1)))
    return kernels


def describe(kernel):
    """What is reported of a kernel."""
    loop, around = kernel.hottest_loop()
    names = collections.Counter(i.name for i in loop)

    def count_accesses(instructions):
        count = collections.Counter(
            "%s.%d" % (i.name, i.bits())
            for i in instructions
            if i.name in MEMORY and not i.never
        )
        return dict(sorted(count.items()))

    registers = [int(r) for i in kernel.instructions for r in REGISTER.findall(i.text)]

    def percent(count):
        return round(100.0 * count / len(loop), 1) if loop else 0.0

    ffma = names["FFMA"] + names["FFMA2"]
    hmma = sum(names[name] for name in MATRIX)
    return {
        "kernel": kernel.name,
        "instructions": len(kernel.instructions),
        # Of those that are named; the assembler may reserve some more.
        "registers": max(registers) + 1 if registers else 0,
        "local": sum(i.name in LOCAL for i in kernel.instructions),
        "loop": len(loop),
        "ffma": ffma,
        "ffma_percent": percent(ffma),
        "hmma": hmma,
        "hmma_percent": percent(hmma),
        "accesses": count_accesses(loop),
        # Of the loops that it is in.
        "around": count_accesses(around),
    }


def check(report, options):
    """What a kernel lacks of what is asked for."""
    problems = []

    def narrow(names):
        return [
            access
            for access in [*report["accesses"], *report["around"]]
            if access.split(".")[0] in names and not access.endswith(".128")
        ]

    if options.ffma is not None and report["ffma_percent"] < options.ffma:
        problems.append("FFMA below %g %%" % options.ffma)
    if options.hmma is not None and report["hmma_percent"] < options.hmma:
        problems.append("HMMA below %g %%" % options.hmma)
    if options.wide_shared and narrow(("LDS", "LDSM")):
        problems.append("narrow loads of shared memory")
    if options.wide_global and narrow(("LDG", "LDGSTS")):
        problems.append("narrow loads of global memory")
    if options.no_local and report["local"]:
        problems.append("accesses of local memory")
    return problems


def print_report(report, problems):
    print(
        "%s: %d instructions, %d registers, %s"
        % (
            report["kernel"],
            report["instructions"],
            report["registers"],
            "%d accesses of local memory" % report["local"]
            if report["local"]
            else "no local memory",
        )
    )
    if not report["loop"]:
        print("  no loop")
    else:
        print(
            "  hottest loop: %d instructions, FFMA %d (%.1f %%), HMMA %d (%.1f %%)"
            % (
                report["loop"],
                report["ffma"],
                report["ffma_percent"],
                report["hmma"],
                report["hmma_percent"],
            )
        )
    if report["accesses"]:
        print("  " + ", ".join("%s x %d" % item for item in report["accesses"].items()))
    if report["around"]:
        print("  around it: " + ", ".join("%s x %d" % item for item in report["around"].items()))
    for problem in problems:
        print("  missed: " + problem)


def find_nvdisasm(given):
    if given:
        return given
    home = os.environ.get("CUDA_HOME") or "/usr/local/cuda"
    packages = sysconfig.get_paths()["purelib"]
    candidates = [shutil.which("nvdisasm"), os.path.join(home, "bin", "nvdisasm")]
    candidates += sorted(glob.glob(os.path.join(packages, "nvidia", "*", "bin", "nvdisasm")))
    for candidate in candidates:
        if candidate and os.path.exists(candidate):
            return candidate
    sys.exit(
        "inner_loops: no nvdisasm in PATH, %s or %s; "
        "pip install nvidia-cuda-nvdisasm, or give --nvdisasm" % (home, packages)
    )


def read(path, options):
    """The listing of a cubin, or a listing as it is."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else open(path, "rb").read()
    except OSError as error:
        sys.exit("inner_loops: cannot read %s: %s" % (path, error.strerror))
    if not data.startswith(b"\x7fELF"):
        return data.decode(errors="replace")
    if path == "-":
        sys.exit("inner_loops: found a cubin on standard input, expected a file or text")
    program = find_nvdisasm(options.nvdisasm)
    try:
        done = subprocess.run(
            [program, "-c", path],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    except OSError as error:
        sys.exit("inner_loops: cannot run %s: %s" % (program, error.strerror))
    if done.returncode:
        sys.exit("inner_loops: nvdisasm does not take %s: %s" % (path, done.stderr.strip()))
    return done.stdout


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--nvdisasm", help="the program")
    parser.add_argument("--kernel", help="that kernel alone")
    parser.add_argument("--ffma", type=float, help="least percentage")
    parser.add_argument("--hmma", type=float, help="least percentage")
    parser.add_argument("--wide-shared", action="store_true", help="128 bits a load")
    parser.add_argument("--wide-global", action="store_true", help="128 bits a load")
    parser.add_argument("--no-local", action="store_true", help="no spills")
    options = parser.parse_args()
    missed = False
    count = 0
    for path in options.files:
        for kernel in parse(read(path, options)):
            if options.kernel and kernel.name != options.kernel:
                continue
            count += 1
            report = describe(kernel)
            problems = check(report, options)
            missed = missed or bool(problems)
            if options.json:
                print(json.dumps(dict(report, missed=problems)))
            else:
                print_report(report, problems)
    if not count:
        sys.exit("inner_loops: no kernel in " + ", ".join(options.files))
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
