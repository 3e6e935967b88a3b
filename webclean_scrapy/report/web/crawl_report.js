"use strict";
// Without this script everything is there: tables are in the order of size, long lists are open.

const valueOf = (row, column) => {
  const cell = row.cells[column];
  const text = cell.dataset.value ?? cell.textContent.trim();
  const number = Number.parseFloat(text.replaceAll(",", ""));
  return Number.isNaN(number) || cell.tagName === "TH" ? text : number;
};

const compare = (left, right) => {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "number") return 1; // what has no value comes first
  if (typeof right === "number") return -1;
  return left.localeCompare(right);
};

const sort = (table, column) => {
  const heads = [...table.tHead.rows[0].cells];
  const isDown = heads[column].getAttribute("aria-sort") !== "descending";
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", isDown ? "descending" : "ascending");
  const sign = isDown ? -1 : 1;
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => sign * compare(valueOf(a, column), valueOf(b, column)));
  rows.forEach((row, at) => row.classList.toggle("more", at >= 20));
  table.tBodies[0].append(...rows);
};

for (const table of document.querySelectorAll("table.sortable")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(table, column));
    head.replaceChildren(button);
  });
}

// Long lists show their beginning, and a button that shows the rest.
for (const list of document.querySelectorAll("ol.pages, ul.clusters, table.sortable")) {
  const count = list.querySelectorAll(".more").length;
  if (!count) continue;
  list.classList.add("folded");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "unfold";
  button.textContent = `Show ${count} more`;
  button.addEventListener("click", () => {
    const next = list.querySelector(".more");
    list.classList.remove("folded");
    button.remove();
    const target = next.querySelector("a, summary") ?? next;
    target.focus();
  });
  (list.closest(".scroll") ?? list).after(button);
}

for (const button of navigator.clipboard ? document.querySelectorAll("button.copy") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.previousElementSibling.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}
