"""The fifteen question templates: eleven paraphrases and four on identifiers, each with its answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd
from random import Random
from typing import Any

from examples.manuals.devices import Device


@dataclass(frozen=True, slots=True)
class Template:
    """A question asked about every device, and the sentences that may answer it."""

    name: str
    """Name of the template, and of the family of its questions."""
    section: str
    """Heading under which the answer stands."""
    names: str
    """What the answer calls the device: `model`, `unit` (the unit or the sensor), or `code`."""
    query_type: str
    """`factual`, `conceptual` or `procedural`."""
    question: str
    """The question, with `{d}` for the device or `{code}` for the identifier."""
    answers: tuple[str, ...]
    """Wordings of the answer; a manual uses one."""
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What the fields of the answer may hold."""


MINUTES = ("10", "15", "20", "25", "30", "40", "45", "60", "75", "90")
LOWEST = ("-40", "-30", "-25", "-20", "-15", "-10")
HIGHEST = ("45", "50", "55", "60", "65", "70")

PARAPHRASES = (
    Template(
        "supply-voltage",
        "Specifications",
        "model",
        "factual",
        "What voltage does the {d} need?",
        (
            "Connect the {m} to a direct voltage between {lo} and {hi} V.",
            "The {m} operates on any direct voltage from {lo} to {hi} V.",
            "Terminals 1 and 2 of the {m} accept a direct voltage of {lo} to {hi} V.",
        ),
        {"lo": ("9", "10", "12", "14", "18"), "hi": ("28", "30", "32", "36", "42")},
    ),
    Template(
        "measuring-range",
        "Specifications",
        "model",
        "factual",
        "What are the smallest and the largest reading that the {d} can give?",
        (
            "The measuring range of the {m} extends from {low} to {high} {unit}.",
            "The {m} covers every value from {low} to {high} {unit} in one range.",
            "Readings of the {m} are valid between {low} and {high} {unit}.",
        ),
    ),
    Template(
        "bolt-torque",
        "Installation",
        "model",
        "procedural",
        "How firmly should the bolts of the {d} be screwed in?",
        (
            "Tighten the mounting bolts of the {m} crosswise to {nm} Nm.",
            "A torque of {nm} Nm on each bolt secures the {m} without distortion.",
            "The bolts of the {m} are tightened to {nm} Nm and checked the following day.",
        ),
        {"nm": ("6", "8", "9", "12", "14", "16", "18", "22", "25", "28", "35")},
    ),
    Template(
        "calibration-interval",
        "Calibration",
        "model",
        "factual",
        "How many months can the {d} run before it must be calibrated again?",
        (
            "Have the {m} calibrated at intervals of {n} months.",
            "The next calibration of the {m} is due after {n} months of operation.",
            "No more than {n} months may pass between two calibrations of the {m}.",
        ),
        {"n": ("3", "4", "6", "8", "9", "10", "12", "15", "18", "24")},
    ),
    Template(
        "warranty-period",
        "Warranty",
        "model",
        "factual",
        "How long does the warranty of the {d} last?",
        (
            "The warranty of the {m} expires {n} months after delivery.",
            "Defects of the {m} are remedied free for {n} months from delivery.",
            "For {n} months after delivery we repair the {m} at our own expense.",
        ),
        {"n": ("12", "18", "24", "30", "36", "42", "48", "60")},
    ),
    Template(
        "surroundings",
        "Specifications",
        "unit",
        "factual",
        "At which outdoor temperatures can the {d} be used?",
        (
            "The air around the unit may have any temperature from {lo} to {hi} °C.",
            "The unit is designed for ambient temperatures from {lo} to {hi} °C.",
            "Below {lo} and above {hi} °C the unit has to be switched off.",
        ),
        {"lo": LOWEST, "hi": HIGHEST},
    ),
    Template(
        "clearance",
        "Installation",
        "unit",
        "factual",
        "How far away from a wall must the {d} be?",
        (
            "Maintain a distance of {mm} mm between the sensor and the nearest wall.",
            "Walls, bends and beams must be at least {mm} mm away from the sensor.",
            "No obstacle may come closer than {mm} mm to the sensor.",
        ),
        {"mm": ("60", "80", "100", "120", "150", "180", "200", "240", "250", "300", "350", "400")},
    ),
    Template(
        "warm-up",
        "Calibration",
        "unit",
        "conceptual",
        "Why are the readings of the {d} wrong at first after a cold start?",
        (
            (
                "For the first {n} minutes after a cold start the unit drifts by up to {p} % of span, "
                "because its measuring stage has not yet reached an even temperature."
            ),
            (
                "A unit that is still cold drifts by up to {p} % of span until its measuring stage has "
                "reached an even temperature, which takes {n} minutes."
            ),
        ),
        {"n": MINUTES, "p": ("0.5", "0.8", "1", "1.2", "1.5", "2", "2.5")},
    ),
    Template(
        "cleaning",
        "Maintenance",
        "unit",
        "procedural",
        "What should the {d} be cleaned with, and how often?",
        (
            "Wipe the face of the sensor with {agent} every {n} weeks.",
            "Every {n} weeks the sensor is cleaned carefully with {agent}.",
            "Use {agent} to clean the sensor, and repeat this after {n} weeks.",
        ),
        {
            "agent": ("alcohol", "soapy water", "citric acid", "distilled water", "diluted vinegar"),
            "n": ("2", "3", "4", "5", "6", "8", "10", "13"),
        },
    ),
    Template(
        "cartridge",
        "Maintenance",
        "unit",
        "procedural",
        "After how many hours does the {d} need something new to keep it dry inside?",
        (
            "Replace the drying cartridge of the unit after {h} hours of operation.",
            "The drying cartridge of the unit is exhausted after {h} hours.",
            "After every {h} hours of operation the unit requires a new drying cartridge.",
        ),
        {"h": ("1,500", "2,000", "2,500", "3,000", "4,000", "5,000", "6,000", "8,000", "9,000")},
    ),
    Template(
        "factory-values",
        "Troubleshooting",
        "unit",
        "procedural",
        "Which key of the {d} has to be pressed to reset it to the factory settings?",
        (
            "Press {key} of the unit for {s} seconds to restore all parameters.",
            "Holding {key} of the unit for {s} seconds discards all changes.",
            "To discard all changes, press {key} of the unit for {s} seconds.",
        ),
        {
            "key": ("the MENU key", "the ZERO key", "the upper arrow", "the lower arrow", "the ENTER key"),
            "s": ("3", "4", "5", "6", "7", "8", "9", "10", "12", "15"),
        },
    ),
)

IDENTIFIERS = (
    Template(
        "fault-code",
        "Troubleshooting",
        "code",
        "factual",
        "What does the code {code} stand for?",
        ("{code} stands for {meaning}.", "{code} reports {meaning}.", "{code} is displayed for {meaning}."),
    ),
    Template(
        "alarm-code",
        "Troubleshooting",
        "code",
        "conceptual",
        "What sets off the alarm {code}?",
        ("{code} comes up when {trigger}.", "{code} is raised if {trigger}."),
    ),
    Template(
        "part-number",
        "Spare parts",
        "code",
        "factual",
        "Which part has the number {code}?",
        ("{code} is the {part}.", "Order {code} to get the {part}.", "The {part} has the number {code}."),
    ),
    Template(
        "firmware-version",
        "Firmware notes",
        "code",
        "factual",
        "What was put right in firmware {code}?",
        ("Version {code} {fix}.", "Firmware {code} {fix}."),
    ),
)


class Identifiers:
    """Codes, part numbers and versions, of which no two in the corpus are equal.

    Numbers come from the map i -> a + b * i modulo 9,000 and not from a list, so that memory does not
    grow with the corpus; once 9,000 are used up, a fifth digit tells the rounds apart.
    """

    def __init__(self, rng: Random) -> None:
        self.start = rng.randrange(9000)
        # Without a factor in common with 9,000 (and so with 360) the map repeats no value.
        self.step = rng.choice([n for n in range(1003, 3000) if gcd(n, 9000) == 1])

    def number(self, i: int) -> int:
        """The number of index i; different for every i."""
        round_, i = divmod(i, 9000)
        return 10_000 * round_ + 1000 + (self.start + self.step * i) % 9000

    def series(self, device: int) -> str:
        """The first two figures of a device's versions; different for every device."""
        round_, i = divmod(device, 360)
        minor, major = divmod((self.start + self.step * i) % 360, 9)
        return f"{1 + major}.{minor + 40 * round_}"


def answer_length(gold: str) -> str:
    """`short` up to 60 characters, `medium` up to 200, else `long`."""
    return "short" if len(gold) <= 60 else "medium" if len(gold) <= 200 else "long"


def question(template: Template, device: Device, gold: str, code: str = "") -> dict[str, Any]:
    """One line of the golden set."""
    return {
        "id": f"{template.name}-{device.model.lower()}",
        "question": template.question.format(d=device.asked, code=code),
        "doc": device.path,
        "gold": gold,
        "family": template.name,
        "kind": "identifier" if code else "paraphrase",
        "names": template.names,
        "template": template.name,
        "query_type": template.query_type,
        "answer_length": answer_length(gold),
        "needs_heading": template.names == "unit",
        "table_row": False,
    }
