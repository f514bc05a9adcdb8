// Elements. Text of users goes in as text nodes only, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function withParts(node, attributes, children) {
  Object.entries(attributes).forEach(([name, value]) => {
    if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, String(value));
    }
  });
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
  return node;
}

function element(tag, attributes, ...children) {
  return withParts(document.createElement(tag), attributes, children);
}

function drawn(tag, attributes, ...children) {
  return withParts(document.createElementNS(SVG, tag), attributes, children);
}

/** The nodes of a sentence with its strong numbers. */
function richNodes(text) {
  return text
    .split(/(\uE000[^\uE001]*\uE001)/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith(STRONG[0]) ? element("strong", {}, plain(part)) : part));
}

/** An element that only screen readers meet. */
function unseen(tag, attributes, ...children) {
  return element(tag, { class: "unseen", ...attributes }, ...children);
}
