"""The devices of the made-up maker Tarnwick: eight types written by hand, and more of them on demand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from string import ascii_uppercase
from typing import NamedTuple

MAKER = "Tarnwick"


@dataclass(frozen=True, slots=True)
class DeviceType:
    """What all models of a type share; the sentences never name the type themselves."""

    code: str
    """Letters in front of the model number."""
    name: str
    """Name as in the title of a manual."""
    use: str
    """What it measures, and where: completes 'measures ...'."""
    ranges: tuple[str, ...]
    """Measuring ranges as 'low|high|unit', one of which a model gets."""
    places: tuple[str, str]
    """Sentences on the place of installation, of which a manual has one."""
    dirt: str
    """A sentence on what dirt and age do to it."""
    parts: tuple[str, ...]
    """Spare parts that only this type has."""
    meanings: tuple[str, ...]
    """What a fault code of this type may stand for."""
    fixes: tuple[str, ...]
    """What a firmware version of this type may have put right: completes 'Version x ...'."""


class Device(NamedTuple):
    """One model; a manual is written about each."""

    kind: DeviceType
    """Its type."""
    model: str
    """Its name, such as `QL-120`; no two devices share one."""
    number: int
    """Its number among all devices, from 0."""

    @property
    def title(self) -> str:
        """The first heading of its manual."""
        return f"{MAKER} {self.model} {self.kind.name}"

    @property
    def asked(self) -> str:
        """How a question names it."""
        return f"{self.model} {self.kind.name[0].lower()}{self.kind.name[1:]}"

    @property
    def path(self) -> str:
        """Its file below the folder of documents."""
        return f"{self.model.lower()}.md"


TYPES = (
    DeviceType(
        "QL",
        "Ultrasonic level sensor",
        "the filling height of open and closed tanks without touching the liquid",
        ("0.2|6|m", "0.25|8|m", "0.3|10|m", "0.35|12|m"),
        (
            "Keep ladders, stirrers and the stream of the filling pipe out of the beam.",
            "On a domed lid, stay away from the middle, where echoes gather.",
        ),
        "Foam and hanging drops weaken the echo long before it is lost.",
        ("sounding horn", "flange adapter of polypropylene", "sun hood", "still pipe of one metre"),
        (
            "an echo that is too weak to be used",
            "two echoes of the same strength",
            "a horn that no longer rings",
        ),
        (
            "ignores the echo of a ladder once it has been marked",
            "follows fast filling without jumping back to the old height",
        ),
    ),
    DeviceType(
        "TF",
        "Turbine flow meter",
        "the volume of thin, clean liquids that passes through a closed pipe",
        ("2|60|l/min", "5|150|l/min", "10|400|l/min", "20|900|l/min"),
        (
            "The pipe must be full at all times, so choose a rising run.",
            "A strainer upstream keeps chips of pipe scale away from the blades.",
        ),
        "Fibres wind themselves round the shaft and make the rotor lag behind.",
        ("rotor with bearings", "flow straightener", "strainer of 200 micrometres", "pick-up coil"),
        (
            "a rotor that stands still while the pump runs",
            "a flow against the arrow",
            "missing pulses from the coil",
        ),
        (
            "counts pulses correctly when the flow turns round",
            "no longer adds up a creeping flow while the pump is off",
        ),
    ),
    DeviceType(
        "MP",
        "Pressure transmitter",
        "the pressure of gases and liquids in pipework and vessels",
        ("0|4|bar", "0|16|bar", "0|40|bar", "0|160|bar"),
        (
            "Where steam is about, a siphon keeps the heat away from the membrane.",
            "Water hammer can dent the membrane, so open valves slowly.",
        ),
        "A vent hole that is painted over shows up as a creeping zero point.",
        ("membrane seal", "siphon of stainless steel", "throttle screw", "three-way valve"),
        ("a dented membrane", "a pressure far above the range", "a blocked vent hole"),
        (
            "shows pressures below that of the air with the right sign",
            "takes the height of the filled line into account",
        ),
    ),
    DeviceType(
        "CN",
        "Conductivity probe",
        "the conductivity of water and of diluted salts, acids and alkalis",
        ("0.01|2|mS/cm", "0.1|20|mS/cm", "0.5|100|mS/cm", "1|400|mS/cm"),
        (
            "Air bubbles between the electrodes make the value fall without reason.",
            "The electrodes must be covered by liquid on all sides.",
        ),
        "Chalk on the electrodes shows as a value that falls month by month.",
        (
            "electrode pair of graphite",
            "retractable holder",
            "bottle of test solution",
            "dip tube of one metre",
        ),
        (
            "electrodes that stand dry",
            "a short between the electrodes",
            "a cell constant that cannot be right",
        ),
        (
            "corrects the value for temperature down to the freezing point",
            "switches to the next range without a gap in the output",
        ),
    ),
    DeviceType(
        "DX",
        "Dissolved oxygen probe",
        "the oxygen content of water in basins, ponds and streams",
        ("0|10|mg/l", "0|15|mg/l", "0|20|mg/l", "0|25|mg/l"),
        (
            "Hang the probe on its chain at a slant, so that bubbles slide off.",
            "Direct sunlight ages the dye of the cap within a season.",
        ),
        "Slime on the cap makes the value follow slowly and read low.",
        ("measuring cap with dye", "hanging chain of two metres", "air jet for the cap", "protective basket"),
        ("a cap whose dye is worn out", "a missing cap", "stray light on the cap"),
        (
            "takes the salt content from a fixed value or from the bus",
            "warns of a worn cap a month before its end",
        ),
    ),
    DeviceType(
        "TB",
        "Turbidity sensor",
        "the cloudiness of water by the light that its particles scatter",
        ("0|40|NTU", "0|200|NTU", "0|1,000|NTU", "0|4,000|NTU"),
        (
            "Bubbles scatter light as particles do, so keep away from weirs.",
            "Bright walls of a small vessel should be painted black.",
        ),
        "A scratched window throws light back and adds to every value.",
        (
            "window of sapphire",
            "wiper arm with motor",
            "flow cell of black plastic",
            "bottle of clouding standard",
        ),
        ("a window that is coated", "daylight on the receiver", "a wiper arm that is stuck"),
        (
            "leaves single bubbles out of the mean",
            "parks the wiper outside the beam after each stroke",
        ),
    ),
    DeviceType(
        "VB",
        "Vibration sensor",
        "the vibration of bearings in pumps, fans and motors",
        ("0.1|20|mm/s", "0.1|45|mm/s", "0.2|90|mm/s", "0.5|140|mm/s"),
        (
            "Paint under the base swallows the higher frequencies and must be scraped off.",
            "The base should sit on the bearing itself and not on a cover.",
        ),
        "A loose cable that beats against the housing looks like a bad bearing.",
        ("mounting stud with glue base", "magnet foot", "spiral cable of three metres", "contact disc"),
        ("a crystal that no longer answers", "a loose base", "a shock beyond the range"),
        (
            "tells a standing machine from a lost signal",
            "keeps the highest value of the last hour after a restart",
        ),
    ),
    DeviceType(
        "GL",
        "Gas leak detector",
        "the concentration of flammable gas in boiler rooms and warehouses",
        ("50|5,000|ppm", "100|10,000|ppm", "20|2,000|ppm", "200|20,000|ppm"),
        (
            "Light gases gather under the ceiling and heavy ones above the floor.",
            "Draughts from doors and fans thin out the gas before it arrives.",
        ),
        "Vapours of silicone poison the pellet without any sign on the display.",
        ("pellet with plug", "splash guard", "hose for test gas", "duct adapter"),
        ("a pellet that is poisoned", "air without oxygen", "a heater that stays cold"),
        (
            "holds an alarm until a key has been pressed",
            "no longer takes the vapour of alcohol for a leak",
        ),
    ),
)

QUALIFIERS = (
    "Sanitary", "Submersible", "Compact", "Heated", "Portable", "High-pressure", "Low-power", "Marine",
    "Explosion-proof", "Duplex", "Panel-mounted", "Clamp-on", "Battery-powered", "Wireless", "Polar",
    "Desert", "Laboratory", "Rail-mounted", "Subsea", "Clean-room", "Agricultural", "Food-grade", "Mining",
    "Rooftop",
)  # fmt: skip
"""Words that turn a type into a further one, for corpora larger than the default."""

NUMBERS = (120, 340, *(n for n in range(100, 1000, 5) if n not in (120, 340)))
"""Model numbers in the order in which they are given out."""


def device_types() -> list[DeviceType]:
    """The eight types, then each of them with each qualifier; every type has letters of its own."""
    used = {kind.code for kind in TYPES}
    letters = (a + b for a, b in product(ascii_uppercase, repeat=2) if a + b not in used)
    return [
        *TYPES,
        *(
            replace(kind, code=next(letters), name=f"{word} {kind.name[0].lower()}{kind.name[1:]}")
            for word, kind in product(QUALIFIERS, TYPES)
        ),
    ]


MOST = len(TYPES) * (1 + len(QUALIFIERS)) * len(NUMBERS)
"""As many devices as there are types and model numbers."""


def devices(count: int) -> Iterator[Device]:
    """The first `count` devices: two models of each type, type by type, then a further model of each.

    The first devices are the same whatever `count` is.
    """
    kinds = device_types()
    pairs = [(kind, number) for kind in kinds for number in NUMBERS[:2]]
    for i in range(count):
        if i < len(pairs):
            kind, number = pairs[i]
        else:
            row, column = divmod(i - len(pairs), len(kinds))
            kind, number = kinds[column], NUMBERS[2 + row]
        yield Device(kind, f"{kind.code}-{number}", i)
