import numpy as np
from benchopt import BaseDataset


class Dataset(BaseDataset):
    name = "people"
    parameters = {"seed": [1]}

    def get_data(self):
        return {"truth": np.arange(60) < 20, "seed": self.seed}
