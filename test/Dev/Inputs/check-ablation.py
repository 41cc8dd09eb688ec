"""Runs ablation.py with a sched-opt that writes records of known latencies.

argv: folder benchmarks/, build folder, then ablation.py's own.
"""

import json
import os
import sys

benchmarks, build = sys.argv[1:3]
sys.argv = ["ablation.py"] + sys.argv[3:]
sys.path.insert(0, benchmarks)
sys.dont_write_bytecode = True
os.environ["SCHED_BUILD_DIR"] = build

import ablation
import harness

harness.tool = lambda name: name
harness.code = lambda name="": os.environ.get("CODE", "1")


def run(command, quiet=False, seconds=None):
    if command[0] == "sched-db":
        print("training", *[os.path.relpath(word, build) for word in command[5:]])
        return
    said = dict(part.split("=", 1) for part in command[1].split("=", 1)[1].split())
    model = os.path.basename(said.get("cost-model", ""))
    print("tuning", said.get("strategy") or model, "seed", said["seed"])
    if said.get("cost-model") == "ensemble":
        raise harness.Failed("it fell over")
    folder = said["work-dir"]
    os.makedirs(folder, exist_ok=True)
    # The random ones get there four times as slowly.
    slowness = 4 if "random" in said.values() else 1
    with open(os.path.join(folder, "records.jsonl"), "w") as file:
        for trial in range(int(said["trials"])):
            cost = 2.0 if trial < 4 * slowness else 1.0
            failed = trial == 0
            record = {"workload": {"hash": "w"}, "trial": trial, "verified": not failed}
            record.update(error="crash" if failed else "", costs_s=[] if failed else [cost])
            file.write(json.dumps(record) + "\n")
            if trial == 0:
                same = dict(record, error="", verified=True, costs_s=[2.0], duplicate=True)
                file.writelines([json.dumps(same) + "\n"] * 8)
        # Neither what the whole function took is a trial,
        record.update(workload={"hash": "w-whole"}, costs_s=[9.0])
        file.write(json.dumps(record) + "\n")
        # nor what compares the best again.
        record["workload"] = {"hash": "w"}
        record.update(trial=-2, costs_s=[0.1])
        file.write(json.dumps(record) + "\n")
    with open(os.path.join(folder, "search-log.jsonl"), "w") as file:
        times = {"draft": 0, "rank": 0, "pick": 0, "learn": 0}
        file.write(json.dumps({"times": times, "rank_correlation": 0.5}) + "\n")


harness.run = run
harness.main(ablation.main)
