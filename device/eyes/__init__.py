"""In which light, and how often, the networks are shown what the camera sees."""
