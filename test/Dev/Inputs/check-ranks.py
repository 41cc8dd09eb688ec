"""Runs ranks.py with a sched-opt that writes records, and shows what is run.

argv: folder benchmarks/, build folder, then ranks.py's own.
"""

import json
import os
import sys

benchmarks, build = sys.argv[1:3]
sys.argv = ["ranks.py"] + sys.argv[3:]
sys.path.insert(0, benchmarks)
sys.dont_write_bytecode = True
os.environ["SCHED_BUILD_DIR"] = build

import harness
import ranks

harness.tool = lambda name: name


def run(command, quiet=False, seconds=None):
    name = command[0]
    if name != "sched-opt":
        print(name, *[word.replace(os.path.realpath(build), "BUILD") for word in command[1:]])
        return ""
    said = dict(part.split("=", 1) for part in command[1].split("=", 1)[1].split())
    folder = said["work-dir"]
    print(os.path.basename(folder), said.get("strategy", "-"), said["trials"], said["winograd"])
    os.makedirs(folder)
    if "replay-dir" in said:
        with open(os.path.join(said["replay-dir"], "records.jsonl")) as file:
            lists = [json.loads(line) for line in file]
        print("again:", *[record["trace"] for record in lists], set(r["toolchain"] for r in lists))
    with open(os.path.join(folder, "records.jsonl"), "w") as file:
        for trial in range(-1, int(said["trials"])):
            record = {"trial": trial, "trace": "%s%d" % (said.get("strategy", "-")[0], trial)}
            file.write(json.dumps(dict(record, toolchain="LLVM")) + "\n")
    return ""


harness.run = run
harness.main(ranks.main)
