"""From a robot to its equations of motion, and their proof.

kinematics    poses, velocities, chosen speeds, loads as generalized forces
recursions    the algorithms that programs are made from, written for few operations
formulations  a Robot to a Derivation, by five methods
equations     `eq.derive`, EquationsOfMotion and everything computed from them
certificate   every pair of derivations and every identity, proved
"""
