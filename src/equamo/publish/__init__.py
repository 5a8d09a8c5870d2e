"""What people look at.

picture     a Robot to the solids that represent it
document    the derivation as a document
page        robot, equations, proof and motion as one HTML file
studio      the editor in the browser
"""
