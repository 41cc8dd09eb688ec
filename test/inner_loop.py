"""Prints the innermost loop of the assembly on standard input: of the basic
blocks that branch to their own beginning, the one with most multiply-adds of
vectors. Exit status 1 where there is none.

After the loop come counts for tests, one a line: `multiplications: N`, and
`spills: N`, instructions that address the stack pointer.
"""

import re
import sys

LABEL = re.compile(r"^(\.?\w+):")
BRANCH = re.compile(r"^\s+(?:j[a-z]+|b\.\w+|b|cbn?z)\s+(?:.*,\s*)?(\.?\w+)\s*$")
MULTIPLICATION = re.compile(
    r"^\s+(?:vfn?madd\w+|vdpbf16ps|\{vex\}\s*vpdp\w+|vpdp\w+|tdp\w+"
    r"|fmla|fmlal\w*|mla|bfdot|bfmmla|[us]+dot|[us]+mmla)\b"
)
STACK = re.compile(r"\(%[re]sp\b|\[sp\b")


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


def main():
    def count(pattern, block):
        return sum(bool(pattern.search(line)) for line in block)

    found = list(blocks(sys.stdin))
    if not found:
        sys.exit("inner_loop: no loop")
    label, block = max(found, key=lambda pair: count(MULTIPLICATION, pair[1]))
    print("\n".join([label + ":"] + block))
    print("multiplications:", count(MULTIPLICATION, block))
    print("spills:", count(STACK, block))


main()
