"use strict";
// Sorts tables by a column. Without this script everything is there, in the order of size.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const text = row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
    return column ? Number.parseFloat(text.replaceAll(",", "")) || 0 : text;
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => {
      const isDown = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows].sort((left, right) => {
        const [a, b] = [value(left, column), value(right, column)];
        return (isDown ? -1 : 1) * (column ? a - b : a.localeCompare(b));
      });
      table.tBodies[0].append(...rows);
    });
    head.replaceChildren(button);
  });
}
