"""Tunes one operator with MetaSchedule; run by ../metaschedule.py in TVM's environment.

    tune.py OPERATOR.json FOLDER --trials=64 --threads=1 --seed=0
        [--build-timeout=30]

Writes FOLDER/module.so, which has the function "main", and FOLDER/tuned.json:
what was measured, and what call.c has to know. All options of the search are
MetaSchedule's own defaults; the target is this machine's processor, by name,
with so many cores.
"""

import argparse
import json
import os
import time

import computations
import tvm
import tvm_ffi
from tvm import te
from tvm.s_tir import meta_schedule


def describe_target(threads):
    """This machine's processor, as TVM detects it, with so many cores."""
    name = tvm.get_global_func("tvm.codegen.llvm.GetHostCPUName")()
    triple = tvm.get_global_func("tvm.codegen.llvm.GetDefaultTargetTriple")()
    return {"kind": "llvm", "mtriple": str(triple), "mcpu": str(name), "num-cores": threads}


def best_seconds(records):
    """Mean seconds of each trial that worked; how many did not."""
    worked, failed = [], 0
    for record in records:
        seconds = [float(cost) for cost in record.run_secs or []]
        if seconds and max(seconds) < 1e9:
            worked.append(sum(seconds) / len(seconds))
        else:
            failed += 1
    return worked, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("operator")
    parser.add_argument("folder")
    parser.add_argument("--trials", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--build-timeout", type=float, default=30)
    options = parser.parse_args()
    with open(options.operator) as file:
        case = json.load(file)
    said = describe_target(options.threads)
    target = tvm.target.Target(said)
    tensors = computations.write(case)
    function = te.create_prim_func(tensors)

    begin = time.monotonic()
    database = meta_schedule.tir_integration.tune_tir(
        mod=function,
        target=target,
        work_dir=os.path.join(options.folder, "records"),
        max_trials_global=options.trials,
        # Its default but for the time limit.
        builder=meta_schedule.builder.LocalBuilder(
            max_workers=meta_schedule.utils.cpu_count(logical=False),
            timeout_sec=options.build_timeout,
        ),
        seed=options.seed,
    )
    tuned = time.monotonic()
    schedule = meta_schedule.tir_integration.compile_tir(database, function, target)
    worked, failed = best_seconds(database.get_all_tuning_records())
    if schedule is None:
        raise SystemExit("MetaSchedule found no schedule; %d trials failed" % failed)
    path = os.path.join(options.folder, "module.so")
    tvm.tirx.build(schedule.mod, target=target).export_library(path)
    compiled = time.monotonic()

    with open(os.path.join(options.folder, "tuned.json"), "w") as file:
        json.dump(
            {
                "tvm": tvm.__version__,
                "target": said,
                "tune_s": tuned - begin,
                "compile_s": compiled - tuned,
                "trials": len(worked) + failed,
                "failed": failed,
                "own_best_s": min(worked) if worked else None,
                "module": path,
                "libraries": [
                    tvm_ffi.libinfo.find_libtvm_ffi(),
                    tvm.libinfo.find_libtvm_runtime(),
                ],
                "includes": tvm_ffi.libinfo.include_paths(),
                "shapes": [[int(extent) for extent in tensor.shape] for tensor in tensors],
            },
            file,
            indent=1,
        )
        file.write("\n")


if __name__ == "__main__":
    main()
