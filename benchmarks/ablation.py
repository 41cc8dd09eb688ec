"""What each part of the search is worth: one part changed at a time.

    benchmarks/run.sh ablation [NAME|FAMILY...] [--trials=16,64,256] [--seeds=5]
        [--variants=NAME,...] [--train=RUN | --pre-trained=FILE] [--threads=1] [--again]
    benchmarks/run.sh ablation --offline [NAME|FAMILY...] [--seeds=5]

NAME is an operator of operators/*.json or a family; default: a subset of which
each family that the search has to work for has one. Each operator is tuned
from nothing with each variant and seed, for the largest number of trials; what
fewer trials would have found is in the order of the records. The table has the
best latency of any run over the run's own, as geometric means over operators
and seeds, with its spread over the seeds, and what share of the time the search
took. What was measured is in <build>/bench/ablation.json, and is not measured
again unless --again or it failed, with the same sched-opt and the same model; so a
run that was stopped goes on.

"xgboost" and "ensemble" begin with the trees that come with the project, which
have learned from records of these operators, too. How much trees of other
operators are worth is what "pre-trained" says beside "ensemble fresh": an
ensemble that begins with those of --train=RUN, the folder of a run of the
operator suite, trained on the records of all operators but those that are
judged; or with a file of sched-db train.

--offline measures nothing: it judges on the records of `run.sh operators`, with
search-bench, which says in its source what that can tell and what not.
"""

import argparse
import json
import math
import os
import shutil
import statistics
import time

import harness
import operators
import payloads
import pretrain
import suite

SUBSET = ["GMM0", "C1D1", "C2D2", "DEP0", "bert_ffn_in", "bert_softmax", "NRM0"]

# What is said to sched-opt. "pre-trained" is there with a start alone.
VARIANTS = {
    "analytic": "cost-model=analytic",
    "xgboost": "cost-model=xgboost",
    "xgboost fresh": "cost-model=xgboost-fresh",
    "ensemble": "cost-model=ensemble",
    "ensemble fresh": "cost-model=ensemble-fresh",
    "pre-trained": None,
    "random model": "cost-model=random",
    "random search": "strategy=random",
}


def read_records(folder):
    """Seconds of each trial, in their order; None for a failure."""
    trials = {}
    with open(os.path.join(folder, "records.jsonl")) as file:
        for line in file:
            record = json.loads(line)
            if record.get("trial", -1) < 0 or record["workload"]["hash"].endswith(operators.CHECKS):
                continue
            # As it does for sched-opt, what became the code of another counts as none.
            if record.get("duplicate"):
                continue
            good = record["verified"] and not record["error"] and record["costs_s"]
            # An operator may be several tasks; each has its own trials.
            task = trials.setdefault(record["workload"]["hash"], [])
            task.append(statistics.median(record["costs_s"]) if good else None)
    return trials


def best_after(trials, count):
    """The sum over the tasks of the best of their share of the first trials."""
    total = sum(len(task) for task in trials.values())
    seconds = 0
    for task in trials.values():
        share = max(1, round(len(task) * min(1, count / total)))
        good = [cost for cost in task[:share] if cost]
        if not good:
            return None
        seconds += min(good)
    return seconds


# What the search and its model take of a round. Logs of earlier versions lack the
# last two: what the model foretells for the log, and what it learns from records.
SEARCH_TIMES = ("draft", "rank", "pick", "learn", "forecast", "replay")


def read_log(folder):
    """Mean rank correlation of the last four rounds, and search's seconds."""
    correlations, seconds = [], 0.0
    try:
        with open(os.path.join(folder, "search-log.jsonl")) as file:
            rounds = [json.loads(line) for line in file]
    except OSError:
        return None, None
    for entry in rounds:
        times = entry["times"]
        seconds += sum(times.get(name, 0) for name in SEARCH_TIMES)
        if entry["rank_correlation"] is not None:
            correlations.append(entry["rank_correlation"])
    last = correlations[-4:]
    return (sum(last) / len(last) if last else None), seconds


def measure(case, variant, seed, options):
    """One run of sched-opt; what the report keeps of it."""
    label = key_of(case, variant, seed, options)
    folder = os.path.join(harness.BUILD, "bench", "ablation", label.replace(" ", "-"))
    records = os.path.join(folder, "records")
    os.makedirs(folder, exist_ok=True)
    shutil.rmtree(records, ignore_errors=True)
    source = os.path.join(folder, "f.mlir")
    with open(source, "w") as file:
        file.write(payloads.payload(case))
    said = "threads=%d trials=%d seed=%d quiet=true work-dir=%s %s" % (
        options.threads,
        max(options.trials),
        seed,
        records,
        VARIANTS[variant],
    )
    begin = time.monotonic()
    try:
        harness.run(
            [harness.tool("sched-opt"), "--auto-schedule=" + said, source, "-o", os.devnull],
            quiet=True,
            seconds=options.patience,
        )
        trials = read_records(records)
    except (harness.Failed, OSError) as error:
        return {"error": str(error)}
    wall = time.monotonic() - begin
    correlation, search = read_log(records)
    costs = [cost for task in trials.values() for cost in task]
    return {
        "best_s": {str(n): best_after(trials, n) for n in options.trials},
        "trials": len(costs),
        "failed": sum(cost is None for cost in costs),
        "rank_correlation": correlation,
        "search_s": search,
        "wall_s": wall,
    }


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def judge(report, cases, options):
    """Prints the table; the rows as the report keeps them."""
    best = {}
    for case in cases:
        known = [
            seconds
            for variant in options.variants
            for seed in range(options.seeds)
            for seconds in (result(report, case, variant, seed, options) or {})
            .get("best_s", {})
            .values()
            if seconds
        ]
        best[case["name"]] = min(known) if known else None
    head = "".join("  after %-4d spread" % n for n in options.trials)
    print("\n%-14s%s   ranks  search   valid" % ("", head))
    rows = {}
    for variant in options.variants:
        row = rows[variant] = {"shares": {}, "spreads": {}}
        found = [
            (case, seed, entry)
            for case in cases
            for seed in range(options.seeds)
            for entry in [result(report, case, variant, seed, options)]
            if entry and "best_s" in entry
        ]
        if not found:
            print("%-14s nothing was measured" % variant)
            continue
        text = "%-14s" % variant
        for n in options.trials:
            by_seed = {}
            for case, seed, entry in found:
                if entry["best_s"].get(str(n)):
                    share = best[case["name"]] / entry["best_s"][str(n)]
                    by_seed.setdefault(seed, []).append(share)
            means = [mean(shares) for shares in by_seed.values()]
            if not means:
                text += "%12s %7s" % ("none", "")
                continue
            row["shares"][n] = mean(means)
            row["spreads"][n] = max(means) - min(means)
            text += "%12.3f %7.3f" % (row["shares"][n], row["spreads"][n])
        ranks = [e["rank_correlation"] for _, _, e in found if e["rank_correlation"] is not None]
        row["rank_correlation"] = sum(ranks) / len(ranks) if ranks else None
        searched = [e["search_s"] / e["wall_s"] for _, _, e in found if e["search_s"] is not None]
        row["search_share"] = sum(searched) / len(searched) if searched else None
        count = sum(e["trials"] for _, _, e in found)
        row["valid"] = 1 - sum(e["failed"] for _, _, e in found) / max(1, count)
        text += "%8s" % ("%.2f" % row["rank_correlation"] if ranks else "-")
        text += "%8s" % ("%.1f %%" % (100 * row["search_share"]) if searched else "-")
        print(text + "%8.1f %%" % (100 * row["valid"]))
    return rows


def key_of(case, variant, seed, options):
    # Which trees "pre-trained" begins with; those of the others are in the tool.
    model = ""
    if variant == "pre-trained":
        model = " model=" + harness.fingerprint(options.pre_trained)
    return "%s %s batch=%d threads=%d trials=%d seed=%d%s code=%s" % (
        case["name"],
        variant,
        case["of_batch"],
        options.threads,
        max(options.trials),
        seed,
        model,
        harness.code(),
    )


def result(report, case, variant, seed, options):
    return report.get(key_of(case, variant, seed, options))


def judge_offline(cases, options):
    """Prints search-bench's table over the records of the operators."""
    folder = os.path.join(harness.BUILD, "bench", "operators")
    sources, lines = [], []
    for case in cases:
        prefix = "%s-batch=%d-threads=%d-" % (case["name"], case["of_batch"], options.threads)
        for name in sorted(os.listdir(folder) if os.path.isdir(folder) else []):
            records = os.path.join(folder, name, "tuned", "records", "records.jsonl")
            if name.startswith(prefix) and os.path.exists(records):
                sources.append(os.path.join(folder, name, "f.mlir"))
                with open(records) as file:
                    lines += file.readlines()
                break
    if not sources:
        raise harness.Failed("%s has no records of these; run `run.sh operators` first" % folder)
    merged = os.path.join(harness.BUILD, "bench", "ablation-records.jsonl")
    with open(merged, "w") as file:
        file.writelines(lines)
    command = [harness.tool("search-bench"), "--json", "--seeds=%d" % options.seeds]
    command += ["--for-threads=%d" % options.threads, "--records=" + merged] + sources
    judged = json.loads(harness.run(command, quiet=True))
    print("%d tasks; best latency after 16, 32 and 64 trials, to the best known" % judged["tasks"])
    for name, ratios in sorted(judged["judged"].items(), key=lambda item: item[1][-1]):
        print("%-22s" % name + "".join("%8.3f" % ratio for ratio in ratios))


def parse(families):
    parser = argparse.ArgumentParser(prog="run.sh ablation", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME|FAMILY")
    parser.add_argument(
        "--trials",
        type=lambda text: sorted(int(part) for part in text.split(",")),
        default=[16, 64, 256],
    )
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--variants", help="default: all; " + ", ".join(VARIANTS))
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--train", metavar="RUN", help="folder of run.sh operators")
    start.add_argument("--pre-trained", metavar="FILE", help="of sched-db train")
    parser.add_argument("--patience", type=float, default=3600, help="seconds of a run")
    parser.add_argument("--again", action="store_true", help="measure anew")
    parser.add_argument("--offline", action="store_true", help="judge on records")
    options = parser.parse_args()
    if options.train:
        options.pre_trained = os.path.join(harness.BUILD, "bench", "ablation", "others.model")
    if options.pre_trained:
        VARIANTS["pre-trained"] = "cost-model=" + os.path.abspath(options.pre_trained)
    names = options.variants.split(",") if options.variants else list(VARIANTS)
    unknown = [name for name in names if name not in VARIANTS]
    if unknown:
        parser.error("unknown variant: %s; there are %s" % (unknown[0], ", ".join(VARIANTS)))
    if options.variants and "pre-trained" in names and not options.pre_trained:
        parser.error("pre-trained needs --train=RUN or --pre-trained=FILE")
    options.variants = [name for name in names if VARIANTS[name]]
    chosen = suite.cases(families, [1], dtype="f32")
    known = {case[key] for case in chosen for key in ("name", "family")}
    wanted = options.names or ([] if options.offline else SUBSET)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        parser.error("unknown: %s; run.sh operators --list prints what there is" % unknown[0])
    if wanted:
        chosen = [c for c in chosen if c["name"] in wanted or c["family"] in wanted]
    return options, chosen


def main():
    options, cases = parse(suite.load())
    if options.offline:
        judge_offline(cases, options)
        return 0
    path = os.path.join(harness.BUILD, "bench", "ablation.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    report = operators.load_report(path)
    if options.train and "pre-trained" in options.variants:
        names = {case["name"] for case in cases}
        pretrain.train_without(options.train, names, options.pre_trained)
    # Seed by seed, so that a run that is cut short has all variants of a few.
    for seed in range(options.seeds):
        for case in cases:
            for variant in options.variants:
                key = key_of(case, variant, seed, options)
                # A run that failed is tried again.
                if options.again or "error" in report.get(key, {"error": ""}):
                    report[key] = measure(case, variant, seed, options)
                    operators.save_report(path, report)
                    error = report[key].get("error")
                    print(key + (": FAILED: " + error[:300] if error else ""), flush=True)
    rows = judge(report, cases, options)
    with open(os.path.join(harness.BUILD, "bench", "ablation-table.json"), "w") as file:
        json.dump({"operators": [c["name"] for c in cases], "variants": rows}, file, indent=1)
        file.write("\n")
    print("report: %s" % os.path.relpath(path))
    return 0


if __name__ == "__main__":
    harness.main(main)
