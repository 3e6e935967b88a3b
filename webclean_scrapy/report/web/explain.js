"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const SVG = "http://www.w3.org/2000/svg";

  function make(tag, text, name) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  }

  function draw(tag, values, parent) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
    if (parent) parent.append(made);
    return made;
  }

  function signed(number) {
    return (number < 0 ? "−" : "+") + Math.abs(number).toFixed(2);
  }

  // One element of a group can be reached by Tab, the arrow keys go on from there.
  function rove(root, selector, choose, clear, keys = {}) {
    const members = () => all(selector, root).filter((item) => item.offsetParent !== null || item.getClientRects().length);
    let current = null;
    function reach(item) {
      if (current) current.tabIndex = -1;
      current = item;
      item.tabIndex = 0;
    }
    const first = one(selector, root);
    if (!first) return () => {};
    reach(first);
    root.addEventListener("focusin", (event) => {
      const item = event.target.closest(selector);
      if (item) { reach(item); choose(item); }
    });
    root.addEventListener("click", (event) => {
      const item = event.target.closest(selector);
      if (item && !String(getSelection())) item.focus();
    });
    root.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const item = event.target.closest(selector);
      if (!item) return;
      if (event.key === "Escape") { clear(); return; }
      const list = members();
      const at = list.indexOf(item);
      const wanted = {ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1}[event.key];
      let next = wanted === undefined ? keys[event.key] && keys[event.key](list, at) : list[wanted];
      if (next) { next.focus(); event.preventDefault(); }
      else if (wanted !== undefined) event.preventDefault();
    });
    return () => { // what Tab reaches must be visible
      const list = members();
      if (list.length && !list.includes(current)) reach(list[0]);
    };
  }

  const page = document.getElementById("page");
  if (page) showLines(page);
  all(".beside").forEach(showSibling);
  const texts = document.getElementById("texts");
  if (texts) showWording(texts);
  all("[data-box]").forEach((step) => {
    const mark = (is) => () => {
      const box = document.getElementById(step.dataset.box);
      if (box) box.classList.toggle("found", is);
    };
    for (const name of ["mouseenter", "focusin"]) step.addEventListener(name, mark(true));
    for (const name of ["mouseleave", "focusout"]) step.addEventListener(name, mark(false));
  });

  function showLines(root) {
    const inspector = document.getElementById("inspector");
    const nothing = inspector.firstElementChild;
    let pinned = null;
    let isQuiet = false;
    const hovers = matchMedia("(hover: hover) and (min-width: 56.01rem)"); // else a sheet, for what is chosen
    inspector.classList.add("empty");

    function styleOf(item) { return [...item.classList].find((name) => name.startsWith("k-")); }

    function show(item) {
      all(".l.on", root).forEach((other) => other.classList.remove("on"));
      inspector.classList.toggle("empty", !item);
      if (!item) { inspector.replaceChildren(nothing); return; }
      item.classList.add("on");
      describe(item.id.slice(1), styleOf(item), inspector, clear);
    }
    function clear() {
      const wasInside = inspector.contains(document.activeElement);
      const from = pinned;
      pinned = null;
      show(null);
      if (!wasInside || !from) return;
      isQuiet = true;
      from.focus();
      isQuiet = false;
    }
    function next(direction) {
      return (list, at) => {
        const style = data.lines[list[at].id.slice(1)][0];
        let to = at + direction;
        while (list[to] && data.lines[list[to].id.slice(1)][0] === style) to += direction;
        return list[to];
      };
    }
    const check = rove(root, ".l", (item) => { if (!isQuiet) { pinned = item; show(item); } }, clear,
      {ArrowRight: next(1), ArrowLeft: next(-1)});
    root.addEventListener("mouseover", (event) => {
      const item = event.target.closest(".l");
      if (item && hovers.matches) show(item);
    });
    root.addEventListener("mouseleave", () => { if (hovers.matches) show(pinned); });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") clear(); });
    all("input[name=colour]").forEach((box) => box.addEventListener("change", () => {
      root.classList.toggle(`off-${box.value}`, !box.checked);
    }));
    all("input[name=view]").forEach((radio) => radio.addEventListener("change", () => {
      root.classList.remove("view-all", "view-article", "view-removed");
      root.classList.add(`view-${radio.value}`);
      check();
    }));
    addEventListener("hashchange", follow);
    follow();
    function follow() {
      const item = /^#l\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
      if (!item) return;
      const radio = one("input[name=view][value=all]");
      if (!radio.checked) radio.click();
      item.focus();
    }
  }

  function describe(number, style, inspector, clear) {
    const [reason, , units, links, likely, odds, path, said, terms] = data.lines[number];
    const close = make("button", "Close");
    close.type = "button";
    close.addEventListener("click", clear);
    const [name, meaning] = data.steps[style.slice(2)];
    const why = make("p", name, `why ${style}`);
    const step = make("p", reason ? `${reason} (${meaning})` : meaning);
    const facts = make("dl");
    const fact = (name, value) => facts.append(make("dt", name), make("dd", value));
    fact("Length", `${units} units`);
    fact("In links", `${Math.round(100 * links)} %`);
    if (likely !== null) {
      fact("Likely body", likely.toFixed(2));
      const meter = draw("svg", {width: 120, height: 10, "aria-hidden": "true"}, facts.lastChild);
      draw("rect", {class: "track", width: 120, height: 10, rx: 3}, meter);
      draw("rect", {class: "fill", width: 120 * likely, height: 10, rx: 3}, meter);
    }
    if (odds !== null) fact("Log-odds", signed(odds));
    if (said.length) fact("Siblings", said.join(", "));
    fact("In", path);
    inspector.replaceChildren(close, make("h3", `Line ${number}`), why, step, facts);
    if (terms.length) inspector.append(make("p", "What weighed most, for and against:", "quiet"), listOf(terms));
    if (odds === null && likely !== null)
      inspector.append(make("p", "It is outside the body's subtree: the likelihood is what the decay walk saw.", "quiet"));
  }

  function listOf(terms) {
    const most = Math.max(...terms.map(([, added]) => Math.abs(added)));
    const list = make("dl");
    for (const [name, added] of terms) {
      const bar = draw("svg", {width: 90, height: 12, "aria-hidden": "true"});
      draw("rect", {class: added > 0 ? "for" : "against", width: Math.max(2, 90 * Math.abs(added) / most), height: 12, rx: 2}, bar);
      const value = make("dd", signed(added), "number");
      value.append(bar);
      list.append(make("dt", name), value);
    }
    return list;
  }

  function showSibling(table) {
    const at = table.dataset.at;
    const note = document.getElementById(`n${at}`);
    const nothing = note.textContent;
    const unmark = () => all(".c", table).forEach((cell) => cell.classList.remove("on", "partner"));
    function choose(cell) {
      unmark();
      cell.classList.add("on");
      const isPage = cell.id.startsWith(`s${at}p`);
      const span = data.siblings[at][isPage ? 0 : 1][cell.dataset.n];
      const mine = `Line ${cell.dataset.n} of ${isPage ? "this page" : "the sibling"}`;
      if (!span) { note.textContent = `${mine} has no partner.`; return; }
      const partners = [];
      for (let n = span[0]; n <= span[1]; n += 1) {
        const partner = document.getElementById(`s${at}${isPage ? "s" : "p"}${n}`);
        if (partner) { partner.classList.add("partner"); partners.push(partner); }
      }
      const lines = span[0] === span[1] ? `line ${span[0]}` : `lines ${span[0]} to ${span[1]}`;
      note.textContent = `${mine}: its partner is ${lines} of ${isPage ? "the sibling" : "this page"}.`;
      if (partners.length === 1) partners[0].scrollIntoView({block: "nearest"});
    }
    function clear() { unmark(); note.textContent = nothing; }
    rove(table, ".c", choose, clear, {
      ArrowRight: (list, i) => one(".c:last-child", list[i].parentNode),
      ArrowLeft: (list, i) => one(".c:first-child", list[i].parentNode),
    });
  }

  function showWording(root) {
    const note = document.getElementById("phrase-note");
    const nothing = note.textContent;
    const unmark = () => all("mark.on", root).forEach((mark) => mark.classList.remove("on"));
    function choose(mark) {
      unmark();
      const same = all(`mark[data-p="${mark.dataset.p}"]`, root);
      same.forEach((other) => other.classList.add("on"));
      const side = mark.closest(".panel");
      const partner = same.find((other) => other.closest(".panel") !== side);
      if (partner) partner.scrollIntoView({block: "nearest"});
      note.textContent = partner ? `Phrase ${mark.dataset.p}, in both texts.` : `Phrase ${mark.dataset.p}; in the other text it is part of another one.`;
    }
    function next(direction) {
      return (list, at) => list[at + direction];
    }
    rove(root, "mark", choose, () => { unmark(); note.textContent = nothing; }, {ArrowRight: next(1), ArrowLeft: next(-1)});
  }
})();
