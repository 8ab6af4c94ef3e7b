# SPDX-License-Identifier: Apache-2.0
"""Writes the generated files: register packages, manifests, the catalogue, figures of the docs."""
