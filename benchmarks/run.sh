#!/usr/bin/env bash
# Measures the project's bars against CPU libraries; see bars.py, and, after the
# word "operators", the operator suite's; see operators.py; or, after the word
# "ablation", what each part of the search is worth; see ablation.py; or, after
# the word "kernels", the bars of GPUs that need none; see kernels.py.
# `./dev bench` builds first and then runs this.
set -euo pipefail
script=bars.py
if [[ ${1:-} == operators || ${1:-} == ablation || ${1:-} == kernels ]]; then
  script=$1.py
  shift
fi
exec python3 "$(dirname "${BASH_SOURCE[0]}")/$script" "$@"
