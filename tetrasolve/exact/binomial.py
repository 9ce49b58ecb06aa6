"""Binomial tails, and confidence intervals for a probability from a count of successes; standard library only.

Tails are a probability mass from Loader's saddle-point form (Loader 2000, *Fast and accurate computation of binomial
probabilities*) times a sum of mass ratios or, where that would be long, the continued fraction of the incomplete beta
function (Didonato and Morris 1992) by Lentz's method. Tests compare them with exact fractions and scipy: the relative
error stays below `TAIL_ERROR`.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, factorial, inf, log, log1p, pi, sqrt

TAIL_ERROR = 1e-10  # relative, for up to 10^7 trials; a hundred times the error in tests
LIMIT_ERROR = 1e-9  # by how much, relatively, the ends of an exact interval are moved outwards, against all rounding
_TINY = 1e-300  # Lentz: stands for a zero denominator
_EPSILON = 1e-16  # Lentz: a factor this near to one changes a double no more
_FEW_TERMS = 10_000.0  # variance up to which the sum is short, some hundreds of terms
_STIRLING_FROM = 16  # the series below is good to the last digit of a double from here on

Limits = tuple[float, float]


def upper_tail(successes: int, n: int, p: float) -> float:
    """The chance of at least `k` successes in `n` independent trials, each a success with chance `p` in [0, 1]."""
    return _upper(successes, n, p, 1 - p)


def lower_tail(successes: int, n: int, p: float) -> float:
    """The chance of at most `k` successes."""
    return _upper(n - successes, n, 1 - p, p)


def _upper(k: int, n: int, p: float, q: float) -> float:
    """`upper_tail`, with q = 1 - p as a parameter: one of the two may be too small to compute from the other."""
    if k <= 0:
        return 1.0
    if k > n or p <= 0:
        return 0.0
    if q <= 0:
        return 1.0
    if k > (n + 1) * p:
        return _mass(k, n, p, q) * _tail_over_mass(k, n, p, q)
    return 1.0 - _mass(n - k + 1, n, q, p) * _tail_over_mass(n - k + 1, n, q, p)


def _tail_over_mass(k: int, n: int, p: float, q: float) -> float:
    """P(X >= k) / P(X = k), for k above the mean."""
    return _by_terms(k, n, p, q) if n * p * q < _FEW_TERMS else _by_fraction(k, n, p, q)


def _by_terms(k: int, n: int, p: float, q: float) -> float:
    """Mass after mass as a multiple of the first: all terms positive and falling, so nothing cancels."""
    total = term = 1.0
    for j in range(k, n):
        term *= (n - j) * p / ((j + 1) * q)
        total += term
        if term < _EPSILON * total:
            break
    return total


def _by_fraction(k: int, n: int, p: float, q: float) -> float:
    """The continued fraction of the incomplete beta function, with a = k and b = n - k + 1.

    The tail is I_p(a, b) = p^a q^b / (a B(a, b)) * F, and the mass of k is the factor before F divided by q.
    """
    a, b = float(k), float(n - k + 1)
    c, d = 1.0, 1 / _nonzero(((n + 1) * q - (n - k)) / (a + 1))
    fraction = d
    for m in range(1, 100_000):  # converges in some sqrt(n) steps at worst
        even = m * (b - m) * p / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / _nonzero(1 + even * d)
        c = _nonzero(1 + even / c)
        fraction *= d * c
        odd = -(a + m) * (a + b + m) * p / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / _nonzero(1 + odd * d)
        c = _nonzero(1 + odd / c)
        step = d * c
        fraction *= step
        if abs(step - 1) < 3 * _EPSILON:
            return fraction * q
    raise ArithmeticError(f"the tail of {k} successes in {n} with chance {p} does not converge")


def _nonzero(x: float) -> float:
    return x if abs(x) > _TINY else _TINY


def _mass(k: int, n: int, p: float, q: float) -> float:
    """P(X = k), with p and q = 1 - p in (0, 1) and k at least 1."""
    if k == n:
        return exp(n * (log1p(-q) if q < 0.5 else log(p)))
    deviance = _bd0(k, n * p) + _bd0(n - k, n * q)
    return exp(_stirling_error(n) - _stirling_error(k) - _stirling_error(n - k) - deviance) * sqrt(
        n / (2 * pi * k * (n - k))
    )


def _bd0(x: float, mean: float) -> float:
    """The deviance x log(x / mean) + mean - x, without the cancellation near x = mean."""
    if abs(x - mean) >= 0.1 * (x + mean):
        return x * log(x / mean) + mean - x
    v = (x - mean) / (x + mean)
    total = (x - mean) * v
    term = 2 * x * v
    for j in range(1, 1000):
        term *= v * v
        new = total + term / (2 * j + 1)
        if new == total:
            break
        total = new
    return total


@lru_cache(maxsize=4096)
def _stirling_error(n: int) -> float:
    """log(n!) minus Stirling's approximation of it."""
    if n < _STIRLING_FROM:
        return log(factorial(n)) - (n + 0.5) * log(n) + n - 0.5 * log(2 * pi)
    square = float(n) * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n


# -- intervals -------------------------------------------------------------------------------------------------


def clopper_pearson(successes: int, n: int, confidence: float) -> Limits:
    """The exact interval of a chance in [0, 1] after this many successes in `n` trials.

    Covers the chance with at least the confidence, whatever it is: each end is where the count would be as far out with
    chance (1 - confidence) / 2. The ends are found to `LIMIT_ERROR` relatively and rounded outwards. Clopper and
    Pearson (1934), *The use of confidence or fiducial limits illustrated in the case of the binomial*.

    >>> low, high = clopper_pearson(0, 10, 0.95)
    >>> low, round(high, 4)
    (0.0, 0.3085)

    :raises ValueError: when there are no trials, or more successes than trials, or no such confidence.
    """
    _require(successes, n, confidence)
    return _exact_limits(successes, n, confidence)


@lru_cache(maxsize=4096)  # a report asks for the interval of one count many times
def _exact_limits(successes: int, n: int, confidence: float) -> Limits:
    alpha = (1 - confidence) / 2
    low = 0.0 if successes == 0 else 1 / (1 + exp(-_log_odds(successes, n, alpha)))
    high = 1.0 if successes == n else 1 / (1 + exp(_log_odds(n - successes, n, alpha)))
    return low, high


def _log_odds(successes: int, n: int, alpha: float) -> float:
    """The logarithm of the odds at which so many successes or more have chance `alpha`, rounded down.

    Bisection, accelerated by secant steps in the logarithm of the tail.
    """
    target = log(alpha)
    low = log(alpha) - log(n) - 1  # the tail is at most n p there, less than alpha
    high = log(successes / (n - successes)) if successes < n else 60.0  # it is at least a half there, the median
    f_low, f_high = -inf, inf
    guess = (low + high) / 2
    while high - low > LIMIT_ERROR / 10:
        tail = _upper(successes, n, 1 / (1 + exp(-guess)), 1 / (1 + exp(guess)))
        value = log(tail) - target if tail > 0 else -inf
        if value < 0:
            low, f_low = guess, value
        else:
            high, f_high = guess, value
        guess = _between(low, f_low, high, f_high)
    return low - LIMIT_ERROR


def _between(low: float, f_low: float, high: float, f_high: float) -> float:
    """A secant step a little beyond the nearer end's line, or the middle where that is not known to be good."""
    if f_low == -inf or f_high == inf or f_low < -5 or f_high > 5:
        return (low + high) / 2
    width = high - low
    guess = low - f_low * width / (f_high - f_low)
    nudge = width / 50  # so that both ends close in on the root of a function that bends
    guess += nudge if f_high > -f_low else -nudge
    return min(max(guess, low + width / 100), high - width / 100)


def normal(confidence: float) -> float:
    """The two-sided quantile of the normal distribution."""
    from statistics import NormalDist  # imported here: few callers need it, and it is slow to import

    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(successes: int, n: int, confidence: float) -> Limits:
    """The score interval of a chance in [0, 1]: all chances that a normal test would not reject.

    Its coverage is the confidence on average over chances, not for each: it falls short for some, most of all near 0
    and 1. Wilson (1927), *Probable inference, the law of succession, and statistical inference*.

    :raises ValueError: as `clopper_pearson`.
    """
    _require(successes, n, confidence)
    z = normal(confidence)
    share = successes / n
    spread = z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / n + spread / (4 * n))
    return (0.0 if successes == 0 else max(0.0, middle - half), 1.0 if successes == n else min(1.0, middle + half))


def _require(successes: int, n: int, confidence: float) -> None:
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} trials: expected at least one trial, and no more successes")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: expected a number between 0 and 1, both excluded")
