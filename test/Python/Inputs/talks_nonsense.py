"""Answers every request, the first one well, then with the scores that its
argument names."""

import json
import sys

ANSWERS = {
    "nothing": {},
    "few": {"scores": "AAAAAAAA8D8="},
    "letters": {"scores": "???"},
    "number": {"scores": 3},
}

for number, line in enumerate(sys.stdin):
    request = json.loads(line)
    reply = {"id": request["id"], "ok": True, "name": "nonsense"}
    if number > 0:
        reply.update(ANSWERS[sys.argv[1]])
    print("this line is no message")
    print(json.dumps(reply), flush=True)
