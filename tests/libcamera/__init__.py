"""A whole game through the real libcamera and the real picamera2: `make libcamera`."""
