"""Files to robots and back."""
