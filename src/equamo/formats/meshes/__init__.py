"""Triangle meshes in files, for pictures; no equation uses them. In reading order:

triangles           surfaces as arrays, and their checks
mesh_place          where the mesh that a robot's file names may lie
stl, obj, collada   readers of the three formats; collada_scene: nodes and materials
read                a mesh file by its suffix
"""
