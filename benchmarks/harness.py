"""What bars.py and demo.py share: tuning a file of suite/, timing the result.

All work is done by the tools in the build folder; this starts them and reads
their JSON.
"""

import functools
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("SCHED_BUILD_DIR", os.path.join(ROOT, "build"))
SUITE = os.path.join(ROOT, "benchmarks", "suite")


class Failed(Exception):
    """A tool failed; the message says which and what it printed last."""


def tool(name):
    path = os.path.join(BUILD, "bin", name)
    if not os.path.exists(path):
        raise Failed("%s is not built; run ./dev build" % path)
    return path


def run(command, quiet=False, seconds=None):
    """Runs a command; its stdout. stderr goes through unless quiet.

    seconds: how long it may take.
    """
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if quiet else None,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise Failed("`%s` did not end in %g s" % (" ".join(command), seconds))
    if done.returncode != 0:
        words = (done.stderr or "").strip()
        raise Failed(
            "`%s` ended with status %d%s"
            % (" ".join(command), done.returncode, ": " + words if words else "")
        )
    return done.stdout


def problem(name):
    """Sizes of a file of suite/, from its function's signature."""
    with open(os.path.join(SUITE, name + ".mlir")) as file:
        text = file.read()
    alias = re.search(r"!matrix = tensor<(\d+)x(\d+)xf32>", text)
    if alias:
        text = text.replace("!matrix", "tensor<%sx%sxf32>" % alias.groups())
    signature = re.search(r"func\.func @f\((.*)\) ->", text).group(1)
    shapes = re.findall(r"tensor<(\d+)x(\d+)xf32>", signature)
    (m, k), (_, n) = [tuple(map(int, shape)) for shape in shapes[:2]]
    return {"m": m, "n": n, "k": k, "epilogue": "add" if len(shapes) == 3 else "none"}


def tune(
    name, folder, threads, trials, seed=0, quiet=False, source=None, seconds=None,
    records=None, more="",
):
    """Compiles a file of suite/, or source, to folder/NAME.o; wall seconds.

    With trials, the records are made anew in folder/records; with a folder of
    records, the search goes on where they end. more: further options of it.
    """
    os.makedirs(folder, exist_ok=True)
    options = "target=native threads=%d trials=%d seed=%d" % (threads, trials, seed)
    if trials and not records:
        records = os.path.join(folder, "records")
        shutil.rmtree(records, ignore_errors=True)
    if records:
        options += " work-dir=" + records
    if more:
        options += " " + more
    output = os.path.join(folder, name)
    begin = time.monotonic()
    run(
        [
            tool("sched-opt"),
            "--auto-schedule=" + options,
            source or os.path.join(SUITE, name + ".mlir"),
            "--emit=obj",
            "-o",
            output + ".o",
            "--emit-header=" + output + ".h",
        ],
        quiet=quiet,
        seconds=seconds,
    )
    return time.monotonic() - begin


def search(source, folder, threads, options, sched_opt=None):
    """A search with its records in folder, unless they are there by the same options;
    whether it was made. Convolutions stay in their direct form, so that all trials
    are of one task. sched_opt: the program; default: that of the build."""
    finished = os.path.join(folder, "finished")
    said = "threads=%d quiet=true winograd=off work-dir=%s %s" % (threads, folder, options)
    if os.path.exists(finished):
        with open(finished) as file:
            if file.read() == said:
                return False
    shutil.rmtree(folder, ignore_errors=True)
    run([sched_opt or tool("sched-opt"), "--auto-schedule=" + said, source, "-o", os.devnull], quiet=True)
    with open(finished, "w") as file:
        file.write(said)
    return True


def compare(name, objects, threads, rounds):
    """sched-bench's JSON for objects (name in the table -> path)."""
    sizes = problem(name)
    # Many short turns: a neighbour that uses the caches for a second then slows
    # a turn of each contender, and not all turns of one.
    milliseconds = 15 if sizes["m"] * sizes["n"] * sizes["k"] < 1 << 26 else 45
    output = run(
        [tool("sched-bench"), "--json"]
        + ["--%s=%s" % item for item in sizes.items()]
        + ["--threads=%d" % threads, "--rounds=%d" % rounds]
        + ["--min-ms=%d" % milliseconds]
        + ["%s=%s" % item for item in objects.items()]
    )
    return json.loads(output)


def contender(report, name):
    """A contender's figures; None where it was not timed."""
    for row in report["contenders"]:
        if row["name"] == name and row["median_s"] is not None:
            return row
    return None


BUSY = (
    "Other programs kept this machine busy: its peak, or the best library,"
    " changed from round to round. Repeat this when it is quiet."
)


def is_busy(report):
    """Whether the rounds of what never changes differ too much.

    The peak, which needs no memory: one round in ten more than 20 % slower than
    the best; the best library: half of them more than 10 % slower than the best
    of the same process, in most of its processes.
    """
    for row in report["contenders"]:
        costs = sorted(row["costs_s"])
        if not costs:
            continue
        if row["kind"] == "peak" and costs[len(costs) * 9 // 10] > 1.2 * costs[0]:
            return True
        if row["name"] == report["best_library"]:
            count = row.get("processes", 1)
            turns = [row["costs_s"][i::count] for i in range(count)]
            if min(map(len, turns), default=0) < 3:
                turns = [row["costs_s"]]
            slow = [statistics.median(t) > 1.1 * min(t) for t in turns]
            if 2 * sum(slow) > len(slow):
                return True
    return False


# A median of more than so many times the fastest round says nothing.
MOST_SPREAD = 2
UNSTEADY = "busy, measure again"


def is_unsteady(report, names):
    """Whether rounds of one of these contenders were so disturbed that the report
    must not be judged by them."""
    for name in names:
        row = contender(report, name)
        fastest = row and min(row["costs_s"] or [row["median_s"]])
        if row and row["median_s"] > MOST_SPREAD * fastest:
            return True
    return False


@functools.lru_cache(maxsize=None)
def fingerprint(path):
    """Tells files apart by what is in them, as eight digits; "none" without one."""
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()[:8]
    except OSError:
        return "none"


def code(name="sched-opt"):
    """Tells versions of a tool apart; what was measured with one is not another's."""
    return fingerprint(tool(name))


def fastest_ratio(report, name):
    """Ratio to the best library where each counts by its fastest round."""
    ours = contender(report, name)
    others = [
        row["min_s"]
        for row in report["contenders"]
        if row["kind"] == "library" and row["min_s"] is not None
    ]
    return min(others) / ours["min_s"] if ours and others else None


def cores():
    return len(os.sched_getaffinity(0))


def main(body):
    """Runs body() as a program: errors in one line, Ctrl-C without a trace."""
    try:
        sys.exit(body())
    except Failed as error:
        sys.exit("%s: %s" % (os.path.basename(sys.argv[0]), error))
    except KeyboardInterrupt:
        sys.exit(130)
