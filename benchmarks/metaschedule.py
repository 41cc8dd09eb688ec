"""Tunes the operator suite with TVM's MetaSchedule, too, and times both side by side.

    benchmarks/run.sh metaschedule [NAME|FAMILY...] [--trials=64] [--threads=1]
        [--batch=1] [--weights=free|plain] [--cost-model=NAME] [--build-timeout=30]
        [--again] [--retime] [--check]

NAME is an operator of operators/*.json or a family; default: all. Both tuners
begin from nothing and get as many trials, one after the other, with the whole
machine; then the two results take turns in op-bench, which checks both. What was
measured is in <build>/bench/metaschedule.json, and is not measured again unless
--again; so a run that was stopped goes on. --retime times anew what was tuned.

TVM is installed into <build>/bench/metaschedule/venv at the first run, from PyPI,
in the versions of metaschedule/requirements.txt. The operators are written in its
tensor expressions (metaschedule/computations.py), and tuned with its defaults
(metaschedule/tune.py). Weights that may be packed
beforehand are packed for us alone, as MetaSchedule's packing (`layout_free_buffers`)
takes minutes to build; with --weights=plain they are for nobody.

Each of its builds has 30 seconds, by its default, of which its workers take a
dozen to start: on a busy machine all of them fail; --build-timeout gives more.

Where the peer crashes, or has no result after --patience seconds, that is what is
recorded: it counts as no win of ours. Operators that move data are left out, which
the first line says. With --check the exit status is 1 where a
bar is not met.
"""

import argparse
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time

import harness
import operators
import suite

# Bars: share of operators where ours is at least as fast; most of the peer's
# tuning time.
SHARE, TIME = 0.95, 0.1
# Of ours, where nothing else is asked for: the trees that come with the project
# have seen these operators.
COST_MODEL = "xgboost-fresh"

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "metaschedule")


def environment():
    """The Python of an environment that has TVM; makes it where it is missing."""
    folder = os.path.join(harness.BUILD, "bench", "metaschedule", "venv")
    python = os.path.join(folder, "bin", "python")
    stamp = os.path.join(folder, "requirements.txt")
    wanted = os.path.join(FOLDER, "requirements.txt")
    with open(wanted) as file:
        text = file.read()
    try:
        with open(stamp) as file:
            if file.read() == text:
                return python
    except OSError:
        pass
    print("installing TVM into %s" % os.path.relpath(folder), flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    harness.run([sys.executable, "-m", "venv", folder], quiet=True)
    harness.run([python, "-m", "pip", "install", "--quiet", "-r", wanted], quiet=True, seconds=900)
    shutil.copy(wanted, stamp)
    return python


def run_peer(command, threads, log, seconds):
    """Runs it with its workers, which end with it; wall seconds."""
    variables = dict(os.environ, TVM_NUM_THREADS=str(threads), PYTHONDONTWRITEBYTECODE="1")
    begin = time.monotonic()
    with open(log, "w") as file:
        process = subprocess.Popen(
            command, stdout=file, stderr=file, env=variables, start_new_session=True
        )
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise harness.Failed("no result after %g s" % seconds)
        finally:
            # Its workers are of its session.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
    if status != 0:
        with open(log, errors="replace") as file:
            words = file.read().strip().split("\n")[-1]
        raise harness.Failed("ended with status %d: %s" % (status, words[:300]))
    return time.monotonic() - begin


def define(tuned, threads):
    """operator.h of call.c."""
    names = ["p%d" % i for i in range(len(tuned["shapes"]))]

    def tensor(shape):
        return "TENSOR(%s)" % ", ".join(map(str, [len(shape)] + shape))

    lines = {
        "LIBRARIES": ", ".join(map(json.dumps, tuned["libraries"])),
        "MODULE": json.dumps(tuned["module"]),
        "THREADS": json.dumps(str(threads)),
        "POINTERS": "{%s}" % ", ".join(names),
        "PARAMETERS": "(%s)" % ", ".join("float *" + name for name in names),
        "TENSORS": " ".join(map(tensor, tuned["shapes"])),
    }
    return "".join("#define %s %s\n" % item for item in lines.items())


def wrap(folder, threads):
    """The peer's module behind a plain C interface: a contender's path."""
    with open(os.path.join(folder, "tuned.json")) as file:
        tuned = json.load(file)
    with open(os.path.join(folder, "operator.h"), "w") as file:
        file.write(define(tuned, threads))
    output = os.path.join(folder, "call.so")
    compiler = next(
        (c for c in (os.environ.get("CC"), "clang-22", "clang", "cc") if c and shutil.which(c)),
        None,
    )
    if not compiler:
        raise harness.Failed("found no C compiler; set CC")
    command = [compiler, "-O2", "-shared", "-fPIC", "-I" + folder]
    command += ["-I" + path for path in tuned["includes"]]
    harness.run(command + [os.path.join(FOLDER, "call.c"), "-o", output, "-ldl"], quiet=True)
    return output


def tune_peer(case, threads, description, folder, options):
    """What the report keeps of the peer's tuning."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    command = [environment(), os.path.join(FOLDER, "tune.py"), description, folder]
    command += ["--trials=%d" % options.trials, "--threads=%d" % threads]
    command += ["--seed=%d" % options.seed, "--build-timeout=%g" % options.build_timeout]
    log = os.path.join(folder, "log.txt")
    try:
        wall = run_peer(command, threads, log, options.patience)
    except harness.Failed as error:
        return {"error": "MetaSchedule: %s (%s)" % (error, os.path.relpath(log))}
    with open(os.path.join(folder, "tuned.json")) as file:
        tuned = json.load(file)
    kept = ("tvm", "target", "tune_s", "compile_s", "trials", "failed", "own_best_s")
    return dict({key: tuned[key] for key in kept}, wall_s=wall)


def measure(case, threads, options, earlier=None):
    """Tunes and times one case; what the report keeps of it."""
    label = operators.configuration(case, threads, options).replace(" ", "-")
    folder = os.path.join(harness.BUILD, "bench", "metaschedule", label)
    description, source = operators.write_case(case, folder)
    result = {"case": case, "threads": threads, "errors": []}
    ours, peer = os.path.join(folder, "ours"), os.path.join(folder, "peer")
    if earlier:
        result.update(ours=earlier["ours"], peer=earlier["peer"])
    else:
        result["peer"] = tune_peer(case, threads, description, peer, options)
        try:
            wall = harness.tune(
                "f",
                ours,
                threads,
                options.trials,
                options.seed,
                quiet=True,
                source=source,
                seconds=options.patience,
                more=operators.choose_model(options, COST_MODEL),
            )
            result["ours"] = {"wall_s": wall}
        except harness.Failed as error:
            result["ours"] = {"error": "ours: %s" % error}
    for side in ("ours", "peer"):
        if "error" in result[side]:
            result["errors"].append(result[side]["error"])
    if result["errors"]:
        return result
    try:
        contenders = ["ours=" + os.path.join(ours, "f.o"), "MetaSchedule=" + wrap(peer, threads)]
    except harness.Failed as error:
        result["errors"].append(str(error))
        return result
    bench, failure = operators.contest(
        folder, contenders, threads, options, ["--libraries=false"]
    )
    if failure:
        result["errors"].append(failure)
    if bench:
        result["bench"] = bench
        for row in result["bench"]["contenders"]:
            if row["error"]:
                result["errors"].append("%s: %s" % (row["name"], row["error"]))
    return result


def ratios(result):
    """Latency of the peer over ours; our tuning's seconds over the peer's.

    Our time is that of the whole process, down to the object; the peer's that
    of its tuning and of the last compilation, without the start of Python.
    """
    bench = result.get("bench")
    ours = bench and harness.contender(bench, "ours")
    peer = bench and harness.contender(bench, "MetaSchedule")
    if not ours or not peer:
        return None, None
    seconds = result["peer"]["tune_s"] + result["peer"]["compile_s"]
    return peer["median_s"] / ours["median_s"], result["ours"]["wall_s"] / seconds


def is_unsteady(result):
    """Whether one of the two was timed on a busy machine."""
    return harness.is_unsteady(result["bench"], ("ours", "MetaSchedule"))


def line(result):
    """The line of the table."""
    case = result["case"]
    head = "%-34s b%-2d %dt " % (case["name"], case["of_batch"], result["threads"])
    latency, tuning = ratios(result)
    if latency is None:
        return head + "NONE: " + "; ".join(result["errors"])[:400]
    bench = result["bench"]
    unsteady = is_unsteady(result)
    text = "%10.2f us, MetaSchedule %10.2f us: %6.2f x; tuned in %5.1f s, %6.1f s: %5.3f" % (
        1e6 * harness.contender(bench, "ours")["median_s"],
        1e6 * harness.contender(bench, "MetaSchedule")["median_s"],
        latency,
        result["ours"]["wall_s"],
        result["peer"]["tune_s"] + result["peer"]["compile_s"],
        tuning,
    )
    if result["peer"]["failed"]:
        text += ", %d trials of its failed" % result["peer"]["failed"]
    if unsteady:
        text += "  %s (--retime)" % harness.UNSTEADY
    elif harness.is_busy(bench):
        text += "  (busy)"
    if result["errors"]:
        text += "  ERROR: " + "; ".join(result["errors"])[:300]
    return head + text


def judge(results):
    """Prints the summary; whether both bars are met, and none is left to judge."""
    unsteady = [r for r in results if ratios(r)[0] is not None and is_unsteady(r)]
    pairs = [(r, *ratios(r)) for r in results if r not in unsteady]
    known = [(r, latency, tuning) for r, latency, tuning in pairs if latency is not None]
    print()
    for result, latency, _ in sorted(known, key=lambda entry: entry[1]):
        if latency < 1:
            print("slower than MetaSchedule: %.3f x %s" % (latency, result["case"]["name"]))
    for result, latency, _ in pairs:
        if latency is None:
            print("not compared: %s" % result["case"]["name"])
    operators.report_unsteady([operators.label(result) for result in unsteady])
    if not known:
        return False
    families = {}
    for result, latency, _ in known:
        families.setdefault(result["case"]["family"], []).append(latency)
    print("MetaSchedule's latency over ours, geometric means (least):")
    for family, values in sorted(families.items()):
        print(
            "  %-14s %6.2f x (%.2f), %d"
            % (family, operators.mean(values), min(values), len(values))
        )
    share = sum(latency >= 1 for _, latency, _ in known) / len(known)
    whole = operators.mean([latency for _, latency, _ in known])
    ours = math.fsum(r["ours"]["wall_s"] for r, _, _ in known)
    peer = math.fsum(r["peer"]["tune_s"] + r["peer"]["compile_s"] for r, _, _ in known)
    print("  %-14s %6.2f x" % ("all", whole))
    print(
        "at least as fast: %.1f %% of %d operators (bar: %g %%)"
        % (100 * share, len(known), 100 * SHARE)
    )
    print(
        "tuning: %.0f s, MetaSchedule %.0f s: %.3f (bar: %g); geometric mean %.3f"
        % (ours, peer, ours / peer, TIME, operators.mean([tuning for _, _, tuning in known]))
    )
    return not unsteady and share >= SHARE and ours / peer <= TIME


def parse(families):
    parser = argparse.ArgumentParser(
        prog="run.sh metaschedule", description=__doc__.split("\n")[0]
    )
    operators.add_options(parser, patience=900, threads="1", batch="1")
    parser.add_argument("--build-timeout", type=float, default=30, help="seconds, of its builds")
    options = parser.parse_args()
    cases = suite.cases(families, options.batch or [1], options.weights, dtype="f32")
    chosen = operators.choose(parser, options.names, cases)
    left_out = [case for case in chosen if case["op"] in suite.MOVEMENTS]
    return options, [case for case in chosen if case not in left_out], left_out


def main():
    options, chosen, left_out = parse(suite.load())
    if left_out:
        # metaschedule/computations.py has no such computations.
        names = sorted({case["name"] for case in left_out})
        print("left out, data movement: " + ", ".join(names))
    path = os.path.join(harness.BUILD, "bench", "metaschedule.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    report = operators.load_report(path)
    results = []
    for threads in options.threads or [1]:
        if threads > harness.cores():
            print("%d threads: skipped, too few cores" % threads)
            continue
        for case in chosen:
            key = operators.configuration(case, threads, options)
            earlier = report.get(key) if options.retime else None
            if options.again or options.retime or key not in report:
                report[key] = measure(case, threads, options, earlier)
                operators.save_report(path, report)
            results.append(report[key])
            print(line(report[key]), flush=True)
    met = judge(results)
    print("report: %s" % os.path.relpath(path))
    return 1 if options.check and not met else 0


if __name__ == "__main__":
    harness.main(main)
