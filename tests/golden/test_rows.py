from __future__ import annotations

import json

import pytest

from chunkwise.errors import GoldenError
from chunkwise.golden.rows import parse_rows, read_rows


def found(text, source="g.jsonl"):
    rows = parse_rows(text, source)
    return rows.form, [(r.line, r.data or r.problem.message) for r in rows.rows]


def test_json_lines():
    text = '{"id": "a"}\n\n  {"id": "b"} \r\n{"id": "c"}'
    assert found(text) == ("lines", [(1, {"id": "a"}), (3, {"id": "b"}), (4, {"id": "c"})])


def test_rows_know_their_slice():
    text = '\n  {"id": "a"} \n[1]\n{"id"\n'
    rows = parse_rows(text, "g.jsonl").rows
    assert [text[r.start : r.end] for r in rows] == ['{"id": "a"}', "[1]", '{"id"']
    for text in ('[\n {"id": "a"},\r\n {"id": "b"}\n]\n', '[{"id": "a"}, {"id": "b"}]'):
        rows = parse_rows(text, "g.json").rows
        assert [text[r.start : r.end] for r in rows] == ['{"id": "a"}', '{"id": "b"}']
    text = 'question,doc\r\n"two\r\nlines",a\r\n\r\nx,b'
    rows = parse_rows(text, "g.csv").rows
    assert [text[r.start : r.end] for r in rows] == ['"two\r\nlines",a\r\n', "x,b"]
    assert [r.line for r in rows] == [2, 5]


def test_line_separators_inside_a_text_end_no_line():
    assert found('{"id": "a\u2028b\u0085c"}\n{"id": "d"}')[1][1] == (2, {"id": "d"})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a"', "broken JSON"),
        ('{"id": "a", "id": "b"}', "the key 'id' stands twice"),
        ('{"weight": NaN}', "NaN is no JSON value"),
        ("[1, 2]", "an entry is a JSON object, this is a list"),
        ("null", "this is null"),
        ('{"id": "a"} {"id": "b"}', "more text after the object, column 12"),
        ('{"id": ' + "[" * 100_000, "nested too deep"),
        ('{"id": ' + "1" * 5_000 + "}", "broken JSON"),
    ],
)
def test_a_broken_line_stops_no_other(line, message):
    form, rows = found(f'{{"id": "x"}}\n{line}\n{{"id": "y"}}\n')
    assert form == "lines"
    assert [rows[0], rows[2]] == [(1, {"id": "x"}), (3, {"id": "y"})]
    assert rows[1][0] == 2
    assert message in rows[1][1]


def test_an_object_over_several_lines_is_one_fault():
    _, rows = found('{\n "id": "a",\n "doc": "b"\n}\n{"id": "c"}\n')
    assert rows == [(1, "one object over lines 1 to 4"), (5, {"id": "c"})]


def test_json_list_with_lines():
    form, rows = found('[\n  {"id": "a"},\n  {"id":\n   "b"}\n, 7]\n', "g.json")
    assert form == "list"
    assert rows == [(2, {"id": "a"}), (3, {"id": "b"}), (5, "an entry is a JSON object, this is a number")]
    assert found("[ ]", "g.json") == ("list", [])


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('[{"id": "a"},\n{"id" "b"}]', 2, "broken JSON (Expecting ':'"),
        ('[{"id": "a"}\n{"id": "b"}]', 2, "no comma or ]"),
        ('[{"id": "a"},\n', 2, "broken JSON"),
        ('[{"id": "a"}]\nmore', 2, "text after the list"),
        ('[{"id": "a"},\n{"b": 1, "b": 2}]', 2, "stands twice"),
    ],
)
def test_a_broken_list_keeps_what_stands_before(text, line, message):
    _, rows = found(text, "g.json")
    assert rows[0] == (1, {"id": "a"})
    assert rows[1][0] == line
    assert message in rows[1][1]


def test_what_stands_behind_an_empty_list_is_a_fault() -> None:
    (row,) = parse_rows('[]\n{"id": "a"}\n', "golden.jsonl").rows
    assert row.line == 2
    assert "text after the list" in str(row.problem)
    assert parse_rows("[ ]\n", "golden.json").rows == []


def test_csv():
    refs = [{"content": 'a "b"', "start_index": 1, "end_index": 4}]
    cell = json.dumps(refs).replace('"', '""')
    text = f'question,references,corpus_id,kind\n"What, then?","{cell}",speech,\n'
    wanted = {"question": "What, then?", "references": refs, "corpus_id": "speech"}
    assert found(text, "g.csv") == ("csv", [(2, wanted)])
    assert found(text, "g.txt") == ("csv", [(2, wanted)])


def test_csv_values_are_as_in_json():
    text = "id,question,doc,gold,start,end,reviewed\n1,How?,a.md,x,3,4,False\n,How?,a.md,x,3.5,4,\n"
    first, second = (row for _, row in found(text, "g.csv")[1])
    assert first["start"] == 3
    assert first["reviewed"] is False
    assert second["start"] == "3.5"
    assert "id" not in second


def test_a_quotation_mark_that_is_never_closed_takes_no_row_along():
    rows = parse_rows('question,doc,gold,note\nx,a.md,y,""\nx,a.md,y,"5 inch\nz,b.md,w,no\n', "g.csv").rows
    assert [row.line for row in rows] == [2, 3]
    assert rows[0].problem is None
    assert "never closed" in str(rows[1].problem)
    closed = parse_rows('question,doc,gold\nx,a.md,"y\nand ""z"""', "g.csv").rows
    assert closed[0].problem is None


def test_questions_inside_of_an_object_are_refused_by_its_key():
    with pytest.raises(GoldenError, match=r"g\.json:1: the questions stand in 'items' of one object"):
        parse_rows('{"version": 1, "items": [{"question": "x", "doc": "a.md", "gold": "y"}]}', "g.json")


def test_broken_csv_rows_stop_no_other():
    text = "question,references\nonly one\nWhat?,[{]\nHow?,[]\n"
    rows = parse_rows(text, "g.csv").rows
    assert "1 cells where the header has 2" in rows[0].problem.message
    assert "broken JSON" in rows[1].problem.message
    assert rows[2].problem is None


@pytest.mark.parametrize(
    ("text", "source", "message"),
    [
        ("query,doc\nx,y\n", "g.csv", "g.csv:1: no column 'question'"),
        ("question,doc,doc\nx,y,z\n", "g.csv", "'doc' stands twice"),
        # What it is, and the remedy, where its ending says something else.
        (
            "id,question,doc\n1,x,y\n",
            "g.jsonl",
            "g.jsonl:1: this is CSV, not JSON Lines; give it the ending .csv",
        ),
        ('id;"question";doc\n1;x;y\n', "g.ndjson", "g.ndjson:1: this is CSV, not JSON Lines"),
        ('{"question": "x"}\n', "g.csv", "g.csv:1: this is JSON, not CSV; give it the ending .jsonl"),
        ("[]", "g.csv", "g.csv:1: this is JSON, not CSV"),
        ("id;question;doc\n1;x;y\n", "g.csv", "g.csv:1: columns are parted by ';'; save them with commas"),
        ("\nid\tquestion\n1\tx\n", "g.csv", "g.csv:2: columns are parted by '\\t'"),
        ("question|doc\nx|y\n", "g.txt", "g.txt:1: columns are parted by '|'"),
        ("just words\n", "g.txt", "this is no golden set; write one JSON object a line"),
    ],
)
def test_a_file_of_no_known_form(text, source, message):
    with pytest.raises(GoldenError) as caught:
        parse_rows(text, source)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_an_empty_file_has_no_rows(text):
    assert parse_rows(text, "g.jsonl").rows == []


def test_a_byte_order_mark_is_no_text():
    assert found('\ufeff{"id": "a"}')[1] == [(1, {"id": "a"})]


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(GoldenError, match=r"gone.jsonl: No such file"):
        read_rows(tmp_path / "gone.jsonl")
    (tmp_path / "g.jsonl").write_bytes(b'{"id": "a"}\n{"id": "\xff"}\n')
    with pytest.raises(GoldenError, match=r"g.jsonl:2: byte 20 is not UTF-8 .*save the file as UTF-8"):
        read_rows(tmp_path / "g.jsonl")
