// Generated C beside its equation, function by function, and files to download.

export function showCode(code) {
  const box = byId("source");
  const text = code.files[code.source];
  const listing = html("pre", { tabindex: 0, id: "listing", role: "tabpanel" });
  const equation = html("p", { class: "formula" });
  const buttons = code.functions.map((f) => html("button", { type: "button", role: "tab", "aria-controls": "listing", onclick: () => select(f) }, f.name.replaceAll("_", " ")));
  const copy = html("button", { type: "button", class: "plain", onclick: async () => { await copyToClipboard(listing.textContent); copy.textContent = "copied"; setTimeout(() => { copy.textContent = "copy"; }, 900); } }, "copy");
  const downloads = Object.entries(code.files).map(([name, content]) => html("button", { type: "button", class: "plain", onclick: () => downloadText(name, content) }, name));
  function select(f) {
    chooseTab(buttons, code.functions.indexOf(f));
    listing.setAttribute("aria-label", f.name.replaceAll("_", " "));
    equation.replaceChildren(...withDots(f.equation));
    listing.textContent = text.slice(Number(f.start), Number(f.end));
    listing.scrollTop = 0;
  }
  const tabs = html("div", { class: "tabs", role: "tablist" }, buttons);
  arrowTabs(tabs, buttons);
  box.append(tabs,
    html("div", { class: "beside" }, html("div", {}, equation, html("p", { class: "remark" }, "C99, depends only on math.h."),
      html("p", { class: "downloads" }, "Download: ", downloads)), html("div", { class: "listing" }, copy, listing)));
  select(code.functions[0]);
}
