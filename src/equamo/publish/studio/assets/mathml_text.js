// Turns MathML text from the kernel into elements: only MathML elements, and only the style attribute.

const ALLOWED = new Set(["display", "displaystyle", "mathvariant", "stretchy", "accent", "accentunder", "form", "fence", "separator", "lspace", "rspace",
  "columnalign", "rowspacing", "columnspacing", "linethickness", "width", "height", "depth", "scriptlevel", "minsize", "maxsize", "symmetric", "largeop", "movablelimits"]);
const MATH = "http://www.w3.org/1998/Math/MathML";

export function mathFromText(text) {
  const parsed = new DOMParser().parseFromString(text.trim().startsWith("<math") ? text : `<math>${text}</math>`, "text/html");
  const root = parsed.querySelector("math");
  return root ? copied(root) : html("code", {}, text);
}

function copied(node) {
  const attributes = {};
  for (const { name, value } of node.attributes) if (ALLOWED.has(name)) attributes[name] = value;
  const children = [...node.childNodes].flatMap((x) => {
    if (x.nodeType === Node.TEXT_NODE) return [x.data];
    return x.nodeType === Node.ELEMENT_NODE && x.namespaceURI === MATH && x.localName !== "annotation-xml" && x.localName !== "annotation" ? [copied(x)] : [];
  });
  return mathElement(node.localName, attributes, ...children);
}
