// Takes the page out of the browser: its document with the box of every element.
// It changes nothing in the page: a copy is made in an inert document, where no script runs and no
// custom element wakes up. The walk is a loop, so depth is no matter. Open shadow roots are written
// where they are seen, slots filled; closed ones cannot be read and are left out, as are comments,
// ``noscript`` and ``template``. An element with ``display: contents`` has no box and gets none.
// A JavaScript function without arguments that returns HTML; "" while the page is being read.
() => {
  if (document.readyState === "loading") return "";
  const NAME = "data-webclean-box", HIDDEN = "hidden";  // as in page/boxes.py
  const LEFT_OUT = new Set(["NOSCRIPT", "TEMPLATE"]);
  const inert = document.implementation.createHTMLDocument("");
  const top = document.documentElement, body = document.body, seen = new Set(), stamped = [];
  const childrenOf = (node) => {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    if (node.tagName === "SLOT" && node.getRootNode() instanceof ShadowRoot) {
      const filled = node.assignedNodes();
      return filled.length ? filled : node.childNodes;
    }
    return node.childNodes;
  };
  const root = {node: top, copy: inert.importNode(top, false), above: null};
  root.copy.removeAttribute(NAME);
  const waiting = [root];
  while (waiting.length) {
    const here = waiting.pop();
    for (const node of childrenOf(here.node)) {
      const isElement = node.nodeType === Node.ELEMENT_NODE;
      if (!isElement && node.nodeType !== Node.TEXT_NODE) continue;
      if (isElement && LEFT_OUT.has(node.tagName)) continue;
      const copy = inert.importNode(node, false);
      here.copy.appendChild(copy);
      if (!isElement) continue;
      copy.removeAttribute(NAME);
      const place = {node, copy, above: here, inBody: here.inBody || node === body};
      waiting.push(place);
      if (place.inBody) stamped.push(place);
    }
  }
  for (const place of stamped) {
    if (!place.node.checkVisibility({visibilityProperty: true})) continue;
    for (let at = place; at && !seen.has(at); at = at.above) seen.add(at);
  }
  const clip = (number) => Math.max(-9999999, Math.min(9999999, Math.round(number)));
  const write = (copy, left, top, width, height) =>
    copy.setAttribute(NAME, [left, top, width, height].map(clip).join(" "));
  for (const place of stamped) {
    if (!seen.has(place)) {
      place.copy.setAttribute(NAME, HIDDEN);
    } else if (place.node.getClientRects().length) {
      const box = place.node.getBoundingClientRect();
      write(place.copy, box.left + scrollX, box.top + scrollY, box.width, box.height);
    }
  }
  write(root.copy, 0, 0, top.scrollWidth, top.scrollHeight);
  return (document.doctype ? "<!DOCTYPE html>" : "") + root.copy.outerHTML;
}
