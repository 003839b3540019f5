/* Brings the page to life; without a script everything but the reader is there all the same. */
for (const table of document.querySelectorAll("table[data-sort]")) if (table.tBodies[0].rows.length) sortable(table);

const given = JSON.parse(document.getElementById("data").textContent);
if (given.documents.length) {
  document.getElementById("reader").hidden = false;
  const reader = new Reader(given.documents);
  reader.offer(given.first, given.names);
  reader.show(reader.part);
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("button.jump");
    if (!button) return;
    const { doc, question, row, chunk } = button.dataset;
    if (question !== undefined) reader.toGold(doc, question);
    else reader.toChunk(doc, row, Number(chunk));
  });
}
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details.question, #verdict details")) details.open = true;
});
