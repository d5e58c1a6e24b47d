"""Which detectors a release has (SPEC V2, V3)."""

import pytest

from guardhook.style import releases

SIX = "_rule_05 _rule_06 _rule_12 _rule_b _rule_d _rule_i".split()
SEVEN = ["_rule_03", *SIX]
EIGHT = ["_rule_03", "_rule_a", *SIX]
NINE = "_rule_03 _rule_a _rule_08_repeats _rule_05 _rule_06 _rule_12_profile _rule_b _rule_d _rule_i".split()


@pytest.mark.parametrize(
    ("version", "numbers"),
    [
        ("0.8.0", (0, 8, 0)),
        ("0.8.0rc1", (0, 8, 0)),
        ("0.8rc1.5", (0, 8)),
        ("1", (1,)),
        ("0.10.0+local", (0, 10, 0)),
        ("0.08.0", (0, 8, 0)),
        ("0..8", (0,)),
        ("", ()),
        ("x", ()),
        ("v0.8.0", ()),
        ("٠.٨", ()),
        ("9" * 5000, ()),
        (None, ()),
        ((0, 8), ()),
        (0.8, ()),
    ],
)
def test_release(version: object, numbers: tuple[int, ...]) -> None:
    assert releases.release(version) == numbers


@pytest.mark.parametrize(
    ("versions", "names"),
    [
        (("", None, "x", "0", "0.5.0", "0.5.99", "0.0.9", b"0.9.0"), SIX),
        (("0.6", "0.6.0", "0.6.9", "0.6.0.dev1"), SEVEN),
        (("0.7", "0.7.0", "0.7.12"), EIGHT),
        (("0.8", "0.8.0", "0.8.0rc1", "0.9.0", "0.10.0", "1.0", "2"), NINE),
    ],
)
def test_sets(versions: tuple[object, ...], names: list[str]) -> None:
    for version in versions:
        assert [row.name for row in releases.detectors(version)] == names


def test_labels_and_paths() -> None:
    rows = {row.name: row for _, rows in releases.SETS for row in rows}
    assert {name: row.label for name, row in rows.items()} == {
        "_rule_03": "RULE-03",
        "_rule_a": "RULE-A",
        "_rule_08_repeats": "RULE-08",
        "_rule_05": "RULE-05",
        "_rule_06": "RULE-06",
        "_rule_12": "RULE-12",
        "_rule_12_profile": "RULE-12",
        "_rule_b": "RULE-B",
        "_rule_d": "RULE-D",
        "_rule_i": "RULE-I",
    }
    assert {name for name, row in rows.items() if row.takes_path} == {
        "_rule_03",
        "_rule_a",
        "_rule_08_repeats",
        "_rule_12_profile",
    }
    assert [name for name, row in rows.items() if row.whole_document] == ["_rule_12_profile"]


def test_absent() -> None:
    assert releases.absent("0.5.0") == [("RULE-03", "0.6.0"), ("RULE-08", "0.8.0"), ("RULE-A", "0.7.0")]
    assert releases.absent("0.7.0") == [("RULE-08", "0.8.0")]
    assert releases.absent("0.9.0") == []
