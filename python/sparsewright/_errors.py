# SPDX-License-Identifier: Apache-2.0
"""What is raised."""


class InvalidTensor(ValueError):
    """A tensor breaks a rule. `report` is its Report where check found it, else None."""

    report = None


class Refused(ValueError):
    """There is no such result: the text says by which numbers."""


class FileError(ValueError):
    """A file cannot be read: the text says where and why."""
