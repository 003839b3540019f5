"""A report as one self-contained HTML page: it opens from a file and asks for nothing.

Everything that comes from documents is escaped by the template; what the reader's script shows of them it
puts in as text. The page's own style and script are named by their digests in its content policy, so that
nothing else can run, whatever a document holds. The same report gives the same bytes: seconds are left out.
"""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from typing import Any

from chunkwise.errors import MissingExtra, ReportError
from chunkwise.report.names import Names
from chunkwise.report.page.plots import figures
from chunkwise.report.page.questions import asked_questions
from chunkwise.report.page.reader import reader_data
from chunkwise.report.page.sizes import size_table
from chunkwise.report.page.tables import (
    against_first,
    approximate_table,
    cost_table,
    damage_table,
    every_measure,
    heading_table,
    main_table,
    miss_table,
    pair_table,
    rule_table,
    tag_tables,
)
from chunkwise.report.page.text import as_data, visible
from chunkwise.report.page.words import corpus_line, lead, sentence, starts_told
from chunkwise.report.sentences import (
    RULES,
    close_call,
    embedded_once,
    in_order,
    in_table,
    meaning,
    not_shown,
    what_to_use,
)
from chunkwise.types import Report

__all__ = ["check_page", "render_page"]

EXTRA = "report"
_SOFT = re.compile("([,:@|/])")  # behind these a long name may be broken
_SCRIPTS = ("table.js", "reader.js", "page.js")


def check_page() -> None:
    """Raise `MissingExtra` where a page cannot be made, before any work is done."""
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise MissingExtra("a report as HTML", EXTRA) from error


def render_page(report: Report) -> bytes:
    """The page, in UTF-8.

    Raises:
        MissingExtra: the template library is not installed.
        ReportError: the report lacks what a page needs.
    """
    check_page()
    import jinja2
    from markupsafe import Markup, escape

    def shown(value: Any) -> Any:
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_template),
        autoescape=True,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["soft"] = lambda name: Markup(_SOFT.sub(r"\1<wbr>", str(escape(visible(name)))))
    style = _template("page.css")
    script = "\n".join(_template(name) for name in _SCRIPTS)
    try:
        values = _values(report)
        text = environment.get_template("page.html").render(
            **{**values, "data": Markup(values["data"])},
            style=Markup(style),
            script=Markup(script),
            policy=f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; "
            f"script-src '{_digest(script)}'; base-uri 'none'; form-action 'none'",
        )
    except (KeyError, TypeError, AttributeError, jinja2.UndefinedError) as error:
        raise ReportError(
            f"the report lacks what a page needs ({error!r}); run the comparison again"
        ) from error
    return text.encode()


def _template(name: str) -> str:
    return files(__package__).joinpath("templates", name).read_text("utf-8")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _values(report: Report) -> dict[str, Any]:
    rows, names, primary = in_order(report), Names(report.candidates), str(report.settings["primary"])
    decision, rule = report.decision, str(report.settings["rule"])
    reasons = decision.reasons[1:] if decision is not None else ()
    documents = [exhibit for exhibit in report.exhibits if exhibit.get("kind") == "document"]
    questions = [exhibit for exhibit in report.exhibits if exhibit.get("kind") == "question"]
    # Documents that the chosen questions need come first where there is no room for all.
    ids = {question["id"] for question in questions}
    needed = [d for d in documents if any(gold["question"] in ids for gold in d["golds"])]
    parts, shown = reader_data([*needed, *(d for d in documents if d not in needed)])
    # At first the row that is named and the one that finds least are beside each other.
    first = list(dict.fromkeys([decision.candidate if decision else None, rows[0].name, rows[-1].name]))
    data = as_data(
        {"first": [name for name in first if name], "names": {row.name: names[row.name] for row in rows}}
    )
    data = f'{data[:-1]},"documents":{parts}}}'
    verdict, told = lead(report)
    asked = asked_questions(report, shown, [row.name for row in rows])
    measures = list(dict.fromkeys([primary, *(rows[0].measures if rows else ())]))
    return {
        "report": report,
        "names": names,
        "specs": {row.name: f"{row.spec} @ {row.retriever}" for row in rows},
        "chosen": decision.candidate if decision is not None else None,
        "verdict": verdict,
        "kind": decision.verdict if decision is not None else "undecided",
        "lead": told,
        "facts": corpus_line(report),
        "use": sentence(what_to_use(report)),
        "limits": not_shown(report),
        "starts": starts_told(report, rows, names.__getitem__),
        "embedded": embedded_once(report),
        "reasons": [sentence(reason) for reason in reasons if not in_table(reason, primary)],
        "pairwise": [sentence(reason) for reason in reasons if in_table(reason, primary)],
        "hides": [sentence(text) for text in decision.hides] if decision else [],
        "ruled_out": [names[name] for name in decision.ruled_out] if decision else [],
        "settles": [sentence(text) for text in decision.settles] if decision else [],
        "warnings": [sentence(text) for text in report.warnings],
        "main": main_table(report, rows),
        "close": any(close_call(report, c) for c in report.comparisons),
        "figures": figures(report, rows),
        "damage": damage_table(rows),
        "sizes": size_table(rows),
        "misses": miss_table(rows),
        "costs": cost_table(report, rows),
        "approximate": approximate_table(rows),
        "tags": tag_tables(report, rows),
        "headings": heading_table(report, rows),
        "by_rule": rule_table(report, rows),
        "tests": against_first(report),
        "parts": sum(d["end"] - d["start"] < d["characters"] for d in shown),
        "documents": len({d["id"] for d in shown}),
        "pairs": pair_table(report, names.__getitem__),
        "measures": every_measure(rows, rule),
        "questions": asked,
        "data": data,
        "shown": shown,
        "left_out": len(documents) - len(shown),
        "primary": primary,
        "meanings": [(name, said) for name in measures if (said := meaning(name, rule)) != name],
        "rules": RULES,
    }
