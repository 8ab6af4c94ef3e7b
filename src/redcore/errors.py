# SPDX-License-Identifier: Apache-2.0
"""The ways a redcore command can end early; the command line turns them into exit codes."""


class BadInput(Exception):
    """The request cannot be carried out as given: exit code 2.

    The message is one sentence for the user and says what to change.
    """


class CheckFailed(Exception):
    """The request was carried out and the answer is no (a mismatch, for example): exit code 1."""


class Stopped(Exception):
    """The caller asked a long run to end; what it had finished is in the result store."""


def extra(name: str) -> str:
    """How to install what an extra of this package brings; no package index has redcore."""
    return f"pip install '.[{name}]' in a clone, or pip install 'FILE.whl[{name}]' with its wheel"
