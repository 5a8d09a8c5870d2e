"""The algorithms that programs are made from, written for few operations. In reading order:
newton_euler (inverse dynamics), inverse_dynamics_rate (its time derivative), composite_bodies (mass
matrix), articulated_bodies (forward dynamics), coriolis, energy; derivatives (of inverse dynamics), with
motion_changes and relative_coriolis; factorisation (LᵀDL) and constrained_dynamics (constraint
forces by it); base_parameters and body_frames (fewer and
shorter numbers before a recursion starts); regressor, drive_columns (columns of bodies and drives) and
regrouping (relations between them)."""
