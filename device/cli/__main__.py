"""`python -m device.cli`: the command line without installing the program."""

from device.cli.main import main

main()
