"""What a new user pastes from the README: readme.py README.md MLIR-OPT FOLDER
writes the first input file to FOLDER/in.mlir; with `replay` for a fourth
argument it runs the command there that replays FOLDER/best.mlir."""

import re
import shlex
import subprocess
import sys

readme, mlir_opt, folder, *mode = sys.argv[1:]
with open(readme, encoding="utf-8") as page:
    text = page.read()
if mode == ["replay"]:
    command = re.search(r"^mlir-opt-22 in\.mlir .*$", text, re.M)[0]
    arguments = [mlir_opt, *shlex.split(command)[1:]]
    sys.exit(subprocess.run(arguments, cwd=folder).returncode)
with open(folder + "/in.mlir", "w", encoding="utf-8") as file:
    file.write(re.search(r"^```mlir\n(.*?)^```$", text, re.M | re.S)[1])
