# SPDX-License-Identifier: Apache-2.0
"""A unit on AXI4-Stream in a bundle: its own bench and checks, through ports of other names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from redcore.design import Design
from redcore.face import Face, face_of
from redcore.moduli import NamedModulus
from redcore.ports import Port
from redcore.progress import Staged
from redcore.units.hosted import Hosted


class StreamFace(Face):
    """Ports of AXI4-Stream; all else is the face of the unit inside, whose words these are."""

    def __init__(self, design: Design, modulus: NamedModulus | None, seed: int) -> None:
        super().__init__(design, modulus, seed)
        assert isinstance(design.family, Hosted)
        self.family = design.family
        self.inside = face_of(self.family.single(design.width, design.values), modulus, seed)
        self.bench_template = self.inside.bench_template
        self.exact_cycles = self.inside.exact_cycles
        self.constant_time = self.inside.constant_time

    @property
    def package(self) -> str:
        return self.inside.package

    @property
    def ports(self) -> list[Port]:
        return self.family.ports(self.design.width, self.design.values)

    @property
    def header(self) -> list[str]:
        """The unit's, behind what its streams are."""
        first, *rest = self.inside.header
        return ["Contract  AXI4-Stream: words in the lowest bits of whole bytes;",
                first.replace("Contract", "        "), *rest]  # fmt: skip

    @property
    def summary(self) -> list[str]:
        return [*self.inside.summary, "The streams are AXI4-Stream, each word in whole bytes."]

    @property
    def constants(self) -> dict[str, tuple[str, int]]:
        return self.inside.constants

    @property
    def operations(self) -> int:
        return self.inside.operations

    def vector_text(self) -> str:
        return self.inside.vector_text()

    def bench_context(self) -> dict[str, Any]:
        """The unit's, and sizes of the streams."""
        bits = {port.name: port.bits for port in self.ports}
        return self.inside.bench_context() | {"stream": bits}

    def check(self, vectors: int, tell: Staged) -> Iterator[dict[str, Any]]:
        """The unit inside; the bundle's own bench goes through the streams."""
        return self.inside.check(vectors, tell)

    @property
    def bench_note(self) -> str:
        return self.inside.bench_note

    def check_command(self, vectors: int) -> str:
        return self.inside.check_command(vectors)

    def default_vectors(self) -> int:
        return self.inside.default_vectors()

    def cycles(self) -> list[tuple[str, str]]:
        return self.inside.cycles()
