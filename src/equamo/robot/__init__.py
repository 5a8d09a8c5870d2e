"""What a robot is, and where it comes from.

spatial     poses, motions, forces and inertias, each in a frame that is checked
model       bodies, joints, inertias, force elements, constraints, loops and contacts: the Robot
formats     URDF, SDF, MJCF, DH tables and TOML to a Robot, and back
library     the built-in robots, one file each
catalog     `eq.load`: a name or a path to a Robot
"""
