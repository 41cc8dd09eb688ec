"""Runs the blocks of Python of a page as one program: run_guide.py PAGE FOLDER.

A block that fails is reported with its line in the page.
"""

import os
import re
import sys

import matplotlib

page, folder = sys.argv[1:]
with open(page, encoding="utf-8") as file:
    text = file.read()
os.makedirs(folder)
os.chdir(folder)
matplotlib.use("agg")
names = {"__name__": "guide"}
blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S))
for block in blocks:
    # Blank lines before it, so that a traceback has the lines of the page.
    before = "\n" * text.count("\n", 0, block.start(1))
    exec(compile(before + block[1], page, "exec"), names)
pictures = sorted(name for name in os.listdir(".") if name.endswith(".png"))
print("%d blocks; %s" % (len(blocks), ", ".join(pictures)))
