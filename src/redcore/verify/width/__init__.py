# SPDX-License-Identifier: Apache-2.0
"""One module per family: what its registers hold at any moment, at any width.

``redcore.verify.width.<family>`` has ``describe(proof)``, which adds ghosts, invariants, claims
and covers to a :class:`redcore.verify.induction.Proof`, or raises NotDescribed.
"""
