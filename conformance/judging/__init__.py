# SPDX-License-Identifier: Apache-2.0
"""What is right: the checker's verdict, dense meaning, sums of floats, and from an answer to an outcome."""
