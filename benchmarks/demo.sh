#!/usr/bin/env bash
# Tunes matmul + add 1024^3 and shows the outcome; see demo.py. `./dev demo`
# builds first and then runs this.
set -euo pipefail
exec python3 "$(dirname "${BASH_SOURCE[0]}")/demo.py" "$@"
