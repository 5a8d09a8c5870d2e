"""Pictures of robots: solids that represent them, static pictures, animations, a schematic of the tree.

In reading order: `skeleton` (solids as numbers); `measures`, `drawing`, `shapes`, `ellipsoid`, `meshes`,
`simplify`, `thrusts` and `closures` (the parts of the solids); `transforms`, `posture` and `sliders`
(coordinates); `force_arrows` (constraint forces); `camera`, `polygon`, `flat`, `flat_meshes`,
`static_svg` and `view` (static pictures); `raster` and `animate` (animations); `schematic`.
"""
