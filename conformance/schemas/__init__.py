# SPDX-License-Identifier: Apache-2.0
"""The table of operations, arguments and flags, and the forms of cases, profiles and the protocol."""
