"""10,000 double pendulums, started within 0.0001 degrees, fan out: one batch in machine code.

python chaos_fan.py            prints the width of the fan
python chaos_fan.py fan.png    draws it too
"""

import sys

import numpy as np

import equamo as eq

STARTS = 10_000
SPREAD = np.radians(1e-4)  # of the second angle, over all starts [rad]


def main(picture: str | None = None) -> None:
    eom = eq.derive(eq.load("rr_arm"))  # without inputs a double pendulum; q1 = -90 deg hangs down
    q = np.tile(np.radians([60.0, 30.0]), (STARTS, 1))
    q[:, 1] += np.linspace(0, SPREAD, STARTS)
    runs = eq.rollout(eom, q, step=0.0025, duration=20, every=40)

    # The elbow may turn full circles, so the width is that of the positions of the hands.
    upper, both = runs.q[..., 0], runs.q.sum(axis=-1)
    x, y = np.cos(upper) + np.cos(both), np.sin(upper) + np.sin(both)
    width = np.hypot(np.ptp(x, axis=0), np.ptp(y, axis=0))
    for t in range(0, 21, 4):
        print(f"t = {t:2d} s  hands within {width[np.searchsorted(runs.t, t - 1e-9)]:.1e} m")

    # λ of width ~ exp(λ t), while the fan is small
    small = (runs.t > 1) & (width < 1e-2)
    rate = np.polyfit(runs.t[small], np.log(width[small]), 1)[0]
    energy = eq.compile(eom)
    total = [
        energy.kinetic_energy(runs.q[:, k], runs.v[:, k]) + energy.potential_energy(runs.q[:, k])
        for k in (0, -1)
    ]
    print(f"grows by exp({rate:.2f} t); energy kept to {abs(total[1] - total[0]).max():.0e} J")
    assert width[-1] > 1e4 * width[0]
    if picture:
        draw(picture, runs.t, x, y)


def draw(path: str, t: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    """Draw the paths of a hundred hands, and the final positions of all."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, (path_axes, end_axes) = plt.subplots(1, 2, figsize=(11, 5))
    path_axes.plot(t, y[:: STARTS // 100].T, lw=0.4, alpha=0.5)
    path_axes.set(xlabel="t [s]", ylabel="height of the hand [m]")
    end_axes.scatter(x[:, -1], y[:, -1], s=1, c=np.arange(STARTS), cmap="viridis")
    end_axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title=f"t = {t[-1]:g} s")
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:2])
