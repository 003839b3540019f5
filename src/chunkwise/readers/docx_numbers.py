"""The numbers that Word shows in front of paragraphs: they are counted when it is shown, and stand nowhere.

A paragraph names a list by itself or by its style. Lists of one definition are counted together, level by
level; a list that overrides a start begins anew with it, once (ECMA-376, part 1, 17.9).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HOPS: Final = 20  # styles and lists may refer to each other in a ring
_ROMAN: Final = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
        strict=True,
    )
)
_LONGEST: Final = 100  # letters of a number, beyond which it is written in digits
_DEEPEST: Final = 5  # lists in each other that mammoth makes
BEGIN: Final = "\U000f5e1a"
"""Stands in front of what Word shows in front of a paragraph; no text has this sign."""
END: Final = "\U000f5e1b"
"""Stands behind it."""
OFF: Final = frozenset(("0", "false", "off"))
"""Values that take back what an element says by being there."""


@dataclass(frozen=True)
class Level:
    """How one level of a list is counted and shown."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    """What is shown, with `%1` for the number of the first level."""
    gap: str = " "
    """What stands between it and the text."""
    restart: int | None = None
    """The level, from 1, a number of which begins this one anew; 0: none does; None: any above it."""
    legal: bool = False
    """Whether the numbers of all levels are shown in digits."""
    style: str = ""
    """The style of paragraph that stands on it."""


@dataclass
class _List:
    """A list as paragraphs name it."""

    definition: str
    levels: dict[int, Level]
    starts: dict[int, int]


@dataclass
class Numbers:
    """The lists and styles of a file, and how far each list is counted."""

    _lists: dict[str, _List]
    _styles: dict[str, tuple[str, str, str]]
    """By id: what it is based on, the list it names, and the level there."""
    _default: str
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)
    _begun: set[tuple[str, int]] = field(default_factory=set)

    @classmethod
    def read(cls, numbering: Element, styles: Element | None) -> Numbers:
        """Those of a file, by its parts."""
        found: dict[str, tuple[str, str, str]] = {}
        default = ""
        for style in styles.iter(f"{W}style") if styles is not None else ():
            id = style.get(f"{W}styleId", "")
            named = style.find(f"{W}pPr/{W}numPr")
            found[id] = (_said(style, "basedOn"), *_named(named))
            if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") not in (None, *OFF):
                default = id
        return cls(_lists(numbering, found), found, default)

    def place(self, properties: Element | None) -> tuple[str, int, Level | None] | None:
        """The list of a paragraph with these properties, its level there and how that is shown; None where it
        is on no list.
        """
        style = _said(properties, "pStyle") if properties is not None else ""
        id, level = _named(properties.find(f"{W}numPr") if properties is not None else None)
        at = style or self._default
        for _ in range(_HOPS):
            if (id and level) or at not in self._styles:
                break
            above, own, own_level = self._styles[at]
            if own and not id:
                id, level = own, level or self._level_of(own, at)
            level = level or own_level
            at = above
        if id not in self._lists:
            return None
        number = int(level) if level.isdecimal() else 0
        return id, number, self._lists[id].levels.get(number)

    def next(self, id: str, number: int) -> tuple[str, str]:
        """Count a paragraph on a level of a list; what is shown in front of it, and what stands between."""
        one = self._lists[id]
        level = one.levels[number]
        counts = self._counts.setdefault(one.definition, {})
        first = (id, number) not in self._begun
        self._begun.add((id, number))
        if first and number in one.starts:
            counts[number] = one.starts[number]
        else:
            counts[number] = counts[number] + 1 if number in counts else level.start
        for below in [deeper for deeper in counts if deeper > number]:
            restart = one.levels[below].restart if below in one.levels else None
            if restart is None or number < restart:
                del counts[below]
        shown = level.text
        for k in range(number + 1):
            if f"%{k + 1}" in shown:
                above = one.levels.get(k, Level())
                value = counts.get(k, one.starts.get(k, above.start))
                shown = shown.replace(f"%{k + 1}", written(value, "decimal" if level.legal else above.form))
        return shown, level.gap

    def _level_of(self, id: str, style: str) -> str:
        """The level of a list that paragraphs of a style stand on; empty where none is theirs."""
        levels = self._lists[id].levels if id in self._lists else {}
        return next((str(number) for number, level in levels.items() if level.style == style), "")


def written(number: int, form: str) -> str:
    """A number as Word writes it in a form; in digits where the form is another script's, or too long."""
    letters = (number - 1) // 26 + 1
    if form in ("lowerLetter", "upperLetter") and 0 < letters <= _LONGEST:
        said = chr(ord("a") + (number - 1) % 26) * letters
    elif form in ("lowerRoman", "upperRoman") and 0 < number < 1000 * _LONGEST:
        said, rest = "", number
        for value, sign in _ROMAN:
            said += sign * (rest // value)
            rest %= value
    elif form == "ordinal":
        ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending}"
    else:
        return "" if form == "none" else f"{number:02d}" if form == "decimalZero" else str(number)
    return said.upper() if form.startswith("upper") else said


def label(root: Element, numbers: Numbers, heads: Container[str]) -> bool:
    """Put what Word shows in front of the paragraphs of a text into them, between two signs; whether anything
    was changed.

    Each names its list by itself then, whatever its style says, and how deep it stands among the items around
    it. What stands in a cell of a table, shows no number or is a heading is on no list.

    Args:
        root: the text.
        numbers: its lists.
        heads: ids of the styles of headings.
    """
    changed = False
    levels: list[int] = []  # of the items that are open
    for paragraph, cell in _paragraphs(root):
        properties = paragraph.find(f"{W}pPr")
        place = numbers.place(properties)
        style = _said(properties, "pStyle") if properties is not None else ""
        head = style in heads or (properties is not None and properties.find(f"{W}outlineLvl") is not None)
        if place is None:
            levels.clear()
            continue
        id, number, level = place
        known = level is not None and level.form == "bullet" and (level.style == style or not style)
        changed = changed or not known  # bullets that mammoth finds need no help
        shown, gap = "", ""
        if level is not None:
            shown, gap = ("-", " ") if level.form == "bullet" else numbers.next(id, number)
        listed = bool(shown) and not cell and not head
        if listed:
            while levels and levels[-1] > number:
                levels.pop()
            levels += [number] if levels[-1:] != [number] else []
        else:
            levels.clear()
        _name(paragraph, id if listed else "0", min(len(levels), _DEEPEST) - 1 if listed else 0)
        if shown and (listed or shown != "-"):
            run = ElementTree.Element(f"{W}r")
            said = ElementTree.SubElement(run, f"{W}t")
            said.text = f"{BEGIN}{shown}{gap}{END}"
            said.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            paragraph.insert(1, run)
    return changed


def _name(paragraph: Element, id: str, depth: int) -> None:
    """Have a paragraph name its list, and how deep it stands there."""
    properties = paragraph.find(f"{W}pPr")
    if properties is None:
        properties = ElementTree.Element(f"{W}pPr")
        paragraph.insert(0, properties)
    for old in properties.findall(f"{W}numPr"):
        properties.remove(old)
    named = ElementTree.SubElement(properties, f"{W}numPr")
    ElementTree.SubElement(named, f"{W}ilvl").set(f"{W}val", str(depth))
    ElementTree.SubElement(named, f"{W}numId").set(f"{W}val", id)


def _paragraphs(root: Element) -> Iterator[tuple[Element, bool]]:
    """The paragraphs of a text in their order, and whether each stands in a table; without those of boxes."""
    left = [(root, False)]
    while left:
        element, cell = left.pop()
        if element.tag == f"{W}p":
            yield element, cell
        elif element.tag != f"{W}txbxContent":
            cell = cell or element.tag == f"{W}tc"
            left += [(child, cell) for child in reversed(element)]


def _lists(numbering: Element, styles: dict[str, tuple[str, str, str]]) -> dict[str, _List]:
    levels: dict[str, dict[int, Level]] = {}
    links: dict[str, str] = {}
    for one in numbering.iter(f"{W}abstractNum"):
        id = one.get(f"{W}abstractNumId", "")
        levels[id] = dict(_level(level) for level in one.findall(f"{W}lvl"))
        links[id] = _said(one, "numStyleLink")
    named = {one.get(f"{W}numId", ""): one for one in numbering.iter(f"{W}num")}
    found = {}
    for id, one in named.items():
        definition = _said(one, "abstractNumId")
        for _ in range(_HOPS):
            link = links.get(definition, "")
            other = named.get(styles[link][1]) if link in styles else None
            if other is None:
                break
            definition = _said(other, "abstractNumId")
        own = dict(levels.get(definition, {}))
        starts = {}
        for override in one.findall(f"{W}lvlOverride"):
            number = _whole(override.get(f"{W}ilvl"), 0)
            other_level = override.find(f"{W}lvl")
            if other_level is not None:
                own[number] = _level(other_level)[1]
            if override.find(f"{W}startOverride") is not None:
                starts[number] = _whole(_said(override, "startOverride"), 1)
        if id != "0":  # which takes a paragraph off the list of its style
            found[id] = _List(definition, own, starts)
    return found


def _level(level: Element) -> tuple[int, Level]:
    form = level.find(f".//{W}numFmt")  # a form of one's own stands beside a usual one
    restart = level.find(f"{W}lvlRestart")
    legal = level.find(f"{W}isLgl")
    return _whole(level.get(f"{W}ilvl"), 0), Level(
        start=_whole(_said(level, "start"), 1),
        form=form.get(f"{W}val", "decimal") if form is not None else "decimal",
        text=_said(level, "lvlText"),
        gap="" if _said(level, "suff") == "nothing" else " ",
        restart=_whole(_said(level, "lvlRestart"), 0) if restart is not None else None,
        legal=legal is not None and legal.get(f"{W}val") not in OFF,
        style=_said(level, "pStyle"),
    )


def _named(properties: Element | None) -> tuple[str, str]:
    """The list and the level that are named; empty where they are not."""
    return (_said(properties, "numId"), _said(properties, "ilvl")) if properties is not None else ("", "")


def _said(element: Element, name: str) -> str:
    return value_of(element.find(f"{W}{name}"))


def value_of(element: Element | None) -> str:
    """What an element of Word says; empty where it is not there."""
    return element.get(f"{W}val", "") if element is not None else ""


def _whole(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 10 else default
