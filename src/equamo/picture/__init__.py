"""Pictures of robots: the solids that represent them, static pictures, films, a schematic of the tree.

In reading order: `skeleton` (solids as numbers); `measures`, `drawing`, `shapes`, `ellipsoid`, `meshes`,
`simplify`, `thrusts` and `closures` (what they are made from); `transforms`, `posture` and `sliders`
(coordinates); `force_arrows` (constraint forces); `camera`, `polygon`, `flat`, `flat_meshes`,
`static_svg` and `view` (static pictures); `raster` and `animate` (films); `schematic`.
"""
