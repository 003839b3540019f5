"""One manual: nine sections of shared sentences, with the facts of one device among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from examples.manuals import sentences as shared
from examples.manuals.devices import MAKER, Device
from examples.manuals.questions import IDENTIFIERS, PARAPHRASES, Identifiers, Template, question

SECTIONS = {
    "Overview": (shared.OVERVIEW, 400, 90),
    "Specifications": (shared.SPECIFICATIONS, 620, 70),
    "Installation": (shared.INSTALLATION, 640, 80),
    "Calibration": (shared.CALIBRATION, 540, 70),
    "Maintenance": (shared.MAINTENANCE, 550, 80),
    "Troubleshooting": (shared.TROUBLESHOOTING, 715, 85),
    "Spare parts": (shared.SPARE_PARTS, 425, 70),
    "Firmware notes": (shared.FIRMWARE, 420, 70),
    "Warranty": (shared.WARRANTY, 355, 70),
}
"""Headings in order: the pool of shared sentences, the middle length in characters, and how far the
lengths of the manuals spread to both sides of it."""

LONGEST = 806
"""No section is filled beyond this length."""

STEPS_OF_LENGTH = 16
"""The lengths of a section step evenly through its spread; sixteen manuals see each step once."""

CODES = 10
"""Numbers that a manual uses: three faults, two alarms, five parts. No number is used twice."""


class Writer:
    """Writes the manuals of one corpus; each depends on the seed and its device alone."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        rng = Random(seed)
        self.identifiers = Identifiers(rng)
        self.steps = {title: rng.sample(range(STEPS_OF_LENGTH), STEPS_OF_LENGTH) for title in SECTIONS}

    def write(self, device: Device) -> tuple[str, list[dict[str, Any]]]:
        """The text of the manual, and its fifteen questions."""
        rng = Random(f"{self.seed}/{device.model}")
        facts: dict[str, list[str]] = {title: [] for title in SECTIONS}
        blocks: dict[str, list[str]] = {title: [] for title in SECTIONS}
        questions = []
        for template in PARAPHRASES:
            gold = _fact(template, device, rng)
            facts[template.section].append(gold)
            questions.append(question(template, device, gold))
        lists = (self._codes(device, rng), self._parts(device, rng), self._versions(device, rng))
        for title, lead, lines, asked in lists:
            blocks[title] = [lead + "\n\n" + "\n".join(f"- {line}" for line in lines)]
            questions += asked
        facts["Overview"].append(f"The {MAKER} {device.model} measures {device.kind.use}.")
        facts["Installation"].append(rng.choice(device.kind.places))
        facts["Maintenance"].append(device.kind.dirt)
        blocks["Specifications"] = [_table(rng)]
        blocks["Installation"] = [_steps(rng)]
        parts = [f"# {device.title}"]
        for title, (pool, middle, spread) in SECTIONS.items():
            step = self.steps[title][device.number % STEPS_OF_LENGTH]
            target = round(middle + spread * (2 * step / (STEPS_OF_LENGTH - 1) - 1))
            body = _section(title, facts[title], blocks[title], pool, target, rng)
            parts.append(f"## {title}\n\n{body}")
        return "\n\n".join(parts) + "\n", questions

    def _codes(self, device: Device, rng: Random) -> Listed:
        """Three fault codes and two alarms, of each of which one is asked about."""
        fault, alarm = IDENTIFIERS[:2]
        faults = [f"F-{self.identifiers.number(CODES * device.number + i)}" for i in range(3)]
        alarms = [f"A-{self.identifiers.number(CODES * device.number + i)}" for i in range(3, 5)]
        meanings = rng.sample([*shared.MEANINGS, *device.kind.meanings], 3)
        triggers = [
            text.format(a=rng.choice(("3.4", "3.6", "3.8")), b=rng.choice((3, 4, 5, 6, 8, 10, 12, 20)))
            for text in rng.sample(shared.TRIGGERS, 2)
        ]
        said, raised = rng.choice(fault.answers), rng.choice(alarm.answers)
        lines = [said.format(code=c, meaning=m) for c, m in zip(faults, meanings, strict=True)]
        lines += [raised.format(code=c, trigger=t) for c, t in zip(alarms, triggers, strict=True)]
        i, j = rng.randrange(3), rng.randrange(2)
        asked = [
            question(fault, device, lines[i], faults[i]),
            question(alarm, device, lines[3 + j], alarms[j]),
        ]
        return fault.section, rng.choice(shared.CODES_LEAD), lines, asked

    def _parts(self, device: Device, rng: Random) -> Listed:
        """Five spare parts, of which one is asked about."""
        template = IDENTIFIERS[2]
        codes = [f"TP-{self.identifiers.number(CODES * device.number + i)}" for i in range(5, CODES)]
        parts = rng.sample(shared.PARTS, 3) + rng.sample(device.kind.parts, 2)
        rng.shuffle(parts)
        said = rng.choice(template.answers)
        lines = [said.format(code=c, part=p) for c, p in zip(codes, parts, strict=True)]
        i = rng.randrange(5)
        asked = [question(template, device, lines[i], codes[i])]
        return template.section, rng.choice(shared.PARTS_LEAD), lines, asked

    def _versions(self, device: Device, rng: Random) -> Listed:
        """Three firmware versions, of which one is asked about."""
        template = IDENTIFIERS[3]
        series = self.identifiers.series(device.number)
        codes = [f"{series}.{patch}" for patch in sorted(rng.sample(range(10), 3), reverse=True)]
        fixes = rng.sample([*shared.FIXES, *device.kind.fixes], 3)
        said = rng.choice(template.answers)
        lines = [said.format(code=c, fix=f) for c, f in zip(codes, fixes, strict=True)]
        i = rng.randrange(3)
        asked = [question(template, device, lines[i], codes[i])]
        return template.section, rng.choice(shared.FIRMWARE_LEAD), lines, asked


Listed = tuple[str, str, list[str], list[dict[str, Any]]]
"""A list in a manual: its section, the line above it, its lines, and the questions on it."""


def _fact(template: Template, device: Device, rng: Random) -> str:
    low, high, unit = rng.choice(device.kind.ranges).split("|")
    fields = {name: rng.choice(values) for name, values in template.values.items()}
    return rng.choice(template.answers).format(m=device.model, low=low, high=high, unit=unit, **fields)


def _table(rng: Random) -> str:
    rows = [shared.ROWS[i] for i in sorted(rng.sample(range(len(shared.ROWS)), 5))]
    lines = [f"| {label} | {rng.choice(values)} |" for label, values in rows]
    return "\n".join(["| Property | Value |", "| --- | --- |", *lines])


def _steps(rng: Random) -> str:
    chosen = [shared.STEPS[i] for i in sorted(rng.sample(range(len(shared.STEPS)), 5))]
    return "\n".join(f"{number}. {step}" for number, step in enumerate(chosen, 1))


def _section(
    title: str, facts: list[str], blocks: list[str], pool: Sequence[str], target: int, rng: Random
) -> str:
    """The body of a section: facts among shared sentences up to the target length, and its list or table."""
    length = sum(len(text) + 1 for text in [*facts, *blocks]) - 1
    chosen = []
    for sentence in rng.sample(pool, len(pool)):
        after = length + 1 + len(sentence)
        if length + len(sentence) // 2 <= target and after <= LONGEST:
            chosen.append(sentence)
            length = after
    lead, others = (facts[:1], facts[1:]) if title == "Overview" else ([], facts)
    rest = [*others, *chosen]
    rng.shuffle(rest)
    paragraphs = list(_paragraphs([*lead, *rest], rng))
    for block in blocks:
        paragraphs.insert(rng.randint(0, len(paragraphs)), block)
    return "\n\n".join(paragraphs)


def _paragraphs(texts: Sequence[str], rng: Random) -> Iterator[str]:
    """The sentences in paragraphs of two to four; no paragraph is a single sentence unless all is."""
    i = 0
    while i < len(texts):
        left = len(texts) - i
        size = left if left <= 4 else rng.randint(2, min(4, left - 2))
        yield " ".join(texts[i : i + size])
        i += size
