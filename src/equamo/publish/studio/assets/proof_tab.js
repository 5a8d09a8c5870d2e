// Tab of the certificate: its lines appear as they are proved.

const MARKS = { proved: "✓", refuted: "✗", undecided: "?" };

export function proofTab(session) {
  const summary = html("p", { class: "proof-summary", role: "status" });
  const body = html("tbody", {});
  const remarks = html("div", {});
  const own = html("div", {}), look = html("button", { type: "button", class: "plain", id: "check-here", onclick: () => checkHere() }, "check it in this browser");
  const again = html("button", { type: "button", class: "plain", onclick: () => session.prove() }, "prove again");
  const table = html("div", { class: "scroll" }, html("table", { class: "proofs" },
    html("thead", {}, html("tr", {}, ["", "identity", "probability of a wrong verdict", "time"].map((x) => html("th", { scope: "col" }, x)))), body));
  const element = html("div", {}, summary, table, remarks, html("p", { class: "bar" }, look, again), own);
  let drawn = 0;

  session.on("proof", (proof) => {
    const lines = proof.data?.lines ?? proof.lines;
    if (lines.length < drawn || proof.data) {
      body.replaceChildren();
      drawn = 0;
    }
    for (; drawn < lines.length; drawn++) body.append(row(lines[drawn]));
    table.hidden = !lines.length;
    look.hidden = proof.state !== "proved";
    own.replaceChildren();
    again.hidden = proof.state === "proving" || !session.derived;
    summary.className = `proof-summary ${proof.state}`;
    summary.textContent = {
      none: "The equations are not proved yet.",
      proving: `Deriving by five independent formulations and comparing them … ${proof.said ?? ""}`,
      proved: proof.data && `All ${proof.data.lines.length} identities are proved${proof.data.bound ? `, with a probability of a wrong verdict ≤ ${proof.data.bound}` : ""}, in ${proof.data.seconds.toFixed(1)} s.`,
      refuted: proof.data && `Only ${proof.data.proved} of ${proof.data.lines.length} identities are proved.`,
      failed: proof.message ?? "The proof failed.",
    }[proof.state];
    remarks.replaceChildren(...[...(proof.data?.remarks ?? []), ...(proof.data?.not_applicable ?? []).map((x) => `does not apply: ${x}`)]
      .map((x) => html("p", { class: "remark" }, x)));
  });
  session.on("numbers", () => {
    if (session.proof.state === "proved" && !summary.textContent.includes("Only values")) summary.append(" Only values have changed since; the proof holds for all values.");
  });

  // The exported proof, checked by the page's own arithmetic.
  async function checkHere() {
    look.hidden = true;
    await fillFrom(own, session.ask("prove", { packed: true }), ({ packed }) => {
      own.replaceChildren(packed?.head ? html("div", { id: "check" }) : html("p", { class: "remark" }, "This proof is too large to be checked in the browser; write it with 'equamo prove --export' and check it with checker/check.py."));
      if (!packed?.head) return;
      showCheck(packed);
      byId("check").querySelector("button").click();
    });
  }

  function row(line) {
    const verdict = line.verdict ?? (line.ok ? "proved" : "undecided");
    return html("tr", {}, html("td", {}, html("span", { class: `verdict ${verdict}`, title: verdict }, MARKS[verdict] ?? "?")),
      html("td", {}, line.name), html("td", {}, line.bound || (verdict === "proved" ? "exact" : "–")), html("td", {}, line.seconds === undefined || line.seconds === null ? "" : `${(1000 * line.seconds).toFixed(1)} ms`));
  }
  return { id: "proof", title: "Proof", element };
}
