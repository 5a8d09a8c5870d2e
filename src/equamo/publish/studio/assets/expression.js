// Expressions that a person types for inputs, such as 10*sin(2*pi*t) - 3*dq1: parsed into functions,
// never evaluated as code.

const CALLS = {
  sin: Math.sin, cos: Math.cos, tan: Math.tan, sqrt: Math.sqrt, exp: Math.exp, log: Math.log, tanh: Math.tanh,
  abs: Math.abs, sign: Math.sign, asin: Math.asin, acos: Math.acos, atan: Math.atan, atan2: Math.atan2,
  min: Math.min, max: Math.max, step: (x) => (x >= 0 ? 1 : 0),
};
const TWO = new Set(["atan2", "min", "max"]);
const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_]*(?:\[[^\]]*\])?)|(\*\*|[-+*/^(),]))/uy;

export class ExpressionError extends Error {}

function tokensOf(text) {
  const tokens = [];
  let at = 0;
  while (text.slice(at).trim()) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw new ExpressionError(`unexpected '${text.slice(at).trim()[0]}' at column ${at + 1}`);
    tokens.push(match[1] !== undefined ? { number: Number(match[1]) } : match[2] !== undefined ? { name: match[2] } : { sign: match[3] === "**" ? "^" : match[3] });
    at = TOKEN.lastIndex;
  }
  return tokens;
}

// A function of no arguments; `lookup(name)` gives a function that reads a quantity, or null.
export function parseExpression(text, lookup) {
  const tokens = tokensOf(text);
  let next = 0;
  const sign = (...signs) => signs.includes(tokens[next]?.sign);
  const expect = (wanted) => {
    if (!sign(wanted)) throw new ExpressionError(`'${wanted}' expected${tokens[next] ? "" : " at the end"}`);
    next += 1;
  };
  const sum = () => {
    let left = product();
    while (sign("+", "-")) {
      const a = left, minus = tokens[next++].sign === "-", b = product();
      left = minus ? () => a() - b() : () => a() + b();
    }
    return left;
  };
  const product = () => {
    let left = unary();
    while (sign("*", "/")) {
      const a = left, over = tokens[next++].sign === "/", b = unary();
      left = over ? () => a() / b() : () => a() * b();
    }
    return left;
  };
  const unary = () => {
    if (sign("-")) { next += 1; const a = unary(); return () => -a(); }
    if (sign("+")) { next += 1; return unary(); }
    return power();
  };
  const power = () => {
    const a = atom();
    if (!sign("^")) return a;
    next += 1;
    const b = unary();
    return () => a() ** b();
  };
  const atom = () => {
    const token = tokens[next++];
    if (!token) throw new ExpressionError("unexpected end");
    if (token.number !== undefined) return () => token.number;
    if (token.sign === "(") { const a = sum(); expect(")"); return a; }
    if (token.name === undefined) throw new ExpressionError(`unexpected '${token.sign}'`);
    if (sign("(") && Object.hasOwn(CALLS, token.name)) {
      const f = CALLS[token.name];
      next += 1;
      const a = sum();
      if (!TWO.has(token.name)) { expect(")"); return () => f(a()); }
      expect(",");
      const b = sum();
      expect(")");
      return () => f(a(), b());
    }
    if (token.name === "pi" || token.name === "π") return () => Math.PI;
    const read = lookup(token.name);
    if (!read) throw new ExpressionError(`unknown name '${token.name}'`);
    return read;
  };
  if (!tokens.length) return () => 0;
  const whole = sum();
  if (next < tokens.length) throw new ExpressionError(`unexpected '${tokens[next].sign ?? tokens[next].name ?? tokens[next].number}'`);
  return whole;
}
