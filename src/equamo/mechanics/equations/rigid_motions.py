"""Exponential map of rotations and rigid motions, its inverse and its derivatives, in numbers.

A displacement is ξ = (φ, ρ), angular first, in the moving frame: the motion of a body with this
constant velocity for one second. With the angle θ = |φ| and Stumpff's functions

    (1) c_k = Σ_j (−θ²)^j / (2j + k)!          c_0 = cos θ, c_1 = sin θ/θ, c_2 = (1 − cos θ)/θ² …

the rotation is 1 + c_1 φ~ + c_2 φ~², and with ad the 6×6 matrix of ξ ×

    (2) exp: position = (1 + c_2 φ~ + c_3 φ~²) ρ
    (3) right Jacobian  J = Σ_k (−ad)^k/(k + 1)!
          = 1 − (2c_2 − c_1/2) ad + (5c_3 − c_2)/2 ad² − (c_3 − 2c_4)/2 ad³ + (c_4 − 3c_5)/2 ad⁴

(3) is the formula of Bullo and Murray 1995, written without quotients that are 0/0 at θ = 0. All arrays
may have leading axes.
"""

from __future__ import annotations

from math import factorial
from typing import Final

from ...algebra.arrays import NDArray, np

Floats = NDArray[np.float64]

SMALL: Final = 1.0  # angle² below which (1) is summed
TERMS: Final = 10  # 1/(2·10 + k)! < 1e-18


def stumpff(x: Floats) -> tuple[Floats, ...]:
    """c_0 … c_5 of (1) at x = θ².

    >>> [round(float(c), 6) for c in stumpff(np.array(0.0))]
    [1.0, 1.0, 0.5, 0.166667, 0.041667, 0.008333]
    """
    near = np.minimum(x, SMALL)
    sums = [
        np.polynomial.polynomial.polyval(
            near, [(-1) ** j / factorial(2 * j + k) for j in range(TERMS)]
        )
        for k in range(6)
    ]
    far = np.maximum(x, SMALL)
    angle = np.sqrt(far)
    closed = [np.cos(angle), np.sin(angle) / angle]
    for k in range(4):  # c_{k+2} = (1/k! − c_k)/x
        closed.append((1 / factorial(k) - closed[k]) / far)
    return tuple(np.where(x < SMALL, a, b) for a, b in zip(sums, closed, strict=True))


def skew(a: Floats) -> Floats:
    """a~ with a~ b = a × b"""
    S = np.zeros((*a.shape, 3))
    x, y, z = np.moveaxis(a, -1, 0)
    S[..., 0, 1], S[..., 0, 2], S[..., 1, 2] = -z, y, -x
    return S - np.swapaxes(S, -1, -2)


def quaternion_of(phi: Floats) -> Floats:
    """Unit quaternion (w, x, y, z) of a rotation vector."""
    half = phi / 2
    c0, c1, *_ = stumpff(np.sum(half * half, axis=-1))
    return np.concatenate([c0[..., None], c1[..., None] * half], axis=-1)


def rotation_vector(quaternion: Floats) -> Floats:
    """Rotation vector of a unit quaternion, with an angle of at most π.

    >>> rotation_vector(np.array([-1.0, 0.0, 0.0, 0.0])).tolist()
    [0.0, 0.0, 0.0]
    """
    flipped = np.where(quaternion[..., :1] < 0, -quaternion, quaternion)
    w, axis = flipped[..., :1], flipped[..., 1:]
    s = np.linalg.norm(axis, axis=-1, keepdims=True)
    tiny = s < 1e-9
    ratio = np.where(tiny, 2.0, 2 * np.arctan2(s, w) / np.where(tiny, 1.0, s))
    return ratio * axis + 0.0  # no −0


def product(p: Floats, q: Floats) -> Floats:
    """Product p ∘ q of quaternions."""
    w, a = p[..., :1], p[..., 1:]
    u, b = q[..., :1], q[..., 1:]
    first = w * u - np.sum(a * b, axis=-1, keepdims=True)
    return np.concatenate([first, w * b + u * a + np.cross(a, b)], axis=-1)


def conjugate(q: Floats) -> Floats:
    """Quaternion of the inverse rotation."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def rotated(q: Floats, a: Floats) -> Floats:
    """Vector a rotated by a unit quaternion."""
    t = 2 * np.cross(q[..., 1:], a)
    return a + q[..., :1] * t + np.cross(q[..., 1:], t)


def translation_map(phi: Floats) -> Floats:
    """1 + c_2 φ~ + c_3 φ~² of (2)"""
    _, _, c2, c3, _, _ = stumpff(np.sum(phi * phi, axis=-1))
    P = skew(phi)
    return np.eye(3) + c2[..., None, None] * P + c3[..., None, None] * (P @ P)


def rotation_jacobian(phi: Floats) -> Floats:
    """Right Jacobian of rotations, 3×3: (1 + c_2 φ~ + c_3 φ~²) at −φ"""
    return translation_map(-phi)


def cross_matrix(phi: Floats, rho: Floats) -> Floats:
    """ad, 6×6, angular first"""
    ad = np.zeros((*phi.shape[:-1], 6, 6))
    ad[..., :3, :3] = ad[..., 3:, 3:] = skew(phi)
    ad[..., 3:, :3] = skew(rho)
    return ad


def motion_jacobian(phi: Floats, rho: Floats) -> Floats:
    """Right Jacobian (3) of rigid motions, 6×6, angular first"""
    _, c1, c2, c3, c4, c5 = (c[..., None, None] for c in stumpff(np.sum(phi * phi, axis=-1)))
    ad = cross_matrix(phi, rho)
    ad2 = ad @ ad
    odd = (2 * c2 - c1 / 2) * ad + (c3 - 2 * c4) / 2 * (ad2 @ ad)
    return np.eye(6) - odd + (5 * c3 - c2) / 2 * ad2 + (c4 - 3 * c5) / 2 * (ad2 @ ad2)


def rotation_transport(phi: Floats) -> Floats:
    """exp(−φ~), 3×3: transports a displacement from before the rotation to after it"""
    P = skew(phi)
    _, c1, c2, *_ = (c[..., None, None] for c in stumpff(np.sum(phi * phi, axis=-1)))
    return np.eye(3) - c1 * P + c2 * (P @ P)


def motion_transport(phi: Floats, rho: Floats) -> Floats:
    """Ad of exp(−ξ), 6×6, angular first"""
    R = rotation_transport(phi)
    p = (translation_map(phi) @ rho[..., None])[..., 0]
    Ad = np.zeros((*phi.shape[:-1], 6, 6))
    Ad[..., :3, :3] = Ad[..., 3:, 3:] = R
    Ad[..., 3:, :3] = -R @ skew(p)
    return Ad
