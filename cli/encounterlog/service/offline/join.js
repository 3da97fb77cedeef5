/* The page that a link leads to: the token goes from the address into the form, and the data that another one left on this device are removed. */
"use strict";
const held = document.querySelector("input[name=token]");
if (location.hash.length > 1) {
  held.value = location.hash.slice(1);
  held.closest("label").hidden = true;
  history.replaceState(null, "", location.pathname);
  invited();
}
document.querySelector("form").addEventListener("submit", () => {
  window.caches?.delete("known");
  sessionStorage.clear();
});

/** Say what the link opens: the encounter, who is in it, what one may do there. */
async function invited() {
  const headers = { Authorization: `Bearer ${held.value.slice(held.value.lastIndexOf(":") + 1)}` };
  const asked = async (path) => (await fetch(`/v1/encounters${path}`, { headers })).json();
  const { encounters = [] } = await asked("");
  if (encounters.length !== 1) return;
  const [{ name, role, combatants, writes }] = encounters;
  const { title, combatants: all, clock } = await asked(`/${encodeURIComponent(name)}/show`);
  const names = Object.values(all).map((each) => each.name).join(", ");
  const own = combatants.map((who) => all[who]?.name ?? who).join(" and ");
  const may = { gm: "You lead it: you record everything that happens.", player: `You play ${own || "a character"}${writes ? ": you record what they do, and propose the rest" : ", and watch"}.` }[role] ?? "You watch it.";
  const said = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  document.getElementById("invitation").replaceChildren(said("h2", title), said("p", `${clock.round ? `Round ${clock.round}` : "Not begun yet"}${names ? `, with ${names}` : ""}.`), said("p", may));
}
