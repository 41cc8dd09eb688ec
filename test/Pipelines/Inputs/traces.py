"""Prints the trials of a record file: sketch and trace, in order."""

import json
import sys

with open(sys.argv[1]) as records:
    for record in map(json.loads, records):
        if record["trial"] >= 0:
            print(record["trial"], record["sketch"], record["trace"])
