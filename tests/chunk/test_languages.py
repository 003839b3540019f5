"""Texts without spaces, from right to left, and of characters that are several code points."""

from __future__ import annotations

from itertools import pairwise

import pytest
import regex

from chunkwise.chunk import make_chunkers
from chunkwise.chunk.pack import GRAPHEME_CUT
from chunkwise.readers import read_text
from chunkwise.text import sentence_ends
from chunkwise.text.tokens import minilm_tokenizer

SENTENCES = {
    "Chinese": ["水泵每年春季检查一次，密封件每两年更换一次。", "“请先关闭阀门！”", "温度为3.5℃时停机。"],
    "Japanese": [
        "ポンプは毎年春に点検します。",
        "「弁を閉めて。」",
        "温度は３．５度です！",
        "か゛き゜を見る？",
    ],
    "Thai": ["ปั๊มน้ำต้องตรวจสอบทุกฤดูใบไม้ผลิ และเปลี่ยนซีลทุกสองปี"],
    "Arabic": ["تُفحص المضخة كل ربيع، وتُستبدل الحلقة كل سنتين. ", "هل أغلقت الصمام؟ ", "انتظر عشر دقائق!"],
    "Hebrew": ["המשאבה נבדקת בכל אביב. ", "האטם מוחלף כל שנתיים! ", "האם סגרת את השסתום?"],
    "Hindi": ["पंप की जाँच हर वसंत में होती है। ", "क्या आपने वाल्व बंद किया? ", "क्षत्रिय द्वारा।"],
    "Persian": ["ما می\u200cرویم. ", "آیا شیر را بستید؟"],
    "Korean": ["펌프는 매년 봄에 점검합니다. ", "밸브를 닫았습니까?"],
    "Burmese": ["ပန့်ကို နွေဦးတိုင်း စစ်ဆေးပါ။ ", "အလုံပိတ်ကို လဲပါ။"],
}
EMOJI = "👩‍🔧🏴󠁧󠁢󠁳󠁣󠁴󠁿👍🏽🇩🇰🇸🇪1️⃣❤️👨‍👩‍👧‍👦"
TEXTS = {
    **{language: "".join(found) * 6 for language, found in SENTENCES.items()},
    "emoji": EMOJI * 4,
    "mixed": "\n\n".join("".join(found) + EMOJI for found in SENTENCES.values()),
}
UNITS = ["chars", "words", "cl100k", *(["minilm"] if minilm_tokenizer() is not None else [])]
CLUSTER = regex.compile(r"\X")


@pytest.mark.parametrize("language", SENTENCES)
def test_sentences_end_where_readers_of_the_language_see_it(language: str) -> None:
    found = SENTENCES[language]
    text = "".join(found)
    ends = [0, *sentence_ends(text)]
    assert [text[start:end] for start, end in pairwise(ends)] == found


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("language", TEXTS)
def test_no_cluster_is_cut_without_a_mark(language: str, unit: str) -> None:
    pytest.importorskip("tiktoken")
    document = read_text(TEXTS[language], "a.md")
    bounds = {0, *(match.end() for match in CLUSTER.finditer(document.text))}
    for name in ("fixed", "recursive", "sentence", "heading"):
        for size in (14, 40, 150):
            (chunker,) = make_chunkers(f"{name}:size={size},unit={unit},overlap={size // 4}")
            cut = False
            for chunk in chunker(document):
                assert chunk.span is not None
                assert cut or chunk.span.start in bounds, (chunker.spec, chunk.text)
                cut = GRAPHEME_CUT in chunk.marks
                assert cut or chunk.span.end in bounds, (chunker.spec, chunk.text)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("language", ["Chinese", "Japanese", "Thai"])
def test_texts_without_spaces_fill_their_chunks(language: str, unit: str) -> None:
    """A sentence that is no word long, or one word for a whole page, is cut all the same."""
    (chunker,) = make_chunkers(f"heading:size=60,unit={unit},within=90chars")
    document = read_text("".join(SENTENCES[language]).replace(" ", "") * 20, "a.md")
    chunks = chunker(document)
    assert all(len(chunk.indexed) <= 90 for chunk in chunks)
    assert "".join(chunk.text for chunk in chunks).replace("\n", "") == document.text.strip()
    assert sum(len(chunk.text) for chunk in chunks) / len(chunks) >= 20
