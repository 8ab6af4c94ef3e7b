# SPDX-License-Identifier: Apache-2.0
"""Which RTL figures are of: the hash of its tokens, and what a model's hash sees of its family."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from redcore import rtl
from redcore.catalogue import family
from redcore.errors import BadInput
from redcore.model import models

pytestmark = pytest.mark.kept

TEXT = """// one // more
module m; /* two
lines */ assign a = b && (* keep *) c; `include "x//y"
  initial $display("no /* comment */ \\" // here"); // "
endmodule
"""
SAME = [
    TEXT.replace("// one // more\n", ""),
    TEXT.replace("two\nlines", "three"),
    TEXT.replace("assign a = b && (* keep *) c;", "assign a=b&&(*keep*)c;"),
    TEXT.replace("\n", "\n\n  "),
    TEXT.replace('// "', "// '"),
]
OTHER = [
    TEXT.replace("b &&", "b & &"),
    TEXT.replace("module m", "modulem"),
    TEXT.replace("c;", "d;"),
    TEXT.replace("no /* comment */", "no comment"),
    TEXT.replace("// here", "//  here"),
    TEXT.replace('"x//y"', '"x'),
    TEXT.replace("(* keep *) ", ""),
]


def digest(folder: Path, text: str) -> str:
    path = folder / "file.sv"
    path.write_text(text, encoding="utf-8")
    return rtl.digest([path])


def test_the_hash_is_of_tokens(tmp_path: Path) -> None:
    """Comments and white space make no other RTL; strings, operators and attributes do."""
    known = digest(tmp_path, TEXT)
    assert [text for text in SAME if text == TEXT or digest(tmp_path, text) != known] == []
    assert [text for text in OTHER if text == TEXT or digest(tmp_path, text) == known] == []


def test_operators_are_whole_tokens() -> None:
    """Each operator of IEEE 1800-2017, table 11-1 and clause 16 stays one token, and no other."""
    several = """+= -= *= /= %= &= |= ^= <<= >>= <<<= >>>= ++ -- ** == != === !== ==? !=? <= >=
        && || << >> <<< >>> ~& ~| ~^ ^~ -> <-> ->> => :: +: -: ## |-> |=> &&& := :/"""
    assert rtl.tokens(several) == several.split()
    assert rtl.tokens("a<=-b+8'hFF ?c:~d[3:0];") == [
        *("a", "<=", "-", "b", "+", "8", "'", "hFF", "?", "c", ":", "~", "d"),
        *("[", "3", ":", "0", "]", ";"),
    ]


def test_the_tokens_of_the_library_are_all_its_text() -> None:
    """Nothing but white space and comments is left out of any file."""
    for path in sorted(rtl.rtl_folder().glob("*.sv")):
        text = path.read_text(encoding="utf-8")
        without = re.sub(r"//.*|/\*.*?\*/", "", text)  # no string has // or /* in it
        assert squeezed("".join(rtl.tokens(text))) == squeezed(without), path


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


@pytest.fixture
def own_rtl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A copy of the RTL that everything reads."""
    folder = tmp_path / "rtl"
    shutil.copytree(rtl.rtl_folder(), folder)
    monkeypatch.setenv("REDCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(rtl, "rtl_folder", lambda: folder)
    rtl._ordered.cache_clear()
    return folder


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("rsa-csa", "redc_mul_wide_narrow"),
        ("rsa-csa", "redc_rsa_host"),
        ("rsa-csa", "redc_bus_axi"),
        ("exp-csa", "redc_mul_several"),
        ("prime-csa", "redc_exp"),
        ("cios", "redc_mul_cios"),
    ],
)
def test_a_model_sees_what_only_some_designs_are_built_of(
    name: str, file: str, own_rtl: Path
) -> None:
    """Other RTL of any design of the family is told; a comment more is not."""
    known = models.source_hash(family(name))
    path = own_rtl / f"{file}.sv"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"// More is said.\n{text}", encoding="utf-8")
    assert models.source_hash(family(name)) == known
    path.write_text(text.replace("\nendmodule", "\n  logic more;\nendmodule"), encoding="utf-8")
    assert models.source_hash(family(name)) != known


@pytest.mark.parametrize("name", ["csa", "carrychain", "cios", "scalable", "radix4", "exp-csa"])
def test_every_choice_is_built(name: str) -> None:
    """What is hashed has every named choice and both values of every switch."""
    chosen = family(name)
    built = list(models.built_of(chosen))
    width = built[0].width
    for parameter in chosen.parameters:
        values = {design.values[parameter.name] for design in built}
        assert {*parameter.choices} <= values
        if not parameter.choices and parameter.most(width) == parameter.least(width) + 1:
            assert len(values) == 2, parameter.name


def test_a_value_that_needs_another_is_built_with_it() -> None:
    """A prime tester without fixed bases is legal with random ones only."""
    chosen = family("prime-csa")
    with pytest.raises(BadInput):
        chosen.design(64, {"bases": 0})
    assert any(design.values["bases"] == 0 for design in models.built_of(chosen))
