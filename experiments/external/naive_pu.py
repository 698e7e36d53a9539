"""`naive_pu` of doublepu, written in numpy and scipy: it must get the same ROC-AUC in every cell.

At costs of 1:1, l(-g) - l(g) = g for the logistic loss l, so that the risk is

    beta E_Y (l(g) - l(-g)) + E_U l(-g) + ridge |w|^2  =  -beta E_Y g + E_U log(1 + exp(g)) + ridge |w|^2

which is convex. w has no intercept in it.
"""

import numpy as np
from doublepu import serve
from scipy.optimize import minimize
from scipy.special import expit


def naive_pu(interest, unlabeled, test, *, beta, options):
    ridge = options.get("ridge", 0.01)
    mean = np.append(interest.mean(axis=0), 1.0)
    crowd = np.column_stack([unlabeled, np.ones(len(unlabeled))])
    penalty = np.append(np.full(interest.shape[1], ridge), 0.0)

    def value(w):
        return -beta * mean @ w + np.logaddexp(0.0, crowd @ w).mean() + penalty @ w**2

    def gradient(w):
        return -beta * mean + crowd.T @ expit(crowd @ w) / len(crowd) + 2 * penalty * w

    def hessian(w):
        p = expit(crowd @ w)
        return crowd.T @ ((p * (1 - p) / len(crowd))[:, None] * crowd) + np.diag(2 * penalty)

    start = np.zeros(len(mean))
    found = minimize(value, start, jac=gradient, hess=hessian, method="trust-exact", options={"gtol": 1e-9})
    w = found.x - np.linalg.solve(hessian(found.x), gradient(found.x))
    return test @ w[:-1] + w[-1]


serve(naive_pu)
