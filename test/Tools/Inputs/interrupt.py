"""Starts a search, sends it SIGINT once it has records, expects status 130.

argv: where its stderr goes, and the command; its work-dir is looked at for what
has been measured.
"""

import os
import re
import signal
import subprocess
import sys
import time

log, command = sys.argv[1], sys.argv[2:]
records = re.search(r"work-dir=([^ ]+)", " ".join(command)).group(1) + "/records.jsonl"
before = os.path.getsize(records) if os.path.exists(records) else 0
with open(log, "w") as stderr:
    search = subprocess.Popen(command, stderr=stderr)
    deadline = time.monotonic() + 60
    while not os.path.exists(records) or os.path.getsize(records) <= before:
        if search.poll() is not None or time.monotonic() > deadline:
            search.kill()
            sys.exit("no record; status %s" % search.wait())
        time.sleep(0.02)
    search.send_signal(signal.SIGINT)
    status = search.wait(timeout=60)
if status != 130:
    sys.exit("status %s, expected 130" % status)
