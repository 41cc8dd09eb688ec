"""Prints the innermost loop of the assembly on standard input: of the basic
blocks that branch to their own beginning, the one with most multiply-adds of
vectors. Exit status 1 where there is none, or where none multiplies.

After the loop come counts for tests, one a line: `multiplications: N`;
`multiply-adds: N` of elements, without those of corrections; and `spills: N`,
instructions that address the stack pointer, but for vectors that are stored so that
their elements can be broadcast. isa.py reads loops by these functions, too.
"""

import re
import sys

LABEL = re.compile(r"^(\.?\w+):")
BRANCH = re.compile(r"^\s+(?:j[a-z]+|b\.\w+|b|cbn?z)\s+(?:.*,\s*)?(\.?\w+)\s*$")
MULTIPLICATION = re.compile(
    r"^\s+(?:vfn?madd\w+|vdpbf16ps|\{vex\}\s*vpdp\w+|vpdp\w+|v?pmaddwd|tdp\w+"
    r"|fmla|fmlal\w*|mla|bfdot|bfmmla|[us]+dot|[us]+mmla)\b"
)
STACK = re.compile(r"\(%[re]sp\b|\[sp\b")
# An instruction's name and the rest; prefixes such as {vex} are no part of it.
INSTRUCTION = re.compile(r"^\s+(?:\{\w+\}\s*)?(\S+)\s*(.*)$")
# Between operands, not inside of addresses and lists of registers.
COMMA = re.compile(r",\s*(?![^({\[]*[)}\]])")
VECTOR = re.compile(r"%([xyz])mm(\d+)|^[vqdsh](\d+)\b|%tmm(\d+)")
X86_BITS = {"x": 128, "y": 256, "z": 512}
# An address on the stack without an index.
SLOT = re.compile(r"(-?\d*)\(%rsp\)")
# Each lane gets the same element from memory.
ELEMENT = re.compile(r"\bvp?broadcast|\{1to\d+\}")


def blocks(lines):
    """Pairs of a label and the instructions from it to a branch back to it."""
    label, block = None, []
    for line in lines:
        line = line.rstrip()
        found = LABEL.match(line)
        if found:
            label, block = found.group(1), []
        elif line.strip() and not line.strip().startswith("."):
            block.append(line)
            branch = BRANCH.match(line)
            if branch and branch.group(1) == label:
                yield label, block
            if branch:
                label, block = None, []


def matching(pattern, block):
    return [line for line in block if pattern.search(line)]


def hottest(lines):
    """The label and the instructions of the loop that is printed; None where there
    is no loop."""
    found = list(blocks(lines))
    if not found:
        return None
    return max(found, key=lambda pair: len(matching(MULTIPLICATION, pair[1])))


def split(line):
    """An instruction's name and operands."""
    name, rest = INSTRUCTION.match(line).groups()
    return name, COMMA.split(rest) if rest else []


def register(operand):
    """What a vector's or a tile's register is called whatever part of it is meant;
    None for other operands."""
    found = VECTOR.match(operand)
    if not found:
        return None
    _, x86, arm, tile = found.groups()
    return "tile" + tile if tile else "vector" + (x86 or arm)


def is_x86(operands):
    return any("%" in operand for operand in operands)


def destination(operands):
    if not operands:
        return None
    return register(operands[-1] if is_x86(operands) else operands[0])


def multiply_adds_x86(name, operands):
    if name.startswith("tdp"):
        # 16 x 16 sums, of rows of 64 bytes.
        return 16 * 16 * (32 if "16" in name else 64)
    bits = X86_BITS[VECTOR.match(operands[-1]).group(1)]
    if name.startswith("vpdp"):
        return bits // (16 if name.startswith("vpdpw") else 8)
    if name in ("vdpbf16ps", "vpmaddwd", "pmaddwd"):
        return bits // 16
    element = {"ps": 32, "pd": 64, "ph": 16}.get(name[-2:])
    return bits // element if element else 1


def multiply_adds_aarch64(name, operands):
    if name.endswith("mmla"):
        # Two rows by two columns.
        return 16 if name == "bfmmla" else 32
    lanes = re.match(r"v\d+\.(\d+)", operands[0])
    lanes = int(lanes.group(1)) if lanes else 1
    if name == "bfdot":
        return 2 * lanes
    return 4 * lanes if name.endswith("dot") else lanes


def multiply_adds(line):
    """Those of elements that a multiplication does."""
    name, operands = split(line)
    count = multiply_adds_x86 if is_x86(operands) else multiply_adds_aarch64
    return count(name, operands)


def products(block):
    """The multiplications of a loop without corrections: vpdpbusd also sums up
    columns, times a constant, where both operands have signs."""
    written = {destination(split(line)[1]) for line in block}

    def corrects(line):
        name, operands = split(line)
        factors = [register(operand) for operand in operands[:2]]
        return name == "vpdpbusd" and any(f and f not in written for f in factors)

    return [line for line in matching(MULTIPLICATION, block) if not corrects(line)]


def spills(block):
    """The accesses of the stack that are none of staged elements: vectors that are
    stored so that their elements can be broadcast."""
    accesses = matching(STACK, block)

    def slot(line):
        """First byte and the one after the last, of a store of a vector."""
        operands = split(line)[1]
        place = SLOT.fullmatch(operands[-1])
        vector = VECTOR.match(operands[0])
        if not place or not vector or not vector.group(1):
            return None
        begin = int(place.group(1) or 0)
        return begin, begin + X86_BITS[vector.group(1)] // 8

    def element(line):
        """The byte that a broadcast begins at."""
        place = SLOT.search(line)
        return int(place.group(1) or 0) if place and ELEMENT.search(line) else None

    slots = {line: slot(line) for line in accesses}
    elements = {line: element(line) for line in accesses}

    def within(byte, place):
        return byte is not None and place is not None and place[0] <= byte < place[1]

    def staged(line):
        reads = any(within(elements[line], place) for place in slots.values())
        return reads or any(within(byte, slots[line]) for byte in elements.values())

    return [line for line in accesses if not staged(line)]


def main():
    found = hottest(sys.stdin)
    if not found:
        sys.exit("assembly_loops: no loop")
    label, block = found
    if not matching(MULTIPLICATION, block):
        sys.exit("assembly_loops: no loop that multiplies")
    print("\n".join([label + ":"] + block))
    print("multiplications:", len(matching(MULTIPLICATION, block)))
    print("multiply-adds:", sum(map(multiply_adds, products(block))))
    print("spills:", len(spills(block)))


if __name__ == "__main__":
    main()
