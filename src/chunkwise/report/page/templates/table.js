"use strict";
/* Sorts tables by any of their columns; the headings become buttons. */
function sortable(table) {
  const body = table.tBodies[0];
  const value = (row, i) => {
    const text = row.cells[i].dataset.v;
    const number = Number(text);
    return text === "" || Number.isNaN(number) ? text : number;
  };
  [...table.tHead.rows[0].cells].forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const first = typeof value(body.rows[0], i) === "number" ? "descending" : "ascending";
      const other = first === "descending" ? "ascending" : "descending";
      const way = before === first ? other : first;
      for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", way);
      const sign = way === "ascending" ? 1 : -1;
      const rows = [...body.rows].map((row) => [value(row, i), row]);
      rows.sort(([a], [b]) => sign * (a < b ? -1 : a > b ? 1 : 0));
      body.append(...rows.map(([, row]) => row));
    });
  });
}
