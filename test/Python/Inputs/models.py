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

    def close(self):
        print("good: the end", flush=True)


class Blocks(Good):
    name = "blocks"
    reads_blocks = True

    def predict(self, features):
        assert features.ends[-1] == len(features.rows) >= len(features)
        points = features.sum_rows(features.blocks["Points"])
        assert (points > 0).all()
        return 1.0 / points


class Linear(Good):
    """Ridge regression of log(seconds) on log(1 + feature), by task."""

    name = "linear"

    def __init__(self, ridge=1e-3):
        self.ridge = ridge
        self.measured = []
        self.weights = None

    def transform(self, features):
        return np.log1p(features.matrix.astype(float))

    def predict(self, features):
        if self.weights is None:
            return super().predict(features)
        rows = np.clip((self.transform(features) - self.mean) / self.scale, -3, 3)
        return np.exp(-rows @ self.weights)

    def update(self, features, seconds, task):
        good = np.isfinite(seconds)
        logs = np.log(seconds[good])
        # Only candidates of one task are compared.
        self.measured.append((self.transform(features)[good], logs - logs.mean()))
        rows, targets = map(np.concatenate, zip(*self.measured))
        self.mean, self.scale = rows.mean(0), rows.std(0) + 0.05
        rows = (rows - self.mean) / self.scale
        gram = rows.T @ rows + self.ridge * len(rows) * np.eye(rows.shape[1])
        self.weights = np.linalg.solve(gram, rows.T @ targets)


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
