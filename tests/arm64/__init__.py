"""The program as a 64-bit Raspberry Pi's processor would run it, under qemu: `make arm64`."""
