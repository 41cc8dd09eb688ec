"""Cost models that the tests give to sched-opt: one that works, others that fail."""

import os
import time

import numpy as np
import sched_opt


class Good(sched_opt.CostModel):
    name = "good"

    def predict(self, features):
        assert len(features) > 0 and features.task
        assert np.isfinite(features.matrix).all() and (features.matrix >= 0).all()
        # The structured array has what the names have.
        assert (features.array["ComputeCycles"] == features["ComputeCycles"]).all()
        # No candidate that is not legal is shown: those have no features.
        assert (features["VectorBytes"] > 0).all()
        return 1.0 / (1.0 + features["ComputeCycles"].astype(float))

    def update(self, features, seconds, task):
        assert len(seconds) == len(features) and (seconds > 0).all()
        print("good: learns from %d of %s" % (len(seconds), task), flush=True)


class Blocks(Good):
    name = "blocks"
    reads_blocks = True

    def predict(self, features):
        assert features.ends[-1] == len(features.rows) >= len(features)
        points = features.sum_rows(features.blocks["BlockPoints"])
        assert (points > 0).all()
        return 1.0 / points


class Raises(Good):
    name = "raises"

    def predict(self, features):
        return features["NoSuchFeature"]


class Shape(Good):
    name = "shape"

    def predict(self, features):
        return np.ones(3 + len(features))


class Nan(Good):
    name = "nan"

    def predict(self, features):
        return np.full(len(features), np.nan)


class Zero(Good):
    name = "zero"

    def predict(self, features):
        return np.zeros(len(features))


class Dies(Good):
    name = "dies"

    def predict(self, features):
        os._exit(3)


class Killed(Good):
    name = "killed"

    def predict(self, features):
        os.abort()


class Hangs(Good):
    name = "hangs"

    def predict(self, features):
        time.sleep(600)


class Learns(Good):
    name = "learns"

    def update(self, features, seconds, task):
        raise RuntimeError("cannot learn this")


class Constructor:
    def __init__(self):
        raise ValueError("no weights")


class Nothing:
    pass
