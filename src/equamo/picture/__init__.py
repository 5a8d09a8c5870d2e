"""Pictures of robots: the solids they are drawn by, static pictures, and the schematic of their tree."""
