#!/usr/bin/env bash
# Measures the project's bars against CPU libraries; see bars.py. `./dev bench`
# builds first and then runs this.
set -euo pipefail
exec python3 "$(dirname "${BASH_SOURCE[0]}")/bars.py" "$@"
