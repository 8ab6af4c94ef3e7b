# SPDX-License-Identifier: Apache-2.0
"""The two ways a redcore command can end badly; the command line turns them into exit codes."""


class BadInput(Exception):
    """The request cannot be carried out as given: exit code 2.

    The message is one sentence for the user and says what to change.
    """


class CheckFailed(Exception):
    """The request was carried out and the answer is no (a mismatch, for example): exit code 1."""
