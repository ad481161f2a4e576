"""The base of the errors that the command line reports in one sentence."""


class UserError(Exception):
    """An error that a person can do something about. The message is one sentence."""

    exit_code = 1
    """The exit status of a command that ends with this error."""
