"""Spatial quantities with checked frames. In reading order: frame, pose (rotation and position, and its
inverse), motion (velocities), acceleration, force (moment and force), inertia (rigid bodies),
articulated_inertia; below them accumulate (fused sums) and tensor_rotation (A J Aᵀ in few operations).

`X @ x` brings a quantity from the frame X.frame to X.reference, `X.inverse @ x` from there back; for an
acceleration, `x.moved(X, V)`, because its transport needs the angular velocity. Angular part first.
"""
