"""`biased_pn` of doublepu, written in numpy: D_Y against D_U, all of which counts as negative.

Minimises (sum over D_Y of log(1 + exp(-g)) + sum over D_U of log(1 + exp(g))) / (n_Y + n_U) + ridge |w|^2 by Newton's method.
"""

import numpy as np
from doublepu import serve


def biased_pn(interest, unlabeled, test, *, options):
    ridge = options.get("ridge", 0.01)
    x = np.vstack([interest, unlabeled])
    x = np.column_stack([x, np.ones(len(x))])
    y = np.repeat([1.0, 0.0], [len(interest), len(unlabeled)])
    penalty = np.append(np.full(interest.shape[1], ridge), 0.0)
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (p - y) / len(x) + 2 * penalty * w
        hessian = x.T @ ((p * (1 - p) / len(x))[:, None] * x) + np.diag(2 * penalty)
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-12:
            break
    return test @ w[:-1] + w[-1]


serve(biased_pn)
