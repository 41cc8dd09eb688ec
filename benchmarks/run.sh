#!/usr/bin/env bash
# Measures the project's bars against CPU libraries; see bars.py. After one of
# these words, what the script of that name says:
#   operators     the operator suite beside CPU libraries
#   metaschedule  the same beside TVM's tuner
#   search        the bars of the search
#   forms         the same computation written in other ways
#   ablation      what each part of the search is worth
#   ranks         how well cost models rank
#   kernels       the bars of GPUs that need none
#   isa           inner loops for CPUs that need not be here
# `./dev bench` builds first and then runs this.
set -euo pipefail
script=bars.py
case ${1:-} in
operators | forms | search | ablation | ranks | kernels | isa | metaschedule)
  script=$1.py
  shift
  ;;
esac
exec python3 "$(dirname "${BASH_SOURCE[0]}")/$script" "$@"
