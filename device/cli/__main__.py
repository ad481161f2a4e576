"""`python -m device.cli`: the command line where the program is not installed."""

from device.cli.main import main

main()
