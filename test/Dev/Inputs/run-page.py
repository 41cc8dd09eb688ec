"""Runs the commands of a page of docs/: run-page.py PAGE FOLDER TOOL...

All ```sh blocks, in their order, in one shell that ends at the first failure,
in FOLDER with a copy of the .mlir files beside the page. A command of the name
of a TOOL, which is a path, is that."""

import os
import re
import shlex
import shutil
import subprocess
import sys

page, folder, *tools = sys.argv[1:]
for name in os.listdir(os.path.dirname(page)):
    if name.endswith(".mlir"):
        shutil.copy(os.path.join(os.path.dirname(page), name), folder)
with open(page, encoding="utf-8") as file:
    blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.M | re.S)
lines = ["set -euo pipefail"]
for path in tools:
    name = os.path.basename(path)
    # Pages say which one of them.
    name = "mlir-opt-22" if name == "mlir-opt" else name
    lines.append('%s() { "%s" "$@"; }' % (name, path))
for block in blocks:
    for line in block.splitlines():
        lines.append("echo %s" % shlex.quote("$ " + line))
        # `set -e` overlooks what a `!` is in front of.
        lines.append("if %s; then false; fi" % line[2:] if line[:2] == "! " else line)
script = os.path.join(folder, "commands.sh")
with open(script, "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
sys.exit(subprocess.run(["bash", script], cwd=folder, timeout=250).returncode)
