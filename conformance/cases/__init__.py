# SPDX-License-Identifier: Apache-2.0
"""The cases, family by family; generate.py collects them."""
