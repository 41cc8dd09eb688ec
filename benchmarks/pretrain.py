#!/usr/bin/env python3
"""Trains the cost model that comes with the project (lib/CostModel/Pretrained.model).

    benchmarks/pretrain.py RUN [--from=MODEL] [--random=N [--only=NAME,...]]
        [--build=DIR] [-o FILE]

RUN is the folder of a run of the operator suite (./dev bench operators), or one
that has work directories of other searches somewhere below it: a work directory
is a folder with records.jsonl, and the module that was tuned, where workloads/
does not lie beside the records, is the f.mlir in a folder above it. What is to
be said of the model (tasks, candidates, how well tasks that were held out are
ranked) is printed. After a change of the features, with a run of each machine:

    benchmarks/pretrain.py RUN -o FILE
    benchmarks/pretrain.py OTHER_RUN --from=FILE && ./dev build

--from=MODEL goes on with a model of the same features, whose records are of
another machine, or gone: the trees of both are kept. Tasks that are held out are
then unknown to the new trees alone.

A search measures what seems good. Trees that know nothing else rank random
candidates worse than formulas do. So --random=N first measures N random
candidates of each operator that RUN has tuned at batch 1, on as many threads, or
of those that --only names. They are in RUN/random, and are not measured again.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import harness

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRETRAINED = ROOT / "lib" / "CostModel" / "Pretrained.model"


def find_module(records, run):
    """The f.mlir of the folder next above the records."""
    for folder in records.parents:
        if (folder / "f.mlir").exists():
            return folder / "f.mlir"
        if folder == run:
            return None
    return None


def find_records(run):
    """The files of records below a folder; sorted, so that the same records give
    the same model."""
    run = pathlib.Path(run).resolve()
    return sorted(path for path in run.rglob("records.jsonl") if path.stat().st_size > 0)


def describe(path, run):
    """What `sched-db train` is told of a file of records."""
    module = find_module(path, pathlib.Path(run).resolve())
    if module and not (path.parent / "workloads").is_dir():
        return [str(path.parent), f"--payload={module}"]
    return [str(path.parent)]


def make_command(tool, run, records, validate, output, start=None):
    """Of `sched-db train`, on some of the records of a run."""
    command = [str(tool), "train", "--validate=%s" % validate, "-o", str(output)]
    if start:
        command.append("--from=%s" % start)
    for path in records:
        command += describe(path, run)
    return command


def train_without(run, names, output):
    """A model of the records of a run, but for those of some operators: what is
    judged on these must not have learned from them. Returns output."""
    # RUN/NAME-batch=1-threads=1-.../tuned/records: at any batch and threads.
    others = [
        path
        for path in find_records(run)
        if not any(
            part.split("-")[0] in names
            for part in path.relative_to(pathlib.Path(run).resolve()).parts
        )
    ]
    if not others:
        raise harness.Failed("'%s' has no records of other operators" % run)
    pathlib.Path(output).parent.mkdir(parents=True, exist_ok=True)
    harness.run(make_command(harness.tool("sched-db"), run, others, 0, output), quiet=True)
    return str(output)


def measure_random(run, count, names, tool):
    """Measures random candidates of the operators that a run has tuned at batch 1."""
    modules = {}
    for module in sorted(run.rglob("f.mlir")):
        if run / "random" not in module.parents and "-batch=1-" in module.parent.name:
            modules.setdefault(module.parent.name.split("-")[0], []).append(module)
    unknown = [name for name in names if name not in modules]
    if unknown:
        sys.exit("pretrain.py: '%s' has not tuned at batch 1: %s" % (run, ", ".join(unknown)))
    options = "target=native strategy=random trials=%d seed=3" % count
    for module in [m for name in names or modules for m in modules[name]]:
        name = module.parent.name
        threads = re.search(r"-batch=1-threads=(\d+)-", name)
        folder = run / "random" / name
        if not threads:
            continue
        try:
            if harness.search(str(module), str(folder), int(threads.group(1)), options, tool):
                print(name, flush=True)
        except harness.Failed as error:
            shutil.rmtree(folder, ignore_errors=True)
            sys.exit("pretrain.py: %s: %s" % (name, error))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=pathlib.Path, help="folder of measurements")
    parser.add_argument(
        "--build", type=pathlib.Path, default=ROOT / "build", help="build folder"
    )
    parser.add_argument("-o", "--output", type=pathlib.Path, default=PRETRAINED)
    parser.add_argument("--from", dest="start", help="a model to go on with")
    parser.add_argument(
        "--validate", default="0.2", help="part of the tasks to hold out first"
    )
    parser.add_argument(
        "--random", type=int, default=0, help="random candidates of each operator to measure"
    )
    parser.add_argument("--only", default="", help="operators to measure some of")
    arguments = parser.parse_args()

    run = arguments.run.resolve()
    if arguments.random > 0:
        names = arguments.only.split(",") if arguments.only else []
        tool = str(arguments.build / "bin" / "sched-opt")
        measure_random(run, arguments.random, names, tool)
    records = find_records(run)
    if not records:
        sys.exit(
            f"pretrain.py: found no records.jsonl below '{run}'; expected the folder "
            "of a run of the operator suite: ./dev bench operators"
        )
    tool = arguments.build / "bin" / "sched-db"
    command = make_command(
        tool, run, records, arguments.validate, arguments.output, arguments.start
    )
    done = subprocess.run(command, check=False)
    if done.returncode == 0:
        print(f"{arguments.output.stat().st_size // 1024} KiB")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
