"""Adds up the results of the test runners; `./dev test` ends with this.

Reads runs.txt, one line a runner: `KIND EXIT-STATUS RESULT-FILE`, where KIND is
`lit` (the JSON of lit's --output) or `gtest` (the JSON of --gtest_output).
Prints the name of every failed test, then `N passed, N failed, N skipped` alone
on the last line. Exit status 1 when a test failed or none ran.

A runner that left no readable result (it crashed, hung, or found no test), or
that failed although no test of its did, counts as one failed test.
"""

import json
import os
import sys

LIT_PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
LIT_SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def lit_outcomes(result):
    for test in result["tests"]:
        code = test["code"]
        if code in LIT_PASSED:
            yield test["name"], "passed"
        elif code in LIT_SKIPPED:
            yield test["name"], "skipped"
        else:  # FAIL, XPASS, TIMEOUT, UNRESOLVED
            yield test["name"], "failed"


def gtest_outcomes(result):
    for suite in result["testsuites"]:
        for test in suite["testsuite"]:
            name = f"{test.get('classname', suite['name'])}.{test['name']}"
            if test.get("failures"):
                yield name, "failed"
            elif test.get("result") == "COMPLETED":
                yield name, "passed"
            else:  # SKIPPED, or disabled: SUPPRESSED
                yield name, "skipped"


OUTCOMES = {"lit": lit_outcomes, "gtest": gtest_outcomes}


def read_run(kind, status, path):
    """The (name, outcome) pairs of one runner."""
    runner = os.path.splitext(os.path.basename(path))[0]
    try:
        with open(path, encoding="utf-8") as file:
            outcomes = list(OUTCOMES[kind](json.load(file)))
    except (OSError, ValueError, KeyError) as error:
        reason = f"no result, exit status {status} ({type(error).__name__})"
        return [(f"{runner}: {reason}", "failed")]
    if status != 0 and not any(outcome == "failed" for _, outcome in outcomes):
        outcomes.append((f"{runner}: exit status {status}", "failed"))
    return outcomes


def main(runs_path):
    outcomes = []
    with open(runs_path, encoding="utf-8") as runs:
        for line in runs:
            kind, status, path = line.rstrip("\n").split(" ", 2)
            outcomes += read_run(kind, int(status), path)
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for name, outcome in outcomes:
        count[outcome] += 1
        if outcome == "failed":
            print(f"FAILED: {name}")
    print(", ".join(f"{number} {outcome}" for outcome, number in count.items()))
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
