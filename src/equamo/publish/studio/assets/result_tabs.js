// Tabs of results. Each is { id, title, element, refresh(session) }; a tab that queries the kernel does so
// when it first becomes visible, and again after the model has changed.

export class ResultTabs {
  constructor(tabs) {
    this.tabs = tabs;
    this.stale = new Set(tabs.map((t) => t.id));
    const list = byId("result-tabs");
    this.buttons = tabs.map((t) => html("button", { type: "button", role: "tab", id: `tab-${t.id}`, "aria-controls": `panel-${t.id}`, onclick: () => this.select(t.id) }, t.title));
    this.panels = tabs.map((t) => html("div", { id: `panel-${t.id}`, class: "result", role: "tabpanel", "aria-labelledby": `tab-${t.id}`, hidden: true, tabindex: -1 }, t.element));
    list.append(...this.buttons);
    arrowTabs(list, this.buttons);
    byId("results").append(...this.panels);
    this.select(tabs[0].id);
  }

  select(id) {
    const k = this.tabs.findIndex((t) => t.id === id);
    this.current = this.tabs[k];
    chooseTab(this.buttons, k);
    this.panels.forEach((p, n) => { p.hidden = n !== k; });
    byId("results").scrollTop = 0;
    this.buttons[k].scrollIntoView({ block: "nearest", inline: "nearest" });
    this.update();
  }

  // The model has changed: every tab is out of date.
  changed() {
    this.stale = new Set(this.tabs.map((t) => t.id));
    this.update();
  }

  update() {
    if (!this.current || !this.ready || !this.stale.delete(this.current.id)) return;
    this.current.refresh?.();
  }
}

const latest = new WeakMap(); // box -> its last request

// Runs a request for a tab: shows its progress, and an error in place of a result. Only the last
// request of a box is shown, in whatever order they end.
export async function fillFrom(box, request, draw) {
  latest.set(box, request);
  box.classList.add("waiting");
  try {
    const data = await request;
    if (latest.get(box) !== request) return;
    draw(data);
    box.removeAttribute("data-error");
  } catch (error) {
    if (latest.get(box) !== request) return;
    if (error instanceof Cancelled) box.replaceChildren(html("p", { class: "remark" }, "Cancelled."));
    else {
      box.setAttribute("data-error", "");
      box.replaceChildren(html("p", { class: "failure", role: "alert" }, error.message));
    }
  } finally {
    if (latest.get(box) === request) box.classList.remove("waiting");
  }
}

// Marks a result that stays when the model changes.
export function markOld(session, box) {
  session.on("derived", () => {
    if (box.querySelector(":scope > :not(.remark)") && !box.querySelector(".old")) box.prepend(html("p", { class: "remark old" }, "The model has changed since; this result is out of date."));
  });
}
