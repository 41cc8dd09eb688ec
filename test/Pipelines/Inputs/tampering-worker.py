#!/usr/bin/env python3
"""A sched-worker that passes all on to REAL_WORKER, but for the function @whole:
in builds of it the text WRONG_FROM of the payload becomes WRONG_TO, as a wrong
rewriting would have it. WRONG_FAULT=PHASE:FAULT has the real worker misbehave.
With SLOWER=FACTOR, what was built of it with a schedule takes FACTOR times as long."""

import json
import os
import subprocess
import sys
import threading


factor = 1.0


def pass_on_answers(worker):
    for line in worker.stdout:
        answer = json.loads(line)
        if factor != 1 and "costs_s" in answer:
            answer["costs_s"] = [factor * cost for cost in answer["costs_s"]]
            line = json.dumps(answer).encode() + b"\n"
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    os._exit(worker.wait() & 0xFF)


phase, _, fault = os.environ.get("WRONG_FAULT", "").partition(":")
worker = subprocess.Popen(
    [os.environ["REAL_WORKER"], *sys.argv[1:]],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
)
threading.Thread(target=pass_on_answers, args=(worker,), daemon=True).start()
for line in sys.stdin.buffer:
    request = json.loads(line)
    # Tasks have functions of other names.
    if request.get("function") == "whole":
        if request["op"] == phase:
            request["fault"] = fault
        # Another process runs what this one builds.
        if "SLOWER" in os.environ and request["op"] == "build" and request["script"]:
            open(request["object"] + ".slower", "w").close()
        if request["op"] == "build" and "WRONG_FROM" in os.environ:
            before = request["payload"]
            request["payload"] = before.replace(
                os.environ["WRONG_FROM"], os.environ["WRONG_TO"]
            )
            if request["payload"] == before:
                sys.exit("the payload has no " + os.environ["WRONG_FROM"])
    isSlower = os.path.exists(request.get("object", "") + ".slower")
    factor = float(os.environ["SLOWER"]) if isSlower else 1.0
    worker.stdin.write(json.dumps(request).encode() + b"\n")
    worker.stdin.flush()
worker.stdin.close()
worker.wait()
