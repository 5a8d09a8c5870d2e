// Long terms as several formulas in a row, so that lines break inside of them: between factors, and
// between the terms of a sum in parentheses.

const shownLength = (node) => node.textContent.length;

// A formula as elements between which a line may break; `moved` maps elements that were taken apart to
// those that hold their pieces.
export function inPieces(formula, most, moved) {
  if (shownLength(formula) <= most) return [formula];
  const pieces = new Pieces(most, moved);
  pieces.row(formula);
  return pieces.finished();
}

class Pieces {
  constructor(most, moved) {
    this.most = most;
    this.moved = moved;
    this.top = html("span", { class: "pieces" });
    this.place = this.top;
    this.waiting = []; // signs, parentheses and names of functions that belong to the next piece
    this.last = null;
  }

  finished() {
    if (this.waiting.length) this.add();
    return [this.top];
  }

  add(...nodes) {
    this.last = mathElement("mrow", {}, this.waiting.splice(0), nodes);
    this.place.append(mathElement("math", { display: "inline", displaystyle: "true" }, this.last), " ");
  }

  after(node) {
    if (this.last && !this.waiting.length) this.last.append(node);
    else this.add(node);
  }

  write(node) {
    const wanted = this.moved.has(node);
    if (shownLength(node) <= this.most && !(wanted && this.waiting.length)) return this.add(node);
    const outer = this.place;
    if (wanted) {
      const span = html("span", {});
      this.moved.set(node, span);
      outer.append(span);
      this.place = span;
    }
    if (shownLength(node) <= this.most) this.add(node);
    else if (node.tagName === "mfrac") this.fraction(...node.children);
    else if (node.tagName === "msup") this.power(...node.children);
    else if (node.tagName === "mrow" && node.firstElementChild?.textContent !== "|") this.row(node);
    else this.add(node);
    this.place = outer;
  }

  row(node) {
    const children = [...node.children];
    children.forEach((child, k) => {
      const sign = child.tagName === "mo" ? child.textContent : "";
      if (sign === "\u2062") return; // the space between two pieces
      if (sign === ")" || sign === ",") this.after(plain(child));
      else if (sign) this.waiting.push(plain(child));
      else if (child.tagName === "mn" && k + 1 < children.length) this.waiting.push(child, space());
      else if (children[k + 1]?.textContent === "\u2061") this.waiting.push(child);
      else this.write(child);
    });
  }

  // (a + b) / c
  fraction(above, below) {
    this.parentheses(above);
    this.after(mathElement("mo", {}, "/"));
    if (below.tagName === "mrow") this.parentheses(below);
    else this.write(below);
  }

  parentheses(node) {
    this.waiting.push(mathElement("mo", { form: "prefix", stretchy: "false" }, "("));
    this.write(node);
    this.after(mathElement("mo", { form: "postfix", stretchy: "false" }, ")"));
  }

  power(base, exponent) {
    this.write(base);
    const end = this.last.lastElementChild;
    const raised = mathElement("msup", {});
    end.replaceWith(raised);
    raised.append(end, exponent);
  }
}

// Parentheses of several pieces have the height of one line.
function plain(sign) {
  if ("()".includes(sign.textContent)) sign.setAttribute("stretchy", "false");
  return sign;
}

const space = () => mathElement("mspace", { width: "0.14em" });
