// The button "Check it yourself" below the certificate, and what it finds.

const RAISED = Object.fromEntries([..."-0123456789"].map((c, k) => [c, [..."⁻⁰¹²³⁴⁵⁶⁷⁸⁹"][k]]));
const powerOfTwo = (bits) => `2${[...String(-Math.floor(bits))].map((c) => RAISED[c]).join("")}`;

// The page may paint after this.
const breath = () => new Promise((done) => setTimeout(done));

export function showCheck(data) {
  const box = byId("check");
  const list = html("ul", { class: "checked" });
  const said = html("p", { role: "status" });
  const button = html("button", { type: "button", class: "primary", onclick: check }, "Check it yourself");
  const name = `${data.robot}.proof.json`.replace(/[^\w.-]+/g, "_");
  const save = html("button", { type: "button", class: "plain", onclick: async () => {
    downloadText(name, proofText(await readProof(data)));
  } }, name);
  async function check() {
    button.disabled = true;
    list.replaceChildren();
    said.textContent = "Checking …";
    await breath();
    const start = performance.now();
    try {
      const proof = await readProof(data);
      const result = await checkProof(proof, breath);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      list.replaceChildren(...result.lines.map((x) => html("li", {},
        html("span", { class: `verdict ${x.fault ? "refuted" : "proved"}` }, x.fault ? "✗" : "✓"), " ", withDots(x.name), ": ",
        x.fault || (x.same === x.entries ? "the same register on both sides" : `probability of a wrong verdict ≤ ${powerOfTwo(x.bits)}`))),
      ...proof.not_checked.map((x) => html("li", { class: "remark" }, `not checked here: ${x}`)));
      said.textContent = `${result.accepted ? "Accepted" : "Rejected"}: ${proof.identities.length} identities, ${proof.ops.length} instructions, `
        + `modulo a prime of ${proof.prime_bits} bits drawn just now; probability of a wrong verdict ≤ ${powerOfTwo(result.bits)} in all, in ${seconds} s.`;
      box.dataset.verdict = result.accepted ? "accepted" : "rejected";
    } catch (error) {
      said.textContent = `Rejected: ${error.message}.`;
      box.dataset.verdict = "rejected";
    }
    button.disabled = false;
  }
  box.append(html("p", {}, button, " or take ", save, " to checker/check.py of the repository, 250 lines of plain Python. ",
    "Both sides of every identity are computed here, modulo a random prime and at a random point that are drawn when you press the button."), said, list);
}
