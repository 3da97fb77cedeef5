/* Invitations by link and QR code, and the end of a fight; for game masters. */

const invite = {
  made: {},

  people() {
    const ours = inRows().filter((who) => isOfPlayers(who) && !read(who, "gone"));
    return [...ours.map((id) => ({ id, name: nameOf(id), role: "player" })), { id: "spectator", name: "Somebody who looks on", role: "spectator" }, { id: "gm", name: "A second game master", role: "gm" }];
  },

  open() {
    views.open(html`<${Invite} people=${this.people()} made=${this.made} does=${(id, role, name) => this.make(id, role, name)} />`);
  },

  async make(id, role, name) {
    const wanted = role === "player" ? { role, combatants: [id], by: name, writes: true } : { role };
    try {
      const response = await fetch(`${service}/tokens`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wanted) });
      const said = await response.json();
      if (response.ok) this.made = { ...this.made, [id]: said };
      else form.say(element("p", { class: "wrong" }, said.detail));
    } catch {
      form.say(element("p", { class: "wrong" }, "No connection: there is no link yet."));
    }
    this.open();
  },
};

/** How a fight is exported from the menu. */
const EXPORTS = [["html", "Replay as a page"], ["markdown", "Story as Markdown"], ["csv", "Table as CSV"], ["json", "Everything as JSON"]];
