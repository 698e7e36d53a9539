from benchopt import BaseObjective
from sklearn.metrics import roc_auc_score


class Objective(BaseObjective):
    name = "ROC-AUC"
    sampling_strategy = "run_once"

    def set_data(self, truth, seed):
        self.truth, self.seed = truth, seed

    def get_objective(self):
        return {"people": len(self.truth), "seed": self.seed}

    def evaluate_result(self, scores):
        return {"value": roc_auc_score(self.truth, scores)}

    def get_one_result(self):
        return {"scores": self.truth.astype(float)}
