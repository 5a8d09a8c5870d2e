// Tab "Check my equation": compares equations that a user wrote with the derived ones.

const VERDICTS = { proved: "proved", wrong: "wrong", undecided: "undecided", error: "not understood" };

export function checkTab(session) {
  const text = html("textarea", { id: "claims", class: "claims", rows: 5, spellcheck: "false", "aria-label": "Equations to check",
    placeholder: "M[1,1] = I1 + I2 + m1*Lc1^2 + m2*(L1^2 + Lc2^2 + 2*L1*Lc2*cos(q2))\nor LaTeX: M_{22} = I_2 + m_2 L_{c2}^2" });
  const quantity = html("input", { type: "text", id: "quantity", placeholder: "M[1,1]", spellcheck: "false", autocomplete: "off", class: "short" });
  const coriolis = html("select", { id: "coriolis" }, html("option", { value: "christoffel" }, "Christoffel matrix"), html("option", { value: "split" }, "split by coefficients"));
  const go = html("button", { type: "button", class: "primary", id: "check-claims", onclick: check, title: "Ctrl+Enter" }, "check");
  const list = html("div", { class: "verdicts", id: "verdicts", "aria-live": "polite" });
  const element = html("div", {}, html("p", {}, "One equation per line, as text or LaTeX; ", html("code", {}, "c1 := cos(q1)"), " defines an abbreviation. Each is proved, or refuted with the difference, a suggestion and a state at which it is wrong."), text,
    html("div", { class: "bar" }, go, html("label", { class: "setting" }, "treat the whole text as a formula for ", quantity), html("label", { class: "setting" }, "C is ", coriolis)), list);
  text.addEventListener("input", () => { text.rows = Math.max(5, Math.min(14, text.value.split("\n").length + 1)); });
  text.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); check(); } });

  async function check() {
    if (!text.value.trim()) return text.focus();
    go.disabled = true;
    const fields = { claims: text.value, coriolis: coriolis.value, ...(quantity.value.trim() ? { quantity: quantity.value.trim() } : {}) };
    await fillFrom(list, session.ask("audit", fields), ({ findings }) => list.replaceChildren(...findings.map(card)));
    go.disabled = false;
  }

  function card(x) {
    const mark = { proved: "✓", wrong: "✗", error: "✗" }[x.verdict] ?? "?";
    return html("article", { class: `claim ${x.verdict}`, "data-verdict": x.verdict },
      html("div", { class: "bar" }, html("span", { class: `verdict ${x.verdict}` }, `${mark} ${VERDICTS[x.verdict]}${x.detail === x.verdict || x.verdict === "error" ? "" : ` (${x.detail})`}`), html("code", {}, x.claim)),
      x.message ? html("p", { class: x.verdict === "error" ? "failure" : "suggestion" }, x.message.split("\n")[0]) : null,
      x.verdict === "proved" ? null : x.entries.filter((e) => e.verdict !== "proved").slice(0, 9).map((e) => entryCard(e, x)));
  }

  // What is wrong with one entry.
  function entryCard(e, x) {
    const witness = Object.entries(e.witness ?? {}), state = witness.filter(([, v]) => typeof v === "number");
    return html("div", { class: "wrong-entry" },
      x.entries.length > 1 && e.entry ? html("p", { class: "remark" }, `entry ${Array.isArray(e.entry) ? e.entry.join(", ") : e.entry}`) : null,
      e.residual ? html("p", { class: "scroll" }, "written − derived = ", e.residual_mathml ? mathFromText(e.residual_mathml) : html("code", {}, e.residual)) : null,
      e.suggestion ? html("p", { class: "suggestion" }, `Suggestion: ${e.suggestion}`) : null,
      e.corrected_mathml ? html("p", { class: "scroll" }, "derived: ", mathFromText(e.corrected_mathml)) : null,
      state.length ? html("p", { class: "detail" }, `It differs${e.difference ? ` by ${shortNumber(Number(e.difference), 4)}` : ""} at ${state.slice(0, 8).map(([n, v]) => `${n} = ${shortNumber(v, 4)}`).join(", ")}${state.length > 8 ? " …" : ""} `,
        html("button", { type: "button", class: "plain", onclick: () => showState(e.witness) }, "show this state")) : null);
  }

  function showState(witness) {
    const { state } = session, values = witness;
    const at = (kind, now) => state.robot.symbols.filter((s) => s.kind === kind).map((s, k) => (typeof values[s.name] === "number" ? values[s.name] : now[k]));
    state.set(at("q", state.q), at("v", state.v));
  }
  markOld(session, list);
  return { id: "check", title: "Check", element };
}
