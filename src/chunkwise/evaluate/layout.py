"""Which chunkers a comparison has, and which of them each of its rows is made of."""

from __future__ import annotations

from collections.abc import Sequence

from chunkwise.evaluate.gathering import Clock
from chunkwise.evaluate.starts import starts
from chunkwise.types import Candidate, Chunker

__all__ = ["Layout"]


class Layout:
    """Each chunker with each cleaning once, by number, and the numbers that each row uses: several where it
    has several start offsets.
    """

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        """Tell the chunkers of the rows apart."""
        self.candidates = candidates
        """The rows."""
        self.starts = [starts(candidate) for candidate in candidates]
        """By row, the candidate once for each of its start offsets."""
        self.chunkers: list[Chunker] = []
        """By number."""
        self.cleanings: list[tuple[str, ...]] = []
        """By number of the chunker, how the documents are cleaned that it cuts."""
        self.numbers = [[self._number(one) for one in own] for own in self.starts]
        """By row, the number of the chunker of each start."""
        self.firsts = [own[0] for own in self.numbers]
        """By row, the number of its first chunker."""

    def searched(self) -> list[tuple[int, str]]:
        """Number of the chunker and text form of the retriever of every row and start, as often as they
        are searched.
        """
        return [
            (number, candidate.retriever)
            for candidate, own in zip(self.candidates, self.numbers, strict=True)
            for number in own
        ]

    def timings(self, clock: Clock) -> dict[str, float]:
        """Seconds by step; steps of a chunker are named by the first row that has it."""
        names: dict[str, str] = {}
        for candidate, own in zip(self.candidates, self.numbers, strict=True):
            for number in own:
                names.setdefault(str(number), candidate.name)
        found: dict[str, float] = {}
        for step, seconds in clock.seconds.items():
            kind, _, number_of = step.partition(" ")
            name = f"{kind} {names[number_of]}" if kind in ("chunk", "index") and number_of in names else step
            found[name] = round(found.get(name, 0.0) + seconds, 6)
        return {**found, "total": round(sum(clock.seconds.values()), 6)}

    def _number(self, one: Candidate) -> int:
        """The number of a candidate's chunker with its cleaning; the next one where it is new."""
        for number, (chunker, steps) in enumerate(zip(self.chunkers, self.cleanings, strict=True)):
            if steps == one.clean and (chunker is one.chunker or chunker == one.chunker):
                return number
        self.chunkers.append(one.chunker)
        self.cleanings.append(one.clean)
        return len(self.chunkers) - 1
