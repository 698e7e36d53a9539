"""Non-negative PU learning (Kiryo et al., 2017) of a network with one hidden layer, in numpy.

With l(z) = 1 / (1 + exp(z)), the risk of Y is beta E_Y l(g) + max(0, E_U l(-g) - beta E_Y l(-g)). In a batch where the second
part is negative, the step goes up its gradient.
"""

import numpy as np
from doublepu import serve


def sigmoid(z):
    return 1 / (1 + np.exp(-np.clip(z, -500, 500)))


class Network:
    """g(x) = out . max(0, x into + shift) + intercept, minimised by Adam."""

    def __init__(self, width, hidden, random):
        into = random.normal(size=(width, hidden)) * np.sqrt(2 / width)
        self.weights = [into, np.zeros(hidden), random.normal(size=hidden) / np.sqrt(hidden), np.zeros(1)]
        self.moments = [[np.zeros_like(w), np.zeros_like(w)] for w in self.weights]
        self.steps = 0

    def scores(self, x):
        into, shift, out, intercept = self.weights
        self.x, self.hidden = x, np.maximum(0, x @ into + shift)
        return self.hidden @ out + intercept

    def gradients(self, slopes):
        """The gradient by the weights, from the slopes by the scores that were computed last."""
        by_hidden = slopes[:, None] * self.weights[2] * (self.hidden > 0)
        return [self.x.T @ by_hidden, by_hidden.sum(axis=0), self.hidden.T @ slopes, slopes.sum(keepdims=True)]

    def step(self, gradients, rate, decay):
        self.steps += 1
        for weight, moments, gradient in zip(self.weights, self.moments, gradients):
            gradient = gradient + (decay * weight if weight.ndim == 2 else 0)
            moments[0] = 0.9 * moments[0] + 0.1 * gradient
            moments[1] = 0.999 * moments[1] + 0.001 * gradient**2
            first, second = moments[0] / (1 - 0.9**self.steps), moments[1] / (1 - 0.999**self.steps)
            weight -= rate * first / (np.sqrt(second) + 1e-8)


def nnpu(interest, unlabeled, test, *, beta, seed, options):
    random = np.random.default_rng(seed)
    network = Network(test.shape[1], options.get("hidden", 30), random)
    batches = max(1, min(len(interest), len(unlabeled) // 100))
    for _ in range(options.get("epochs", 50)):
        buyers = np.array_split(random.permutation(len(interest)), batches)
        crowd = np.array_split(random.permutation(len(unlabeled)), batches)
        for y, u in zip(buyers, crowd):
            p = sigmoid(network.scores(np.vstack([interest[y], unlabeled[u]])))  # l(-g), and 1 - l(g)
            bend, is_buyer = p * (1 - p), np.arange(len(p)) < len(y)
            others = p[~is_buyer].mean() - beta * p[is_buyer].mean()
            of_others = np.where(is_buyer, -beta / len(y), 1 / len(u)) * bend
            if others >= 0:
                slopes = of_others + np.where(is_buyer, -beta / len(y), 0) * bend
            else:
                slopes = -of_others
            network.step(network.gradients(slopes), rate=0.003, decay=0.005)
    return network.scores(test)


serve(nnpu)
