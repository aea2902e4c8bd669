# SPDX-License-Identifier: Apache-2.0
"""The cases as a pack that needs neither driver nor adapter."""
