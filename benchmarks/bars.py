"""Measures each bar of the project and says whether it is met.

    benchmarks/run.sh [NAME...] [--trials=64] [--seed=0] [--rounds=81] [--check]

NAME is a file of suite/ without its ending, or "model"; default: all that have
bars. For each file, and for 1 and 2 threads: tunes it from nothing, takes the
model's guess (trials=0) as well, and times both beside the best of OpenBLAS,
BLIS and oneDNN in one interleaved run. "model" is how many candidates a second
the loop-nest model evaluates. All figures go to <build>/bench/report.json. With
--check the exit status is 1 where a bar is not met, or cannot be judged, as the
machine was busy: a median is more than twice the fastest round.
"""

import argparse
import json
import os
import sys

import harness

# Least ratio to the best library (none: shown only), most seconds of tuning,
# least share of the tuned speed that the guess reaches.
BARS = {
    # Of the slowest sketches on one core: candidates a second of matmul 128^3, and
    # seconds for a round of 4 generations of 2048, with the rows of their blocks.
    "model": {"candidates": 200000, "round": {"matmul": 0.1, "convolution": 0.3}},
    "matmul_128": {"speed": 1.00, "seconds": 20, "guess": 0.7},
    "matmul_add_1024": {"speed": 1.02, "seconds": 60, "guess": 0.7},
    "matmul_add_1024_layout_free": {"speed": 1.05, "seconds": 60, "guess": 0.7},
    "matmul_192": {},
    "matmul_127x129x255": {},
}


class Sheet:
    """Prints one line a bar and keeps them for the report."""

    def __init__(self):
        self.lines = []
        # Bars that have to be measured again.
        self.unsteady = 0

    def add(self, label, what, value, bar, at_least, unit="x", unsteady=False):
        """unsteady: the value is of a busy machine, and is not judged."""
        met = None
        if bar is not None and value is not None:
            met = value >= bar if at_least else value <= bar
        verdict = {True: "met", False: "NOT MET", None: ""}[met]
        figure = "not measured" if value is None else "%.3f %s" % (value, unit)
        if bar is not None and value is None:
            verdict, met = "NOT MET", False
        elif bar is not None and unsteady:
            verdict, met = harness.UNSTEADY, None
            self.unsteady += 1
        limit = ""
        if bar is not None:
            limit = "(bar: %s %g)" % ("at least" if at_least else "at most", bar)
        print(
            "%-40s %-26s %14s  %-20s %s" % (label, what, figure, limit, verdict),
            flush=True,
        )
        self.lines.append(
            {"name": label, "what": what, "value": value, "bar": bar, "met": met}
        )


def measure(name, threads, options, sheet):
    """Tunes and times one file; what the report keeps of it."""
    bars = BARS[name]
    label = "%s, %d thread%s" % (name, threads, "" if threads == 1 else "s")
    folder = os.path.join(harness.BUILD, "bench", "%s-%dt" % (name, threads))
    guess = os.path.join(folder, "guess")
    seconds = harness.tune(
        name, folder, threads, options.trials, options.seed, quiet=not options.verbose
    )
    harness.tune(name, guess, threads, 0, quiet=True)
    objects = {
        "tuned": os.path.join(folder, name + ".o"),
        "guess": os.path.join(guess, name + ".o"),
    }
    report = harness.compare(name, objects, threads, options.rounds)
    tuned = harness.contender(report, "tuned")
    untuned = harness.contender(report, "guess")

    ratio = tuned and tuned["ratio_to_best_library"]
    library = report["best_library"] or "no library installed"
    unsteady = harness.is_unsteady(report, ["tuned", report["best_library"]])
    sheet.add(
        label, "to the best (%s)" % library, ratio, bars.get("speed"), True, unsteady=unsteady
    )
    fastest = harness.fastest_ratio(report, "tuned")
    sheet.add(label, "the same, fastest rounds", fastest, None, True)
    sheet.add(label, "tuning", seconds, bars.get("seconds"), False, "s")
    share = tuned and untuned and tuned["median_s"] / untuned["median_s"]
    unsteady = harness.is_unsteady(report, ["tuned", "guess"])
    sheet.add(
        label, "guess (trials=0) to tuned", share, bars.get("guess"), True, unsteady=unsteady
    )
    for row in report["contenders"]:
        if row["median_s"] is None:
            print("    %-10s %s" % (row["name"], row["error"]))
            continue
        share = row["share_of_peak"]
        print(
            "    %-10s %8.1f GFLOP/s  %s  %s"
            % (
                row["name"],
                row["gflops"],
                "%5.1f %% of peak" % (100 * share) if share else "",
                row["variant"],
            ),
            flush=True,
        )
    if harness.is_busy(report):
        print("    " + harness.BUSY)
    return {"name": name, "threads": threads, "tuning_s": seconds, "bench": report}


def measure_model(sheet):
    """Rates of the loop-nest model; what the report keeps of it."""
    rates = json.loads(harness.run([harness.tool("model-bench"), "--json"]))
    for payload, sketches in rates.items():
        for name, rate in sketches.items():
            line = "    %-12s %-16s %9.0f candidates/s, %9.0f with blocks"
            print(line % (payload, name, rate["programs"], rate["blocks"]))
    bars = BARS["model"]

    def least(payload, what):
        return min(sketch[what] for sketch in rates[payload].values())

    programs = least("matmul", "programs")
    sheet.add(
        "model, matmul", "slowest sketch", programs, bars["candidates"], True, "/s"
    )
    for payload, bar in bars["round"].items():
        seconds = 4 * 2048 / least(payload, "blocks")
        sheet.add("model, " + payload, "4 x 2048, blocks", seconds, bar, False, "s")
    return {"name": "model", "candidates_per_s": rates}


def write_report(sheet, cases, options):
    path = os.path.join(harness.BUILD, "bench", "report.json")
    content = {
        "trials": options.trials,
        "seed": options.seed,
        "rounds": options.rounds,
        "bars": sheet.lines,
        "cases": cases,
    }
    with open(path + ".tmp", "w") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
    os.replace(path + ".tmp", path)
    print("report: %s" % os.path.relpath(path))


def main():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BARS))
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=81)
    parser.add_argument("--threads", type=int, action="append", help="default: 1 and 2")
    parser.add_argument(
        "--check", action="store_true", help="exit with 1 where a bar is not met"
    )
    parser.add_argument("--verbose", action="store_true", help="show tuning progress")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in BARS]
    if unknown:
        parser.error("unknown: %s; known: %s" % (" ".join(unknown), " ".join(BARS)))
    names = options.names or [name for name in BARS if BARS[name]]

    sheet, cases = Sheet(), []
    for name in names:
        if name == "model":
            cases.append(measure_model(sheet))
            continue
        for threads in options.threads or [1, 2]:
            if threads > harness.cores():
                print("%s, %d threads: skipped, too few cores" % (name, threads))
                continue
            cases.append(measure(name, threads, options, sheet))
    verdicts = [line["met"] for line in sheet.lines]
    write_report(sheet, cases, options)
    print("%d bars met, %d not met" % (verdicts.count(True), verdicts.count(False)))
    if sheet.unsteady:
        print("%d bars not judged, of a busy machine: measure again" % sheet.unsteady)
    return 1 if options.check and (False in verdicts or sheet.unsteady) else 0


if __name__ == "__main__":
    harness.main(main)
