"""The page: one HTML file that shows a robot, its equations, their proof, its motion and its code."""
