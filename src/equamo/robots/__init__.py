"""Built-in robots, one file each, with their source cited."""
from .krang import krang
