"""A comparison of documents that try everything to break a page."""

from __future__ import annotations

from functools import cache

from chunkwise.chunk import Fixed, Heading
from chunkwise.comparison import compare
from chunkwise.structure import parse_markdown
from chunkwise.types import Candidate, Corpus, Document, Gold, GoldenSet, Place, Question, Report, Span

SCRIPT = "</script><script>window.broken = 1</script>"
IMAGE = '<img src="x" onerror="window.broken = 2">'
COMMENT = "<!-- <script> ]]> -->"
GRADES = """## Grade 7 and above

| when | notice |
|---|---|
| in the trial period | 14 days |
| after the trial period | 90 days |

```sh
leave --grade 7
leave --notice 90
```
"""
TEXT = f"""# Leaving {SCRIPT}

The letter says who leaves and when. 👩‍🚀🎉 Every astronaut 🚀 signs it. {IMAGE}

שלום עולם, מה שלומך היום? \u202eright to left\u202c and back. A NUL: \x00, an escape: \x1b.

{GRADES}
{COMMENT} &amp; &lt; the end is 𝕱𝖗𝖆𝖐𝖙𝖚𝖗 and a lone \ud800 half. The keys go to the front desk.
"""
NAME = f"leave & {IMAGE}.md"
OTHER = "# Arriving\n\nThe badge is printed at the desk. It is valid for a year.\n"
GOLDS = {
    f"how long is the notice period? {SCRIPT}": "| after the trial period | 90 days |",
    f"who signs {IMAGE}": "Every astronaut 🚀 signs it.",
    "where do the keys go": "The keys go to the front desk.",
    "what is valid for a year \x00": "It is valid for a year.",
}


def documents() -> list[Document]:
    return [Document(NAME, TEXT, parse_markdown), Document("zeal.md", OTHER, parse_markdown)]


def questions() -> list[Question]:
    made = []
    for i, (asked, quote) in enumerate(GOLDS.items()):
        doc, text = next((d.id, d.text) for d in documents() if quote in d.text)
        span = Span(text.index(quote), text.index(quote) + len(quote))
        tags = {f"<b>{i % 2}</b>": "a|b"}
        made.append(Question(f"q{i} <i>", asked, (Gold(quote, (Place(doc, span),)),), tags=tags))
    return made


@cache
def nasty() -> Report:
    """The report; one row has markup for a name."""
    rows = [
        Candidate(Fixed(size=80, overlap=20)),
        Candidate(Heading(size=300)),
        Candidate(Fixed(size=60), label=f"mine {IMAGE}"),
        Candidate(Heading(size=120)),
    ]
    return compare(
        Corpus(documents()), GoldenSet(questions()), rows, k=(1, 3), budgets=(20, 50), resamples=50, by=()
    )
