# SPDX-License-Identifier: Apache-2.0
"""Asking libraries: adapters as processes, the driver, what a long run says and leaves."""
