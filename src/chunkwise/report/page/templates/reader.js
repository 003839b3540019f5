/* The reader: one document, the cuts of up to three rows beside each other. All of it is put in as text. */
const KINDS = {
  sentence: "inside a sentence",
  paragraph: "inside a paragraph",
  row: "inside a table row",
  code: "inside code",
  heading: "heading parted from its text",
};
const TORN = 40; // characters on each side of a bad cut that are underlined
const PICTURES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const whole = (text) => (text.toWellFormed ? text.toWellFormed() : text);
const seen = (text) =>
  whole(text).replace(PICTURES, (c) => (c === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + c.charCodeAt(0))));

function make(tag, look, ...inside) {
  const made = document.createElement(tag);
  if (look) made.className = look;
  made.append(...inside);
  return made;
}

/* The first and the last characters of a text on one line; no pair of surrogates is parted. */
const low = (text, i) => i > 0 && i < text.length && (text.charCodeAt(i) & 0xfc00) === 0xdc00;
const opening = (text, count) => text.slice(0, low(text, count) ? count + 1 : count).split(/[\r\n]/)[0];
const closing = (text, count) => {
  const from = Math.max(0, text.length - count);
  return text.slice(low(text, from) ? from - 1 : from).split(/[\r\n]/).pop();
};

/* Where a text may be parted without harm to the lines of a table beside it: behind blank lines. */
function bandsOf(text) {
  const bands = [];
  let from = 0;
  for (const gap of text.matchAll(/(?:\r\n|\r(?!\n)|\n)(?:[ \t]*(?:\r\n|\r(?!\n)|\n))+/g)) {
    bands.push([from, gap.index + gap[0].length]);
    from = gap.index + gap[0].length;
  }
  if (from < text.length || !bands.length) bands.push([from, text.length]);
  return bands;
}

/* What is to be said at each position of the text for one row, and which chunk each stretch is in. */
function layout(part, row) {
  const events = new Map();
  const at = (position) => {
    if (!events.has(position)) events.set(position, { ends: [], begins: [], golds: [], parted: false });
    return events.get(position);
  };
  const blank = (from, to) => !part.text.slice(from, to).trim();
  const chunks = row.chunks;
  chunks.forEach((chunk, i) => {
    at(chunk[0]).begins.push(i);
    const next = chunks[i + 1];
    const joined = next && next[0] >= chunk[1] && blank(chunk[1], next[0]);
    const event = at(chunk[1]);
    if (!joined) event.ends.push(i);
    else if (chunk[6] && next[0] !== chunk[1] && !next[5]) event.ends.push(i);
  });
  part.golds.forEach((gold, i) => at(gold[2]).golds.push(i));
  row.parted.forEach(([from]) => (at(from).parted = true));
  const marks = new Set([...events.keys()]);
  for (const gold of part.golds) marks.add(gold[3]);
  return { events, marks: [...marks].sort((a, b) => a - b) };
}

class Reader {
  constructor(parts) {
    this.parts = parts;
    this.box = document.getElementById("text");
    this.status = document.getElementById("status");
    this.picker = document.getElementById("document");
    this.places = new Map();
    parts.forEach((part, i) => {
      const whole = part.from === 0 && part.to === part.length;
      const range = whole ? "" : `, characters ${part.from.toLocaleString("en")} to ${part.to.toLocaleString("en")} of ${part.length.toLocaleString("en")}`;
      this.picker.append(new Option(seen(part.id) + range, String(i)));
    });
    this.part = parts[0];
    this.chosen = [];
    this.on = 0;
    this.picker.addEventListener("change", () => this.show(parts[Number(this.picker.value)]));
    for (const name of ["golds", "contexts"]) {
      const check = document.getElementById(name);
      check.addEventListener("change", () => this.box.classList.toggle(`no-${name}`, !check.checked));
    }
    this.box.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "n" || event.key === "p") {
        event.preventDefault();
        this.step(event.key === "n" ? 1 : -1);
      }
    });
  }

  /* The rows that may be chosen; those that cut alike stand together. */
  offer(first, names) {
    const field = document.getElementById("columns");
    this.names = names;
    this.rows = this.part.rows.map((row) => row.names);
    const index = (name) => this.rows.findIndex((own) => own.includes(name));
    this.chosen = [...new Set(first.map(index).filter((i) => i >= 0))].slice(0, 3);
    if (!this.chosen.length) this.chosen = [0];
    this.recent = [...this.chosen]; // the one chosen first makes room for a fourth
    this.rows.forEach((own, i) => {
      const box = document.createElement("input");
      box.type = "checkbox";
      box.value = String(i);
      box.checked = this.chosen.includes(i);
      box.addEventListener("change", () => this.toggle(i, box.checked));
      field.append(make("label", "", box, make("bdi", "", seen(own.map((name) => names[name] || name).join(" = ")))));
    });
  }

  title(i) {
    return seen(this.rows[i].map((name) => this.names[name] || name).join(" = "));
  }

  toggle(i, wanted) {
    let told = "";
    if (wanted && this.recent.length === 3) told = `${this.title(this.recent.shift())} makes room. `;
    if (wanted) this.recent.push(i);
    else if (this.recent.length > 1) this.recent = this.recent.filter((own) => own !== i);
    else told = "At least one row is shown. ";
    this.chosen = [...this.recent].sort((a, b) => a - b);
    for (const box of document.querySelectorAll("#columns input")) box.checked = this.chosen.includes(Number(box.value));
    this.on = Math.max(0, this.chosen.indexOf(i));
    const top = this.box.scrollTop;
    this.show(this.part);
    this.box.scrollTop = top;
    this.say(`${told}Shown: ${this.chosen.map((own) => this.title(own)).join(", ")}.`);
  }

  say(text) {
    this.status.textContent = text;
  }

  show(part) {
    this.part = part;
    this.picker.value = String(this.parts.indexOf(part));
    this.cuts = [];
    this.places.clear();
    const shown = document.createDocumentFragment();
    this.box.style.setProperty("--columns", this.chosen.length);
    const heads = make("div", "band heads");
    shown.append(heads);
    const plans = this.chosen.map((i) => layout(part, part.rows[i]));
    for (const [from, to] of bandsOf(part.text)) {
      const band = make("div", "band");
      this.chosen.forEach((i, column) => {
        const cell = make("div", "cell");
        cell.dir = "auto";
        this.fill(cell, part, i, plans[column], from, to, column);
        band.append(cell);
      });
      shown.append(band);
    }
    this.chosen.forEach((i, column) => heads.append(this.head(i, column)));
    this.box.replaceChildren(shown);
    this.box.scrollTop = 0;
    this.offerNarrow();
    this.narrow(Math.min(this.on, this.chosen.length - 1));
    this.now = -1;
    this.say(`${seen(part.id)}: ${this.cuts.length} bad cut${this.cuts.length === 1 ? "" : "s"} in what is shown.`);
  }

  head(i, column) {
    const own = this.cuts.filter((cut) => cut.dataset.column === String(column));
    const counts = make("div", "counts");
    for (const kind of Object.keys(KINDS)) {
      const these = own.filter((cut) => cut.dataset.kind === kind);
      if (!these.length) continue;
      const button = make("button", "", `${these.length} ${KINDS[kind]}`);
      button.type = "button";
      button.dataset.kind = kind;
      let next = 0;
      button.addEventListener("click", () => this.go(these[next++ % these.length]));
      counts.append(button);
    }
    if (!own.length) counts.append(make("span", "", "no bad cut here"));
    return make("div", "", make("b", "", make("bdi", "", this.title(i))), counts);
  }

  offerNarrow() {
    const field = document.getElementById("narrow");
    field.hidden = this.chosen.length < 2;
    field.replaceChildren(field.firstElementChild);
    this.chosen.forEach((i, column) => {
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = "narrow";
      radio.value = String(column);
      radio.addEventListener("change", () => this.narrow(column));
      field.append(make("label", "", radio, make("bdi", "", this.title(i))));
    });
  }

  /* On a phone one row is seen at a time. */
  narrow(column) {
    this.on = column;
    for (const band of this.box.querySelectorAll(".band")) {
      [...band.children].forEach((cell, i) => cell.classList.toggle("on", i === column));
    }
    for (const radio of document.querySelectorAll("#narrow input")) radio.checked = radio.value === String(column);
  }

  fill(cell, part, i, plan, from, to, column) {
    const row = part.rows[i];
    const edges = [from, ...plan.marks.filter((mark) => mark > from && mark < to), to];
    edges.forEach((position, n) => {
      const last = n === edges.length - 1;
      const event = plan.events.get(position);
      // What ends at the end of the text has no band of its own to stand in.
      if (event && (!last || position === part.text.length)) this.announce(cell, part, row, event, position, column, last);
      if (last) return;
      this.piece(cell, part, row, plan, position, edges[n + 1], event, column);
    });
  }

  announce(cell, part, row, event, position, column, last) {
    for (const i of event.ends) {
      const chunk = row.chunks[i];
      if (chunk[6]) this.cut(cell, part, row, i, chunk[6], position, column, "ends");
      else if (!(chunk[8] & 2)) cell.append(make("div", "gap", `end of chunk ${row.first + i + 1}`));
    }
    if (last) return;
    for (const i of event.begins) {
      const chunk = row.chunks[i];
      if (chunk[5]) this.cut(cell, part, row, i, chunk[5], position, column, "begins");
      const path = part.paths[chunk[3]] || [];
      const head = make("div", "chunk", make("b", "", `Chunk ${row.first + i + 1}`), ` · ${chunk[2].toLocaleString("en")} characters`);
      if (path.length) head.append(" · ", make("bdi", "", seen(path.join(" › "))));
      if (chunk[8] & 1) head.append(make("span", "tag", " · begins above"));
      if (chunk[7]) head.append(make("span", "tag", " · text of several sections"));
      for (const mark of chunk[9]) head.append(make("span", "tag", ` · ${mark}`));
      head.dataset.chunk = String(row.first + i);
      head.dataset.column = String(column);
      head.tabIndex = -1;
      cell.append(head);
      for (const [kind, text] of row.contexts[chunk[4]]) {
        cell.append(make("div", "context", make("span", "", `${kind}, indexed with it: `), make("bdi", "", seen(text))));
      }
    }
    if (event.parted) this.cut(cell, part, row, 0, "heading", position, column, "parted");
  }

  cut(cell, part, row, i, kind, position, column, side) {
    const number = row.first + i + 1;
    const where = side === "begins" ? `chunk ${number} begins` : side === "ends" ? `chunk ${number} ends` : "no chunk holds both";
    const before = closing(part.text.slice(0, position), TORN);
    const behind = opening(part.text.slice(position), TORN);
    const mark = make("div", `cut ${kind}`, `✂ ${kind === "heading" ? KINDS[kind] : `cut ${KINDS[kind]}`}, ${where}`);
    mark.setAttribute("role", "note");
    mark.setAttribute("aria-label", seen(`${mark.textContent}: ${before} | ${behind}`));
    mark.tabIndex = -1;
    Object.assign(mark.dataset, { kind, column: String(column), before, behind });
    cell.append(mark);
    this.cuts.push(mark);
  }

  piece(cell, part, row, plan, from, to, event, column) {
    const holders = row.chunks.map((chunk, i) => [chunk, i]).filter(([chunk]) => chunk[0] <= from && chunk[1] >= to && chunk[1] > from);
    const text = part.text.slice(from, to);
    let look = "piece";
    if (holders.length) look += holders[holders.length - 1][1] % 2 ? " odd" : " even";
    if (holders.length > 1) look += " twice";
    const piece = make("span", "");
    if (!holders.length && text.trim()) piece.className = "lost";
    if (piece.className) piece.title = "in no chunk";
    const golds = part.golds.map((gold, i) => [gold, i]).filter(([gold]) => gold[2] < to && gold[3] > from);
    const target = golds.length ? make("mark", "") : make("span", "");
    if (golds.length) target.dataset.golds = golds.map(([gold]) => gold[0]).join("\n");
    this.tear(target, row, from, to, text);
    piece.append(target);
    const own = event ? event.golds.map((i) => part.golds[i]) : [];
    const before = cell.lastElementChild;
    const flows = before && before.className === look && !(event && (event.begins.length || event.ends.length));
    const holder = flows ? before : make("div", look);
    if (own.length) holder.append(this.chip(own, row, part));
    holder.append(piece);
    if (!flows) cell.append(holder);
    if (holders.length > 1) holder.title = `in chunks ${holders.map(([, i]) => row.first + i + 1).join(" and ")}`;
  }

  /* What a bad cut tears apart is underlined on both of its sides. */
  tear(target, row, from, to, text) {
    let kind = "";
    let left = false;
    let right = false;
    for (const chunk of row.chunks) {
      if (chunk[5] && chunk[0] === from) [kind, left] = [chunk[5], true];
      if ((chunk[5] && chunk[0] === to) || (chunk[6] && chunk[1] === to)) [kind, right] = [chunk[0] === to ? chunk[5] : chunk[6], true];
    }
    const first = left ? opening(text, TORN) : "";
    const rest = text.slice(first.length);
    const last = right ? closing(rest, TORN) : "";
    const middle = rest.slice(0, rest.length - last.length);
    if (first) target.append(make("span", `torn ${kind}`, seen(first)));
    if (middle) target.append(seen(middle));
    if (last) target.append(make("span", `torn ${kind}`, seen(last)));
  }

  chip(golds, row, part) {
    const index = part.rows.indexOf(row);
    const lists = { held: [], unheld: [] };
    for (const gold of golds) lists[gold[4][index] === null ? "unheld" : "held"].push(gold);
    const made = document.createDocumentFragment();
    for (const [look, own] of Object.entries(lists)) {
      if (!own.length) continue;
      const numbers = [...new Set(own.map((gold) => gold[4][index] + 1))];
      const said = look === "held" ? `in chunk ${numbers.join(", ")}` : "cut: whole in no chunk";
      const many = own.length > 1 ? `, answers ${own.length} questions` : "";
      const list = make("ul", "", ...own.map((gold) => make("li", "", make("bdi", "", seen(gold[1])))));
      const chip = make("details", `chip ${look}`, make("summary", "", `◆ ${said}${many}`), list);
      made.append(chip);
    }
    return made;
  }

  go(target, focus = true) {
    if (!target) return;
    const column = Number(target.dataset.column || 0);
    if (getComputedStyle(target).display === "none" || !target.offsetParent) this.narrow(column);
    for (const old of this.box.querySelectorAll(".now, .flash")) old.classList.remove("now", "flash");
    target.classList.add(target.classList.contains("cut") ? "now" : "flash");
    this.now = this.cuts.indexOf(target);
    const top = target.getBoundingClientRect().top - this.box.getBoundingClientRect().top;
    this.box.scrollTop += top - this.box.clientHeight / 3;
    if (focus) target.focus({ preventScroll: true });
    const box = this.box.getBoundingClientRect();
    if (box.top < 0 || box.top > innerHeight / 2) this.box.scrollIntoView({ block: "start" });
    if (target.dataset.kind) {
      this.say(`Bad cut ${this.now + 1} of ${this.cuts.length}: ${target.getAttribute("aria-label")}`);
    }
  }

  /* The next or the previous bad cut in the order of the document, in any of the columns. */
  step(by) {
    if (!this.cuts.length) return this.say("No bad cut in what is shown.");
    const count = this.cuts.length;
    const from = this.now < 0 ? (by > 0 ? -1 : 0) : this.now;
    return this.go(this.cuts[(from + by + count) % count]);
  }

  /* Shows the answer of a question, in the part of the document that has it. */
  toGold(doc, question) {
    const part = this.parts.find((own) => own.id === doc && own.golds.some((gold) => gold[0] === question));
    if (!part) return;
    this.show(part);
    const marks = [...this.box.querySelectorAll("mark[data-golds]")].filter((mark) => mark.dataset.golds.split("\n").includes(question));
    const seenMark = marks.find((mark) => mark.offsetParent) || marks[0];
    if (!seenMark) return;
    seenMark.tabIndex = -1;
    this.go(seenMark);
    for (const mark of marks) mark.classList.add("flash");
    this.say(`The answer in ${seen(doc)}: ${part.golds.find((gold) => gold[0] === question)[1]}`);
  }

  /* Shows a chunk of a row; the row takes the place of another one where three are shown. */
  toChunk(doc, name, number) {
    const part = this.parts.find((own) => {
      const row = own.id === doc && own.rows.find((one) => one.names.includes(name));
      return row && number >= row.first && number < row.first + row.chunks.length;
    });
    if (!part) return;
    const i = part.rows.findIndex((row) => row.names.includes(name));
    this.part = part;
    if (!this.chosen.includes(i)) this.toggle(i, true);
    else this.show(part);
    const column = this.chosen.indexOf(i);
    this.go(this.box.querySelector(`.chunk[data-chunk="${number}"][data-column="${column}"]`));
    this.say(`Chunk ${number + 1} of ${this.title(i)} in ${seen(doc)}.`);
  }
}
