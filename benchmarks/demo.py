"""Tunes matmul + add 1024^3 (f32) and shows the outcome beside OpenBLAS's.

    benchmarks/demo.sh [--trials=64] [--threads=N]

Takes about a minute. Everything it makes stays in <build>/demo.
"""

import argparse
import json
import os

import harness

NAME = "matmul_add_1024"


def check(folder, threads):
    """sched-run's JSON: the check, and the speed of the unscheduled code."""
    output = harness.run(
        [
            harness.tool("sched-run"),
            os.path.join(harness.SUITE, NAME + ".mlir"),
            "--entry=f",
            "--work-dir=" + os.path.join(folder, "records"),
            "--threads=%d" % threads,
            "--repeats=3",
            "--json",
        ]
    )
    return json.loads(output)


def write_script(folder, threads):
    path = os.path.join(folder, NAME + ".transform.mlir")
    records = os.path.join(folder, "records")
    harness.run(
        [
            harness.tool("sched-opt"),
            "--apply-history-best=threads=%d work-dir=%s" % (threads, records),
            os.path.join(harness.SUITE, NAME + ".mlir"),
            "--emit=transform",
            "-o",
            path,
        ]
    )
    return path


def show(name, gflops, milliseconds, remark=""):
    print(
        "  %-12s %8.1f GFLOP/s %10.2f ms  %s" % (name, gflops, milliseconds, remark),
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(prog="demo.sh", description=__doc__.split("\n")[0])
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--threads", type=int, default=min(2, harness.cores()))
    options = parser.parse_args()
    threads = options.threads
    if threads < 1 or options.trials < 1:
        parser.error("--threads and --trials start at 1")
    folder = os.path.join(harness.BUILD, "demo")

    print("Tuning C = A * B + D, 1024^3 f32, %d thread(s)" % threads, flush=True)
    seconds = harness.tune(NAME, folder, threads, options.trials)
    print("\n%d trials in %.1f s. Timing and checking." % (options.trials, seconds), flush=True)

    report = harness.compare(
        NAME, {"tuned": os.path.join(folder, NAME + ".o")}, threads, rounds=15
    )
    tuned = harness.contender(report, "tuned")
    if tuned is None:
        raise harness.Failed(report["contenders"][0]["error"])
    checked = check(folder, threads)
    script = write_script(folder, threads)

    print()
    peak, remark = report["peak_gflops"], ""
    if harness.is_busy(report):
        print(harness.BUSY)
    elif peak:
        remark = "%.0f %% of this machine's peak" % (100 * tuned["gflops"] / peak)
    show("tuned", tuned["gflops"], tuned["median_s"] * 1e3, remark)
    for row in report["contenders"]:
        if row["kind"] != "library":
            continue
        if row["median_s"] is None:
            print("  %-12s %s" % (row["name"], row["error"]))
            continue
        show(
            row["name"],
            row["gflops"],
            row["median_s"] * 1e3,
            "tuned is %.2f x" % (row["median_s"] / tuned["median_s"]),
        )
    plain = checked["unscheduled"]
    show(
        "unscheduled",
        plain["gflops"],
        plain["median_s"] * 1e3,
        "one thread; tuned is %.0f x" % (plain["median_s"] / tuned["median_s"]),
    )
    print(
        "\nResult: right. Largest difference from the unscheduled code %.1e; from a"
        "\nproduct in double precision %.1e of its root mean square."
        % (checked["max_error"], tuned["relative_error"])
    )
    base = os.path.relpath(os.path.join(folder, NAME))
    print("\nObject    %s.o\nHeader    %s.h" % (base, base))
    print("Schedule  %s (for stock mlir-opt too)" % os.path.relpath(script))
    print("Records   %s" % os.path.relpath(os.path.join(folder, "records", "records.jsonl")))
    return 0


if __name__ == "__main__":
    harness.main(main)
