"""Triangle meshes in files, for pictures; no equation uses them. In reading order:

triangles           surfaces as arrays, and their checks
mesh_place          folders in which the meshes of a robot file may be
stl, obj, collada   readers of the three formats; collada_scene: nodes and materials
read                a mesh file by its suffix
"""
