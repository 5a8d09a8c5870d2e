"""Pictures of robots: the solids that represent them, static pictures, and a schematic of the tree."""
