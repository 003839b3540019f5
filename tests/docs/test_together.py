"""What docs/together.md is computed from: code with its prose as questions, and texts without separators."""

from __future__ import annotations

from scripts.together import code_questions, in_one, spoken

from chunkwise import Corpus, read_text
from chunkwise.text import sentence_ends

FILLED = "It is long enough to be asked for. " * 10
GUIDE = f"""# Guide

## Start it

First words. {FILLED}

Call it so:

```python
start()
```

Then:

```python
stop()
```

## Leave it

{FILLED}

- a list

```python
leave()
```

## See twice

Prose. {FILLED}

```
one
```

## See twice

Prose. {FILLED}

```
two
```
"""


def test_a_heading_asks_for_its_first_code_behind_prose() -> None:
    corpus = Corpus([read_text(GUIDE, "guide.md")])
    alone, both = code_questions(corpus)
    (one,), (two,) = alone, both
    assert one.text == two.text == "Start it"
    quoted = [GUIDE[slice(*gold.places[0].span)] for gold in two.golds]
    assert quoted == ["Call it so:", "```python\nstart()\n```"]
    assert one.golds == two.golds[1:]
    assert in_one(corpus, both, "paragraph:size=25") == 0.0
    assert in_one(corpus, both, "paragraph:size=60,code=with-prose") == 1.0


def test_a_spoken_text_has_nothing_to_cut_at_and_a_way_back() -> None:
    text = "Good evening. Mr. Speaker,\n\nI’d go home -- now!\nIt's 9.5 miles."
    said, way = spoken(text)
    assert said == "good evening mr speaker i’d go home now it's 9 5 miles "
    assert list(sentence_ends(said)) == [len(said)]
    start = text.index("go home -- now")
    place = slice(*way.forward((start, start + len("go home -- now"))))
    assert said[place] == "go home now"
