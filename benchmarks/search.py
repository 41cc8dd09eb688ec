"""Measures each bar of the search and says whether it is met.

    benchmarks/run.sh search [NAME|FAMILY...] [--operators=all] [--seeds=5]
        [--trials=16,512] [--batch=1] [--rank-trials=256] [--random=64]
        [--threads=1] [--cost-model=NAME | --train=RUN] [--parts=NAME,...]
        [--again] [--check]

Its parts are
  rounds    what a round of the search costs on one core (search-bench)
  learning  what the learned model takes to train (learn-bench)
  tuning    each operator with each seed: the model's guess, the best after few
            trials, and, as the same search goes on, after many, timed in turns;
            what share of the time the search and its training took, and what
            share of the candidates was valid
  ranks     how well a model ranks what it was not told of (ranks.py)
NAME is an operator of operators/*.json or a family. Without any, tuning has the
operators of ablation.py, or with --operators=all the whole suite, and ranks
those of ranks.py.

The search ranks with what `cost-model` is by default, or with --cost-model.
--train=RUN: with a model of the records in RUN, a folder of `run.sh operators`,
that has not seen the operator that it is judged on; the one that comes with the
project has. The ranks' models then begin with one as well, and else with
nothing.

What was measured is in <build>/bench/search.json, and is not measured again
unless --again or it failed, with the same tools and the same model; so a run that
was stopped goes on. With --check the exit status
is 1 where a bar is not met, or was not judged as the machine was busy.
"""

import argparse
import functools
import hashlib
import json
import math
import os
import shutil
import statistics

import ablation
import bars
import harness
import operators
import payloads
import pretrain
import ranks
import suite

# Most processor seconds of a round of 4 generations of 2048, with features: the
# first one, and one that learned trees rank.
ROUNDS = {"matmul": 0.1, "convolution": 0.3}
# Most seconds of learn-bench's.
LEARNING = {"update at 1000": 0.3, "training of 10000": 1.5}
LEARNING_RUNS = 3
# How often a contest is begun anew where a busy machine disturbs it.
CONTESTS = 3
# Least share of the speed after many trials that few reach, and the guess; most
# of the time that the search and its training take; least share of candidates
# that are valid; least rank correlation.
FEW, GUESS, TIME, VALID, RANKS = 0.93, 0.85, 0.15, 0.95, 0.85

PARTS = ("rounds", "learning", "tuning", "ranks")


def folder_of(*names):
    path = os.path.join(harness.BUILD, "bench", "search", *names)
    os.makedirs(path, exist_ok=True)
    return path


# --- rounds, learning


def write_payload(name):
    """The file of a matmul, or of a convolution with bias and relu."""
    if name == "matmul":
        return os.path.join(harness.SUITE, "matmul_128.mlir")
    [case] = [
        case
        for case in suite.cases(suite.load(), [1])
        if case["name"] == "resnet_56_64to64_3x3"
    ]
    path = os.path.join(folder_of(), "convolution.mlir")
    with open(path, "w") as file:
        file.write(payloads.payload(case))
    return path


def measure_rounds(seeds):
    """Processor seconds of a round of each payload: the first, and a later one."""
    result = {}
    for name in ROUNDS:
        command = [harness.tool("search-bench"), "--json", "--seeds=%d" % seeds]
        costs = json.loads(harness.run(command + [write_payload(name)]))["proposals"]
        # Of the tasks of a payload, the slowest.
        first = [entry["with_descents"] for entry in costs.values() if "with_descents" in entry]
        later = [entry for key, entry in costs.items() if key.endswith(", xgboost")]
        result[name] = {
            kind: max(entries, key=lambda entry: entry["processor_s"])
            for kind, entries in (("first", first), ("later", later))
        }
    return result


def judge_rounds(result, sheet):
    for name, bar in ROUNDS.items():
        for kind, what in (("first", "first round"), ("later", "round that trees rank")):
            seconds = result[name][kind]["processor_s"]
            sheet.add("search, " + name, what, seconds, bar, False, "s")


def measure_learning():
    """Wall seconds by what is learned, medians of some runs."""
    command = [harness.tool("learn-bench"), "--json"]
    runs = [json.loads(harness.run(command)) for _ in range(LEARNING_RUNS)]
    return {
        what: statistics.median(run[what]["wall_s"] for run in runs) for what in sorted(runs[0])
    }


def judge_learning(result, sheet):
    for what, seconds in result.items():
        sheet.add("learned model", what, seconds, LEARNING.get(what), False, "s")


# --- tuning


@functools.lru_cache(maxsize=None)
def train_for(name, run):
    """The model for an operator, that has not seen it."""
    output = os.path.join(folder_of("models"), name + ".model")
    return pretrain.train_without(run, {name}, output)


def choose_model(case, options):
    """What sched-opt is told of the cost model."""
    if options.train:
        return "cost-model=" + train_for(case["name"], options.train)
    return operators.choose_model(options)


@functools.lru_cache(maxsize=None)
def fingerprint_run(run):
    """Tells runs of the suite apart by what is in their records."""
    digest = hashlib.sha256()
    for path in pretrain.find_records(run):
        digest.update(os.path.relpath(path, run).encode() + path.read_bytes())
    return digest.hexdigest()[:8]


def name_model(options):
    """What results of a cost model are kept under."""
    if options.train:
        run = os.path.basename(os.path.abspath(options.train))
        return "trained-on-%s-%s" % (run, fingerprint_run(options.train))
    name = options.cost_model or "default"
    if os.path.isfile(name):
        return "%s-%s" % (os.path.basename(name), harness.fingerprint(name))
    return name.replace("/", "-")


def key_of(case, seed, options):
    return "%s batch=%d threads=%d trials=%d,%d seed=%d model=%s code=%s" % (
        case["name"],
        case["of_batch"],
        options.threads,
        *options.trials,
        seed,
        name_model(options),
        harness.code(),
    )


def measure_tuning(case, seed, options):
    """One search; what the report keeps of it."""
    folder = folder_of(key_of(case, seed, options).replace(" ", "-"))
    _, source = operators.write_case(case, folder)
    records = os.path.join(folder, "records")
    shutil.rmtree(records, ignore_errors=True)
    few, many = options.trials
    wall, contenders = 0.0, []
    try:
        model = choose_model(case, options)
        for name, trials in (("guess", 0), ("few", few), ("many", many)):
            output = os.path.join(folder, name)
            seconds = harness.tune(
                "f",
                output,
                options.threads,
                trials,
                seed,
                quiet=True,
                source=source,
                seconds=options.patience,
                records=records if trials else None,
                more=model,
            )
            contenders.append("%s=%s" % (name, os.path.join(output, "f.o")))
            wall += seconds if trials else 0
        trials = ablation.read_records(records)
    except (harness.Failed, OSError) as error:
        return {"error": str(error)}
    for _ in range(CONTESTS):
        bench, failure = operators.contest(
            folder, contenders, options.threads, options, ["--libraries=false"]
        )
        unsteady = bool(bench) and harness.is_unsteady(bench, ("guess", "few", "many"))
        if not unsteady:
            break
    rows = {name: bench and harness.contender(bench, name) for name in ("guess", "few", "many")}
    if failure or not all(rows.values()):
        return {"error": "op-bench: %s" % (failure or "not all were timed")}
    correlation, search = ablation.read_log(records)
    costs = [cost for task in trials.values() for cost in task]
    return {
        "latency_s": {name: row["median_s"] for name, row in rows.items()},
        "busy": harness.is_busy(bench),
        "unsteady": unsteady,
        "trials": len(costs),
        "failed": sum(cost is None for cost in costs),
        "rank_correlation": correlation,
        "search_s": search,
        "wall_s": wall,
    }


def share(entry, name):
    """Speed of one of the contenders to the best of them, which is what the many
    trials could have answered: they had those of the others, too."""
    return min(entry["latency_s"].values()) / entry["latency_s"][name]


def is_open(entry):
    """Whether its speeds are of a busy machine, and are not judged."""
    return entry.get("unsteady", False)


def describe(entry, options):
    if "error" in entry:
        return "FAILED: " + entry["error"][:300]
    return "%d trials %.3f, guess %.3f; search %.1f %% of %.0f s, %d of %d failed%s" % (
        options.trials[0],
        share(entry, "few"),
        share(entry, "guess"),
        100 * (entry["search_s"] or 0) / entry["wall_s"],
        entry["wall_s"],
        entry["failed"],
        entry["trials"],
        "  " + harness.UNSTEADY if is_open(entry) else "  (busy)" if entry["busy"] else "",
    )


def judge_tuning(entries, options, sheet):
    """entries: what was measured, or why not, by (operator, seed)."""
    good = {at: entry for at, entry in entries.items() if "error" not in entry}
    label = "tuning, %d operators, %d seeds" % (len({name for name, _ in entries}), options.seeds)
    sheet.add(label, "searches that failed", len(entries) - len(good), 0, False, "")
    few, many = options.trials
    for name, what, bar in (
        ("few", "%d trials to %d" % (few, many), FEW),
        ("guess", "guess to %d trials" % many, GUESS),
        ("many", "%d trials to best of these" % many, None),
    ):
        by_operator = {}
        for (operator, _), entry in good.items():
            if is_open(entry):
                continue
            by_operator.setdefault(operator, []).append(share(entry, name))
        shares = {operator: operators.mean(values) for operator, values in by_operator.items()}
        sheet.add(label, what, operators.mean(list(shares.values())), bar, True)
        if shares:
            least = min(shares, key=shares.get)
            sheet.add("  least: " + least, what, shares[least], None, True)
    sheet.unsteady += sum(map(is_open, good.values()))
    times = [
        entry["search_s"] / entry["wall_s"]
        for entry in good.values()
        if entry["search_s"] is not None
    ]
    average = sum(times) / len(times) if times else None
    sheet.add(label, "search's share of time", average, TIME, False, "")
    most = max(times, default=None)
    sheet.add("  most of one search", "search's share of time", most, None, False, "")
    count = sum(entry["trials"] for entry in good.values())
    failed = sum(entry["failed"] for entry in good.values())
    valid = 1 - failed / count if count else None
    sheet.add(label, "share of valid candidates", valid, VALID, True, "")


# --- ranks


def measure_ranks(cases, options):
    known = argparse.Namespace(
        **dict(vars(options), trials=options.rank_trials, seed=0, start=None, set=[])
    )
    return json.loads(harness.run(ranks.make_command(cases, known) + ["--json"]))["tasks"]


def average_rank(tasks, question, model):
    values = [task["rank_correlation"].get(question, {}).get(model) for task in tasks]
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def judge_ranks(tasks, options, sheet):
    """The bar is of random candidates: the search's own differ by little more
    than two measurements of one do."""
    model = "%s, learning, calibrated" % ("pre-trained" if options.train else "fresh")
    label = "ranks after %d trials, %d tasks" % (options.rank_trials, len(tasks))
    for question, what, bar in (
        ("random, others known", "random, held out", RANKS),
        ("random", "random, none known", None),
        ("the search's", "the search's, held out", None),
    ):
        sheet.add(label, what, average_rank(tasks, question, model), bar, True, "")
        again = average_rank(tasks, question, "two measurements")
        if again and again > 0:
            sheet.add("  what noise leaves: at most", what, math.sqrt(again), None, True, "")


# --- the command line


def parse(families):
    parser = argparse.ArgumentParser(prog="run.sh search", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME|FAMILY")
    parser.add_argument("--operators", choices=("all",), help="instead of a subset")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument(
        "--trials",
        type=lambda text: [int(part) for part in text.split(",")],
        default=[16, 512],
        metavar="FEW,MANY",
    )
    parser.add_argument("--batch", type=int, action="append", help="of tuning; default: 1")
    parser.add_argument("--rank-trials", type=int, default=256)
    parser.add_argument("--cost-model", help="as for sched-opt")
    parser.add_argument("--patience", type=float, default=3600, help="seconds of a tuning")
    parser.add_argument("--parts", default=",".join(PARTS), help="default: all; %(default)s")
    ranks.add_options(parser)
    operators.add_contest_options(parser)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bar is not met")
    options = parser.parse_args()
    options.parts = options.parts.split(",")
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error("unknown part: %s; there are %s" % (unknown[0], ", ".join(PARTS)))
    if len(options.trials) != 2 or not 0 < options.trials[0] < options.trials[1]:
        parser.error("--trials must be FEW,MANY")
    if options.train and options.cost_model:
        parser.error("--train is a cost model, too: leave --cost-model out")
    cases = suite.cases(families, options.batch or [1], dtype="f32")
    chosen = options.names or ([] if options.operators else ablation.SUBSET)
    return (
        options,
        operators.choose(parser, chosen, cases),
        operators.choose(
            parser, options.names or ranks.SUBSET, suite.cases(families, [1], dtype="f32")
        ),
    )


def main():
    options, cases, ranked = parse(suite.load())
    path = os.path.join(os.path.dirname(folder_of()), "search.json")
    report = operators.load_report(path)
    sheet = bars.Sheet()

    def keep(key, measure, *arguments):
        """What is in the report, or is measured now."""
        known = report.get(key)
        # What failed is tried again, and what cannot be judged.
        redo = isinstance(known, dict) and ("error" in known or is_open(known))
        if options.again or known is None or redo:
            report[key] = measure(*arguments)
            operators.save_report(path, report)
        return report[key]

    if "rounds" in options.parts:
        key = "rounds seeds=%d code=%s" % (options.seeds, harness.code("search-bench"))
        judge_rounds(keep(key, measure_rounds, options.seeds), sheet)
    if "learning" in options.parts:
        key = "learning code=" + harness.code("learn-bench")
        judge_learning(keep(key, measure_learning), sheet)
    if "tuning" in options.parts:
        entries = {}
        # Seed by seed, so that a run that is cut short has all operators.
        for seed in range(options.seeds):
            for case in cases:
                name = "%s b%d" % (case["name"], case["of_batch"])
                key = key_of(case, seed, options)
                entries[name, seed] = entry = keep(key, measure_tuning, case, seed, options)
                print("%s seed %d: %s" % (name, seed, describe(entry, options)), flush=True)
        judge_tuning(entries, options, sheet)
    if "ranks" in options.parts:
        key = "ranks of %s threads=%d trials=%d random=%d model=%s code=%s" % (
            ",".join(case["name"] for case in ranked),
            options.threads,
            options.rank_trials,
            options.random,
            name_model(options),
            harness.code("rank-bench"),
        )
        judge_ranks(keep(key, measure_ranks, ranked, options), options, sheet)
    verdicts = [line["met"] for line in sheet.lines]
    operators.save_report(path, report, bars=sheet.lines)
    print("%d bars met, %d not met" % (verdicts.count(True), verdicts.count(False)))
    if sheet.unsteady:
        print(
            "not judged: %d searches whose contest was of a busy machine; the next run"
            " measures them again" % sheet.unsteady
        )
    print("report: %s" % os.path.relpath(path))
    return 1 if options.check and (False in verdicts or sheet.unsteady) else 0


if __name__ == "__main__":
    harness.main(main)
