"""Checks each form of operator of the suite; argv: benchmarks, build, folder.

For each entry of operators/small.json: its payload, compiled unscheduled and by
the model's guess, computes what op-bench's reference of the same description
does, and so does each library that is installed. Then: each operator of the
suite itself is of a form that small.json has, and has a payload that parses.
"""

import json
import os
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True

import harness
import operators
import payloads
import suite

harness.BUILD, output = sys.argv[2], sys.argv[3]
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "operators")
os.makedirs(output, exist_ok=True)

# What a library says that lacks the operator, or is not there.
ABSENT = ("not installed", "has no such")


def compile_both(name, source):
    """Objects by name."""
    objects = {}
    for kind, option in (
        ("unscheduled", "--sched-lower-to-cpu"),
        ("guess", "--auto-schedule=trials=0 threads=1"),
    ):
        path = os.path.join(output, name + "." + kind)
        objects[kind] = path + ".o"
        harness.run(
            [harness.tool("sched-opt"), option, source, "--emit=obj"]
            + ["-o", path + ".o", "--emit-header=" + path + ".h"],
            quiet=True,
        )
    return objects


def check(case):
    """What is wrong, one line each."""
    base = os.path.join(output, case["name"])
    with open(base + ".json", "w") as file:
        json.dump(case, file)
    with open(base + ".mlir", "w") as file:
        file.write(payloads.payload(case))
    objects = compile_both(case["name"], base + ".mlir")
    plain = operators.compile_plain_c(case, output, 1)
    if plain:
        objects["plain C"] = plain
    report = base + ".report"
    command = [harness.tool("op-bench"), base + ".json", "--rounds=0", "--json"]
    command += ["--output=" + report] + ["%s=%s" % item for item in objects.items()]
    wrong = []
    try:
        harness.run(command, quiet=True)
    except harness.Failed as error:
        wrong.append(str(error))
    with open(report) as file:
        rows = json.load(file)["contenders"]
    assert {row["name"] for row in rows} >= set(objects), "a contender is missing"
    for row in rows:
        if not row["verified"] and not row["error"].startswith(ABSENT):
            wrong.append("%s: %s" % (row["name"], row["error"]))
    return wrong


def form(case):
    """What tells the code paths of a description apart."""
    parts = [case["op"]] + ([case["dtype"]] if case["dtype"] != "f32" else [])
    parts += [key for key in ("transposed", "layout", "form") if case.get(key)]
    if case["op"] == "convolution":
        parts.append("rank %d" % len(case["spatial"]))
        groups = case.get("groups", 1)
        parts.append("depthwise" if groups == case["in"] > 1 else "grouped" if groups > 1 else "")
        parts.append("capsule" if case.get("capsule", 1) > 1 else "")
    return " ".join(filter(None, parts))


small = suite.cases(suite.load(here))
right = 0
for case in small:
    wrong = check(case)
    for text in wrong:
        print("%s: %s" % (case["name"], text))
    right += not wrong
print("small: %d of %d right" % (right, len(small)))

tested = {form(case) for case in small}
names = set()
for case in suite.cases(suite.load()):
    key = (case["name"], case["of_batch"])
    if key in names:
        print("%s: twice in the suite" % case["name"])
    names.add(key)
    if form(case) not in tested:
        print("%s: its form is not among the small ones: %s" % (case["name"], form(case)))
    payloads.payload(case)
print("suite: %d" % len(names))
