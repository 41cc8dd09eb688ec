"""How fast the same computation is in other forms.

  forms.py [FAMILY...] [--dtype=f32|bf16|i8] [--trials=N] [--threads=N] [--check]

A product can be written with either operand first, transposed, with its loops
in any order; an image has its channels inside or outside. People write what
their frontend gives them. Each form of forms.json is tuned and timed by
sched-run beside the first one of its family; the bar is that none takes more
than twice as long. A form is an einsum, with (h+p) for a sum of loops, and
behind a colon the order of the loops if that is not the result's and then the
others.
"""

import argparse
import json
import os
import re
import shutil
import statistics

import bars
import harness
import payloads

FORMS = os.path.join(harness.ROOT, "benchmarks", "forms.json")
DTYPES = ("f32", "bf16", "i8")
MOST_TIMES = 2
ROUNDS = 3


class Form:
    """One of forms.json: what indexes each dimension of its three tensors."""

    def __init__(self, text, extents):
        product, _, order = text.partition(":")
        operands, result = product.split("->")
        self.text = text
        self.extents = extents
        self.tensors = [
            re.findall(r"\([^)]*\)|\w", tensor) for tensor in operands.split(",") + [result]
        ]
        inside = self.tensors[2]
        others = dict.fromkeys(c for c in re.findall(r"\w", operands) if c not in inside)
        self.loops = list(order.strip()) or inside + list(others)
        if sorted(self.loops) != sorted(inside + list(others)):
            raise harness.Failed("%s: the loops are not those of the product" % text)

    def shape(self, tensor):
        def size(index):
            loops = re.findall(r"\w", index)
            return sum(self.extents[loop] for loop in loops) - len(loops) + 1

        return [size(index) for index in tensor]

    def payload(self, dtype):
        """The text of a module."""
        entry = {"dtype": dtype}
        x, w, y = (self.shape(tensor) for tensor in self.tensors)
        f = payloads.begin(entry, x, w, None)
        start = f.fill("0.0", y, payloads.types_of(entry)[2])
        values = zip([("x", x), ("w", w), start], self.tensors)
        *inputs, output = [
            (value, [index.strip("()") for index in tensor]) for value, tensor in values
        ]
        reduced = [loop for loop in self.loops if loop not in self.tensors[2]]
        product = f.generic(self.loops, reduced, inputs, output, payloads.multiply_add(entry))
        return f.text(product)


def tune(form, dtype, folder, options):
    """Writes one form and tunes it, unless that has been done by the same code."""
    text = "// %s\n%s" % (harness.code(), form.payload(dtype))
    source = os.path.join(folder, "main.mlir")
    known = None
    if os.path.exists(source):
        with open(source) as file:
            known = file.read()
    if known != text:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(source, "w") as file:
            file.write(text)
    harness.search(
        source,
        os.path.join(folder, "records"),
        options.threads,
        "trials=%d seed=0" % options.trials,
    )


def run_tuned(form, dtype, folder, options):
    """The fastest repeat of what was tuned, in seconds."""
    report = json.loads(
        harness.run(
            [harness.tool("sched-run"), os.path.join(folder, "main.mlir"), "--json"]
            + ["--work-dir=" + os.path.join(folder, "records")]
            + ["--threads=%d" % options.threads, "--min-repeat-ms=10", "--repeats=5"],
            quiet=True,
        )
    )
    if not report["verified"]:
        raise harness.Failed("%s of %s: wrong results" % (form.text, dtype))
    return report["min_s"]


def measure_family(name, family, dtype, options, sheet):
    """Adds a line for each form to the sheet; the ratios."""
    forms = [Form(text, family["extents"]) for text in family["forms"]]
    folders = [
        os.path.join(options.folder, "%s-%s-%d" % (name, dtype, number))
        for number in range(len(forms))
    ]
    for form, folder in zip(forms, folders):
        tune(form, dtype, folder, options)
    first, *others = zip(forms, folders)
    costs, ratios = [], []
    for other in others:
        # Side by side: a machine is faster or slower for a second or two.
        turns = [
            [run_tuned(form, dtype, folder, options) for form, folder in (first, other)]
            for _ in range(ROUNDS)
        ]
        costs.append([min(turn) for turn in zip(*turns)])
        ratios.append(statistics.median(seconds / usual for usual, seconds in turns))
    label = "%s %s %s" % (name, dtype, forms[0].text)
    usual = min((cost for cost, _ in costs), default=None)
    sheet.add(label, "the usual form", usual and 1e6 * usual, None, False, "us")
    for form, (_, seconds), ratio in zip(forms[1:], costs, ratios):
        label = "%s %s %s" % (name, dtype, form.text)
        what = "%.1f us, to the usual" % (1e6 * seconds)
        sheet.add(label, what, ratio, MOST_TIMES, False)
    return ratios


def body():
    parser = argparse.ArgumentParser(
        prog="run.sh forms", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="FAMILY")
    parser.add_argument("--dtype", action="append", choices=DTYPES, help="default: all")
    parser.add_argument("--trials", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bar is not met")
    parser.add_argument("--folder", default=os.path.join(harness.BUILD, "bench", "forms"))
    options = parser.parse_args()
    with open(FORMS) as file:
        families = json.load(file)
    for name in options.names:
        if name not in families:
            parser.error("found %s, expected one of %s" % (name, ", ".join(families)))
    sheet = bars.Sheet()
    ratios = []
    for dtype in options.dtype or DTYPES:
        for name in options.names or families:
            ratios += measure_family(name, families[name], dtype, options, sheet)
    missed = [line for line in sheet.lines if line["met"] is False]
    if not ratios:
        return 0
    print(
        "%d forms: %.2f times as long as the usual one, in the geometric mean; %d more than %g times"
        % (len(ratios), statistics.geometric_mean(ratios), len(missed), MOST_TIMES)
    )
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    harness.main(body)
