"""Kinematics that several formulations share. In reading order: quantity_name (names as values), steps
(what a derivation records), quantity_latex and step_latex (printing), poses (rotations and
positions as functions of q), velocities (the recursion from axes), closure (A and Ȧ u of loops and
contacts from axes), chosen_speeds (u = W v), force_projection (loads of force elements as generalized
forces), element_forces (the same loads as spatial forces)."""
