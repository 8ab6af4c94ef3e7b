# SPDX-License-Identifier: Apache-2.0
"""What is measured, and the programs that measure it: ``python -m benchmarks --list``."""
