"""Installs the package into a virtual environment, and uses it from there.

install.py PACKAGE FOLDER
"""

import os
import shutil
import subprocess
import sys
import venv

package, folder = map(os.path.abspath, sys.argv[1:])
# pip builds in the folder that it is given.
source = os.path.join(folder, "source")
shutil.copytree(package, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
environment = os.path.join(folder, "venv")
# NumPy, and pip itself, are this Python's.
venv.create(environment, system_site_packages=True)
python = os.path.join(environment, "bin", "python")
variables = dict(os.environ)
# Not the checkout's.
del variables["PYTHONPATH"]


def run(arguments, **more):
    done = subprocess.run(
        [python] + arguments,
        cwd=folder,
        env={**variables, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode != 0:
        sys.exit("%s: %s\n%s" % (" ".join(arguments), done.returncode, done.stdout))
    return done.stdout


run(
    ["-m", "pip", "install", "--disable-pip-version-check", "--no-index", "--no-deps"]
    + ["--no-build-isolation", source],
    PIP_NO_INPUT="1",
)
shutil.rmtree(source)

print(
    "installed",
    run(
        ["-c", "from importlib.metadata import version; print('sched-opt', version('sched-opt'))"]
    ).strip(),
)
print(
    run(
        [
            "-c",
            """
import os, sched_opt
print("imported from", sched_opt.__file__)
named = os.environ.pop("SCHED_OPT")
try:
    sched_opt.find_tool("sched-opt")
except sched_opt.ToolNotFound as error:
    print("without SCHED_OPT:", error)
os.environ["SCHED_OPT"] = named
result = sched_opt.tune('''
func.func @f(%a: tensor<30x40xf32>, %b: tensor<40x50xf32>, %c: tensor<30x50xf32>) -> tensor<30x50xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x40xf32>, tensor<40x50xf32>) outs(%c : tensor<30x50xf32>) -> tensor<30x50xf32>
  return %r : tensor<30x50xf32>
}
''', trials=0, threads=1)
print("tuned", result)
import importlib.util
print("serves cost models:", importlib.util.find_spec("sched_opt.serve_cost_model") is not None)
print("typed:", os.path.exists(os.path.join(os.path.dirname(sched_opt.__file__), "py.typed")))
""",
        ],
        PATH="/nowhere",
    )
)
