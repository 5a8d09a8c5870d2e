"""Pictures of robots: the solids that represent them, static pictures, and a schematic of the tree.

In reading order: `skeleton` (solids as numbers); `drawing`, `shapes`, `ellipsoid`, `meshes`, `simplify`
and `closures` (what they are made from); `posture` and `sliders` (coordinates); `force_arrows`
(constraint forces); `camera`, `flat`, `static_svg` and `view` (static pictures); `schematic`.
"""
