"""Readers and writers of robot files, in reading order.

text_file           regular files of bounded size; json_file, private_file: files that equamo writes
import_report       what happened to each part of a file
toml                model files; toml_table, toml_positions, toml_loops, toml_shapes, toml_writer,
                    toml_text, template
urdf                URDF; xml_tree, urdf_text, urdf_elements, urdf_tree, urdf_poses, urdf_shapes,
                    urdf_meshes, urdf_limits, urdf_mimic, urdf_writer, urdf_losses;
                    rational_rotation, short_numbers; xacro
sdf                 SDF; sdf_text, sdf_elements, sdf_shapes, sdf_poses, sdf_tree
mjcf                MJCF, read by MuJoCo; mjcf_includes, mjcf_equality, mjcf_geometry
meshes/             triangle meshes in STL, OBJ and COLLADA files, for pictures
dh                  Denavit-Hartenberg tables; dh_symbols, dh_text
"""
