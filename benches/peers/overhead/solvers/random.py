import numpy as np
from benchopt import BaseSolver


class Solver(BaseSolver):
    name = "random"
    sampling_strategy = "run_once"

    def set_objective(self, people, seed):
        self.people, self.seed = people, seed

    def run(self, _):
        self.scores = np.random.default_rng(self.seed).random(self.people)

    def get_result(self):
        return {"scores": self.scores}
