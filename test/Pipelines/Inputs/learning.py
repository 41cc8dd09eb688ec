"""What a search log says of its model: whether in the last round another one than
the draft's ranked the candidates."""

import json
import sys

with open(sys.argv[1]) as file:
    rounds = [json.loads(line) for line in file]
print("%d rounds, another model ranks: %s" % (len(rounds), rounds[-1]["ranked"] > 0))
