"""The language of a document, and where its sentences end in it: abbreviations, ordinals, other marks."""

from __future__ import annotations

import gc
from itertools import pairwise

import pytest

from chunkwise.chunk import make_chunkers
from chunkwise.evaluate.kept import Kept
from chunkwise.measure.boundaries import boundaries
from chunkwise.readers import read_text
from chunkwise.readers.clean import clean
from chunkwise.text import language_of, sentence_ends
from chunkwise.text.languages import _known, told_language

SENTENCES = {
    "el": [
        "Πού βρίσκεται η αντλία; ",
        "Είναι στο υπόγειο, βλ. σελ. 4. ",
        "Τι ώρα ανοίγει\u037e ",
        "Ο κ. Παπαδόπουλος ανοίγει στις έξι, δηλ. πριν από εμάς.",
    ],
    "ru": [
        "Насосы, клапаны и т. д. проверяют весной, т. е. в марте. ",
        "Он родился в 1986 г. в Москве. ",
        "Дом стоит на ул. Ленина, д. 5. ",
        "Здесь жил А. С. Пушкин. ",
        "Размеры см. на рис. 3 и в табл. 2. ",
        "Он стоит 5 тыс. руб. за штуку.",
    ],
    "de": [
        "Wir prüfen die Pumpe am 3. Mai. ",
        "Nach dem 2. Weltkrieg wurde sie ersetzt. ",
        "Die 1. Stufe läuft, siehe z. B. Abb. 3 und Kap. 4. ",
        "Im 19. Jahrhundert gab es Dampf. ",
        "Es waren 12. ",
        "Danach kam Dr. Müller.",
    ],
    "fr": [
        "M. Dupont est venu avec Mme. Durand. ",
        "Voir p. ex. la fig. 3 du manuel. ",
        "C'est fini ! ",
        "La pompe est-elle fermée ? ",
        "Oui.",
    ],
    "es": [
        "El Sr. López llegó con la Sra. Ruiz. ",
        "Véase p. ej. la pág. 4 del manual. ",
        "¿Está cerrada la bomba? ",
        "¡Sí!",
    ],
    "it": ["Il sig. Rossi è arrivato. ", "Vedi p. es. la fig. 3 del manuale. ", "Il dott. Bianchi no."],
    "pt": ["O Sr. Silva chegou com a Dra. Costa. ", "Ver p. ex. a pág. 4 do manual. ", "Não está fechada."],
    "nl": [
        "Dhr. Jansen en mevr. Smit kwamen op 3. mei. ",
        "Zie afb. 3 op blz. 4 van het boek. ",
        "De pomp is gesloten.",
    ],
    "pl": [
        "Przyszedł prof. Kowalski. ",
        "Zob. np. rys. 3 na str. 4. ",
        "Urodził się w 1986 r. w Warszawie. ",
        "Pompa jest zamknięta.",
    ],
    "cs": [
        "Dne 3. května přišel pan Novák. ",
        "Viz např. obr. 3 a kap. 4. ",
        "V 19. století byla pára. ",
        "Čerpadlo je zavřené.",
    ],
    "da": [
        "Den 3. maj kom han hjem, og pumpen blev ikke lukket. ",
        "Se f.eks. fig. 3. ",
        "Det var i det 19. århundrede, at man begyndte at bruge damp. ",
        "Hvor er hun nu?",
    ],
    "fi": ["Tulimme kotiin 3. toukokuuta. ", "Katso esim. kuva 3. ", "Pumppu on suljettu, eikä se vuoda."],
    "hu": ["Május 3. napján jött meg. ", "Lásd pl. a 3. ábrát a könyvben. ", "A szivattyú zárva van."],
    "tr": [
        "Bay Yılmaz geldi. ",
        "Örneğin bkz. şek. 3. ",
        "O zaman 19. yüzyılda buhar vardı. ",
        "Pompa kapalı.",
    ],
    "uk": [
        "Насоси, клапани і т. д. перевіряють навесні. ",
        "Він народився 1986 р. в Києві. ",
        "Розміри див. на рис. 3. ",
        "Це вул. Шевченка, буд. 5.",
    ],
    "bg": ["Вижте напр. фиг. 3 в книгата. ", "През 1986 г. той дойде в София. ", "Помпата е затворена."],
    "en": ["It has approx. 40 holes. ", "Mr. Hill saw it on 3. May. ", "Was it closed? ", "Yes; it was."],
    "ja": ["ポンプは毎年春に点検します。", "弁を閉めてください。", "温度は３．５度です。"],
}


@pytest.mark.parametrize("language", SENTENCES)
def test_the_language_is_told_by_the_text(language: str) -> None:
    text = "".join(SENTENCES[language])
    assert language_of(read_text(text, "a.txt")) == language


@pytest.mark.parametrize("language", SENTENCES)
def test_sentences_end_as_their_language_has_it(language: str) -> None:
    # "3. May" is no English: its full stop ends a sentence there.
    expected = [
        p
        for s in SENTENCES[language]
        for p in (["Mr. Hill saw it on 3. ", "May. "] if "3. May" in s else [s])
    ]
    text = "".join(expected)
    assert [text[a:b] for a, b in pairwise([0, *sentence_ends(text, language)])] == expected


@pytest.mark.parametrize("name", ["sentence", "recursive", "heading", "paragraph"])
@pytest.mark.parametrize("language", ["el", "ru", "de", "pl"])
def test_every_chunker_cuts_between_them(language: str, name: str) -> None:
    expected = [sentence.strip() for sentence in SENTENCES[language]]
    document = read_text(" ".join(expected * 3), "a.md")
    (chunker,) = make_chunkers(f"{name}:size={max(map(len, expected)) + 1}")
    starts = sentence_starts(document.text, expected)
    for chunk in chunker(document):
        assert chunk.span is not None
        assert chunk.span.start in starts, chunk.text


def sentence_starts(text: str, expected: list[str]) -> set[int]:
    """Where each of the known sentences begins, wherever it stands."""
    return {at for sentence in expected for at in range(len(text)) if text.startswith(sentence, at)}


def test_overlap_and_lead_ins_follow_the_language_too() -> None:
    first, second = "Nach dem Krieg wurde die Pumpe ersetzt. ", "Das war am 3. Mai, nach dem 2. Weltkrieg. "
    document = read_text(first + second + "Und nun folgt noch ein langer Satz ohne Ende", "a.md")
    (chunker,) = make_chunkers("sentence:size=90,overlap=50")
    assert [chunk.text for chunk in chunker(document)][1].startswith(second)
    lead = "Wir warten auf den 2. Termin des Jahres und nennen hier die Teile:"
    items = "- das Ventil\n- die Dichtung der Pumpe\n- der Deckel über der Dichtung der Pumpe\n"
    document = read_text(f"Das ist die Pumpe. {lead}\n\n{items}", "a.md")
    (chunker,) = make_chunkers("heading:size=150,lead_in=yes")
    leads = [text for chunk in chunker(document) for kind, text in chunk.context if kind == "lead-in"]
    assert leads == [lead]


def test_what_the_document_says_counts() -> None:
    text = "Es waren zwei am 3. Mai und dann nicht mehr."
    for key, said in (("lang", "de"), ("language", "de-AT"), ("lang", "DE_de"), ("lang", '"de"')):
        assert language_of(read_text(f"---\n{key}: {said}\n---\nToo short.", "a.md")) == "de"
    assert language_of(read_text(f"---\nlang: fr\n---\n{text}", "a.md")) == "fr"
    assert language_of(read_text(f"---\nlang: Deutsch\nlanguage: nl\n---\n{text}", "a.md")) == "nl"
    assert language_of(read_text(f"---\nlanguage: Deutsch\n---\n{text}", "a.md")) == "de", "no code"


def test_a_page_says_its_language() -> None:
    pytest.importorskip("selectolax")
    from chunkwise.readers.html import parse_page

    for attribute in ('lang="nl-BE"', 'xml:lang="nl"'):
        document = parse_page(f"<html {attribute}><body><p>Te kort.</p></body></html>", "a.html")
        assert (document.metadata.get("lang"), language_of(document)) == (attribute.split('"')[1], "nl")
    assert "lang" not in parse_page("<html lang><body><p>Te kort.</p></body></html>", "a.html").metadata


@pytest.mark.parametrize(
    "text", ["", "   ", "12 34 56", "👩‍🔧" * 50, "Oui.", "0x5F3759DF 0b1011 1e-9 " * 40, "\ud800" * 50]
)
def test_what_tells_nothing_counts_as_english(text: str) -> None:
    assert told_language(text) == "en"


def test_the_most_of_a_document_tells_its_language() -> None:
    assert told_language(LICENCE * 8 + "".join(SENTENCES["de"]) * 40) == "de"
    assert told_language("".join(SENTENCES["en"]) * 40 + "".join(SENTENCES["de"])) == "en"


def test_plain_english_does_without_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("the tables of all languages were loaded")

    monkeypatch.setattr("chunkwise.text.languages._identifier", refuse)
    assert told_language("The pump is in the cellar. It runs all day, and nobody looks at it.") == "en"
    english = "The pump is in the cellar, and you are to look at it. 🚀\n"
    assert told_language(CODE * 3 + english + CODE * 3) == "en"
    assert told_language("# Pumps - `pump_of`\n\n" + "::: cellar.pumps.valves.pump_of\n" * 9) == "en"


CODE = """
from cellar.pumps import valve_of
import seal from 'seals'
with opened(valve_of(pump)) as valve:
    from seals import seal_of
"""
LICENCE = "This book is free. You may copy it and give it away under the terms of its licence. "


@pytest.mark.parametrize(
    ("language", "prose"),
    [
        ("de", "Die Pumpe steht im Keller neben der Treppe. Wir sehen im Mai nach, ob sie noch dicht ist.\n"),
        ("nl", "De pomp staat in de kelder naast de trap. Wij kijken in mei of de klep nog goed sluit.\n"),
        ("it", "La pompa sta in cantina accanto alla scala. In maggio guardiamo se la valvola tiene.\n"),
    ],
)
def test_code_and_a_licence_hide_no_language(language: str, prose: str) -> None:
    assert prose.isascii()
    assert told_language((prose * 3 + CODE) * 12) == language
    assert told_language(LICENCE * 8 + prose * 40) == language


def test_a_language_is_found_once_and_forgotten_with_its_document(monkeypatch: pytest.MonkeyPatch) -> None:
    document = read_text("".join(SENTENCES["de"]), "a.md")
    assert language_of(document) == "de"
    monkeypatch.setattr("chunkwise.text.languages.told_language", lambda _: "xx")
    assert language_of(document) == "de"
    size = len(_known)
    del document
    gc.collect()
    assert len(_known) < size


def test_damage_is_measured_in_the_language_of_the_document() -> None:
    text = "".join(SENTENCES["de"])
    document = read_text(text, "a.md")
    inside, between = text.index("Mai."), text.index("Nach dem")

    def cut(at: int) -> int:
        return boundaries(document, [(0, at), (at, len(text))]).starts.sentence

    assert (cut(inside), cut(between)) == (1, 0)
    kept = Kept([document.id])
    assert kept.takes(document)
    assert list(kept.sentence_ends(document)) == sentence_ends(text, "de")


GOING_ON = {
    "a sloppy text in English": ("en", ["it is on. ", "then it is off."]),
    "a list with letters": ("de", ["Zu tun.\n", "a) öffnen\n", "b) gehen"]),
    "a blank line": ("de", ["Am Tag 3.\n\n", "und dann"]),
    "a line that is wrapped": ("ru", ["Это было весной, т. е.\nв марте."]),
    "Russian in an English text": ("en", ["He wrote и т. д. проверяют. ", "Yes."]),
    "a Greek question in an English text": ("en", ["She asked: Πού είναι; ", "No one knew."]),
    "a semicolon of English": ("en", ["It runs; ours does not. ", "Yes."]),
    "a cap is a cap": ("en", ["He wore a cap. ", "5 men saw it."]),
    "a number at the end": ("de", ["Es wurden 7. ", "Der Rest ging."]),
}


@pytest.mark.parametrize(("language", "parts"), GOING_ON.values(), ids=GOING_ON)
def test_where_a_sentence_goes_on(language: str, parts: list[str]) -> None:
    text = "".join(parts)
    assert [text[a:b] for a, b in pairwise([0, *sentence_ends(text, language)])] == parts


def test_a_cleaned_document_has_the_language_of_its_source() -> None:
    document = read_text("---\nlang: nl\n---\n**Te** kort.", "a.md")
    cleaned = clean(document, "markdown-to-text")
    assert cleaned.text.endswith("\nTe kort.")
    assert language_of(cleaned) == "nl"
    assert cleaned not in _known, "it is remembered with its source"
