"""Page of a robot: one HTML file with the robot, its equations, their proof, its motion and its code."""
