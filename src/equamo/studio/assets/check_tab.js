// Tab "Check my equation": what somebody wrote, against what is derived.

const VERDICTS = { proved: "proved", agrees: "proved", convention: "proved, up to a convention", wrong: "wrong", undecided: "undecided", error: "not understood" };

export function checkTab(session) {
  const text = html("textarea", { id: "claims", class: "claims", rows: 5, spellcheck: "false", "aria-label": "Equations to check",
    placeholder: "M[1,1] = I1 + I2 + m1*Lc1^2 + m2*(L1^2 + Lc2^2 + 2*L1*Lc2*cos(q2))\nor LaTeX: M_{22} = I_2 + m_2 L_{c2}^2" });
  const quantity = html("select", { id: "quantity" });
  const go = html("button", { type: "button", class: "primary", id: "check-claims", onclick: check }, "check");
  const list = html("div", { class: "verdicts", id: "verdicts", "aria-live": "polite" });
  const element = html("div", {}, html("p", {}, "One equation per line, as text or LaTeX. Each is proved, or refuted with the difference and a state at which it shows."), text,
    html("div", { class: "bar" }, go, html("label", { class: "remark" }, "lines without a left-hand side are ", quantity), html("span", { class: "grow" }), html("span", { class: "remark" }, "Ctrl+Enter checks")), list);
  text.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); check(); } });

  async function check() {
    if (!text.value.trim()) return text.focus();
    go.disabled = true;
    await fillFrom(list, session.ask("audit", { claims: text.value, quantity: quantity.value }), (data) => list.replaceChildren(...data.claims.map(card)));
    go.disabled = false;
  }

  function card(x) {
    const show = x.witness && html("button", { type: "button", class: "plain", onclick: () => showState(x.witness) }, "show this state");
    return html("article", { class: `claim ${x.verdict}`, "data-verdict": x.verdict },
      html("div", { class: "bar" }, html("span", { class: `verdict ${x.verdict}` }, `${{ proved: "✓", wrong: "✗" }[x.verdict] ?? "?"} ${VERDICTS[x.verdict] ?? x.verdict}`), html("code", {}, x.claim)),
      x.message ? html("p", {}, x.message) : null,
      x.residual ? html("p", { class: "scroll" }, "derived minus written: ", formulaOf(x.residual)) : null,
      x.suggestion ? html("p", { class: "suggestion" }, x.suggestion) : null,
      x.witness ? html("p", { class: "detail" }, `It differs at ${witnessText(x.witness)} `, show) : null);
  }
  const formulaOf = (x) => (typeof x === "string" ? html("code", {}, x) : mathFromText(x.mathml));
  const witnessText = (w) => Object.entries(w.state ?? w).filter(([, x]) => typeof x === "number" && x !== 0).slice(0, 8).map(([n, x]) => `${n} = ${shortNumber(x, 4)}`).join(", ");

  function showState(witness) {
    const { state } = session, values = witness.state ?? witness;
    const at = (kind, now) => state.robot.symbols.filter((s) => s.kind === kind).map((s, k) => values[s.name] ?? now[k]);
    state.set(at("q", state.q), at("v", state.v));
  }
  return { id: "check", title: "Check", element, list,
    show(state, data) {
      const options = [["", "not allowed"], ...data.parts.map((p) => [p.id, p.title])];
      quantity.replaceChildren(...options.map(([id, title]) => html("option", { value: id }, title)));
    } };
}
