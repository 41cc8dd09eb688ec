"""How well cost models rank candidates of a task that they have learned from.

    benchmarks/run.sh ranks [NAME|FAMILY...] [--trials=256] [--random=64]
        [--threads=1] [--train=RUN | --start=FILE] [--again]

NAME is an operator of operators/*.json or a family; default: five of which each
is of another kind. Each operator is tuned with so many trials, random candidates
of the same space are measured, and then all random ones and as many of the
search's once more: two measurements of the same candidates say what noise leaves
to be had. Then a fifth of the trials is held out by turns and ranked by models
that have learned from the others (rank-bench --within). Convolutions stay in
their direct form, so that all trials are of one task.

--train=RUN: the folder of a run of the operator suite; models begin with trees
that are trained on its records of all other operators (at the same threads and
all batches, but for the same operator at any). --start=FILE: they begin with a
model of sched-db train. Else, only fresh ones are judged. Measurements are in
<build>/bench/ranks, and are not made again unless --again.
"""

import argparse
import json
import os
import shutil

import harness
import payloads
import pretrain
import suite

SUBSET = ["GMM0", "C1D1", "C2D2", "DEP0", "bert_ffn_in"]


def read_trials(folder):
    """Its records, but for those that measure a candidate again."""
    with open(os.path.join(folder, "records.jsonl")) as file:
        records = [json.loads(line) for line in file]
    return [record for record in records if record["trial"] >= 0]


def list_again(folder, chosen, random):
    """Records in folder from which strategy=replay measures all of these again."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "records.jsonl"), "w") as file:
        for record in chosen + random:
            # Records of another toolchain: what was measured in the same run is
            # not replayed in it.
            file.write(json.dumps(dict(record, toolchain=record["toolchain"] + ", again")) + "\n")


def measure(case, options):
    """The three work directories of an operator."""
    label = "%s-threads=%d-trials=%d" % (case["name"], options.threads, options.trials)
    folder = os.path.join(harness.BUILD, "bench", "ranks", label)
    if options.again:
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    source = os.path.join(folder, "f.mlir")
    with open(source, "w") as file:
        file.write(payloads.payload(case))
    tuned, random, again = (os.path.join(folder, name) for name in ("tuned", "random", "again"))
    said = "trials=%d seed=%d" % (options.trials, options.seed)
    harness.search(source, tuned, options.threads, said)
    said = "strategy=random trials=%d seed=%d" % (options.random, options.seed)
    harness.search(source, random, options.threads, said)
    chosen, drawn = read_trials(tuned), read_trials(random)
    # An even sample of what the search chose.
    step = max(1, len(chosen) // options.random)
    listed = os.path.join(folder, "listed")
    list_again(listed, chosen[::step], drawn)
    count = len(chosen[::step]) + len(drawn) + 8
    said = "strategy=replay replay-dir=%s trials=%d" % (listed, count)
    harness.search(source, again, options.threads, said)
    return tuned, random, again


def make_command(cases, options):
    """Measures what is not there, and trains; how to let rank-bench judge it."""
    command = [harness.tool("rank-bench"), "--within"]
    for case in cases:
        print("measuring %s" % case["name"], flush=True)
        tuned, random, again = measure(case, options)
        command += [tuned, "--random=" + random, "--again=" + again]
    start = options.start
    if options.train:
        output = os.path.join(harness.BUILD, "bench", "ranks", "others.model")
        start = pretrain.train_without(options.train, {case["name"] for case in cases}, output)
    if start:
        command.append("--start=" + start)
    return command + ["--set=" + text for text in options.set]


def add_options(parser):
    """What search.py asks for as well."""
    parser.add_argument("--random", type=int, default=64, help="random candidates to rank")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--train", metavar="RUN", help="folder of run.sh operators")
    parser.add_argument("--again", action="store_true", help="measure anew")


def parse(families):
    parser = argparse.ArgumentParser(prog="run.sh ranks", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME|FAMILY")
    parser.add_argument("--trials", type=int, default=256)
    parser.add_argument("--seed", type=int, default=0)
    add_options(parser)
    parser.add_argument("--start", metavar="FILE", help="of sched-db train")
    parser.add_argument("--set", action="append", default=[], help="as for rank-bench")
    options = parser.parse_args()
    chosen = suite.cases(families, [1], dtype="f32")
    known = {case[key] for case in chosen for key in ("name", "family")}
    wanted = options.names or SUBSET
    unknown = [name for name in wanted if name not in known]
    if unknown:
        parser.error("unknown: %s; run.sh operators --list prints what there is" % unknown[0])
    return options, [c for c in chosen if c["name"] in wanted or c["family"] in wanted]


def main():
    options, cases = parse(suite.load())
    print(harness.run(make_command(cases, options)), end="")
    return 0


if __name__ == "__main__":
    harness.main(main)
