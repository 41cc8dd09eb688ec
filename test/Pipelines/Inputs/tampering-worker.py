#!/usr/bin/env python3
"""A sched-worker that passes all on to REAL_WORKER, but for the function @whole:
in builds of it the text WRONG_FROM of the payload becomes WRONG_TO, as a wrong
rewriting would have it. WRONG_FAULT=PHASE:FAULT has the real worker misbehave."""

import json
import os
import subprocess
import sys
import threading


def pass_on_answers(worker):
    for line in worker.stdout:
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
        if request["op"] == "build" and "WRONG_FROM" in os.environ:
            before = request["payload"]
            request["payload"] = before.replace(
                os.environ["WRONG_FROM"], os.environ["WRONG_TO"]
            )
            if request["payload"] == before:
                sys.exit("the payload has no " + os.environ["WRONG_FROM"])
    worker.stdin.write(json.dumps(request).encode() + b"\n")
    worker.stdin.flush()
worker.stdin.close()
worker.wait()
