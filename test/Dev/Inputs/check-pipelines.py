"""Compares the options of the project's pipelines, as `sched-opt --help` lists
them, with the tables of docs/Passes.md: check-pipelines.py SCHED-OPT PASSES.md"""

import re
import subprocess
import sys

PIPELINES = (
    "auto-schedule",
    "apply-history-best",
    "sched-lower-to-cpu",
    "sched-lower-to-nvvm",
)


def options_by_head(text, head, option):
    """{what `head` finds: [what `option` finds below it]}"""
    found, current = {}, None
    for line in text.splitlines():
        if match := re.match(head, line):
            current = found.setdefault(match[1], [])
        elif (match := re.match(option, line)) and current is not None:
            current.append(match[1])
    return found


help_text = subprocess.run(
    [sys.argv[1], "--help"], capture_output=True, text=True, check=True
).stdout
with open(sys.argv[2], encoding="utf-8") as page:
    documented = options_by_head(
        page.read(), r"#+ `?-?([\w-]+)`?$", r"\| `([\w-]+)` \|"
    )
offered = options_by_head(help_text, r" {4,6}--([\w-]+)", r" {8}--([\w-]+)")

for name in PIPELINES:
    print(name, *offered[name])
    if sorted(offered[name]) != sorted(documented.get(name, [])):
        sys.exit(f"{name} has {offered[name]}; documented are {documented.get(name)}")
