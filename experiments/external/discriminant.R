# A linear discriminant of potential customers (W = +1) against everybody else. Both means follow from those of the
# samples and the priors: beta D_Y is alpha of them and gamma D_L, and D_U is alpha of them and 1 - alpha others.
discriminant <- function(interest, unlabeled, loyal, test, beta, gamma, options) {
  ridge <- if (is.null(options$ridge)) 0.1 else options$ridge
  alpha <- beta - gamma
  customers <- (beta * colMeans(interest) - gamma * colMeans(loyal)) / alpha
  others <- (colMeans(unlabeled) - alpha * customers) / (1 - alpha)
  weights <- solve(cov(unlabeled) + ridge * diag(ncol(unlabeled)), customers - others)
  drop(sweep(test, 2, (customers + others) / 2) %*% weights) + log(alpha / (1 - alpha))
}

source("doublepu.R")
serve(discriminant)
