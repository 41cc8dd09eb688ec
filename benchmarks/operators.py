"""Tunes the operator suite and times each operator beside the best library.

    benchmarks/run.sh operators [NAME|FAMILY...] [--trials=64] [--threads=1]
        [--batch=1] [--weights=free|plain] [--cost-model=NAME] [--again] [--retime]
        [--quick] [--check]

NAME is an operator of operators/*.json or a family; default: all. Each is
tuned from nothing, for each batch (1 and 16) and number of threads (1 and 2),
and timed beside every library that has it in one interleaved run; its result
is checked. What was measured is in <build>/bench/operators.json, and is not
measured again by a later run unless --again; so a run that was stopped goes on.
--retime takes the objects that were tuned before, and times them anew.
Rounds of a busy machine are not judged: where the median of ours, or of what it
is compared with, is more than twice the fastest round, the line says so.
STREAM's copy is timed once for each number of threads, and again with --again
and --retime; a run of one entry times it in turns with that.
An operator that fails is reported, and the run goes on. --quick: the first
operator of each family, 8 trials, batch 1, one thread. With --check the exit
status is 1 where a bar is not met or cannot be judged.
"""

import argparse
import json
import math
import os
import shutil

import harness
import payloads
import suite

# Bars: least ratio to the best library, for each operator and on the geometric
# mean of those that have no bar of their family; of what is bound by memory, least
# share of the bandwidth of STREAM's copy.
LEAST, MEAN, BANDWIDTH = 0.95, 1.05, 0.9
# Bars of single operators at batch 1, by name: a contender, and the least ratio
# to it.
SINGLE = {
    "softmax_128x1024": ("plain C", 1 / 0.9),
    "resnet_7_512to512_3x3": ("oneDNN blocked", 1.02),
    "resnet_7_512to512_3x3_nchw": ("oneDNN", 1.2),
    # 5 us where sgemv takes 4.6.
    "linear_1x128x784": ("OpenBLAS", 4.6 / 5),
}


def configuration(case, threads, options):
    """What a result belongs to, as a key of the report."""
    key = "%s batch=%d threads=%d weights=%s trials=%d seed=%d" % (
        case["name"],
        case["of_batch"],
        threads,
        "free" if case["layout_free"] else "plain",
        options.trials,
        options.seed,
    )
    if options.cost_model:
        key += " cost-model=" + options.cost_model.replace("/", "_")
    return key


def choose_model(options, default=""):
    """What sched-opt is told of the cost model; default: one's name, "" for its own."""
    name = options.cost_model or default
    return "cost-model=" + name if name else ""


def compile_plain_c(case, folder, threads):
    """The shared object of the operator in plain C; None without a compiler."""
    compiler = next(
        (c for c in ("clang-22", "clang", os.environ.get("CC")) if c and shutil.which(c)), None
    )
    if not case.get("plain_c") or not compiler:
        return None
    output = os.path.join(folder, "plain_c.so")
    command = [compiler, "-O3", "-ffast-math", "-march=native", "-fveclib=libmvec"]
    command += ["-DROWS=%d" % case["rows"], "-DCOLUMNS=%d" % case["columns"]]
    if threads > 1:
        command += ["-fopenmp"]
    source = os.path.join(suite.FOLDER, "plain_c", case["op"] + ".c")
    command += ["-shared", "-fPIC", source, "-o", output, "-Wl,--no-as-needed", "-lmvec", "-lm"]
    try:
        harness.run(command, quiet=True)
    except harness.Failed as error:
        print("    no plain C: %s" % error)
        return None
    return output


# Ends what records of forms of a convolution, and of the whole function, are of:
# no task of the search.
CHECKS = ("-form", "-whole")


def count_failures(records):
    """Failed trials by stage and error, and how many trials there are."""
    failures, trials = {}, 0
    try:
        with open(os.path.join(records, "records.jsonl")) as file:
            lines = file.readlines()
    except OSError:
        return failures, trials
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if record.get("workload", {}).get("hash", "").endswith(CHECKS):
            continue
        # Those below 0 measure a candidate again.
        trials += record.get("trial", 0) >= 0
        if record.get("error"):
            kind = "%s: %s" % (record.get("stage"), record["error"])
            failures[kind] = failures.get(kind, 0) + 1
    return failures, trials


def write_case(case, folder):
    """Makes a folder of a case: its description, for op-bench, and its function."""
    os.makedirs(folder, exist_ok=True)
    description = os.path.join(folder, "operator.json")
    source = os.path.join(folder, "f.mlir")
    with open(description, "w") as file:
        json.dump(case, file)
    with open(source, "w") as file:
        file.write(payloads.payload(case))
    return description, source


def contest(folder, contenders, threads, options, more=()):
    """Times contenders, NAME=FILE, of a folder's case in turns.

    op-bench's report, None without one, and what it failed with. A contender
    that fails makes its exit status 1, and the report says which.
    """
    output = os.path.join(folder, "bench.json")
    command = [harness.tool("op-bench"), os.path.join(folder, "operator.json"), *contenders]
    command += ["--json", "--threads=%d" % threads, "--rounds=%d" % options.rounds]
    command += ["--min-ms=%g" % options.min_ms, "--max-s=%g" % options.max_s]
    command += [*more, "--output=" + output]
    if os.path.exists(output):
        os.remove(output)
    failure = None
    try:
        harness.run(command, quiet=True)
    except harness.Failed as error:
        failure = str(error)
    if not os.path.exists(output):
        return None, failure
    with open(output) as file:
        return json.load(file), failure


def measure_stream(threads, options):
    """GB/s of STREAM's copy; 0 where it could not be timed."""
    folder = os.path.join(harness.BUILD, "bench", "operators", "stream-threads=%d" % threads)
    # op-bench wants an operator. It is not called.
    case = {"name": "stream", "op": "transpose", "extents": [8, 8], "order": [1, 0]}
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "operator.json"), "w") as file:
        json.dump(case, file)
    for _ in range(3):
        bench, _ = contest(folder, [], threads, options, ["--stream", "--libraries=false"])
        if bench and not harness.is_unsteady(bench, ["STREAM copy"]):
            return bench["stream_gbs"] or 0
    return 0


def measure(case, threads, options, earlier=None, stream=None):
    """Tunes and times one case; what the report keeps of it.

    earlier: a result whose objects are timed again, as they are. stream: GB/s of
    STREAM's copy where that was timed before.
    """
    # Each configuration has objects of its own.
    label = configuration(case, threads, options).replace(" ", "-")
    folder = os.path.join(harness.BUILD, "bench", "operators", label)
    _, source = write_case(case, folder)
    result = {"case": case, "threads": threads, "trials": options.trials}
    # The model's guess first: it is there when tuning fails.
    objects, errors = {}, []
    for name, trials in (("guess", 0), ("tuned", options.trials)):
        if name == "tuned" and not trials:
            continue
        finished = os.path.join(folder, name, "f.o")
        if earlier and os.path.exists(finished):
            objects[name] = finished
            result[name + "_s"] = earlier.get(name + "_s")
            continue
        try:
            seconds = harness.tune(
                "f",
                os.path.join(folder, name),
                threads,
                trials,
                options.seed,
                quiet=True,
                source=source,
                seconds=options.patience,
                more=choose_model(options),
            )
            objects[name] = finished
            result[name + "_s"] = seconds
        except harness.Failed as error:
            errors.append("%s: %s" % (name, error))
    records = os.path.join(folder, "tuned", "records")
    result["failures"], result["measured_trials"] = count_failures(records)
    plain = compile_plain_c(case, folder, threads)
    arguments = ["%s=%s" % item for item in objects.items()]
    if plain:
        arguments.append("plain C=" + plain)
    more = ["--stream"] * (is_bandwidth(case) and not stream)
    bench, failure = contest(folder, arguments, threads, options, more)
    if failure:
        errors.append(failure)
    if bench:
        result["bench"] = bench
        result["stream_gbs"] = stream or bench.get("stream_gbs")
    result["errors"] = errors
    return result


def is_bandwidth(case):
    """Whether the operator does little more than move its operands."""
    return case.get("bound") == "memory"


def figures(result):
    """What is judged: contender, ratio to the best library."""
    bench = result.get("bench")
    ours = bench and (harness.contender(bench, "tuned") or harness.contender(bench, "guess"))
    return (ours, ours["ratio_to_best_library"]) if ours else (None, None)


def bandwidth(result, ours):
    """Shares of the bandwidth of a copy of as many bytes and of STREAM's; whether
    the bytes fit into the caches."""
    bench, stream = result["bench"], result.get("stream_gbs")
    of_stream = ours["gbs"] / stream if stream else ours.get("share_of_stream") or 0
    # Reports of earlier versions do not say how many bytes there are.
    size, cache = bench.get("bytes"), bench.get("cache_bytes")
    return ours.get("share_of_copy") or 0, of_stream, bool(size and cache and size <= cache)


def is_unsteady(result, ours):
    """Whether what the result is judged by was measured on a busy machine."""
    bench, case = result["bench"], result["case"]
    names = [ours["name"], bench["best_library"]]
    if is_bandwidth(case):
        names.append("STREAM copy")
    if case["of_batch"] == 1 and case["name"] in SINGLE:
        names.append(SINGLE[case["name"]][0])
    return harness.is_unsteady(bench, names)


def line(result):
    """The line of the table."""
    case = result["case"]
    head = "%-34s b%-2d %dt " % (case["name"], case["of_batch"], result["threads"])
    ours, ratio = figures(result)
    if not ours:
        return head + "FAILED: " + "; ".join(result["errors"])[:300]
    if is_bandwidth(case):
        copy, stream, _ = bandwidth(result, ours)
        text = "%7.1f GB/s   %4.0f %% of copy, %4.0f %% of STREAM" % (
            ours["gbs"],
            100 * copy,
            100 * stream,
        )
    else:
        text = "%7.1f GFLOP/s %3.0f %% of peak" % (
            ours["gflops"],
            100 * (ours["share_of_peak"] or 0),
        )
    text += "  %-14s %s" % (
        result["bench"]["best_library"] or "no library",
        "%6.3f x" % ratio if ratio else "        ",
    )
    if ratio:
        text += "  fastest %5.3f" % harness.fastest_ratio(result["bench"], ours["name"])
    guess = harness.contender(result["bench"], "guess")
    if guess and ours["name"] == "tuned":
        text += "  guess %4.2f" % (ours["median_s"] / guess["median_s"])
    if result.get("tuned_s"):
        text += "  %3d trials, %4.0f s" % (result["measured_trials"], result["tuned_s"])
    for kind, count in sorted(result["failures"].items()):
        text += ", %d x %s" % (count, kind)
    if not ratio and not is_bandwidth(case):
        text += "  not judged: no library here has it"
        if case.get("dtype", "f32") != "f32":
            text += " in " + case["dtype"]
    if is_unsteady(result, ours):
        text += "  %s (--retime)" % harness.UNSTEADY
    elif harness.is_busy(result["bench"]):
        text += "  (busy)"
    if result["errors"]:
        text += "  ERROR: " + "; ".join(result["errors"])[:300]
    return head + text


def mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else None


def label(result):
    """Tells the results of a run apart."""
    case = result["case"]
    return "%s b%d %dt" % (case["name"], case["of_batch"], result["threads"])


def judge(results):
    """Prints the summary; whether all bars are met, and none is left to judge."""
    ratios, fastest, families, missed, unsteady = [], [], {}, [], []
    # Of what fits into the caches.
    copies = []
    for result in results:
        case, name_here = result["case"], label(result)
        ours, ratio = figures(result)
        if not ours or result["errors"]:
            missed.append((0, "%s: failed" % name_here))
        if not ours:
            continue
        if is_unsteady(result, ours):
            unsteady.append(name_here)
            continue
        if ratio:
            if "least" not in case:
                ratios.append(ratio)
                fastest.append(harness.fastest_ratio(result["bench"], ours["name"]))
            families.setdefault(case["family"], []).append(ratio)
            if ratio < case.get("least", LEAST):
                missed.append((ratio, "%s: %.3f x %s" % (name_here, ratio, result["bench"]["best_library"])))
        if is_bandwidth(case):
            copy, stream, fits = bandwidth(result, ours)
            if fits:
                copies.append(copy)
            if stream < BANDWIDTH:
                text = "%s: %.0f %% of the bandwidth of STREAM's copy" % (name_here, 100 * stream)
                missed.append((stream, text))
        name, least = SINGLE.get(case["name"], (None, 0)) if case["of_batch"] == 1 else (None, 0)
        other = name and harness.contender(result["bench"], name)
        if name and not other:
            missed.append((0, "%s: %s was not timed" % (name_here, name)))
        elif other and other["median_s"] / ours["median_s"] < least:
            reached = other["median_s"] / ours["median_s"]
            missed.append((reached, "%s: %.3f x %s" % (name_here, reached, name)))
    print("\nto the best library, geometric means (least):")
    for family, values in sorted(families.items(), key=lambda item: mean(item[1])):
        print("  %-14s %6.3f x (%.3f), %d" % (family, mean(values), min(values), len(values)))
    whole = mean(ratios)
    if whole:
        print("  %-14s %6.3f x (bar: at least %g)" % ("all", whole, MEAN))
        print("  %-14s %6.3f x" % ("fastest rounds", mean(fastest)))
    if copies:
        print(
            "in the caches: %d of %d at %g of a copy there, or more"
            % (sum(copy >= BANDWIDTH for copy in copies), len(copies), BANDWIDTH)
        )
    if missed:
        print("not met (each: at least %g x where it has no bar of its own, "
              "bound by memory %g of STREAM's copy):" % (LEAST, BANDWIDTH))
    for _, text in sorted(missed):
        print("  " + text)
    report_unsteady(unsteady)
    return not missed and not unsteady and (whole is None or whole >= MEAN)


def report_unsteady(labels):
    """Says which results have to be measured again."""
    if labels:
        print(
            "not judged: %d of a busy machine (a median above %g times the fastest round);"
            " measure again with --retime:" % (len(labels), harness.MOST_SPREAD)
        )
    for label in labels:
        print("  " + label)


def load_report(path, what="results"):
    try:
        with open(path) as file:
            return json.load(file)[what]
    except (OSError, ValueError, KeyError):
        return {}


def save_report(path, results, **more):
    with open(path + ".tmp", "w") as file:
        json.dump(dict(more, results=results), file, indent=1)
        file.write("\n")
    os.replace(path + ".tmp", path)


def add_contest_options(parser):
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--min-ms", type=float, default=15, help="of one turn")
    parser.add_argument("--max-s", type=float, default=30, help="of an operator's rounds")


def add_options(parser, patience, threads, batch):
    """What the contests of the suite have in common; defaults of the last three."""
    parser.add_argument("names", nargs="*", metavar="NAME|FAMILY")
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    add_contest_options(parser)
    parser.add_argument("--cost-model", default="", help="default: sched-opt's")
    parser.add_argument("--patience", type=float, default=patience, help="seconds of a tuning")
    parser.add_argument("--threads", type=int, action="append", help="default: " + threads)
    parser.add_argument("--batch", type=int, action="append", help="default: " + batch)
    parser.add_argument("--weights", choices=("free", "plain"), help="default: as stated")
    parser.add_argument("--again", action="store_true", help="measure anew")
    parser.add_argument("--retime", action="store_true", help="time anew what was tuned")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bar is not met")


def choose(parser, names, cases):
    """Those of the cases that are asked for; all without a name."""
    known = {case[key] for case in cases for key in ("name", "family")}
    unknown = [name for name in names if name not in known]
    if unknown:
        parser.error(
            "unknown: %s; run.sh operators --list prints what there is" % " ".join(unknown)
        )
    return [c for c in cases if not names or c["name"] in names or c["family"] in names]


def parse(families):
    parser = argparse.ArgumentParser(
        prog="run.sh operators", description=__doc__.split("\n")[0]
    )
    add_options(parser, patience=1800, threads="1 and 2", batch="1 and 16")
    parser.add_argument("--quick", action="store_true", help="a taste of each family")
    parser.add_argument("--list", action="store_true", help="print the names only")
    options = parser.parse_args()
    if options.quick:
        options.trials, options.rounds = 8, 15
        options.threads, options.batch = options.threads or [1], options.batch or [1]
        for family in families:
            del family["entries"][1:]
    return options, choose(
        parser, options.names, suite.cases(families, options.batch, options.weights)
    )


def main():
    options, chosen = parse(suite.load())
    if options.list:
        for case in chosen:
            print("%-14s %s, batch %d" % (case["family"], case["name"], case["of_batch"]))
        return 0
    path = os.path.join(harness.BUILD, "bench", "operators.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    report, streams = load_report(path), load_report(path, "stream_gbs")
    results = []
    # Of a run of one entry, STREAM's copy takes turns with it.
    alone = len(chosen) == 1
    anew = options.again or options.retime
    for threads in options.threads or [1, 2]:
        if threads > harness.cores():
            print("%d threads: skipped, too few cores" % threads)
            continue
        # Once for all of a run, and for those that go on with it.
        stream = None if anew else streams.get(str(threads)) or None
        for case in chosen:
            key = configuration(case, threads, options)
            earlier = report.get(key) if options.retime else None
            if options.again or options.retime or key not in report:
                if is_bandwidth(case) and not alone and stream is None:
                    # 0: could not be timed; each entry times it for itself.
                    stream = streams[str(threads)] = measure_stream(threads, options)
                shared = None if alone else stream
                report[key] = measure(case, threads, options, earlier, shared)
                save_report(path, report, stream_gbs=streams)
            results.append(report[key])
            print(line(report[key]), flush=True)
    met = judge(results)
    print("report: %s" % os.path.relpath(path))
    return 1 if options.check and not met else 0


if __name__ == "__main__":
    harness.main(main)
