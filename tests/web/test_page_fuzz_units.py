# SPDX-License-Identifier: Apache-2.0
"""Whatever a form says of a unit's own parameters and of names: an answer, or a sentence beside its
field."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redcore.web import asked
from redcore.web.asked import DEFAULT_FORM

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from fuzzed import LONG, QUICK, anything, tell  # noqa: E402  a folder, no package

pytestmark = pytest.mark.kept

VALUES = st.one_of(
    anything,
    st.integers(-4, 300).map(str),
    st.integers(-(2**70), 2**300).map(hex),
    st.sampled_from(["", "0x", "1e9", "9" * 5000, "p256", "\u0663", "1_0"]),
)
PARAMETERS = {kind: every for kind in asked.kind_titles() if (every := asked.every_parameter(kind))}
SETTINGS = {
    kind: st.dictionaries(
        st.sampled_from([each.name for each in every]),
        VALUES | st.sampled_from([choice for each in every for choice in each.choices] or [""]),
        max_size=3,
    )
    for kind, every in PARAMETERS.items()
}
FORM = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(list(PARAMETERS)),
        "start": st.sampled_from(["named", "named", "width", "modulus"]),
        "named": st.sampled_from([*asked.named_titles("curve"), "", "p257"]) | anything,
        "settings": st.fixed_dictionaries(SETTINGS) | anything,
    },
    optional={
        "width": st.integers(4, 64).map(str),
        "modulus": st.sampled_from(["7", "97", "0xffff", "p256"]),
        "families": st.lists(st.sampled_from(list(asked.family_titles())), max_size=2),
    },
)


def answered(form: dict[str, Any]) -> None:
    """A question, or sentences beside fields that are on the page."""
    whole = {**DEFAULT_FORM, **form}
    question, errors = asked.read(whole)
    assert (question is None) == bool(errors)
    own = {asked.setting(each.name) for each in asked.said(whole)}
    assert errors.keys() <= DEFAULT_FORM.keys() | own
    assert asked.usual_settings(whole).keys() == {each.name for each in asked.said(whole)}
    assert all(10 < len(said) < 1500 and "\n" not in said for said in errors.values()), errors
    tell("refused" if errors else "accepted")


@given(form=FORM)
@QUICK
def test_any_parameters_of_a_unit(form: dict[str, Any]) -> None:
    answered(form)


@pytest.mark.full
@given(form=FORM)
@LONG
def test_any_parameters_of_a_unit_at_length(form: dict[str, Any]) -> None:
    answered(form)
