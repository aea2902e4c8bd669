# SPDX-License-Identifier: Apache-2.0
"""What a run found, as text, JUnit, TAP and a page."""
