from __future__ import annotations

import json

import pytest

from chunkwise.errors import GoldenError
from chunkwise.golden import fix_golden, load_golden
from tests.golden.make import MARK, corpus, folder, lines, row

TEXTS = {
    "a.md": "📦 Store it below forty degrees.\n\nHe said “never” to it.\n",
    "new.md": "The porter has the key to it.\n",
}


def fix(tmp_path, text, name="g.jsonl", texts=TEXTS):
    path, out = tmp_path / name, tmp_path / "out"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    done = fix_golden(path, corpus(texts), out)
    return done, out.read_bytes().decode()


def test_what_is_safe_is_fixed_and_all_else_stays_byte_for_byte(tmp_path):
    old = [
        '{"id":"q1",  "question": "How warm?", "doc": "a.md", "gold": "below forty degrees"}',
        "",
        '{"question": "No id?", "doc": "a.md", "gold": "Store it"}  ',
        '{"id":"q3","question":"Offsets?","doc":"a.md","gold":"below forty degrees","start":12,"end":31}',
        '{"id":"q4","question":"Case?","doc":"a.md","gold":"store IT below"}',
        '{"id":"q5","question":"Signs?","doc":"a.md","gold":"He said \\"never\\" to it."}',
        '{"id":"q6","question":"Who?","doc":"old.md","gold":"The porter has the key"}',
        '{"id":"q7","question":"Lost?","doc":"a.md","gold":"not to be found"}',
        '{"id":"q8","question":"Broken?"',
    ]
    done, text = fix(tmp_path, MARK + "\r\n".join(old))
    assert text.startswith(MARK)
    new = text[1:].split("\r\n")
    same = [i for i in range(len(old)) if old[i] == new[i]]
    assert same == [0, 1, 7, 8]
    assert new[2].endswith("}  ")
    assert json.loads(new[2])["id"] == "q2"
    assert next(iter(json.loads(new[2]))) == "id"
    assert [json.loads(new[3])[key] for key in ("start", "end")] == [11, 30]
    assert json.loads(new[4])["gold"] == "Store it below"
    assert json.loads(new[5])["gold"] == "He said “never” to it."
    assert json.loads(new[6])["doc"] == "new.md"
    assert [f.id for f in done.fixed] == ["", "q3", "q4", "q5", "q6"]
    assert [(f.line, f.id) for f in done.left] == [(8, "q7"), (9, "")]


def test_the_file_may_be_its_own_result(tmp_path):
    path = lines(tmp_path / "g.jsonl", [row(gold="Below forty degrees")])
    path.chmod(0o640)
    fix_golden(path, corpus(TEXTS), path)
    assert load_golden(path, corpus(TEXTS))["q1"].golds[0].quote == "below forty degrees"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["g.jsonl"]


def test_a_sound_file_is_copied(tmp_path):
    text = json.dumps(row()) + "\n"
    done, new = fix(tmp_path, text)
    assert (done.fixed, done.left, new) == ((), (), text)


def test_a_json_list_keeps_its_layout(tmp_path):
    entries = [row(), row(id="q2", question="Case?", gold="STORE it", also=["HE said"])]
    for indent in (None, 0, 2, 4):
        text = json.dumps(entries, indent=indent, ensure_ascii=False) + "\n"
        done, new = fix(tmp_path, text, "g.json")
        wanted = text.replace("STORE it", "Store it").replace("HE said", "He said")
        assert new == wanted
        assert len(done.fixed) == 2


def test_csv_keeps_its_other_rows(tmp_path):
    def refs(quote, start, end):
        return json.dumps([{"content": quote, "start_index": start, "end_index": end}]).replace('"', '""')

    head = "question,references,corpus_id\r\n"
    sound = f'"A,  b?","{refs("Store it", 2, 10)}",a\r\n'
    odd = f'B?,"{refs("below forty degrees", 12, 31)}","a"\r\n'
    done, new = fix(tmp_path, head + odd + sound, "g.csv")
    assert new == head + f'B?,"{refs("below forty degrees", 11, 30)}",a\r\n' + sound
    assert [f.line for f in done.fixed] == [2]
    assert done.left == ()


def test_two_fixes_of_one_entry_are_both_made(tmp_path):
    text = (
        json.dumps({"question": "A?", "doc": "a.md", "gold": ["store it", "HE said"]})
        + "\n"
        + json.dumps(row())
    )
    done, new = fix(tmp_path, text)
    data = json.loads(new.splitlines()[0])
    assert (data["id"], data["gold"]) == ("q1-2", ["Store it", "He said"])
    assert len(done.fixed) == 3
    assert done.left == ()


def test_a_renamed_document_takes_all_its_golds_along_or_none(tmp_path):
    both = row(doc="old.md", gold=["The porter has the", "has the key to it."])
    parted = row(id="q2", question="B?", doc="old.md", gold=["The porter has the", "below forty degrees"])
    short = row(id="q3", question="C?", doc="old.md", gold="The porter")
    done, new = fix(tmp_path, "\n".join(map(json.dumps, (both, parted, short))))
    assert [json.loads(line)["doc"] for line in new.splitlines()] == ["new.md", "old.md", "old.md"]
    assert {f.id for f in done.left} == {"q2", "q3"}


def test_a_renamed_document_moves_the_span_too(tmp_path):
    text = json.dumps(row(doc="old.md", gold=[3, 25], quote="porter has the key to it"))
    done, new = fix(tmp_path, text)
    assert done.left == ()
    assert (json.loads(new)["doc"], json.loads(new)["gold"]) == ("new.md", [4, 28])


def test_a_fix_that_uncovers_another_fault_says_so(tmp_path):
    text = "\n".join(json.dumps(r) for r in (row(), row(id="q2", gold="Below forty degrees")))
    done, _ = fix(tmp_path, text)
    assert [f.id for f in done.fixed] == ["q2"]
    assert ["asks the same as 'q1'" in f.message for f in done.left] == [True]


def test_a_file_that_cannot_be_read_is_not_written(tmp_path):
    with pytest.raises(GoldenError):
        fix_golden(tmp_path / "gone.jsonl", corpus(TEXTS), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_case_golden_offsets_other_units(shared, tmp_path):
    root = shared / "cases/golden-offsets-other-units"
    done = fix_golden(root / "golden.jsonl", folder(root), tmp_path / "g.jsonl")
    assert [f.id for f in done.fixed] == ["q2", "q3"]
    # Both ask for the same place in other words: sound, and one family.
    golden = load_golden(tmp_path / "g.jsonl", folder(root))
    assert [q.golds[0].places[0].span for q in golden] == [(4, 24), (32, 54), (32, 54)]
    assert [q.family for q in golden] == ["q1", "q2", "q2"]


def test_case_document_not_in_corpus(shared, tmp_path):
    root = shared / "cases/document-not-in-corpus"
    done = fix_golden(root / "golden.jsonl", folder(root / "corpus"), tmp_path / "g.jsonl")
    assert [f.id for f in done.fixed] == ["renamed"]
    assert [f.id for f in done.left] == ["removed", "emptied"]
