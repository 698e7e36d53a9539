"""The least that an external method can do: it reads its samples and answers with zeros."""

import json
import sys

import numpy

stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
stdout.write(f'{{"doublepu":1,"numpy":"{numpy.__version__}"}}\n'.encode())
stdout.flush()
while line := stdin.readline():
    header = json.loads(line)
    for name, (rows, columns) in header["arrays"].items():
        array = numpy.frombuffer(stdin.read(8 * rows * columns), dtype="<f8").reshape(rows, columns)
    scores = numpy.zeros(len(array))
    stdout.write(json.dumps({"id": header["id"], "scores": len(scores)}).encode() + b"\n" + scores.tobytes())
    stdout.flush()
