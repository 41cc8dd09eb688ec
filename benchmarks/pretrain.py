#!/usr/bin/env python3
"""Trains the cost model that comes with the project (lib/CostModel/Pretrained.model).

    benchmarks/pretrain.py RUN [--random=N [--only=NAME,...]] [--build=DIR] [-o FILE]

RUN is the folder of a run of the operator suite (./dev bench operators), or one
that has work directories of other searches somewhere below it: a work directory
is a folder with records.jsonl, and the module that was tuned, where workloads/
does not lie beside the records, is the f.mlir in a folder above it. What is to
be said of the model (tasks, candidates, how well tasks that were held out are
ranked) is printed. --random=N measures N random candidates of each operator that
RUN has tuned at batch 1, on as many threads, or of those of --only, in RUN/random,
unless they are there: trees that know searches alone, which measure what is good,
rank random candidates worse than formulas do. After a change of the features,
this is the one command:

    benchmarks/pretrain.py RUN && ./dev build
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


def make_command(tool, run, records, validate, output):
    """Of `sched-db train`, on some of the records of a run."""
    command = [str(tool), "train", "--validate=%s" % validate, "-o", str(output)]
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
    for module in sorted(run.rglob("f.mlir")):
        name = module.parent.name
        threads = re.search(r"-batch=1-threads=(\d+)-", name)
        folder = run / "random" / name
        if not threads or run / "random" in module.parents or (folder / "finished").exists():
            continue
        if names and name.split("-")[0] not in names:
            continue
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copy(module, folder / "f.mlir")
        said = "target=native threads=%s trials=%d strategy=random seed=3 quiet=true" % (
            threads.group(1),
            count,
        )
        # In their direct form, so that all trials are of one task.
        said += " winograd=off work-dir=%s" % (folder / "records")
        print(name, flush=True)
        done = subprocess.run(
            [str(tool), "--auto-schedule=" + said, str(folder / "f.mlir"), "-o", "/dev/null"],
            check=False,
        )
        if done.returncode == 0:
            (folder / "finished").touch()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=pathlib.Path, help="folder of measurements")
    parser.add_argument(
        "--build", type=pathlib.Path, default=ROOT / "build", help="build folder"
    )
    parser.add_argument("-o", "--output", type=pathlib.Path, default=PRETRAINED)
    parser.add_argument(
        "--validate", default="0.2", help="part of the tasks to hold out first"
    )
    parser.add_argument(
        "--random", type=int, default=0, help="random candidates of each operator to measure"
    )
    parser.add_argument("--only", default="", help="operators to measure some of")
    arguments = parser.parse_args()

    run = arguments.run.resolve()
    if arguments.random:
        names = arguments.only.split(",") if arguments.only else []
        measure_random(run, arguments.random, names, arguments.build / "bin" / "sched-opt")
    records = find_records(run)
    if not records:
        sys.exit(
            f"pretrain.py: found no records.jsonl below '{run}'; expected the folder "
            "of a run of the operator suite: ./dev bench operators"
        )
    tool = arguments.build / "bin" / "sched-db"
    command = make_command(tool, run, records, arguments.validate, arguments.output)
    done = subprocess.run(command, check=False)
    if done.returncode == 0:
        print(f"{arguments.output.stat().st_size // 1024} KiB")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
