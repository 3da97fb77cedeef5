/* Invitations by link and QR code, for game masters. */

/** A QR code from its rows of 0 and 1. */
const QR = ({ rows, says }) => {
  const path = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x + 2} ${y + 2}h1v1h-1z` : ""))).join("");
  return html`<svg class="qr" viewBox=${`0 0 ${rows.length + 4} ${rows.length + 4}`} role="img" aria-label=${says} shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff" /><path d=${path} fill="#000" /></svg>`;
};

/** Invitations: one for each character of a player, for onlookers, and for a second game master. */
const Invite = ({ people, made, does }) => html`<h2 id="dialog-title">Invite</h2>
  <p class="quiet">Each link opens this fight for one person. It is shown only now, and works for everybody who has it.</p>
  <ul class="invitations">${people.map(({ id, name, role }) => html`<li key=${id}><span><b><${Name} of=${name} /></b></span> <button type="button" data-invite=${id} onClick=${() => does(id, role, name)}>${made[id] ? "Another link" : "Invite"}</button>
    ${made[id] && html`<div class="invitation">${made[id].qr?.length > 0 && html`<${QR} rows=${made[id].qr} says=${`QR code of the link for ${name}`} />`}<label>link <input readonly value=${made[id].link} onFocus=${(event) => event.target.select()} /></label></div>`}</li>`)}</ul>`;

const invite = {
  made: {},

  people() {
    const ours = inRows().filter((who) => isOfPlayers(who) && !read(who, "gone"));
    return [...ours.map((id) => ({ id, name: nameOf(id), role: "player" })), { id: "spectator", name: "A spectator", role: "spectator" }, { id: "gm", name: "A second game master", role: "gm" }];
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
